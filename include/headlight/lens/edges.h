/* edges.h: selects the connections of a layer that are worth drawing.
 *
 * An edge is one attention weight: head, from (the attending token), to (the attended one). Weights
 * are rounded to thousandths first, so that the last bits of a float don't affect the screen.
 *
 *     struct edge_limits limits = {.weight = 50, .count = 1280};
 *     edges_select(&query, &limits, &list, &error);      the heaviest 1280 from 0.05 up
 *     free(list.edges); */
#pragma once

#include "headlight/lens/attention.h"

#define EDGE_WHOLE 1000 /* a weight of 1 */

/* How a weight becomes a shade, which determines brightness. */
enum tone {
    TONE_WEIGHT, /* the weight itself */
    TONE_ROOT,   /* its square root: brings out small weights */
    TONE_ROW,    /* relative to the largest weight of its row */
    TONE_COUNT,
};

struct edge {
    uint32_t from, to;
    uint16_t head;
    uint16_t weight; /* thousandths */
    uint16_t shade;  /* thousandths */
};

/* The edges of the heads in the mask from one range of tokens to another. */
struct edge_query {
    const struct attention *attention;
    size_t layer;
    head_mask heads;
    struct token_range from, to;
    enum tone tone;
    bool once;     /* only from a token to a later one: the other way the number is the same */
    bool heaviest; /* of several heads' edges from one token to another only the heaviest, the first
                      if equal; for edges_select */
};

/* The number of tokens in a range. */
static inline size_t edge_range_count(struct token_range range)
{
    return range.first < range.end ? range.end - range.first : 0;
}

/* Which edges to select. */
struct edge_limits {
    unsigned weight; /* thousandths, at least */
    size_t count;    /* at most so many, the heaviest by shade; SIZE_MAX: all */
};

/* Sorted light to heavy by shade. */
struct edge_list {
    struct edge *edges;
    size_t count;
    size_t total;    /* all edges of the query */
    size_t to_first; /* of pairs_select, in a causal trace: those to its first token */
};

/* A weight in thousandths, 0 … 1000; NaN counts as 0. */
unsigned edge_thousandths(float weight);

/* The largest weight of a row of `count`; 0 where none is positive. */
float edge_largest(const float *row, size_t count);

/* The shade, in thousandths, of a weight in a row whose largest weight is `largest`. */
unsigned edge_shade(enum tone tone, float weight, float largest);

/* The weight that has a shade, 0 … 1. */
float edge_weight(enum tone tone, float shade, float largest);

/* For qsort, as edges_select sorts: light to heavy, those of equal shades by head, from, to. */
int edges_compare(const void *a, const void *b);

/* The edges within the limits; among equal ones the first by head, from, to. Free list->edges with
 * free(). STATUS_MEMORY. */
enum status edges_select(const struct edge_query *query, const struct edge_limits *limits,
                         struct edge_list *list, struct error *error);

/* The heaviest edge by weight; among equal ones the first by head, from, to. False when the query
 * has none. */
bool edges_strongest(const struct edge_query *query, struct edge *edge);

/* ---- Pairs of tokens ----------------------------------------------------------------------- */

/* Of several heads' edges from one token to another only the heaviest, the first if equal, as
 * edges_strongest; or all of them, where each of their lines has a lane of its own. */
struct pair_limits {
    struct edge_limits edges; /* `count` counts pairs, or with lanes edges */
    bool lanes;
    bool each;   /* also the heaviest edge of each attending token; with lanes, of each
                    head as well */
    bool pinned; /* also the pair from, to */
    size_t from, to;
};

/* In a causal trace (no token attends to a later one), lines to the first token, which then has
 * most of the weight, don't count against the limit; the total, of pairs or with lanes of edges, is
 * without those to later tokens. Free list->edges with free(). STATUS_MEMORY. */
enum status pairs_select(const struct edge_query *query, const struct pair_limits *limits,
                         struct edge_list *list, struct error *error);
