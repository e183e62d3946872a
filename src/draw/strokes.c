#include "headlight/draw/strokes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* Strokes as dots, two by four a cell: braille, or what is left of them in other signs. Widths from
 * which a stroke is two and three dots thick: */
#define TWO_DOTS   0.18F
#define THREE_DOTS 0.32F

struct dots {
    int rows, columns; /* of cells */
    uint8_t *dots;     /* [rows,columns]; a cell without dots belongs to no stroke yet */
    struct ink *inks;  /* [rows,columns] of its stroke */
    double *risen;     /* [2·columns] stroke_risen at each column of dots */
};

/* Braille numbers its dots down the left column, then the right one; the lowest row came later. */
static uint8_t dot_bit(int y, int x)
{
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    return bits[y & 3][x & 1];
}

static size_t cell_count(const struct dots *dots)
{
    return (size_t)dots->rows * (size_t)dots->columns;
}

static void free_dots(struct dots *dots)
{
    free(dots->dots);
    free(dots->inks);
    free(dots->risen);
}

static bool make_dots(struct dots *dots, struct area area)
{
    *dots = (struct dots){.rows = area.rows, .columns = area.columns};
    dots->dots = calloc(cell_count(dots), sizeof *dots->dots);
    dots->inks = malloc(cell_count(dots) * sizeof *dots->inks);
    dots->risen = malloc(2 * (size_t)dots->columns * sizeof *dots->risen);
    if (!dots->dots || !dots->inks || !dots->risen) {
        free_dots(dots);
        return false;
    }
    for (int x = 0; x < 2 * dots->columns; x++)
        dots->risen[x] = stroke_risen((x + 0.5) / (2 * dots->columns));
    return true;
}

/* Above the field, where y is negative, is far below it once y has no sign. */
static void add_dot(struct dots *dots, int y, int x, struct ink ink)
{
    unsigned row = (unsigned)y / 4;
    if (row >= (unsigned)dots->rows)
        return;
    size_t cell = (size_t)row * (size_t)dots->columns + (size_t)x / 2;
    if (dots->dots[cell] == 0)
        dots->inks[cell] = ink;
    dots->dots[cell] |= dot_bit(y, x);
}

/* From column to column of dots; where the stroke is steep it has all dots between two columns. */
static void add_stroke(struct dots *dots, const struct stroke *stroke)
{
    int thickness = stroke->width >= THREE_DOTS ? 3 : stroke->width >= TWO_DOTS ? 2 : 1;
    double from = 4.0 * (double)stroke->from - thickness / 2.0;
    double rise = 4.0 * ((double)stroke->to - (double)stroke->from);
    int last = (int)floor(from);
    for (int x = 0; x < 2 * dots->columns; x++) {
        int y = (int)floor(from + rise * dots->risen[x]);
        int top = y, bottom = y + thickness - 1;
        if (last > y + 1)
            bottom += last - y - 1;
        else if (last < y - 1)
            top = last + 1;
        for (int dot = top > 0 ? top : 0; dot <= bottom && dot < 4 * dots->rows; dot++)
            add_dot(dots, dot, x, stroke->ink);
        last = y;
    }
}

/* ---- Signs ---- */

/* Which of the four dot rows have a dot, top row as bit 0. */
static unsigned rows_of(uint8_t dots)
{
    unsigned rows = 0;
    for (int y = 0; y < 4; y++)
        if (dots & (dot_bit(y, 0) | dot_bit(y, 1)))
            rows |= 1u << y;
    return rows;
}

static const char *block_of(uint8_t dots)
{
    unsigned rows = rows_of(dots);
    bool top = rows & 3, bottom = rows & 12;
    return top && bottom ? "█" : top ? "▀" : "▄";
}

static const char *ascii_of(uint8_t dots)
{
    static const char *const signs[16] = {" ", "'", "-", "=", "-", ":", "=", "%",
                                          ".", ":", ":", "%", "=", "%", "%", "#"};
    return signs[rows_of(dots)];
}

static void braille_of(uint8_t dots, char *text)
{
    utf8proc_ssize_t length = utf8proc_encode_char(0x2800 + dots, (utf8proc_uint8_t *)text);
    text[length] = '\0';
}

static void put_cell(struct cell *cell, uint8_t dots, struct ink ink, enum glyph_set glyphs)
{
    if (glyphs == GLYPHS_BRAILLE)
        braille_of(dots, cell->text);
    else
        strcpy(cell->text, glyphs == GLYPHS_BLOCKS ? block_of(dots) : ascii_of(dots));
    cell->width = 1;
    cell->style.fore = ink;
    cell->style.stroke = true;
    cell->style.strength = ink.level;
}

static void put_cells(const struct dots *dots, struct canvas *canvas, struct area area)
{
    for (size_t i = 0; i < cell_count(dots); i++) {
        int row = (int)(i / (size_t)dots->columns), column = (int)(i % (size_t)dots->columns);
        struct cell *cell = dots->dots[i] ? canvas_at(canvas, area.y + row, area.x + column) : NULL;
        if (cell)
            put_cell(cell, dots->dots[i], dots->inks[i], canvas->traits.glyphs);
    }
}

/* ---- Drawing ---- */

enum status strokes_draw(struct canvas *canvas, struct area area, const struct stroke *strokes,
                         size_t count, struct error *error)
{
    struct dots dots;
    if (area.rows < 1 || area.columns < 1 || count == 0)
        return STATUS_OK;
    if (canvas->curves && !canvas_keep_strokes(canvas, area, strokes, count))
        return error_memory(error, "the lines", count * sizeof *strokes);
    if (!make_dots(&dots, area))
        return error_memory(error, "the lines", cell_count(&dots) * sizeof *dots.inks);
    for (size_t i = count; i-- > 0;)
        add_stroke(&dots, &strokes[i]);
    put_cells(&dots, canvas, area);
    free_dots(&dots);
    return STATUS_OK;
}
