#include "headlight/draw/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* 0.25 + 0.75·min(1, w/0.8) of full brightness. */
unsigned lines_level(unsigned weight)
{
    unsigned capped = weight < 800 ? weight : 800;
    return (STYLE_FULL * (800 + 3 * capped) + 1600) / 3200;
}

struct stroke lines_stroke(struct ink ink, unsigned shade, bool dense)
{
    int thickness = shade >= 600 ? 3 : shade >= 300 ? 2 : 1;
    if (dense)
        thickness = shade >= 500 ? 2 : 1;
    return (struct stroke){
        .ink = {ink.role, (uint8_t)lines_level(shade)},
        .thickness = thickness,
        .every = shade < 100   ? 3
                 : shade < 200 ? 2
                               : 1,
    };
}

/* Braille numbers its dots down the left column, then the right one; the lowest row came later. */
static uint8_t dot_bit(int y, int x)
{
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    return bits[y & 3][x & 1];
}

/* ---- Lines ---- */

struct lines {
    int rows, columns;
    uint8_t *dots;    /* [rows,columns]; a cell without dots belongs to no line yet */
    struct ink *inks; /* [rows,columns] of its line */
    double *share;    /* [2·columns] how much of its rise a line has made at each column of dots */
};

/* Perlin's smootherstep: level at both ends. */
static double smootherstep(double t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static size_t cell_count(const struct lines *lines)
{
    return (size_t)lines->rows * (size_t)lines->columns;
}

struct lines *lines_new(int rows, int columns)
{
    struct lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return NULL;
    lines->rows = rows > 0 && columns > 0 ? rows : 0;
    lines->columns = lines->rows > 0 ? columns : 0;
    lines->dots = calloc(cell_count(lines) + 1, sizeof *lines->dots);
    lines->inks = malloc((cell_count(lines) + 1) * sizeof *lines->inks);
    lines->share = malloc((2 * (size_t)lines->columns + 1) * sizeof *lines->share);
    if (!lines->dots || !lines->inks || !lines->share) {
        lines_free(lines);
        return NULL;
    }
    for (int x = 0; x < 2 * lines->columns; x++)
        lines->share[x] = smootherstep((double)x / (2 * lines->columns - 1));
    return lines;
}

void lines_free(struct lines *lines)
{
    if (!lines)
        return;
    free(lines->dots);
    free(lines->inks);
    free(lines->share);
    free(lines);
}

/* Above the area, where y is negative, is far below it once y has no sign. */
static void add_dot(struct lines *lines, int y, int x, struct ink ink)
{
    unsigned row = (unsigned)y / 4;
    if (row >= (unsigned)lines->rows)
        return;
    size_t cell = (size_t)row * (size_t)lines->columns + (size_t)x / 2;
    if (lines->dots[cell] == 0)
        lines->inks[cell] = ink;
    lines->dots[cell] |= dot_bit(y, x);
}

static void add_dots(struct lines *lines, int y, int x, struct stroke stroke)
{
    int first = stroke.thickness == 3 ? y - 1 : y;
    for (int i = 0; i < stroke.thickness; i++)
        add_dot(lines, first + i, x, stroke.ink);
}

/* How many rows of dots a line has made of its rise when it comes to a column of dots. */
static int risen(const struct lines *lines, int rise, int x)
{
    return (int)(rise * lines->share[x] + 0.5);
}

/* From column to column of dots; where the line is steep it has all dots between two columns. Those
 * outside of the area are counted, since the stroke leaves out some by their number, not drawn. */
void lines_curve_dots(struct lines *lines, int from, int to, struct stroke stroke)
{
    int rise = abs(to - from), step = to > from ? 1 : -1, x = 0, y = 0, count = 0;
    int above = -2, below = 4 * lines->rows + 1; /* a thick line reaches a dot further */
    int enter = step > 0 ? above - from : from - below;
    int leave = step > 0 ? below - from : from - above;
    if (rise <= enter)
        return;
    for (int next; x < 2 * lines->columns && (next = risen(lines, rise, x)) <= enter; x++) {
        count += next > y ? next - y : 1;
        y = next;
    }
    count %= stroke.every;
    for (; x < 2 * lines->columns && y < leave; x++) {
        int next = risen(lines, rise, x);
        do {
            y += y < next;
            if (count == 0)
                add_dots(lines, from + step * y, x, stroke);
            count = count + 1 < stroke.every ? count + 1 : 0;
        } while (y < next);
    }
}

/* The second of a row's four rows of dots is its middle. */
void lines_curve(struct lines *lines, int from, int to, struct stroke stroke)
{
    lines_curve_dots(lines, 4 * from + 1, 4 * to + 1, stroke);
}

/* ---- Glyphs ---- */

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

static void finish_cell(struct cell *cell, uint8_t dots, struct ink ink, enum glyph_set glyphs)
{
    if (glyphs == GLYPHS_BRAILLE)
        braille_of(dots, cell->text);
    else
        strcpy(cell->text, glyphs == GLYPHS_BLOCKS ? block_of(dots) : ascii_of(dots));
    cell->width = 1;
    cell->style.fore = ink;
}

void lines_finish(const struct lines *lines, struct canvas *canvas, int y, int x)
{
    for (size_t i = 0; i < cell_count(lines); i++) {
        int row = (int)(i / (size_t)lines->columns), column = (int)(i % (size_t)lines->columns);
        struct cell *cell = lines->dots[i] ? canvas_at(canvas, y + row, x + column) : NULL;
        if (cell)
            finish_cell(cell, lines->dots[i], lines->inks[i], canvas->traits.glyphs);
    }
}
