/* overlay.h: of the edges that are wanted those that can be seen, when only some of the tokens are
 * on screen and the edges of several heads lie on one another.
 *
 * A long text has millions of edges and room for some thousands. So each weight is compared once,
 * and no list is made of what isn't seen. */
#ifndef HEADLIGHT_LENS_OVERLAY_H
#define HEADLIGHT_LENS_OVERLAY_H

#include "headlight/lens/edges.h"

/* What is on screen. */
struct overlay_window {
    struct token_range tokens[2]; /* by side */
    /* Edges between the same two tokens are drawn in the same dots, a lighter one in some of those
     * of a heavier one. Only what is lighter than `sparse` may have others than what is heavier,
     * but lighter than `half`. In thousandths of shade. */
    unsigned sparse, half;
};

struct overlay {
    struct edge_list list; /* those that are seen; total as in edges_select */
    bool whole;            /* they are all that are wanted */
    size_t wanted;         /* edges within the limits, seen or not */
    size_t above, below;   /* of these, those from the window to a token before or behind it */
};

/* The seen ones of the edges that edges_select chooses, in its order: those that begin and end
 * before the window, or behind it, are not, nor what lies under a heavier one. Free
 * overlay->list.edges with free(). STATUS_MEMORY. */
enum status overlay_select(const struct edge_query *query, const struct edge_limits *limits,
                           const struct overlay_window *window, struct overlay *overlay,
                           struct error *error);

#endif
