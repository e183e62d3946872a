/* model_view_lines.h: a head as lines without words, for any number of tokens: from the attending
 * tokens, dots one below the other on the left edge, to the attended ones on the right edge. Only
 * the strongest lines are drawn, so that the pattern shows. */
#ifndef HEADLIGHT_VIEW_MODEL_VIEW_LINES_H
#define HEADLIGHT_VIEW_MODEL_VIEW_LINES_H

#include "headlight/view/scene.h"

/* In thousandths: lighter lines are not drawn, unless the look has a threshold of its own, or shows
 * shares of rows, of which each has a line to show. */
#define MODEL_VIEW_LINES_LEAST 100

/* The least weight of a line, in thousandths. */
unsigned model_view_lines_least(const struct scene *scene);

/* The most lines of a head in so many rows of cells: one for every second row of dots, as more
 * would leave no ground between them. */
static inline size_t model_view_lines_most(int rows)
{
    return 2 * (size_t)rows;
}

/* Chooses a head's lines, heaviest first, from its weights [R,C] into edges
 * [model_view_lines_most], whose `head` is 0. False without memory. */
bool model_view_lines_choose(const struct scene *scene, const float *weights, int rows,
                             struct edge *edges, size_t *count);

/* A head's chosen lines, dim unless it is `on`. */
struct model_view_lines {
    size_t head;
    bool on;
    const struct edge *edges;
    size_t count;
};

/* Draws lines that were chosen for the rows of the area. STATUS_MEMORY. */
enum status model_view_lines_draw(const struct scene *scene, struct canvas *canvas,
                                  struct area area, const struct model_view_lines *strongest,
                                  struct error *error);

#endif
