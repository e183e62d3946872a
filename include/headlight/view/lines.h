/* lines.h: attention lines in braille dots, two by four a cell.
 *
 * A line says its weight three ways at once, so that it survives a bad projector and a terminal
 * without colour: thickness, density of dots, brightness. */
#ifndef HEADLIGHT_VIEW_LINES_H
#define HEADLIGHT_VIEW_LINES_H

#include "headlight/view/canvas.h"

struct stroke {
    struct ink ink;
    int thickness; /* dots: 1 … 3 */
    int every;     /* 1: each dot, 2: each second, 3: each third */
};

/* The brightness, from faint to full, that a shade in thousandths gets. */
unsigned lines_level(unsigned weight);

/* The stroke of a shade in thousandths; the ink's level is set by it. Where tokens stand in every
 * row (`dense`) a line is at most two dots thick, so that neighbours stay apart. */
struct stroke lines_stroke(struct ink ink, unsigned shade, bool dense);

/* A smooth S from the middle of row `from` at the area's left edge to the middle of row `to` at its
 * right edge; rows count from the area's top and may lie outside it, what leaves the area is cut.
 * A later line owns the colour of the cells that it crosses. */
void lines_curve(struct canvas *canvas, struct area area, int from, int to, struct stroke stroke);

/* The same from and to rows of dots, four to a row of cells: where more tokens stand than rows. */
void lines_curve_dots(struct canvas *canvas, struct area area, int from, int to,
                      struct stroke stroke);

/* Turns the dots of an area into glyphs; call once after its last line. */
void lines_finish(struct canvas *canvas, struct area area);

#endif
