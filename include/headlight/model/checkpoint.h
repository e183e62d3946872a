/* checkpoint.h: a model together with its tokenizer: from a folder in the hub's layout, or one
 * of those that are linked into the program. */
#pragma once

#include "headlight/model/model.h"

struct checkpoint {
    struct model *model;
    struct tokenizer *tokenizer;
    char *name; /* the hub's name, else the folder's last part; or a built-in one's */
    struct checkpoint *decoder; /* of an encoder–decoder, whose encoder the rest is; or NULL */
};

/* The stack in which a site is. */
static inline const struct checkpoint *checkpoint_stack(const struct checkpoint *checkpoint,
                                                        enum site site)
{
    return checkpoint->decoder && site != SITE_ENCODER ? checkpoint->decoder : checkpoint;
}

/* What both have. */
struct intervene_stacks checkpoint_stacks(const struct checkpoint *checkpoint);

/* Opens a folder (config.json, model.safetensors, a tokenizer's files as in text/tokenizer.h),
 * or a model of the hub's cache by its name (hub.h), or one that is built in; NULL is the first.
 * `family` says by hand, by a model_type, which it is; NULL: as the checkpoint says. Texts with a
 * token that has no row in the embedding table are refused later. The watch, which may be NULL, is
 * called for each tensor. */
enum status checkpoint_open(struct checkpoint *checkpoint, const char *name, const char *family,
                            const struct watch *watch, struct error *error);

/* Accepts a checkpoint that failed to open, or a zeroed one. */
void checkpoint_close(struct checkpoint *checkpoint);
