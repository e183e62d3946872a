/* model_view_legend.h: the last two rows of the model view's area. */
#ifndef HEADLIGHT_VIEW_MODEL_VIEW_LEGEND_H
#define HEADLIGHT_VIEW_MODEL_VIEW_LEGEND_H

#include "headlight/lens/metrics.h"
#include "headlight/view/scene.h"

/* What the grid shows, or what the numbers under its thumbnails mean; what lies beyond it. */
void model_view_legend(const struct scene *scene, struct canvas *canvas, struct area area);

/* The head under the cursor, in the last row: where it is, its metric and its strongest edge. */
void model_view_numbers(const struct scene *scene, struct canvas *canvas, struct area area,
                        const struct head_metrics *metrics);

#endif
