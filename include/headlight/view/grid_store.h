/* grid_store.h: what the model view's thumbnails show of each head: the largest weight of each dot,
 * or the heads' strongest edges.
 *
 * To make it every weight of every layer is read, far more than a frame has time for when the text
 * is long. So it is made for all heads at once, by all members of the crew, and whoever draws more
 * than one frame keeps it as long as it fits:
 *
 *     struct grid_need need = grid_need(scene, &layout);
 *     if (!grid_store_fits(store, &need)) … grid_store_new(scene, &need, &store, &error); */
#ifndef HEADLIGHT_VIEW_GRID_STORE_H
#define HEADLIGHT_VIEW_GRID_STORE_H

#include "headlight/view/grid_layout.h"

/* All that decides what a store is, besides the attention. */
struct grid_need {
    bool lined;
    enum tone tone;
    unsigned weight;             /* thousandths, of the lightest line */
    struct token_range range[2]; /* by side */
    int rows, columns;           /* of a thumbnail: of dots, or for lines of cells */
};

struct grid_store;

struct grid_need grid_need(const struct scene *scene, const struct grid_layout *layout);

/* Whether a store, of the scene's attention, has what is needed. NULL never does. */
bool grid_store_fits(const struct grid_store *store, const struct grid_need *need);

/* STATUS_MEMORY. Free with grid_store_free. */
enum status grid_store_new(const struct scene *scene, const struct grid_need *need,
                           struct grid_store **store, struct error *error);

/* Accepts NULL. */
void grid_store_free(struct grid_store *store);

/* A head's dots, [rows,columns], see heat.h; or its edges, the heaviest first. */
const float *grid_store_dots(const struct grid_store *store, size_t layer, size_t head);
const struct edge *grid_store_edges(const struct grid_store *store, size_t layer, size_t head,
                                    size_t *count);

#endif
