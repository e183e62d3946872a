/* matrix.h: the matrix view, for its own files: the map with its numbers. */
#ifndef HEADLIGHT_VIEW_MATRIX_H
#define HEADLIGHT_VIEW_MATRIX_H

#include "headlight/view/grid.h"

/* What the shades of a map, or of a row, begin and end with. */
struct shades {
    float least, largest;
};

/* The view as it is drawn. */
struct matrix_sheet {
    const struct scene *scene;
    struct canvas *canvas;
    struct area area;
    struct grid grid;
    struct shades shades; /* of the map's weights: the scale begins and ends with them */
};

/* What is to be drawn; where it stands is left to the caller. */
struct matrix_sheet matrix_sheet(const struct scene *scene, struct canvas *canvas,
                                 struct area area);

/* A row of the map: [C] weights. */
const float *matrix_weights(const struct scene *scene, size_t from);

/* Whether shades begin with the least cosine, not with 0. */
bool matrix_shows_similarity(const struct scene *scene);

/* The cells of the grid with their numbers, the gap between two sentences and the cursor's frame.
 */
void matrix_draw_map(const struct matrix_sheet *sheet);

#endif
