/* relatives.h: which family a checkpoint is of. Its config.json names it, by model_type or by
 * class; the name may be that of a relative, a kind of model under a name of its own that has a
 * family's tensors and arithmetic. A user may say the name by hand. */
#ifndef HEADLIGHT_MODEL_RELATIVES_H
#define HEADLIGHT_MODEL_RELATIVES_H

#include "headlight/model/family.h"

struct store;

struct relative {
    const char *name;            /* "CamemBERT" */
    const char *type;            /* its model_type; several rows may have the same, */
    const char *class;           /* which the prefix of the class then tells apart */
    const char *prefix;          /* of its tensors, in place of the family's */
    const struct family *family; /* of which it is */
    struct config_flag flag;     /* a switch more, or {0} */
    bool segmentless;            /* there are no segments, though the family has them */
    const struct tokenizer_family *tokenizer; /* NULL: the family's */
};

/* The relatives by index; NULL past the last one. */
const struct relative *relative_at(size_t index);

/* Sets the family of a configuration, and the relative if it is one; a type that was said by hand,
 * or NULL, goes before the configuration's. BERT if nothing says it, nor speaks against it. NULL
 * and STATUS_UNSUPPORTED for an unknown one, with what can be done instead. */
const struct family *family_find(const struct json_reader *in, const char *by_hand,
                                 struct config *config);

/* Sets what stands before the family's names of tensors, for a model of another name. */
void family_find_prefix(const struct store *store, struct config *config);

/* The model_types of families and relatives by index; NULL past the last one. */
const char *family_type(size_t index);

/* STATUS_USAGE for another, which the message blames on --family. */
enum status family_check(const char *type, struct error *error);

/* The name of a configuration's family, or of the relative. */
const char *family_title(const struct config *config);

/* The optional prefix of its tensors' names; how it cuts texts. */
const char *family_prefix(const struct config *config);
const struct tokenizer_family *family_tokenizer(const struct config *config);

#endif
