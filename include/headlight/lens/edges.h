/* edges.h: the connections of a layer that are worth drawing.
 *
 * An edge is one attention weight: head, from (the attending token), to (the attended one). Weights
 * are rounded to thousandths first, so that the last bits of a float decide nothing on screen. */
#ifndef HEADLIGHT_LENS_EDGES_H
#define HEADLIGHT_LENS_EDGES_H

#include "headlight/base/error.h"
#include "headlight/lens/attention.h"

#define EDGE_WHOLE 1000 /* a weight of 1 */

/* How a weight becomes a shade, which is what brightness is chosen by. */
enum tone {
    TONE_WEIGHT, /* the weight itself */
    TONE_ROOT,   /* its square root: small weights come out */
    TONE_ROW,    /* its share of the largest weight of its row */
    TONE_COUNT,
};

struct edge {
    uint32_t from, to;
    uint16_t head;
    uint16_t weight; /* thousandths */
    uint16_t shade;  /* thousandths */
};

/* Which edges are meant: those of the heads in the mask between two ranges of tokens. */
struct edge_query {
    const struct attention *attention;
    size_t layer;
    uint64_t heads;
    struct token_range from, to;
    enum tone tone;
};

/* Which of them are wanted. */
struct edge_limits {
    unsigned weight; /* thousandths, at least */
    size_t count;    /* only so many, the heaviest by shade */
};

/* Sorted light to heavy by shade, so that drawing in order leaves the heavy ones on top. */
struct edge_list {
    struct edge *edges;
    size_t count;
    size_t total; /* edges that the query means, drawn or not */
};

/* A weight in thousandths, 0 … 1000; 0 for what is no number. */
unsigned edge_thousandths(float weight);

/* The largest weight of a row of `count`. */
float edge_largest(const float *row, size_t count);

/* The shade, in thousandths, of a weight in a row whose largest weight is `largest`. */
unsigned edge_shade(enum tone tone, float weight, float largest);

/* How many edges a query means, whatever their weight. */
size_t edges_total(const struct edge_query *query);

/* The edges within the limits; of equal ones the first by head, from, to. Free list->edges with
 * free(). STATUS_MEMORY. */
enum status edges_select(const struct edge_query *query, const struct edge_limits *limits,
                         struct edge_list *list, struct error *error);

/* The heaviest edge by weight; of equal ones the first by head, from, to. False when the query
 * means none. */
bool edges_strongest(const struct edge_query *query, struct edge *edge);

#endif
