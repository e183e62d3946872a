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

#include "headlight/view/model_view.h"

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

/* ---- Lines ----
 * A head as lines without words, for any number of tokens: from the attending tokens, dots one
 * below the other on the left edge, to the attended ones on the right edge. Only the strongest
 * lines are drawn, so that the pattern shows. */

/* In thousandths: lighter lines are not drawn, unless the look has a threshold of its own, or shows
 * shares of rows, of which each has a line to show. */
#define THUMBNAIL_LINES_LEAST 100

/* The least weight of a line, in thousandths. */
unsigned thumbnail_lines_least(const struct scene *scene);

/* The most lines of a head in so many rows of cells: one for every second row of dots, as more
 * would leave no ground between them. */
static inline size_t thumbnail_lines_most(int rows)
{
    return 2 * (size_t)rows;
}

/* Chooses a head's lines, heaviest first, from its weights [R,C] into edges
 * [thumbnail_lines_most], whose `head` is 0. False without memory. */
bool thumbnail_lines_choose(const struct scene *scene, const float *weights, int rows,
                            struct edge *edges, size_t *count);

/* A head's chosen lines, dim unless it is `on`. */
struct thumbnail_lines {
    size_t head;
    bool on;
    const struct edge *edges;
    size_t count;
};

/* Draws lines that were chosen for the rows of the area. STATUS_MEMORY. */
enum status thumbnail_lines_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                                 const struct thumbnail_lines *strongest, struct error *error);

#endif
