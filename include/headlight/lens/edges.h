/* edges.h: the connections of a layer that are worth drawing.
 *
 * An edge is one attention weight: head, from (the attending token), to (the attended one). Weights
 * are rounded to thousandths first, so that the last bits of a float decide nothing on screen. */
#ifndef HEADLIGHT_LENS_EDGES_H
#define HEADLIGHT_LENS_EDGES_H

#include "headlight/base/error.h"
#include "headlight/model/trace.h"

#define EDGE_WHOLE 1000 /* a weight of 1 */

struct edge {
    uint32_t from, to;
    uint16_t head;
    uint16_t weight; /* thousandths */
};

/* Tokens first … end-1. */
struct token_range {
    size_t first, end;
};

/* Which edges are meant: those of the heads in the mask between two ranges of tokens. */
struct edge_query {
    size_t layer;
    uint64_t heads;
    struct token_range from, to;
};

/* Sorted light to heavy, so that drawing in order leaves the heavy ones on top. */
struct edge_list {
    struct edge *edges;
    size_t count;
    size_t total; /* edges that the query means, drawn or not */
};

/* A weight in thousandths, 0 … 1000; 0 for what is no number. */
unsigned edge_thousandths(float weight);

/* The edges of at least `minimum` thousandths, but the `limit` heaviest of them only; of equal ones
 * the first by head, from, to. Free list->edges with free(). STATUS_MEMORY. */
enum status edges_select(const struct trace *trace, const struct edge_query *query,
                         unsigned minimum, size_t limit, struct edge_list *list,
                         struct error *error);

/* The heaviest edge; of equal ones the first by head, from, to. False when the query means none. */
bool edges_strongest(const struct trace *trace, const struct edge_query *query, struct edge *edge);

#endif
