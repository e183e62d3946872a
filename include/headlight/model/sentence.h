/* sentence.h: a sentence's vector, and how it is made of its tokens' vectors, as the files beside a
 * sentence-transformers checkpoint say it:
 *
 *     modules.json                       Transformer, Pooling, Dense, Normalize, in this order
 *     1_Pooling/config.json              cls, max, mean …; several are put side by side
 *     2_Dense/config.json, model.safetensors
 *     sentence_bert_config.json          beside the encoder: the longest sentence, lower case
 *     config_sentence_transformers.json  how two sentences are compared
 *
 * Source: Reimers and Gurevych 2019, "Sentence-BERT"; sentence-transformers, models/Pooling.py,
 * models/Dense.py, models/Normalize.py, util/similarity.py. */
#pragma once

#include "headlight/base/error.h"

#include <stdbool.h>

struct trace;

/* In the order in which several are put side by side, with sentence-transformers' names. */
#define POOLINGS(ROW)                                                                              \
    ROW(CLS, "cls", "pooling_mode_cls_token")  /* the first token */                               \
    ROW(MAX, "max", "pooling_mode_max_tokens") /* of each dimension */                             \
    ROW(MEAN, "mean", "pooling_mode_mean_tokens")                                                  \
    ROW(SQRT, "mean_sqrt_len_tokens", "pooling_mode_mean_sqrt_len_tokens") /* the sum over √T */ \
    ROW(WEIGHTED, "weightedmean", "pooling_mode_weightedmean_tokens") /* token t counts t + 1 */   \
    ROW(LAST, "lasttoken", "pooling_mode_lasttoken")                  /* the closing special one */
#define POOLING_CONSTANT(pooling, name, key) POOLING_##pooling,
enum pooling { POOLINGS(POOLING_CONSTANT) POOLING_COUNT };

#define SIMILARITIES(ROW)                                                                          \
    ROW(COSINE, "cosine")                                                                          \
    ROW(DOT, "dot")                                                                                \
    ROW(EUCLIDEAN, "euclidean") /* minus the distance, and so below */                             \
    ROW(MANHATTAN, "manhattan")
#define SIMILARITY_CONSTANT(function, name) SIMILARITY_##function,
enum similarity { SIMILARITIES(SIMILARITY_CONSTANT) SIMILARITY_COUNT };

enum sentence_module {
    SENTENCE_TRANSFORMER,
    SENTENCE_POOLING,
    SENTENCE_DENSE,
    SENTENCE_NORMALIZE,
    SENTENCE_MODULES,
};

/* y = f(x·Wᵀ + b) */
struct sentence_dense {
    size_t inputs, outputs; /* Q and W; 0: there is no such module */
    const float *weight;    /* [W,Q] */
    const float *bias;      /* [W], or NULL */
    size_t function;        /* by its place in sentence.c's names; 0: none */
};

struct sentence_model {
    bool made;  /* whether the model makes a vector of a sentence */
    bool given; /* by its files, else the mean is assumed */
    bool pools[POOLING_COUNT];
    struct sentence_dense dense;
    bool normalized;
    size_t pooled, size; /* Q and W: of what is pooled, of the vector in the end */
    enum similarity similarity;
    size_t longest;  /* a sentence is cut to so many tokens; 0: it isn't */
    bool lower_case; /* before the tokenizer */
    char note[256];  /* what a reader has to know, one sentence or more; or empty */

    char *folder;                    /* the checkpoint's */
    char *folders[SENTENCE_MODULES]; /* that hold a module's files; NULL: no such module, or none.
                                        The first, of the encoder, is there in any case */
    float *block;                    /* of the dense module */
};

/* Finds a checkpoint's modules and settings. Where one is not supported or its file is wrong there
 * is no vector of a sentence, and the note says why; only without the encoder's config.json is it
 * an error, or without memory. The modules of a folder without modules.json are none, unless there
 * is a 1_Pooling. */
enum status sentence_open(const char *folder, struct sentence_model *sentence, struct error *error);

/* Reads the modules, once the encoder's H is known; with a note, too. STATUS_MEMORY. */
enum status sentence_bind(struct sentence_model *sentence, size_t hidden, struct error *error);

/* The mean of the tokens, where nothing is given. */
void sentence_assume_mean(struct sentence_model *sentence, size_t hidden);

/* The folder of a checkpoint's encoder, allocated; NULL without memory or modules.json. */
char *sentence_encoder(const char *folder);

/* Accepts a zeroed one, and one that failed to open. */
void sentence_free(struct sentence_model *sentence);

/* What a token's vector counts for in the pooled one; not for the maximum. */
double sentence_share(enum pooling pooling, size_t token, size_t tokens);

/* The token whose number is the maximum of dimension i. */
size_t sentence_highest(const float *rows /* [T,H] */, size_t tokens, size_t hidden, size_t i);

/* A trace's vectors of the sentence, from its last rows: in double precision, each vector rounded
 * once. */
void sentence_embed(const struct sentence_model *sentence, struct trace *trace);

/* Of two vectors [W]. Of no length, a vector's cosine is 0. */
double sentence_similarity(enum similarity function, const float *a, const float *b, size_t size);

/* "cosine"; "Pooling"; and of all poolings "cls+max+mean". */
extern const char *const similarity_names[SIMILARITY_COUNT], *const module_names[SENTENCE_MODULES];
void sentence_pooling_name(const struct sentence_model *sentence, char *text, size_t size);
