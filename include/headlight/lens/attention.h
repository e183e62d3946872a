/* attention.h: attention as it is shown: the numbers of a map, or what is left of them when tokens
 * that the tokenizer added are hidden, word pieces are merged into words, and heads are averaged.
 *
 * They are called weights, and are from 0 to 1: of a map that has other numbers, their magnitudes
 * by the largest of the layer (1 where pieces add up to more). attention_value is the number
 * itself.
 *
 *     attention_new(map, sides, &(struct shape){.words = true}, layers, &attention, &error);
 *     attention_weight(attention, layer, head, from, to)
 *     attention_free(attention);
 *
 * R is the number of attending tokens that are shown, C that of attended ones. Where nothing is
 * hidden or merged they are the map's T and S. */
#ifndef HEADLIGHT_LENS_ATTENTION_H
#define HEADLIGHT_LENS_ATTENTION_H

#include "headlight/base/error.h"
#include "headlight/lens/map.h"

#include <stdbool.h>

/* A side's tokens as they are shown. */
struct token_list {
    size_t count, boundary;
    const char *const *labels;    /* [count] */
    const struct token_range *of; /* [count] the tokens of the trace that each stands for */
};

/* What is done with the tokens that the tokenizer added. Where nothing would be left, they are
 * shown. */
enum special_policy {
    SPECIAL_SHOWN,
    SPECIAL_HIDDEN,       /* left out; what remains of a row keeps its weights */
    SPECIAL_RENORMALISED, /* left out; what remains of a row is divided by its sum, if its numbers
                             are shares */
    SPECIAL_POLICY_COUNT,
};

struct shape {
    enum special_policy special;
    bool words; /* pieces of one sentence merged: to a word their sum (of numbers that are no shares
                   their mean), from a word their mean */
};

struct attention {
    size_t layers, heads;        /* L; A, or 1 */
    struct token_list tokens[2]; /* by side: R attending, C attended ones */
    const struct map *map;       /* must outlive it */
    struct shape shape;
    const float **weights; /* [L] of [A,R,C], or NULL; may lie in the map */
    float *owned;          /* the weights that don't, room for all layers */
    void *lists;           /* labels and ranges */
};

/* What is shown of a map, with the weights of the layers first … end-1, which it must have; before
 * the trace is computed ask for none. STATUS_MEMORY, STATUS_LIMIT. Free with attention_free. The
 * labels of the sides must outlive it. */
enum status attention_new(const struct map *map, const struct token_side sides[2],
                          const struct shape *shape, struct token_range layers,
                          struct attention **attention, struct error *error);

/* Adds the weights of layers that it doesn't have yet: merging takes time, and most screens show
 * one layer. STATUS_MEMORY, STATUS_LIMIT. */
enum status attention_add(struct attention *attention, struct token_range layers,
                          struct error *error);

/* The mean of the heads in the mask over computed layers, whether `from` has their weights or not,
 * as an attention of one layer and one head with the same tokens, whose labels are borrowed from
 * `from`. No head: all zero. */
enum status attention_mean(const struct attention *from, struct token_range layers, uint64_t heads,
                           struct attention **mean, struct error *error);

/* Accepts NULL. */
void attention_free(struct attention *attention);

static inline const float *attention_row(const struct attention *attention, size_t layer,
                                         size_t head, size_t from)
{
    const struct token_list *tokens = attention->tokens;
    return attention->weights[layer] +
           (head * tokens[SIDE_LEFT].count + from) * tokens[SIDE_RIGHT].count;
}

static inline float attention_weight(const struct attention *attention, size_t layer, size_t head,
                                     size_t from, size_t to)
{
    return attention_row(attention, layer, head, from)[to];
}

/* The number of the map that a weight stands for; merged numbers are summed up anew. */
float attention_value(const struct attention *attention, size_t layer, size_t head, size_t from,
                      size_t to);

/* Rows of a head in a computed layer, [n,C]: those of the attention where it has the layer, else
 * made in `room`: for callers that go through all layers once. */
const float *attention_rows(const struct attention *attention, size_t layer, size_t head,
                            struct token_range rows, float *room);

/* The same, always into `room`, with the signs of the map's numbers. */
void attention_signed_rows(const struct attention *attention, size_t layer, size_t head,
                           struct token_range rows, float *room);

/* The shown token that stands for a token of the trace; SIZE_MAX when it is hidden. */
size_t attention_shown(const struct attention *attention, enum side side, size_t token);

#endif
