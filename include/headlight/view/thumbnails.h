/* thumbnails.h: what the model view's thumbnails show of each head: the largest weight of each dot,
 * or the heads' strongest edges.
 *
 * Making them reads every weight of every layer, too much for one frame when the text is long. So
 * they are made for all heads at once, by all threads of the pool, and kept as long as they fit:
 *
 *     struct thumbnails_need need = thumbnails_need(scene, &layout);
 *     if (!thumbnails_fits(store, &need)) … thumbnails_new(scene, &need, &store, &error); */
#ifndef HEADLIGHT_VIEW_THUMBNAILS_H
#define HEADLIGHT_VIEW_THUMBNAILS_H

#include "headlight/view/model_view_layout.h"

/* All that determines a store, besides the attention. */
struct thumbnails_need {
    bool lined;
    enum tone tone;
    unsigned weight;             /* thousandths, of the lightest line */
    struct token_range range[2]; /* by side */
    int rows, columns;           /* of a thumbnail, in dots; for lines, in cells */
};

struct thumbnails;

struct thumbnails_need thumbnails_need(const struct scene *scene,
                                       const struct model_view_layout *layout);

/* Whether a store of the scene's attention has what is needed. NULL never does. */
bool thumbnails_fits(const struct thumbnails *store, const struct thumbnails_need *need);

/* STATUS_MEMORY. Free with thumbnails_free. */
enum status thumbnails_new(const struct scene *scene, const struct thumbnails_need *need,
                           struct thumbnails **store, struct error *error);

/* Accepts NULL. */
void thumbnails_free(struct thumbnails *store);

/* A head's dots [rows,columns] (heat.h), or its edges, heaviest first. */
const float *thumbnails_dots(const struct thumbnails *store, size_t layer, size_t head);
const struct edge *thumbnails_edges(const struct thumbnails *store, size_t layer, size_t head,
                                    size_t *count);

#endif
