/* strokes.c: strokes as dots in cells. They are drawn from the last to the first: the uppermost
 * stroke that crosses a cell comes first and keeps its colour. What signs there are for the dots
 * depends on the terminal, and so does how many dots a cell has. Half blocks, for a projector, come
 * last. */
#include "headlight/draw/canvas.h"

#include "headlight/base/memory.h"

#include <math.h>
#include <string.h>
#include <utf8proc.h>

/* Strokes as dots, two across a cell and four, three or two down: braille, sextants, quadrants; or
 * braille's dots in what is left of them in other signs. Widths from which a stroke is two and
 * three dots thick: */
#define TWO_DOTS   0.18F
#define THREE_DOTS 0.32F

struct dots {
    int rows, columns; /* of cells */
    enum line_set lines;
    int down;         /* dots */
    uint8_t *dots;    /* [rows,columns]; a cell without dots belongs to no stroke yet */
    struct ink *inks; /* [rows,columns] of its stroke */
    double *risen;    /* [2·columns] stroke_risen at each column of dots; the block of all three */
};

/* The dots of a cell are bits, row by row from the upper left one. */
static uint8_t dot_bit(int y, int x)
{
    return (uint8_t)(1u << (2 * y + x));
}

static const int dots_down[] = {[LINE_BRAILLE] = 4, [LINE_QUADRANTS] = 2, [LINE_SEXTANTS] = 3};

/* From column to column of dots; where the stroke is steep it has all dots between two columns.
 * Larger dots make a thin stroke thick enough. */
static void add_stroke(struct dots *dots, const struct stroke *stroke)
{
    const int braille = stroke->width >= THREE_DOTS ? 3
                        : stroke->width >= TWO_DOTS ? 2
                                                    : 1,
              thickness = dots->down == 4 ? braille : (braille + 1) / 2;
    double from = dots->down * (double)stroke->from - thickness / 2.0;
    double rise = dots->down * ((double)stroke->to - (double)stroke->from);
    int last = (int)floor(from);
    for (int x = 0; x < 2 * dots->columns; x++) {
        const bool shows = stroke_shows(stroke, (x + 0.5) / (2 * dots->columns));
        int y = (int)floor(from + rise * dots->risen[x]);
        int top = y, bottom = y + thickness - 1;
        if (last > y + 1)
            bottom += last - y - 1;
        else if (last < y - 1)
            top = last + 1;
        for (int dot = int_max(top, 0); shows && dot <= bottom && dot < dots->down * dots->rows;
             dot++) {
            const size_t cell = (size_t)(dot / dots->down) * (size_t)dots->columns + (size_t)x / 2;
            if (dots->dots[cell] == 0)
                dots->inks[cell] = stroke->ink;
            dots->dots[cell] |= dot_bit(dot % dots->down, x % 2);
        }
        last = y;
    }
}

/* ---- Signs ---- */

/* Braille numbers its dots down the left column, then the right one; the lowest row came later.
 * Sextants are in the order of the bits; the halves and the whole have older signs. At most four
 * bytes and a NUL, which GLYPH_BYTES has room for. */
static void write_code(char *text, uint8_t dots, bool braille)
{
    static const uint8_t bits[8] = {0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80};
    enum { LEFT = 0x15, RIGHT = 0x2A, ALL = 0x3F, FIRST = 0x1FB00 };
    utf8proc_int32_t code = braille         ? 0x2800
                            : dots == LEFT  ? 0x258C
                            : dots == RIGHT ? 0x2590
                            : dots == ALL   ? 0x2588
                                            : FIRST + dots - 1 - (dots > LEFT) - (dots > RIGHT);
    for (int i = 0; braille && i < 8; i++)
        code += dots >> i & 1 ? bits[i] : 0;
    text[utf8proc_encode_char(code, (utf8proc_uint8_t *)text)] = '\0';
}

/* A cell keeps the ground it had: lines run over what is already there, such as the mark of a row.
 */
static void put_cells(const struct dots *dots, struct canvas *canvas, struct area area)
{
    for (size_t i = 0; i < (size_t)dots->rows * (size_t)dots->columns; i++) {
        int row = (int)(i / (size_t)dots->columns), column = (int)(i % (size_t)dots->columns);
        struct cell *cell = dots->dots[i] ? canvas_at(canvas, area.y + row, area.x + column) : NULL;
        if (!cell)
            continue;
        /* Without braille, signs stand for the rows that have a dot. */
        static const char *const blocks[16] = {" ", "▀", "▀", "▀", "▄", "█", "█", "█",
                                               "▄", "█", "█", "█", "▄", "█", "█", "█"};
        static const char *const ascii[16] = {" ", "'", "-", "=", "-", ":", "=", "%",
                                              ".", ":", ":", "%", "=", "%", "%", "#"};
        static const char *const quadrants[16] = {" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛",
                                                  "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"};
        unsigned rows = 0; /* top row as bit 0 */
        for (int y = 0; y < 4; y++)
            rows |= dots->dots[i] & (dot_bit(y, 0) | dot_bit(y, 1)) ? 1u << y : 0;
        if (canvas->traits.glyphs != GLYPHS_BRAILLE)
            strcpy(cell->text, (canvas->traits.glyphs == GLYPHS_ASCII ? ascii : blocks)[rows]);
        else if (dots->lines == LINE_QUADRANTS)
            strcpy(cell->text, quadrants[dots->dots[i]]);
        else
            write_code(cell->text, dots->dots[i], dots->lines == LINE_BRAILLE);
        cell->width = 1;
        cell->style.fore = dots->inks[i];
        cell->style.stroke = true;
        cell->style.strength = dots->inks[i].level;
    }
}

/* ---- Drawing ---- */

void strokes_draw(struct canvas *canvas, struct area area, const struct stroke *strokes,
                  size_t count)
{
    if (area.rows < 1 || area.columns < 1 || count == 0)
        return;
    /* a copy, because the caller frees its strokes with the frame */
    struct field *field = canvas->curves ? canvas_keep(canvas, area) : NULL;
    if (field)
        field->strokes = memory_new(count, sizeof *strokes, 0, "the lines", &canvas->error);
    if (field && field->strokes) {
        memcpy(field->strokes, strokes, count * sizeof *strokes);
        field->count = count;
    }
    /* Many strokes of large dots would cover each other. stroke_risen depends on the column alone,
     * so it is worked out once for all strokes. */
    const size_t most = 3 * (size_t)area.rows * (size_t)dots_down[canvas->lines] / 8;
    const bool large = canvas->traits.glyphs == GLYPHS_BRAILLE && count <= most;
    const enum line_set lines = large ? canvas->lines : LINE_BRAILLE;
    struct dots dots = {
        .rows = area.rows, .columns = area.columns, .lines = lines, .down = dots_down[lines]};
    const size_t across = 2 * (size_t)dots.columns,
                 cells = (size_t)dots.rows * (size_t)dots.columns;
    dots.risen =
        memory_new(across, sizeof *dots.risen, cells * (sizeof *dots.inks + sizeof *dots.dots),
                   "the lines", &canvas->error);
    if (!dots.risen)
        return;
    dots.inks = (struct ink *)(dots.risen + across);
    dots.dots = (uint8_t *)(dots.inks + cells);
    for (size_t x = 0; x < across; x++)
        dots.risen[x] = stroke_risen(((double)x + 0.5) / (double)across);
    /* From the uppermost down: the first stroke in a cell keeps its colour. */
    for (size_t i = count; i-- > 0;)
        add_stroke(&dots, &strokes[i]);
    put_cells(&dots, canvas, area);
    free(dots.risen);
}
