/* attention.h: attention as shown: the numbers of a map, after hiding tokens added by the
 * tokenizer, merging word pieces into words, and averaging heads.
 *
 * They are called weights and range from 0 to 1. For maps with other numbers they are magnitudes
 * relative to the layer's largest (at most 1, even if pieces add up to more); attention_value gives
 * the number itself.
 *
 *     attention_new(map, sides, &(struct shape){.words = true}, layers, &attention, &error);
 *     attention_weight(attention, layer, head, from, to)
 *     attention_free(attention);
 *
 * R is the number of attending tokens shown, C of attended ones. If nothing is hidden or merged,
 * they are the map's T and S. */
#pragma once

#include "headlight/lens/map.h"

/* A side's tokens as shown. */
struct token_list {
    size_t count, boundary;
    const char *const *labels;    /* [count] */
    const struct token_range *of; /* [count] the trace's tokens for each */
};

/* How tokens added by the tokenizer are treated. If nothing would be left, they are shown. */
enum special_policy {
    SPECIAL_SHOWN,
    SPECIAL_HIDDEN,       /* left out; the rest of a row keeps its weights */
    SPECIAL_RENORMALISED, /* left out; the rest of a row is divided by its sum, if its numbers are
                             shares */
    SPECIAL_POLICY_COUNT,
};

struct shape {
    enum special_policy special;
    bool words; /* merge pieces: attention to a word is their sum (or mean, if the numbers are not
                   shares), from a word their mean */
    bool said;  /* rows are named by what they say next, not what they read; for callers */
};

struct attention {
    size_t layers, heads;        /* L; A, or 1 */
    struct token_list tokens[2]; /* by side: R attending, C attended ones */
    const struct map *map;       /* must outlive it */
    struct shape shape;
    const float **weights; /* [L] of [A,R,C], or NULL; may lie in the map */
    float *owned;          /* weights not in the map, with room for all layers */
    void *lists;           /* labels and ranges */
};

/* Shapes a map, with the weights of layers first … end-1, which it must have; none before the trace
 * is computed. STATUS_MEMORY. Free with attention_free. The labels of the sides must
 * outlive it. */
enum status attention_new(const struct map *map, const struct token_side sides[2],
                          const struct shape *shape, struct token_range layers,
                          struct attention **attention, struct error *error);

/* Adds the weights of further layers: merging takes time, and most screens show one layer.
 * STATUS_MEMORY. */
enum status attention_add(struct attention *attention, struct token_range layers,
                          struct error *error);

/* The mean of the heads in the mask over computed layers (`from` needn't have their weights), as an
 * attention of one layer and one head with the same tokens, labels borrowed from `from`. Without
 * heads: all zero. */
enum status attention_mean(const struct attention *from, struct token_range layers, head_mask heads,
                           struct attention **mean, struct error *error);

/* Accepts NULL. */
void attention_free(void *attention);

/* A single piece, without the mark of a word's beginning; a mark alone is shown as a blank. */
const char *attention_label(const struct token_side *side, size_t token);

/* R or C. */
static inline size_t attention_count(const struct attention *attention, enum side side)
{
    return attention->tokens[side].count;
}

static inline const float *attention_row(const struct attention *attention, size_t layer,
                                         size_t head, size_t from)
{
    size_t row = head * attention_count(attention, SIDE_LEFT) + from;
    return attention->weights[layer] + row * attention_count(attention, SIDE_RIGHT);
}

static inline float attention_weight(const struct attention *attention, size_t layer, size_t head,
                                     size_t from, size_t to)
{
    return attention_row(attention, layer, head, from)[to];
}

/* The map's number behind a weight; merged numbers are summed again. */
float attention_value(const struct attention *attention, size_t layer, size_t head, size_t from,
                      size_t to);

/* Rows of a head in a computed layer, [n,C]: the attention's own if it has the layer, else computed
 * in `buffer`. For callers that go through all layers once. */
const float *attention_rows(const struct attention *attention, size_t layer, size_t head,
                            struct token_range rows, float *buffer);

/* The same, always into `buffer`, with the signs of the map's numbers. */
void attention_signed_rows(const struct attention *attention, size_t layer, size_t head,
                           struct token_range rows, float *buffer);

/* The shown tokens that one of them may attend to in a layer, or some of its pieces to some of
 * theirs; all, of a map that isn't of the heads, or a mean. */
struct token_range attention_visible(const struct attention *attention, size_t layer, size_t from);

/* The shown token for a token of the trace; SIZE_MAX if it is hidden. */
size_t attention_shown(const struct attention *attention, enum side side, size_t token);
