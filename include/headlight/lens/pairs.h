/* pairs.h: the pairs of tokens between which a line is worth drawing: of several heads' edges from
 * one token to another only the heaviest, the first of equal ones, as edges_strongest has it. */
#ifndef HEADLIGHT_LENS_PAIRS_H
#define HEADLIGHT_LENS_PAIRS_H

#include "headlight/lens/edges.h"

struct pair_limits {
    struct edge_limits edges; /* its count is of pairs */
    bool each;                /* besides, the heaviest of each attending token, */
    bool pinned;              /* and this pair of the query's: */
    size_t from, to;
};

struct pair_list {
    struct edge *edges; /* light to heavy by shade */
    size_t count;
    size_t to_first; /* of a causal trace: those that go to its first token */
    size_t total;    /* pairs of the query; of a causal trace, those not to a later token */
};

/* Where no token attends to a later one, lines to the first token, on which most weight then rests,
 * are not counted against the limit. Free list->edges with free(). STATUS_MEMORY. */
enum status pairs_select(const struct edge_query *query, const struct pair_limits *limits,
                         struct pair_list *list, struct error *error);

#endif
