/* number.h: numbers in columns of a fixed width. */
#ifndef HEADLIGHT_DRAW_NUMBER_H
#define HEADLIGHT_DRAW_NUMBER_H

#include "headlight/draw/canvas.h"

/* Writes a number with its sign, right-aligned in `width` cells: with `decimals` digits after the
 * point, or with as many as there is room for. */
void number_draw(struct canvas *canvas, int y, int x, int width, int decimals, double value,
                 struct style style);

/* The same without a sign. */
void number_draw_length(struct canvas *canvas, int y, int x, int width, int decimals, double value,
                        struct style style);

/* A weight in thousandths as text: "0.417". */
struct weight_text {
    char text[16];
};

struct weight_text number_weight(unsigned thousandths);

#endif
