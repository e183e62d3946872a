/* canvas.c: the grid of cells that everything is drawn on. Text is made safe here, glyph by glyph,
 * so no view has to think of control characters or wide glyphs; what lies outside the grid is
 * dropped. The numbers and bars that several views draw, and the curve that strokes follow, are
 * here as well. */
#include "headlight/draw/canvas.h"

#include "headlight/base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PEN_STUB 4 /* a piece of text that has less room than this is left out, not cut */

static const struct glyph blank = {.text = " ", .width = 1};

/* The cells and what they mean are two arrays of the same shape, in one block with the canvas: a
 * terminal reads the first alone, a click the second alone. */
struct canvas *canvas_new(int columns, int rows, struct traits traits)
{
    if (columns < 1 || rows < 1 || columns > CANVAS_MAX || rows > CANVAS_MAX)
        return NULL;
    const size_t count = (size_t)columns * (size_t)rows;
    struct canvas *canvas =
        calloc(1, sizeof *canvas + count * (sizeof *canvas->hits + sizeof *canvas->cells));
    if (!canvas)
        return NULL;
    *canvas = (struct canvas){.columns = columns, .rows = rows, .traits = traits};
    canvas->hits = (struct hit *)(canvas + 1);
    canvas->cells = (struct cell *)(canvas->hits + count);
    canvas_clear(canvas);
    return canvas;
}

/* The strokes kept besides the cells belong to one picture: clearing the canvas drops them too. */
static void drop_fields(struct canvas *canvas)
{
    for (size_t i = 0; i < canvas->field_count; i++) {
        free(canvas->fields[i].strokes);
        free(canvas->fields[i].inks);
        free(canvas->fields[i].turned);
    }
    free(canvas->fields);
    canvas->fields = NULL;
    canvas->field_count = 0;
}

void canvas_free(struct canvas *canvas)
{
    if (!canvas)
        return;
    drop_fields(canvas);
    free(canvas);
}

struct area canvas_area(const struct canvas *canvas)
{
    return (struct area){.rows = canvas->rows, .columns = canvas->columns};
}

/* Everything a frame begins with: blank cells that mean nothing, and no strokes. */
void canvas_clear(struct canvas *canvas)
{
    canvas_fill(canvas, canvas_area(canvas), style_of(ROLE_TEXT));
    canvas_mark(canvas, canvas_area(canvas), (struct hit){.place = {0}});
    drop_fields(canvas);
    canvas->overflow = 0;
    canvas->error.status = STATUS_OK;
}

/* The one place that knows the bounds: whatever writes a cell asks here, so no other code clips. */
struct cell *canvas_at(const struct canvas *canvas, int y, int x)
{
    if (y < 0 || x < 0 || y >= canvas->rows || x >= canvas->columns)
        return NULL;
    return &canvas->cells[(size_t)y * (size_t)canvas->columns + (size_t)x];
}

int canvas_row_end(const struct canvas *canvas, int y, bool grounds)
{
    const struct cell *row = canvas->cells + (size_t)y * (size_t)canvas->columns;
    int end = canvas->columns;
    for (; end > 0; end--) {
        const struct cell *cell = &row[end - 1];
        if (strcmp(cell->text, " ") != 0 || (grounds && cell->style.back.level > 0))
            break;
    }
    return end;
}

/* The text is one glyph of at most GLYPH_BYTES, already made safe by text.c; what is behind it is
 * zero, so that equal cells have equal bytes. */
static void set(struct cell *cell, const char *text, int width, struct style style)
{
    *cell = (struct cell){.width = (uint8_t)width, .style = style};
    strcpy(cell->text, text);
}

/* A wide glyph that loses one of its cells loses the other too. */
static void break_wide(struct canvas *canvas, int y, int x)
{
    const struct cell *cell = canvas_at(canvas, y, x);
    struct cell *other =
        cell && cell->width != 1 ? canvas_at(canvas, y, cell->width ? x + 1 : x - 1) : NULL;
    if (other)
        set(other, " ", 1, other->style);
}

void canvas_put(struct canvas *canvas, int y, int x, struct style style, const struct glyph *glyph)
{
    struct cell *cell = canvas_at(canvas, y, x);
    struct cell *right = glyph->width == 2 ? canvas_at(canvas, y, x + 1) : NULL;
    if (!cell)
        return;
    break_wide(canvas, y, x);
    if (glyph->width == 2 && !right) {
        set(cell, " ", 1, style);
        return;
    }
    if (right) {
        break_wide(canvas, y, x + 1);
        set(right, "", 0, style);
    }
    set(cell, glyph->text, glyph->width, style);
}

