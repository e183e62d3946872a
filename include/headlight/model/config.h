/* config.h: the numbers of config.json, which determine every shape of an encoder, and what its
 * family adds to them. */
#pragma once

#include "headlight/base/file.h"
#include "headlight/model/head_mask.h"
#include "headlight/model/labels.h"
#include "headlight/tensor/kernels.h"

/* Heads of a layer are kept as one mask. */
#define CONFIG_HEADS_MAX  HEAD_MASK_MAX
#define CONFIG_LAYERS_MAX 128
/* Far above any real checkpoint's sizes; any two of them multiply without overflow. */
#define CONFIG_SIZE_MAX ((size_t)1 << 24)

/* The most tokens at which a text that is generated ends. */
#define CONFIG_ENDS_MAX 16

/* How scores depend on the distance of two tokens. */
enum relation {
    RELATION_NONE,
    RELATION_BIAS,         /* a number for each head and distance is added */
    RELATION_DISENTANGLED, /* queries and keys are also multiplied with vectors of distances */
};

/* How positions turn queries and keys, see relation_speed. */
enum rope { ROPE_DEFAULT, ROPE_LINEAR, ROPE_LLAMA3, ROPE_YARN };

struct rotation {
    enum rope kind;
    double theta;     /* θ */
    double factor;    /* of any other kind than the default one */
    double low, high; /* of LLAMA3 and YARN: between which planes, or frequencies, it is blended */
    double original;  /* n, positions that the model was first trained on */
    double stretch;   /* the factor of turned queries and keys */
};

/* How a text or a target is generated, by generation_config.json or, without it, config.json and
 * its class: transformers' generation/logits_process.py. An id that is none is -1. */
struct rules {
    int32_t start;              /* decoder_start_token_id, before the target */
    int32_t first, last;        /* forced_bos_token_id, forced_eos_token_id: the first token that is
                                   made, and the last one that may be */
    size_t no_repeat, shortest; /* no_repeat_ngram_size, min_length */
    size_t bad_count;           /* bad_words_ids, those of one id, which none is */
    int32_t bad[CONFIG_ENDS_MAX];
    bool normalised;   /* renormalize_logits: beams count the probabilities of what they leave */
    double repetition; /* repetition_penalty of the tokens that are there, above 0; 1: none */
    struct error unfollowed; /* of a decoder alone, which is opened all the same: why nothing can be
                                generated */
};

/* An encoder–decoder is two stacks of layers, each with a configuration, and weights, of its own.
 */
enum stack { STACK_ONLY, STACK_ENCODER, STACK_DECODER };

/* What goes into a head. */
enum head_pooling {
    POOL_NONE,       /* each token by itself */
    POOL_FIRST,      /* the first token */
    POOL_MEAN,       /* the mean of all tokens */
    POOL_LATE,       /* each token, and the mean of what f makes of them goes on */
    POOL_CONFIGURED, /* one of them, as config->classifier_pooling says */
};

struct family;
struct sentence_model;

struct config {
    const struct family *family;

    enum stack stack;
    size_t numbered; /* its first layer among those of all sites: intervene.h */

    char prefix[64]; /* of its tensors' names, found in the file; "": the family's */

    size_t vocabulary;   /* V  vocab_size */
    size_t hidden;       /* H  hidden_size */
    size_t embedding;    /* E  embedding_size; 0: H, without a projection */
    size_t layers;       /* L  num_hidden_layers */
    size_t heads;        /* A  num_attention_heads */
    size_t key_heads;    /* G  num_key_value_heads, a divisor of A; 0: A */
    size_t dimensions;   /* D  head_dim; 0: H/A, of a divisor A of H */
    size_t feed_forward; /* F  intermediate_size */
    size_t positions;    /* max_position_embeddings */
    size_t longest;      /* the longest text, in tokens, that the positions allow */
    size_t segments;     /* type_vocab_size; 0: there are no segments */
    size_t padding;      /* pad_token_id, where positions are counted past it */
    size_t end_count;    /* eos_token_id, of a causal model: a text that is generated ends */
    int32_t ends[CONFIG_ENDS_MAX]; /* at any of these */
    struct rules rules;            /* of a causal model */
    float layer_norm_eps;
    enum activation activation, head_activation; /* of the layers; of the masked-word head, */
    enum activation pooler_activation;           /* and of DeBERTa's pooler */
    bool tied; /* tie_word_embeddings: a head of words scores with the word embeddings */
    bool attention_bias, mlp_bias; /* where a family's layers may have biases (family.h) */
    double embedding_scale;        /* of the embeddings; 0: 1 */
    bool embedding_unscaled;       /* a trace has them as they were before that */
    double word_scale;             /* of the word's alone, before a position's is added; 0: 1 */
    double head_scale;             /* of what a head of words is given; 0: 1 */
    size_t score_scalar;           /* scores are divided by its root; 0: by that of D·terms */
    double score_cap, logit_cap;   /* c·tanh(x/c) of them; 0: as they are */
    bool parallel;                 /* attention and feed-forward both take the layer's input */
    bool branches;                 /* a trace has what each of them adds */
    bool norm_before;      /* LayerNorm before attention and feed-forward, not after the sum */
    bool gated;            /* feed-forward: f(x·U)·(x·G) */
    bool rotary;           /* positions turn queries and keys */
    bool causal;           /* a token attends only to itself and earlier tokens */
    bool past_padding;     /* positions are numbered from behind the padding's */
    bool placed;           /* a row of a table of positions is added to each token's, */
    size_t first_position; /* from this row on */

