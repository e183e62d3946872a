/* heat.h: numbers as colour. Bands are vectors, one stripe a dimension: positive and negative by
 * hue, magnitude by strength. Heat maps are a head's weights in dots. */
#pragma once

#include "headlight/draw/canvas.h"
#include "headlight/lens/edges.h"

/* ---- Bands ---- */

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

/* Draws `count` values in `rows` equal rows of cells at (y, x). From two in a cell on each half of
 * it shows the largest of its share. */
void bands_draw(struct canvas *canvas, int y, int x, int rows, const float *values, size_t count,
                size_t per_cell, struct band_scale scale);

/* ---- Heat maps ----
 * Dots: two a cell, one above the other, or one where there is no colour to tell them apart. Of
 * weights with signs they show the magnitudes, in two hues. */

struct heat {
    const float *weights;              /* [R,C] of one head; only heat_measure needs them */
    size_t attended;                   /* C */
    const struct attention *attention; /* whose tokens see what they see in this layer, */
    size_t layer;                      /* for heat_measure */
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
 * NaN of what a head can't see, which is left blank. */
void heat_measure(const struct heat *heat, float *largest);

/* Draws a map that is measured; its first dot is (y, x), counted in dots. */
void heat_draw(const struct heat *heat, const float *largest, struct canvas *canvas, int y, int x);

/* Keeps it for whoever shows the canvas, with as many cells as the map has dots. */
void heat_keep(const struct heat *heat, const float *largest, struct canvas *canvas,
               struct area area);

/* Colours one dot; the other one of its cell keeps its colour. */
void heat_dot(struct canvas *canvas, int y, int x, struct ink ink);
