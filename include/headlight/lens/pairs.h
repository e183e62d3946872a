/* pairs.h: selects the pairs of tokens worth drawing a line between: of several heads' edges from
 * one token to another only the heaviest, the first if equal, as edges_strongest. */
#ifndef HEADLIGHT_LENS_PAIRS_H
#define HEADLIGHT_LENS_PAIRS_H

#include "headlight/lens/edges.h"

struct pair_limits {
    struct edge_limits edges; /* `count` counts pairs */
    bool each;                /* also the heaviest edge of each attending token */
    bool pinned;              /* also the pair from, to */
    size_t from, to;
};

struct pair_list {
    struct edge *edges; /* light to heavy by shade */
    size_t count;
    size_t to_first; /* in a causal trace: lines to its first token */
    size_t total;    /* pairs of the query; in a causal trace without those to later tokens */
};

/* In a causal trace (no token attends to a later one), lines to the first token, which then has
 * most of the weight, don't count against the limit. Free list->edges with free(). STATUS_MEMORY.
 */
enum status pairs_select(const struct edge_query *query, const struct pair_limits *limits,
                         struct pair_list *list, struct error *error);

#endif
