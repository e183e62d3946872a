/* raster.c: strokes as pixels, in integers: the same strokes give the same bytes on every
 * processor. Golden pictures and two machines that show the same screen depend on it. */
#include "headlight/draw/raster.h"

#include <math.h>
#include <stdlib.h>

/* Where a stroke is, is said in units of 2^-32 pixels, as the product of a place at an edge of the
 * field (PLACE bits of fraction) and a share of the rise (SHARE bits): so it is exact, and a
 * mirrored stroke gives the mirrored picture. Distances and parts of 1 have PART bits.
 *
 * A double goes into these through + - * / and sqrt alone, which round alike everywhere. */
#define PLACE 12
#define SHARE 20
#define PART  16

#define WHOLE_SHARE  (1 << SHARE)
#define WHOLE_PART   (1 << PART)
#define WHOLE_MIDDLE ((int64_t)1 << (PLACE + SHARE))

/* The furthest that a stroke's end is from the field, in pixels: no overflow, and still outside. */
#define FURTHEST 1e8

struct raster *raster_new(int width, int height, struct rgb ground)
{
    if (width < 1 || height < 1 || width > RASTER_MAX || height > RASTER_MAX)
        return NULL;
    const size_t count = (size_t)width * (size_t)height;
    struct raster *raster = malloc(sizeof *raster + count * sizeof *raster->pixels);
    if (raster)
        *raster = (struct raster){width, height, ground};
    for (size_t i = 0; raster && i < count; i++)
        raster->pixels[i] = ground;
    return raster;
}

/* ---- The field ---- */

/* A rectangle of pixels: a field, which may reach beyond the picture, and what of it is inside. */
struct frame {
    long left, width;
    long top, height;
    long x_begin, x_end, y_begin, y_end;
    int32_t *shares; /* [2·width + 1] of the rise that is made at each half pixel */
};

static long clamp(int64_t value, long least, long most)
{
    return value < least ? least : value > most ? most : (long)value;
}

/* Rounds to the nearest; floor rather than a cast, so that negative places round the same way. */
static int64_t fixed(double value, int bits)
{
    return (int64_t)floor(value * (double)((int64_t)1 << bits) + 0.5);
}

/* ---- A stroke ---- */

struct brush {
    int64_t from, to; /* PLACE */
    double rise;      /* pixels */
    int64_t top, bottom;
    int64_t edge; /* half of the stroke's width and half a pixel: nothing is covered there, PART */
    int64_t most; /* what a pixel in its middle is covered: less than 1 where it is thinner */
    uint32_t opacity; /* PART */
    struct rgb color;
};

/* From rows of cells, counted from the field's top, to pixels of the picture, with PLACE bits of
 * fraction. */
static int64_t place_of(double rows, const struct frame *frame, struct cell_size cell)
{
    double pixels = rows * cell.height;
    pixels = pixels < -FURTHEST ? -FURTHEST : pixels > FURTHEST ? FURTHEST : pixels;
    return fixed((double)frame->top + pixels, PLACE);
}

/* What every column of pixels needs of a stroke. False for one that shows nothing: no width, no
 * opacity, or no place. */
static bool brush_of(struct stroke stroke, const struct frame *frame, struct cell_size cell,
                     const struct theme *theme, struct brush *brush)
{
    double width = (double)stroke.width * cell.height;
    if (isnan(stroke.from) || isnan(stroke.to) || !(width > 0) || stroke.ink.level == 0)
        return false;
    double opacity;
    struct ink ink = ink_opaque(stroke.ink, &opacity);
    int64_t whole = fixed(width < 2 * RASTER_MAX ? width : 2 * RASTER_MAX, PART);
    *brush = (struct brush){
        .from = place_of(stroke.from, frame, cell),
        .to = place_of(stroke.to, frame, cell),
        .edge = (whole + WHOLE_PART) / 2,
        .most = whole < WHOLE_PART ? whole : WHOLE_PART,
        .opacity = (uint32_t)fixed(opacity, PART),
        .color = theme_rgb(theme, ink),
    };
    brush->top = brush->from < brush->to ? brush->from : brush->to;
    brush->bottom = brush->from < brush->to ? brush->to : brush->from;
    brush->rise = (double)(brush->to - brush->from) / (1 << PLACE);
    return true;
}

