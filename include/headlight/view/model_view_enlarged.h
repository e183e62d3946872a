/* model_view_enlarged.h: the head under the model view's cursor, enlarged: words and lines as in
 * the head view or, where there are more tokens than rows, a large thumbnail; below it the head's
 * metrics. */
#ifndef HEADLIGHT_VIEW_MODEL_VIEW_ENLARGED_H
#define HEADLIGHT_VIEW_MODEL_VIEW_ENLARGED_H

#include "headlight/view/scene.h"

/* An area of 0 columns stays empty. STATUS_MEMORY. */
enum status model_view_large_draw(const struct scene *scene, struct canvas *canvas,
                                  struct area area, const struct head_metrics *metrics,
                                  struct error *error);

#endif