    bool norm_words;     /* of ESM: their LayerNorm */
    bool token_dropout;  /* and what becomes of the words where some are masked: trace.h */
    size_t mask;         /* mask_token_id */
    const float *speeds; /* [D/2] of rotary positions, of the file; NULL: θ's */

    /* Of a classifier (labels.h): C, whose rows its last weight has; what its class was made for,
     * to tell apart heads with the same tensors; and whether its labels look like tags. */
    size_t labels;
    enum head_task task;
    bool tagged;
    enum head_pooling classifier_pooling; /* of ModernBERT, EuroBERT */

    const struct sentence_model
        *sentence; /* how its vector is made, of the model; NULL: it isn't */

    double mapped; /* of the model: bytes of weights that passes read from its files */

    size_t groups; /* of layers that share weights, num_hidden_groups; 0: no sharing */

    struct rotation rotations[2];  /* of global and of local layers */
    size_t rotated;                /* r: so many of a head's dimensions turn; 0: all */
    bool local[CONFIG_LAYERS_MAX]; /* a token attends only to tokens within `reach` */
    size_t reach;

    enum relation relation;
    bool own_relations;        /* each layer has a table of its own, of a bias */
    size_t relative_rows;      /* R  of the table of distances */
    size_t buckets, distances; /* S and M of disentangled attention; M of a bias, 0: 128 */
    bool content_position;     /* queries are multiplied with distances */
    bool position_content;     /* keys are */
    bool relative_norm;        /* the table of distances has a LayerNorm */
    bool shared_relation;      /* distances use the query and key projections */
    size_t kernel;             /* K  of the convolution beside the first layer; 0: none */
    enum activation convolution;
};

/* E: the size of an embedding before any projection. */
static inline size_t config_embedding(const struct config *config)
{
    return config->embedding > 0 ? config->embedding : config->hidden;
}

/* D, G, and the numbers of all heads' queries and of their keys side by side: A·D and G·D. */
static inline size_t config_dimensions(const struct config *config)
{
    return config->dimensions > 0 ? config->dimensions : config->hidden / config->heads;
}

static inline size_t config_key_heads(const struct config *config)
{
    return config->key_heads > 0 ? config->key_heads : config->heads;
}

/* Whether a text that is generated ends at this token. */
static inline bool config_ends_at(const struct config *config, int32_t id)
{
    bool ends = false;
    for (size_t i = 0; i < config->end_count; i++)
        ends |= config->ends[i] == id;
    return ends;
}

/* Reads config.json, of the family that was said by hand, or NULL (family.h), and of an
 * encoder–decoder its second stack, which is of no family if there is none. Every field that
 * the forward pass depends on is honoured or refused by name: STATUS_UNSUPPORTED for an unknown
 * model_type (family.h), hidden_act or position_embedding_type, a decoder, pruned heads, a
 * quantised checkpoint; STATUS_FORMAT for a missing or malformed field; STATUS_MISMATCH for sizes
 * that do not fit each other; STATUS_LIMIT for a size over the limits above, or for sizes whose
 * weights would need more memory than is free (the message has the figures). The file is the
 * caller's to free, also after an error. */
enum status config_read(const struct files *files, const char *family, struct config *config,
                        struct config *decoder, struct file_text *file, struct error *error);
