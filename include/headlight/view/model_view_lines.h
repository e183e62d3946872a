/* model_view_lines.h: a head as lines alone, however many tokens there are: from the left edge,
 * where the attending tokens stand one under the other in dots, to the right one, where the
 * attended ones do. Only its strongest lines are drawn, which is what makes a pattern visible. */
#ifndef HEADLIGHT_VIEW_MODEL_VIEW_LINES_H
#define HEADLIGHT_VIEW_MODEL_VIEW_LINES_H

#include "headlight/view/scene.h"

/* Lighter lines, in thousandths, are not drawn unless the scene has a threshold. */
#define MODEL_VIEW_LINES_LEAST 100

/* The least weight of a line, in thousandths. */
unsigned model_view_lines_least(const struct scene *scene);

/* How many lines a head may have in so many rows of cells: one for each second row of dots, more
 * would leave no ground between them. */
static inline size_t model_view_lines_most(int rows)
{
    return 2 * (size_t)rows;
}

/* Chooses the lines of a head from its weights, [R,C] of the scene's tokens, the heaviest first,
 * into edges [model_view_lines_most], whose `head` stays 0. False without memory. */
bool model_view_lines_choose(const struct scene *scene, const float *weights, int rows,
                             struct edge *edges, size_t *count);

/* A head's chosen lines; those of one that is not `on` are dim. */
struct model_view_lines {
    size_t head;
    bool on;
    const struct edge *edges;
    size_t count;
};

/* Draws lines that are chosen for as many rows as the area has. The uppermost row of dots stays
 * free, so that thumbnails don't touch. STATUS_MEMORY. */
enum status model_view_lines_draw(const struct scene *scene, struct canvas *canvas,
                                  struct area area, const struct model_view_lines *strongest,
                                  struct error *error);

#endif
