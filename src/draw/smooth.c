/* smooth.c: strokes as half blocks for a projector: rasterised with a pixel for each half of a
 * cell, whose red says how much of it is covered. */
#include "headlight/draw/smooth.h"

#include "headlight/draw/raster.h"
#include "headlight/draw/strokes.h"

#include <string.h>

/* A half of a cell is a pixel, about as wide as it is high. */
static const struct cell_size halves = {1, 2};

/* The level at which a pixel shows: red is as full as it is covered. Without levels it shows where
 * half of it is. */
static uint8_t level_of(struct rgb pixel, bool mono)
{
    if (mono)
        return pixel.red >= 128 ? STYLE_FULL : 0;
    return (uint8_t)((pixel.red * STYLE_FULL + 127) / 255);
}

/* The brighter half is the glyph, the other one its ground. */
static void put_halves(struct cell *cell, uint8_t role, uint8_t top, uint8_t bottom)
{
    bool upper = top >= bottom;
    if (top == 0 && bottom == 0)
        return;
    strcpy(cell->text, top == bottom ? "█" : upper ? "▀" : "▄");
    cell->width = 1;
    cell->style =
        (struct style){.fore = {role, upper ? top : bottom}, .back = {role, upper ? bottom : top}};
}

static void put_cells(const struct raster *raster, struct canvas *canvas, struct area area,
                      uint8_t role)
{
    for (int row = 0; row < area.rows; row++)
        for (int column = 0; column < area.columns; column++) {
            const struct rgb *top = &raster->pixels[2 * row * raster->width + column];
            struct cell *cell = canvas_at(canvas, area.y + row, area.x + column);
            if (cell)
                put_halves(cell, role, level_of(top[0], canvas->traits.mono),
                           level_of(top[raster->width], canvas->traits.mono));
        }
}

/* A stroke no wider than a half of a row would else lie on two of them, half as bright. */
static struct stroke moved(struct stroke stroke)
{
    if (stroke.width < 0.75F) {
        stroke.from -= 0.25F;
        stroke.to -= 0.25F;
    }
    return stroke;
}

static bool paint(struct raster *raster, const struct canvas *canvas, struct area field,
                  const struct stroke *strokes, size_t count)
{
    struct theme gauge = {.name = "levels"};
    gauge.color[strokes->ink.role].red = 255;
    for (size_t i = 0; i < count; i++) {
        struct stroke stroke = moved(strokes[i]);
        if (canvas->traits.mono)
            stroke.ink.level = STYLE_FULL;
        if (!raster_strokes(raster, field, halves, &stroke, 1, &gauge))
            return false;
    }
    return true;
}

enum status smooth_draw(struct canvas *canvas, struct area area, const struct stroke *strokes,
                        size_t count, struct error *error)
{
    struct area field = {0, 0, area.rows, area.columns};
    if (canvas->curves || canvas_ascii(canvas))
        return strokes_draw(canvas, area, strokes, count, error);
    if (area.rows < 1 || area.columns < 1 || count == 0)
        return STATUS_OK;
    struct raster *raster = raster_new(area.columns, 2 * area.rows, (struct rgb){0, 0, 0});
    bool drawn = raster && paint(raster, canvas, field, strokes, count);
    if (drawn)
        put_cells(raster, canvas, area, strokes->ink.role);
    raster_free(raster);
    return drawn ? STATUS_OK : error_memory(error, "the lines", count * sizeof *strokes);
}