/* The part of 1 that is `above` has PART bits; adding a half rounds to the nearest. */
static uint8_t blend(uint8_t below, uint8_t above, uint32_t part)
{
    return (uint8_t)((below * (WHOLE_PART - part) + above * part + WHOLE_PART / 2) >> PART);
}

/* A row of pixels is |dy|·cos(slope) from the stroke, as y is a function of x; where a steep stroke
 * bends, that alone would carry it beyond its ends. The distance in which the cover goes from all
 * to nothing is one pixel, so that the sum of the covers is the width. Cover and opacity multiply:
 * a stroke of half opacity that covers half a pixel changes a quarter of it. The middle, in 2^-32
 * pixels, is at most 2^59 and the reach 2^57. */
static void paint_column(struct raster *raster, const struct frame *frame,
                         const struct brush *given, long x)
{
    const int down = PLACE + SHARE - PART;
    const struct brush brush = *given; /* which no pixel can be a part of */
    const int32_t *share = frame->shares + 2 * (x - frame->left);
    const double slope = brush.rise * (share[2] - share[0]) / WHOLE_SHARE;
    const double steep = sqrt(1 + slope * slope);
    const int64_t middle = brush.from * (WHOLE_SHARE - share[1]) + brush.to * share[1],
                  cosine = (int64_t)(WHOLE_PART / steep + 0.5), at = middle >> down,
                  reach = (int64_t)((double)brush.edge * steep);
    const long begin = clamp((at - reach) >> PART, frame->y_begin, frame->y_end),
               end = clamp((at + reach + WHOLE_PART) >> PART, frame->y_begin, frame->y_end);
    struct rgb *pixel = raster->pixels + begin * raster->width + x;
    for (long row = begin; row < end; row++, pixel += raster->width) {
        const int64_t y = (2 * (int64_t)row + 1) * (WHOLE_MIDDLE / 2);
        const int64_t above = (brush.top * WHOLE_SHARE - y) >> down,
                      below = (y - brush.bottom * WHOLE_SHARE) >> down,
                      beyond = above > below ? above : below,
                      across = (llabs(y - middle) >> down) * cosine >> PART,
                      cover = brush.edge - (across > beyond ? across : beyond);
        if (cover <= 0)
            continue;
        const uint64_t most = (uint64_t)(cover < brush.most ? cover : brush.most);
        const uint32_t part = (uint32_t)((most * brush.opacity + WHOLE_PART / 2) >> PART);
        *pixel = (struct rgb){blend(pixel->red, brush.color.red, part),
                              blend(pixel->green, brush.color.green, part),
                              blend(pixel->blue, brush.color.blue, part)};
    }
}

/* The field may lie partly outside the picture: its shape is kept whole, and only what is drawn of
 * it is clipped, so that a curve does not change where it is cut. */
bool raster_strokes(struct raster *raster, struct area field, struct cell_size cell,
                    const struct stroke *strokes, size_t count, const struct theme *theme)
{
    struct frame frame = {
        .left = (long)field.x * cell.width,
        .width = (long)field.columns * cell.width,
        .top = (long)field.y * cell.height,
        .height = (long)field.rows * cell.height,
    };
    frame.x_begin = clamp(frame.left, 0, raster->width);
    frame.x_end = clamp(frame.left + frame.width, 0, raster->width);
    frame.y_begin = clamp(frame.top, 0, raster->height);
    frame.y_end = clamp(frame.top + frame.height, 0, raster->height);
    if (frame.x_begin >= frame.x_end || frame.y_begin >= frame.y_end)
        return true;
    /* the second half is the first one's mirror image to the last bit */
    const size_t last = 2 * (size_t)frame.width;
    int32_t *shares = frame.shares = malloc((last + 1) * sizeof *shares);
    for (size_t i = 0; shares && i <= last / 2; i++) {
        shares[i] = (int32_t)fixed(stroke_risen((double)i / (double)last), SHARE);
        shares[last - i] = WHOLE_SHARE - shares[i];
    }
    if (!shares)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct brush brush;
        if (brush_of(strokes[i], &frame, cell, theme, &brush))
            for (long x = frame.x_begin; x < frame.x_end; x++)
                if (stroke_shows(&strokes[i],
                                 ((double)(x - frame.left) + 0.5) / (double)frame.width))
                    paint_column(raster, &frame, &brush, x);
    }
    free(frame.shares);
    return true;
}
