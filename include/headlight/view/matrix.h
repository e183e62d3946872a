/* matrix.h: the matrix view. One head as a heat map: a row for each attending token, a column for
 * each attended one, and a number in each cell where there is room.
 *
 * A cell's strength is its weight w, rounded to thousandths. Below 0.01 a cell is empty; from there
 * its level is 2 + 13·√w, because most weights are small and attention that is spread out must show
 * as well as attention that is not: 0.01 → 3, 0.05 → 5, 0.1 → 6, 0.25 → 9, 0.5 → 11, 1 → 15.
 * Where colours are few or missing, a glyph says the same: from 0.01, 0.2, 0.45 and 0.75 on.
 *
 * The cursor is (scene->look.from, scene->look.to). What does not fit scrolls with it, on both
 * axes. */
#ifndef HEADLIGHT_VIEW_MATRIX_H
#define HEADLIGHT_VIEW_MATRIX_H

#include "headlight/view/views.h"

/* The level of a weight in thousandths, 0 … STYLE_FULL. */
unsigned matrix_level(unsigned weight);

/* The step of a weight in thousandths where glyphs tell it: 0 (blank) … 4 (full). */
unsigned matrix_step(unsigned weight);

#endif
