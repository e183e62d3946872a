/* matrix.h: the map of the matrix view, for matrix.c alone. */
#ifndef HEADLIGHT_VIEW_MATRIX_H
#define HEADLIGHT_VIEW_MATRIX_H

#include "headlight/view/grid.h"

#define MATRIX_LEGEND_ROWS 12 /* in so few rows of the area there is no legend */

/* A row of the map: [C] weights. */
const float *matrix_weights(const struct scene *scene, size_t from);

/* The largest weight of the map, with which the scale ends. */
float matrix_largest(const struct scene *scene);

/* Cells, labels, and the mark on the chosen cell. */
void matrix_draw_map(const struct scene *scene, struct canvas *canvas, struct area area);

#endif
