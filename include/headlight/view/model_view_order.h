/* model_view_order.h: where each head stands in the model view's grid, for who draws it and for who
 * moves in it.
 *
 * The grid has as many columns as a layer has heads, and places are counted row by row from 0. A
 * layer is a row; sorted by a figure, the heads of all layers follow each other in descending
 * order. */
#ifndef HEADLIGHT_VIEW_MODEL_VIEW_ORDER_H
#define HEADLIGHT_VIEW_MODEL_VIEW_ORDER_H

#include "headlight/view/scene.h"

struct model_view_head {
    size_t layer, head;
};

/* Whether there are figures to show: one is chosen, and they are measured. */
bool model_view_has_figure(const struct scene *scene);

/* Whether the grid is in the order of a figure. */
bool model_view_is_sorted(const struct scene *scene);

/* The place of a head, 0 … L·A-1. Figures are rounded to thousandths first, so that the last bits
 * of a float decide nothing; equal ones stand in the order layer, head. */
size_t model_view_place(const struct scene *scene, size_t layer, size_t head);

/* The head at a place. */
struct model_view_head model_view_at(const struct scene *scene, size_t place);

/* The heads at all places, [L·A], for who needs more than one. Free *heads with free().
 * STATUS_MEMORY. */
enum status model_view_sort(const struct scene *scene, struct model_view_head **heads,
                            struct error *error);

#endif