/* Cut text ends in "…", which takes the last column. A wide glyph that would need one more column
 * than is left is dropped with it, and a blank stands there, so that the width is always what was
 * asked for. */
int canvas_text(struct canvas *canvas, int y, int x, int columns, struct style style,
                const char *text)
{
    bool ascii = canvas_ascii(canvas);
    struct text_reader reader = text_reader(text, strlen(text), ascii);
    struct glyph glyph, ellipsis = {.text = "…", .width = 1};
    bool cut = (int)text_width(text, ascii) > columns;
    int room = cut ? columns - 1 : columns, used = 0;
    canvas->overflow |= cut ? OVERFLOW_COLUMNS : 0;
    if (columns <= 0)
        return 0;
    while (text_next(&reader, &glyph) && used + glyph.width <= room) {
        canvas_put(canvas, y, x + used, style, &glyph);
        used += glyph.width;
    }
    if (cut) {
        if (ascii)
            strcpy(ellipsis.text, "~");
        canvas_put(canvas, y, x + used++, style, &ellipsis);
        if (used < columns) /* where half of a wide glyph would have stood */
            canvas_put(canvas, y, x + used++, style, &blank);
    }
    canvas->overflow |= x + used > canvas->columns ? OVERFLOW_COLUMNS : 0;
    return used;
}

int canvas_print(struct canvas *canvas, int y, int x, int columns, struct style style,
                 const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return canvas_text(canvas, y, x, columns, style, text);
}

/* In each row but the last the first words that fit, one at least. */
int canvas_paragraph(struct canvas *canvas, struct area area, struct style style, const char *text)
{
    int rows = 0;
    for (; *text && rows < area.rows; rows++) {
        size_t length = rows + 1 < area.rows ? strcspn(text, " ") : strlen(text);
        for (size_t next = length; text[next];) {
            next += 1 + strcspn(text + next + 1, " ");
            if (text_columns(text, next, canvas_ascii(canvas)) > area.columns)
                break;
            length = next;
        }
        canvas_print(canvas, area.y + rows, area.x, area.columns, style, "%.*s", (int)length, text);
        text += length + strspn(text + length, " ");
    }
    return rows;
}

/* The pen moves by the whole text, even where it was cut: then it is at its end, and nothing
 * follows. */
void pen_print(struct pen *pen, struct style style, const char *format, ...)
{
    char text[512];
    int room = pen->end - pen->x;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bool cut = canvas_width(pen->canvas, text) > room;
    pen->canvas->overflow |= cut ? OVERFLOW_COLUMNS : 0;
    if (!cut || room >= PEN_STUB)
        canvas_text(pen->canvas, pen->y, pen->x, room, style, text);
    pen->x = cut ? pen->end : pen->x + canvas_width(pen->canvas, text);
}

/* A piece ends at any mark. "}" and ">" both return to faint, so a mark also separates two pieces
 * that are cut each on its own. */
void pen_write(struct pen *pen, const char *format, ...)
{
    struct style style = style_of(ROLE_FAINT);
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *piece = text; *piece;) {
        const size_t length = strcspn(piece, "{}<>");
        const char mark = piece[length];
        if (length > 0)
            pen_print(pen, style, "%.*s", (int)length, piece);
        style = mark == '{'   ? style_of(ROLE_TEXT)
                : mark == '<' ? style_bold(ROLE_STRONG)
                              : style_of(ROLE_FAINT);
        piece += length + (mark != '\0');
    }
}

int canvas_text_right(struct canvas *canvas, int y, int end, int columns, struct style style,
                      const char *text)
{
    const int width = int_min(canvas_width(canvas, text), columns);
    style.anchor = ANCHOR_END;
    canvas_text(canvas, y, end - width, width, style, text);
    return end - width;
}

void canvas_fill(struct canvas *canvas, struct area area, struct style style)
{
    for (int y = area.y; y < area.y + area.rows; y++)
        for (int x = area.x; x < area.x + area.columns; x++)
            canvas_put(canvas, y, x, style, &blank);
}

/* The left part of a cell in eighths: U+258F (one eighth) to U+2588 (full). The console has two
 * steps, ASCII three. */
