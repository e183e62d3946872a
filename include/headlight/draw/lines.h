/* lines.h: attention lines in braille dots, two by four a cell.
 *
 *     struct lines *lines = lines_new(area.rows, area.columns);
 *     lines_curve(lines, 0, 4, lines_stroke(ink_head(2, 0), 417, false));    heavy ones first
 *     lines_finish(lines, canvas, area.y, area.x);
 *     lines_free(lines);
 *
 * A line says its weight three ways at once, so that it survives a bad projector and a terminal
 * without colour: thickness, density of dots, brightness. */
#ifndef HEADLIGHT_DRAW_LINES_H
#define HEADLIGHT_DRAW_LINES_H

#include "headlight/draw/canvas.h"

struct stroke {
    struct ink ink;
    int thickness; /* dots: 1 … 3 */
    int every;     /* 1: each dot, 2: each second, 3: each third */
};

/* The brightness, from faint to full, that a shade in thousandths gets. */
unsigned lines_level(unsigned weight);

/* The stroke of a shade in thousandths; the ink's level is set by it. Where tokens stand in every
 * row (`dense`) a line is at most two dots thick, so that neighbours stay apart. A heavier stroke
 * has all dots of a lighter one that is as dense, or of any if it is without gaps. */
struct stroke lines_stroke(struct ink ink, unsigned shade, bool dense);

/* The lines of an area of cells, collected until they are put on a canvas. */
struct lines;

/* An area of so many cells without lines; it may have no rows or no columns. NULL without memory.
 */
struct lines *lines_new(int rows, int columns);

/* Accepts NULL. */
void lines_free(struct lines *lines);

/* A smooth S from the middle of row `from` at the left edge to the middle of row `to` at the right
 * edge. The rows may lie outside the area; what leaves it is cut off. The first line that crosses a
 * cell owns its colour. */
void lines_curve(struct lines *lines, int from, int to, struct stroke stroke);

/* The same from and to rows of dots, four to a row of cells: where more tokens stand than rows. */
void lines_curve_dots(struct lines *lines, int from, int to, struct stroke stroke);

/* Puts the cells that lines cross on a canvas, with the area's first cell at (y, x). */
void lines_finish(const struct lines *lines, struct canvas *canvas, int y, int x);

#endif
