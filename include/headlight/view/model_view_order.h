/* model_view_order.h: where each head stands in the model view's grid, for drawing it and for
 * moving in it.
 *
 * The grid has as many columns as a layer has heads; places count row by row from 0. A row is a
 * layer, unless the grid is sorted by a metric: then the heads of all layers follow in descending
 * order, by effect those first without which most is lost; or label by label, in the order of
 * HEAD_LABELS. Heads without a number, or without a label, come last. */
#ifndef HEADLIGHT_VIEW_MODEL_VIEW_ORDER_H
#define HEADLIGHT_VIEW_MODEL_VIEW_ORDER_H

#include "headlight/model/config.h"
#include "headlight/view/scene.h"

#define MODEL_VIEW_HEADS_MAX (CONFIG_LAYERS_MAX * CONFIG_HEADS_MAX)

struct model_view_head {
    size_t layer, head;
    long key; /* thousandths of the metric, or of what is lost, where the grid is sorted by it */
};

/* Whether a metric is chosen and measured. */
bool model_view_has_metric(const struct scene *scene);

/* Its value for a head. */
double model_view_value(const struct scene *scene, size_t layer, size_t head);

/* Whether the grid is sorted by a metric. */
bool model_view_is_sorted(const struct scene *scene);

/* The heads at all places, [L·A]. Metrics are rounded to thousandths first, so that the last bits
 * of a float decide nothing; equal ones are in the order of layer, head. */
void model_view_sort(const struct scene *scene, struct model_view_head heads[MODEL_VIEW_HEADS_MAX]);

/* The place of one head, 0 … L·A-1, and the head at one place. */
size_t model_view_place(const struct scene *scene, size_t layer, size_t head);
struct model_view_head model_view_at(const struct scene *scene, size_t place);

#endif
