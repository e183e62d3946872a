/* random_model.h: small encoders of any shape with random weights, made in memory; the same in
 * every run. Every function fails the running test when it cannot do it. */
#pragma once

#include "headlight/model/trace.h"
#include "model_helpers.h"

struct random_shape {
    size_t hidden, heads, layers, feed_forward, vocabulary, positions;
    const char *type;       /* F32, F16 or BF16 */
    const char *activation; /* gelu, gelu_new, relu, silu */
    float sharpness;        /* the range of query's and key's weights, times √H; 1 is gentle */
};

struct random_model {
    struct random_shape shape;
    const char *config; /* config.json, borrowed; NULL: that of a BERT of this shape */
    struct parts parts; /* as they are in the model; change them and call random_model_open */
    unsigned char *bytes;
    struct model *model;
};

/* An odd shape of at most 40 hidden numbers, one that no two seeds need share. */
struct random_shape random_shape(uint64_t seed);
/* Makes the parts, with a masked-word and a next-sentence head, and opens them. */
void random_model_make(struct random_model *random, const struct random_shape *shape,
                       uint64_t seed);
/* Opens the parts as they are now; NULL in random->model when that fails. */
enum status random_model_open(struct random_model *random, struct error *error);
void random_model_free(struct random_model *random);

/* Ids of the vocabulary; the second of two sentences begins at `boundary`. Free with free(). */
struct trace *random_prepare(const struct random_model *random, size_t tokens, size_t boundary,
                             uint64_t seed);

/* Of an encoder–decoder the second trace, whose tokens look at those of the source's. */
struct trace *random_target(const struct random_model *random, const struct trace *source,
                            size_t tokens, uint64_t seed);

/* Every tensor of two traces has the same bits; fails with the first that has not. */
void assert_same_traces(const struct trace *a, const struct trace *b);
