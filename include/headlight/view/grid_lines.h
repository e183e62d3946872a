/* grid_lines.h: a head as lines alone, however many tokens there are: from the left edge, where the
 * attending tokens stand one under the other in dots, to the right one, where the attended ones
 * do. Only its strongest lines are drawn, which is what makes a pattern visible. */
#ifndef HEADLIGHT_VIEW_GRID_LINES_H
#define HEADLIGHT_VIEW_GRID_LINES_H

#include "headlight/view/scene.h"

/* Lighter lines, in thousandths, are not drawn unless the scene has a threshold. */
#define GRID_LINES_LEAST 100

/* The lines of a head that is not `on` are dim. The uppermost row of dots stays free, so that
 * thumbnails don't touch. STATUS_MEMORY. */
enum status grid_lines_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                            size_t layer, size_t head, bool on, struct error *error);

#endif