void canvas_bar(struct canvas *canvas, int y, int x, int columns, int eighths, struct style style)
{
    static const char *const blocks[][9] = {
        [GLYPHS_BRAILLE] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"},
        [GLYPHS_BLOCKS] = {" ", "▌", "▌", "▌", "▌", "▌", "█", "█", "█"},
        [GLYPHS_ASCII] = {" ", ".", ".", ":", ":", "=", "=", "#", "#"},
    };
    for (int i = 0; i < columns && eighths > 0; i++, eighths -= 8)
        canvas_text(canvas, y, x + i, 1, style, blocks[canvas->traits.glyphs][int_min(eighths, 8)]);
}

/* ---- Numbers ---- */

/* What is rounded to 0 has no sign. The zero before the point is dropped where that is enough, and
 * decimals until the number fits; what is still too long is written as a power of ten, which shows
 * its size rather than its first digits, if that may fit. */
struct weight_text number_text(double value, bool sign, int decimals, int columns)
{
    struct weight_text number;
    char *const text = number.text;
    do {
        snprintf(text, sizeof number.text, sign ? "%+.*f" : "%.*f", decimals, value);
        char *digits = text + strspn(text, "+-");
        if (digits[strspn(digits, "0.")] == '\0')
            digits = memmove(text, digits, strlen(digits) + 1);
        if ((int)strlen(text) == columns + 1 && strncmp(digits, "0.", 2) == 0)
            memmove(digits, digits + 1, strlen(digits));
    } while ((int)strlen(text) > columns && decimals-- > 0);
    if ((int)strlen(text) > columns && columns >= (int)strlen("+1e+99"))
        snprintf(text, sizeof number.text, sign ? "%+.0e" : "%.0e", value);
    return number;
}

struct weight_text number_weight(unsigned thousandths)
{
    struct weight_text weight;
    snprintf(weight.text, sizeof weight.text, "%u.%03u", thousandths / 1000, thousandths % 1000);
    return weight;
}

/* ---- Clicks ---- */

/* What is drawn over something takes its clicks as well: the last mark of a cell counts. */
void canvas_mark(struct canvas *canvas, struct area area, struct hit hit)
{
    for (int y = area.y; y < area.y + area.rows; y++)
        for (int x = area.x; x < area.x + area.columns; x++)
            if (canvas_at(canvas, y, x))
                canvas->hits[(size_t)y * (size_t)canvas->columns + (size_t)x] = hit;
}

struct hit canvas_hit(const struct canvas *canvas, int y, int x)
{
    return canvas_at(canvas, y, x) ? canvas->hits[(size_t)y * (size_t)canvas->columns + (size_t)x]
                                   : (struct hit){.place = {0}};
}

/* ---- Strokes ---- */

/* A line whose slope grows from 0 evenly over the first bend, stays, and shrinks to 0 over the
 * last: the integral of that trapezium, whose area is 1. */
double stroke_risen(double way)
{
    const double bend = STROKE_BEND;
    double t = (way - STROKE_LEVEL) / (1 - 2 * STROKE_LEVEL);
    if (t <= 0)
        return 0;
    if (t >= 1)
        return 1;
    if (t < bend)
        return t * t / (2 * bend * (1 - bend));
    if (t > 1 - bend)
        return 1 - (1 - t) * (1 - t) / (2 * bend * (1 - bend));
    return (t - bend / 2) / (1 - bend);
}

struct field *canvas_keep(struct canvas *canvas, struct area area)
{
    const size_t bytes = (canvas->field_count + 1) * sizeof *canvas->fields;
    struct field *fields = realloc(canvas->fields, bytes);
    if (!fields) {
        error_memory(&canvas->error, "the picture", bytes);
        return NULL;
    }
    canvas->fields = fields;
    fields[canvas->field_count] = (struct field){.area = area};
    return &fields[canvas->field_count++];
}

/* A cell is twice as high as it is wide. */
int canvas_turned_rows(const struct canvas *canvas, const char *text)
{
    return (4 * canvas_width(canvas, text) + TURNED_GAP + 7) / 8;
}

void canvas_turn(struct canvas *canvas, struct area area, struct style style, const char *text)
{
    struct field *field = canvas_keep(canvas, area);
    char safe[512];
    text_safe(text, canvas_ascii(canvas), safe, sizeof safe);
    if (!field)
        return;
    field->ink = style.fore;
    field->turned = memory_print(&canvas->error, "%s", safe);
}
