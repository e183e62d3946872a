/* heat.h: small heat maps of a head's weights, in dots: two a cell, one above the other, or one
 * where there is no colour to tell them apart. Of weights with signs it shows the magnitudes, in
 * two hues. */
#ifndef HEADLIGHT_DRAW_HEAT_H
#define HEADLIGHT_DRAW_HEAT_H

#include "headlight/draw/canvas.h"
#include "headlight/lens/edges.h"

struct heat {
    const float *weights; /* [R,C] of one head; only heat_measure needs them */
    size_t attended;      /* C */
    enum heat_hue { HEAT_OF_HEAD, HEAT_OF_TEXT, HEAT_OF_SIGNS } hue;
    size_t head;
    enum tone tone;
    struct token_range from, to;
    int rows, columns; /* in dots, at most CANVAS_MAX; one that stands for several weights shows the
                          largest */
    bool on;           /* whether the head is on: else the map is dim */
};

/* Dots that a cell has, one above the other. */
int heat_per_row(const struct canvas *canvas);

/* The largest weight of each dot, with its sign, into largest [rows,columns], or, for TONE_ROW, the
 * largest share of a row's largest weight: by its share a lighter weight can get the larger shade.
 */
void heat_measure(const struct heat *heat, float *largest);

/* Draws a map that is measured; its first dot is (y, x), counted in dots. */
void heat_draw(const struct heat *heat, const float *largest, struct canvas *canvas, int y, int x);

/* Colours one dot; the other one of its cell keeps its colour. */
void heat_dot(struct canvas *canvas, int y, int x, struct ink ink);

#endif
