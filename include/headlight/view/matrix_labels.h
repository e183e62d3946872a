/* matrix_labels.h: what surrounds the matrix view's cells: the tokens of rows and columns, which
 * way they attend, the names of the sentences, and arrows where more lies off screen. */
#ifndef HEADLIGHT_VIEW_MATRIX_LABELS_H
#define HEADLIGHT_VIEW_MATRIX_LABELS_H

#include "headlight/view/matrix_layout.h"

#define MATRIX_NOTABLE 50 /* thousandths; labels and numbers below are faint */

void matrix_draw_labels(const struct scene *scene, struct canvas *canvas,
                        const struct matrix_layout *layout, struct area area);

#endif
