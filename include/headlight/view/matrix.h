/* matrix.h: the matrix view. One head as a heat map: a row for each attending token, a column for
 * each attended one, and a number in each cell where there is room.
 *
 * A cell is shaded by its weight w, or by what the tone makes of it (edges.h), in thousandths.
 * Below 0.01 it is empty; above, its level is 2 + 13·√w, because most weights are small and
 * attention that is spread out must be visible too: 0.01 → 3, 0.05 → 5, 0.1 → 6, 0.25 → 9, 0.5 →
 * 11, 1 → 15. Where colours are few or missing, glyphs stand for 0.01, 0.2, 0.45 and 0.75 upwards.
 *
 * The cursor is (look.from, look.to). What does not fit scrolls with it on both axes. */
#ifndef HEADLIGHT_VIEW_MATRIX_H
#define HEADLIGHT_VIEW_MATRIX_H

#include "headlight/view/views.h"

/* The level of a weight in thousandths, 0 … STYLE_FULL. */
unsigned matrix_level(unsigned weight);

/* The glyph of a weight in thousandths: 0 (blank) … 4 (full). */
unsigned matrix_step(unsigned weight);

/* Shades a cell by a weight in thousandths, in a hue. Returns the style of a number on it. */
struct style matrix_fill(struct canvas *canvas, struct area cell, struct ink hue, unsigned shade);

/* Whether glyphs show the shade, because there are too few colours to show it by brightness. */
bool matrix_by_glyph(const struct canvas *canvas);

#endif
