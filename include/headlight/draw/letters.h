/* letters.h: a line of text so large that it is read from the back of a room, in half blocks.
 *
 *     int scale = 2, columns = scale * letters_columns("0.58");
 *     letters_draw(canvas, y, x, scale, style_of(ROLE_STRONG), "0.58"); */
#ifndef HEADLIGHT_DRAW_LETTERS_H
#define HEADLIGHT_DRAW_LETTERS_H

#include "headlight/draw/canvas.h"

/* The height of a line at scale 1; its widths are letters_columns. */
#define LETTERS_ROWS 4

/* 0 where a letter has no shape (ASCII has, and → … ₀ to ₉), or no canvas has so many columns. */
int letters_columns(const char *text);

/* Draws text whose letters all have shapes. Returns the columns used, with the gap behind it. */
int letters_draw(struct canvas *canvas, int y, int x, int scale, struct style style,
                 const char *text);

#endif
