/* bands.h: vectors as bands of colour, one stripe a dimension: positive and negative by hue,
 * magnitude by strength. A cell holds one dimension, or two where room is short. */
#ifndef HEADLIGHT_DRAW_BANDS_H
#define HEADLIGHT_DRAW_BANDS_H

#include "headlight/draw/canvas.h"

/* How a value becomes a strength from 0 to 1. Values are rounded to thousandths first. */
struct band_scale {
    float largest; /* 0: tanh(|v|/unit); else |v|/largest */
    float dim;     /* factor on the strength, 1 for none */
    float unit;    /* 0: 4, as in BertViz */
};

/* Cells that `count` dimensions take, `per_cell` (1 or 2) in a cell. */
int bands_columns(size_t count, size_t per_cell);

/* The ink of one value. */
struct ink bands_ink(float value, struct band_scale scale);

/* A magnitude that is drawn at full strength, or nearly: the ends of a legend. */
float bands_full(struct band_scale scale);

/* Draws `count` values in `rows` equal rows of cells at (y, x). */
void bands_draw(struct canvas *canvas, int y, int x, int rows, const float *values, size_t count,
                size_t per_cell, struct band_scale scale);

#endif
