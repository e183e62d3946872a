/* compare_chart.h: how alike a word is on both sides, layer by layer: a line chart of cosines with
 * their numbers, and the cosines of the last layers together. */
#ifndef HEADLIGHT_VIEW_COMPARE_CHART_H
#define HEADLIGHT_VIEW_COMPARE_CHART_H

#include "headlight/view/comparison.h"

/* The first row is a heading; where there are no more, it is all. STATUS_MEMORY. */
enum status compare_draw_chart(const struct scene *scene, struct canvas *canvas, struct area area,
                               const struct comparison *comparison, struct error *error);

#endif
