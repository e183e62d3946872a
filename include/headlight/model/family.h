/* family.h: the kinds of encoder that headlight runs, as data. A family is a record that says what
 * its configuration's fields and its tensors are called and in what its network differs from
 * BERT's; the forward pass is one for all (forward_pass.c).
 *
 * Source: Hugging Face's modeling code of each family. */
#ifndef HEADLIGHT_MODEL_FAMILY_H
#define HEADLIGHT_MODEL_FAMILY_H

#include "headlight/base/error.h"
#include "headlight/text/tokenizer.h"

#include <stdbool.h>
#include <stddef.h>

struct config;
struct config_reader;

/* What the fields of config.json are called; NULL: the family has none of that kind. */
struct config_keys {
    const char *hidden, *layers, *heads, *feed_forward, *positions, *segments, *activation,
        *epsilon;
};

/* A tensor that must be there. The letters of its axes:
 *
 *     V vocabulary    E embedding size    P positions    S segments    H hidden size
 *     F feed-forward size    A heads    R rows of relative positions    K kernel of the convolution
 *     1, 2 that many
 *
 * Linear layers are [outputs,inputs]. One axis makes a vector, of which the weights keep floats;
 * without a name it is one of zeros. Several may be the parts of one tensor, with the rows of one
 * after those of the other. */
struct tensor_entry {
    const char *name;
    const char *other_name; /* accepted too, or NULL */
    size_t offset;          /* of the matrix, or of the pointer to a vector's floats */
    const char *axes;
    size_t part, parts; /* which, of how many; 0 and 0: it is whole */
};

struct tensor_list {
    const struct tensor_entry *entries;
    size_t count;
    bool (*wanted)(const struct config *config); /* NULL: by all configurations */
};

/* What a model can say of a text. */
enum model_output {
    OUTPUT_MLM,      /* which word stands there: mlm_logits [T,V] */
    OUTPUT_LM,       /* which word comes next: lm_logits [T,V] */
    OUTPUT_RTD,      /* whether a word was replaced: rtd_logits [T] */
    OUTPUT_POOLED,   /* the first token, made ready for heads: pooler_output [H] */
    OUTPUT_SENTENCE, /* the mean of all tokens: sentence_embedding [H]; no head, see config.h */
    OUTPUT_NSP,      /* whether B follows A: nsp_logits [2] */
    OUTPUT_SOP,      /* whether A comes before B: sop_logits [2] */
    OUTPUT_COUNT,
};

/* A head is there as a whole or not at all; the first `deciding` tensors tell. The last of a
 * vocabulary's head is the decoder's weight, which a tied head has not. */
struct head_list {
    enum model_output output;
    size_t deciding;
    struct tensor_list tensors;
};

/* A switch that must be `expected`; absent, it is `otherwise`. `why` ends a message: "headlight
 * runs …". */
struct config_flag {
    const char *name;
    bool otherwise, expected;
    const char *why;
};

#define FAMILY_FLAGS_MAX 5
#define FAMILY_LISTS_MAX 4
#define FAMILY_HEADS_MAX 4

struct family {
    const char *name;   /* as people call it: "RoBERTa" */
    const char *type;   /* model_type in config.json: "roberta" */
    const char *class;  /* what its classes' names begin with: "Roberta" */
    const char *prefix; /* before the names of its tensors, or left out: "roberta." */
    const struct config_keys *keys;

    double epsilon;         /* of LayerNorms, where the configuration does not say */
    const char *activation; /* and the activation */
    size_t positions;       /* and how many there are; 0: 512 */
    bool past_padding;      /* the first token's position is the one behind padding's */
    bool projected;         /* embeddings of E numbers are projected to H */
    bool norm_before;       /* LayerNorm before attention and feed-forward, not after the sum */
    bool gated;             /* feed-forward: f(x·U)·(x·G) */
    bool rotary;            /* positions turn queries and keys */
    bool causal;            /* a token attends to itself and to those before it */
    bool transposed;        /* matrices of layers are [inputs,outputs] */
    bool head_gelu;         /* the masked-word head has GELU, whatever the layers have */

    /* Switches of the configuration with the one value that headlight computes. */
    struct config_flag flags[FAMILY_FLAGS_MAX];
    /* Reads and checks the fields that no other family has; may be NULL. */
    enum status (*read)(const struct config_reader *in, struct config *config);

    struct tensor_list whole[FAMILY_LISTS_MAX];
    struct tensor_list layer[FAMILY_LISTS_MAX]; /* after the layer's prefix: */
    struct tensor_list later_layer;             /* of all layers but the first */
    const char *layer_prefix;                   /* before the number of the layer or its group, */
    const char *layer_infix;                    /* and after it */
    struct head_list heads[FAMILY_HEADS_MAX];   /* those that none follow are {0} */

    struct tokenizer_family tokenizer; /* without a tokenizer.json */
};

/* All of them; NULL behind the last. */
const struct family *family_at(size_t index);

/* By its model_type; NULL when there is none. */
const struct family *family_of_type(const char *type);

/* That of a configuration: BERT where it does not say. NULL, with the error set, when it is none of
 * the families. */
const struct family *family_find(const struct config_reader *in);

/* The size that a letter of a tensor's axes stands for. */
size_t family_extent(const struct config *config, char axis);

extern const struct family family_bert, family_roberta, family_xlm_roberta, family_electra,
    family_distilbert, family_albert, family_mpnet, family_modernbert, family_deberta, family_gpt2;

#endif
