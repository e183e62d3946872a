/* raster.h: strokes as pixels, for terminals that show pictures.
 *
 *     struct raster *raster = raster_new(columns * 10, rows * 20, theme->color[ROLE_GROUND]);
 *     raster_strokes(raster, (struct area){0, 0, rows, columns}, (struct cell_size){10, 20},
 *                    strokes, count, theme);
 *     free(raster);
 *
 * The same strokes give the same bytes on every processor. */
#pragma once

#include "headlight/draw/theme.h"

/* The most pixels to a side; kitty takes no more. */
#define RASTER_MAX 10000

struct raster {
    int width, height;
    struct rgb ground;
    struct rgb pixels[]; /* [height,width] */
};

/* A cell in pixels: at least 1 either way. */
struct cell_size {
    int width, height;
};

/* A picture of nothing but its ground, to be freed with free(); or NULL without memory or with a
 * side that is not 1 … RASTER_MAX. */
struct raster *raster_new(int width, int height, struct rgb ground);

/* Draws the strokes of one field, given in cells from the picture's first one: smooth at the edges,
 * a later stroke over an earlier one, nothing outside of the field. A stroke thinner than a pixel
 * is as much fainter. What has no place or width (a NaN) is left out. False without memory: nothing
 * is drawn. */
bool raster_strokes(struct raster *raster, struct area field, struct cell_size cell,
                    const struct stroke *strokes, size_t count, const struct theme *theme);
