/* matrix_labels.h: what stands around the matrix view's cells: the tokens of its rows and columns,
 * the names of the sentences, and arrows where it goes on beyond the screen. */
#ifndef HEADLIGHT_VIEW_MATRIX_LABELS_H
#define HEADLIGHT_VIEW_MATRIX_LABELS_H

#include "headlight/view/matrix_layout.h"

#define MATRIX_NOTABLE 50 /* thousandths; below, labels and numbers step back */

void matrix_draw_labels(const struct scene *scene, struct canvas *canvas,
                        const struct matrix_layout *layout, struct area area);

#endif
