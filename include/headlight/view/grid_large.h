/* grid_large.h: the model view's picture of the head under the cursor: words and lines as in the
 * head view, or where the tokens are more than the rows the whole head as a thumbnail has it, and
 * below it the head's figures. */
#ifndef HEADLIGHT_VIEW_GRID_LARGE_H
#define HEADLIGHT_VIEW_GRID_LARGE_H

#include "headlight/view/scene.h"

/* An area of 0 columns stays empty. STATUS_MEMORY. */
enum status grid_large_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                            const struct head_figures *figures, struct error *error);

#endif
