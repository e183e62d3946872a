#include "headlight/app/snapshot.h"

#include "headlight/base/file.h"

#include <string.h>
#include <utf8proc.h>

bool snapshot_format_of(const char *path, enum snapshot_format *format)
{
    static const char *const endings[] = {
        [SNAPSHOT_TXT] = ".txt", [SNAPSHOT_ANSI] = ".ansi", [SNAPSHOT_SVG] = ".svg"};
    size_t length = strlen(path);
    for (int i = SNAPSHOT_TXT; i <= SNAPSHOT_SVG; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(path + length - ending, endings[i]) == 0) {
            *format = (enum snapshot_format)i;
            return true;
        }
    }
    return false;
}

static bool same_ink(struct ink a, struct ink b)
{
    return a.level == b.level && (a.role == b.role || a.level == 0);
}

static bool same_style(struct style a, struct style b)
{
    return same_ink(a.fore, b.fore) && same_ink(a.back, b.back) && a.bold == b.bold;
}

static bool is_blank(const struct cell *cell)
{
    return strcmp(cell->text, " ") == 0;
}

/* Cells of a row up to the last that shows anything. */
static int row_length(const struct canvas *canvas, int y, bool with_ground)
{
    int length = canvas->columns;
    while (length > 0) {
        const struct cell *cell = canvas_at(canvas, y, length - 1);
        if (!is_blank(cell) || (with_ground && cell->style.back.level > 0))
            break;
        length--;
    }
    return length;
}

/* ---- Text ---- */

void snapshot_write_txt(const struct canvas *canvas, FILE *stream)
{
    for (int y = 0; y < canvas->rows; y++) {
        int length = row_length(canvas, y, false);
        for (int x = 0; x < length; x++)
            fputs(canvas_at(canvas, y, x)->text, stream);
        fputc('\n', stream);
    }
}

static void write_sgr_color(FILE *stream, const struct theme *theme, enum depth depth,
                            struct ink ink, bool back)
{
    struct rgb rgb = theme_rgb(theme, ink);
    int ansi = theme_ansi(theme, ink);
    if (depth == DEPTH_DIRECT)
        fprintf(stream, ";%d;2;%d;%d;%d", back ? 48 : 38, rgb.red, rgb.green, rgb.blue);
    else if (depth == DEPTH_256)
        fprintf(stream, ";%d;5;%d", back ? 48 : 38, theme_256(rgb));
    else if (depth == DEPTH_16 && !(back && ink.level == 0))
        fprintf(stream, ";%d", (ansi < 8 ? 30 + ansi : 82 + ansi) + (back ? 10 : 0));
}

/* CSI 0 … m: reset, then bold, foreground and background; without colour, marked ground becomes
 * reverse video. */
static void write_sgr(FILE *stream, const struct theme *theme, enum depth depth, struct style style)
{
    fputs("\033[0", stream);
    if (style.bold)
        fputs(";1", stream);
    if (depth == DEPTH_MONO && style.back.level > 0)
        fputs(";7", stream);
    write_sgr_color(stream, theme, depth, style.fore, false);
    write_sgr_color(stream, theme, depth, style.back, true);
    fputc('m', stream);
}

void snapshot_write_ansi(const struct canvas *canvas, const struct theme *theme, enum depth depth,
                         FILE *stream)
{
    bool painted = depth >= DEPTH_256; /* then the theme's ground covers the row */
    for (int y = 0; y < canvas->rows; y++) {
        int length = painted ? canvas->columns : row_length(canvas, y, true);
        for (int x = 0; x < length; x++) {
            const struct cell *cell = canvas_at(canvas, y, x);
            if (x == 0 || !same_style(cell->style, canvas_at(canvas, y, x - 1)->style))
                write_sgr(stream, theme, depth, cell->style);
            fputs(cell->text, stream);
        }
        fputs("\033[0m\n", stream);
    }
}

/* ---- SVG ---- */

#define CELL_WIDTH  10
#define CELL_HEIGHT 20

static void write_xml(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", stream);
        else if (*text == '>')
            fputs("&gt;", stream);
        else if (*text == '&')
            fputs("&amp;", stream);
        else if (*text == '"')
            fputs("&quot;", stream);
        else
            fputc(*text, stream);
    }
}

static void write_hex(FILE *stream, const struct theme *theme, struct ink ink)
{
    struct rgb rgb = theme_rgb(theme, ink);
    fprintf(stream, "#%02x%02x%02x", rgb.red, rgb.green, rgb.blue);
}

static utf8proc_int32_t code_of(const struct cell *cell)
{
    utf8proc_int32_t code = ' ';
    utf8proc_iterate((const utf8proc_uint8_t *)cell->text, -1, &code);
    return code;
}

static bool is_braille(utf8proc_int32_t code)
{
    return code >= 0x2800 && code <= 0x28FF;
}

/* Half, eighth and full blocks, which become rectangles. */
static bool is_block(utf8proc_int32_t code)
{
    return code == 0x2580 || code == 0x2584 || (code >= 0x2588 && code <= 0x258F);
}

static bool is_shape(const struct cell *cell)
{
    return is_braille(code_of(cell)) || is_block(code_of(cell));
}

static void write_rectangle(FILE *stream, const struct theme *theme, struct ink ink, double x,
                            double y, double width, double height)
{
    fprintf(stream, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"", x, y, width,
            height);
    write_hex(stream, theme, ink);
    fputs("\"/>\n", stream);
}

static void write_grounds(FILE *stream, const struct canvas *canvas, const struct theme *theme,
                          int y)
{
    for (int x = 0, end; x < canvas->columns; x = end) {
        struct ink back = canvas_at(canvas, y, x)->style.back;
        for (end = x + 1; end < canvas->columns; end++)
            if (!same_ink(back, canvas_at(canvas, y, end)->style.back))
                break;
        if (back.level > 0)
            write_rectangle(stream, theme, back, x * CELL_WIDTH, y * CELL_HEIGHT,
                            (end - x) * CELL_WIDTH, CELL_HEIGHT);
    }
}

/* A run of equal blocks that fill their cells' width is one rectangle. Returns where it ends. */
static int write_block(FILE *stream, const struct canvas *canvas, const struct theme *theme, int y,
                       int x)
{
    const struct cell *cell = canvas_at(canvas, y, x), *next;
    utf8proc_int32_t code = code_of(cell);
    double left = x * CELL_WIDTH, top = y * CELL_HEIGHT, height = CELL_HEIGHT;
    double width = CELL_WIDTH;
    if (code == 0x2580 || code == 0x2584)
        height /= 2;
    else
        width = width * (0x2590 - code) / 8;
    if (code == 0x2584)
        top += height;
    for (x++; width >= CELL_WIDTH && (next = canvas_at(canvas, y, x)); x++, width += CELL_WIDTH)
        if (code_of(next) != code || !same_ink(next->style.fore, cell->style.fore))
            break;
    write_rectangle(stream, theme, cell->style.fore, left, top, width, height);
    return x;
}

/* The dots of a run of cells in one ink: points of a path, which round caps make visible. */
static int write_dots(FILE *stream, const struct canvas *canvas, const struct theme *theme, int y,
                      int x)
{
    static const struct {
        int x, y;
    } places[8] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}};
    struct ink ink = canvas_at(canvas, y, x)->style.fore;
    fputs("<path stroke=\"", stream);
    write_hex(stream, theme, ink);
    fputs("\" d=\"", stream);
    for (; x < canvas->columns; x++) {
        const struct cell *cell = canvas_at(canvas, y, x);
        if (!is_braille(code_of(cell)) || !same_ink(ink, cell->style.fore))
            break;
        for (int dot = 0; dot < 8; dot++)
            if ((code_of(cell) & 0xFF) >> dot & 1)
                fprintf(stream, "M%g %gh0", x * CELL_WIDTH + 2.5 + 5 * places[dot].x,
                        y * CELL_HEIGHT + 2.5 + 5 * places[dot].y);
    }
    fputs("\"/>\n", stream);
    return x;
}

/* A run of text cells of one style; its length is stated, so that every font keeps the columns. */
static int write_text_run(FILE *stream, const struct canvas *canvas, const struct theme *theme,
                          int y, int x)
{
    struct style style = canvas_at(canvas, y, x)->style;
    int end = x + 1;
    while (end < canvas->columns) {
        const struct cell *cell = canvas_at(canvas, y, end);
        if (is_blank(cell) || is_shape(cell) || !same_ink(style.fore, cell->style.fore) ||
            style.bold != cell->style.bold)
            break;
        end++;
    }
    fprintf(stream, "<text x=\"%d\" y=\"%d\" textLength=\"%d\"%s fill=\"", x * CELL_WIDTH,
            y * CELL_HEIGHT + 15, (end - x) * CELL_WIDTH,
            style.bold ? " font-weight=\"bold\"" : "");
    write_hex(stream, theme, style.fore);
    fputs("\">", stream);
    for (; x < end; x++)
        write_xml(stream, canvas_at(canvas, y, x)->text);
    fputs("</text>\n", stream);
    return end;
}

static void write_row(FILE *stream, const struct canvas *canvas, const struct theme *theme, int y)
{
    write_grounds(stream, canvas, theme, y);
    for (int x = 0; x < canvas->columns;) {
        const struct cell *cell = canvas_at(canvas, y, x);
        if (is_blank(cell) || cell->width == 0) {
            x++;
        } else if (is_braille(code_of(cell))) {
            x = write_dots(stream, canvas, theme, y, x);
        } else if (is_block(code_of(cell))) {
            x = write_block(stream, canvas, theme, y, x);
        } else {
            x = write_text_run(stream, canvas, theme, y, x);
        }
    }
}

void snapshot_write_svg(const struct canvas *canvas, const struct theme *theme, const char *title,
                        FILE *stream)
{
    int width = canvas->columns * CELL_WIDTH, height = canvas->rows * CELL_HEIGHT;
    char safe[256];
    text_safe(title, false, safe, sizeof safe);
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" "
            "font-size=\"16\" stroke-width=\"2.6\" stroke-linecap=\"round\" "
            "shape-rendering=\"geometricPrecision\">\n<title>",
            width, height, width, height);
    write_xml(stream, safe);
    fputs("</title>\n<g>", stream);
    write_rectangle(stream, theme, (struct ink){ROLE_GROUND, STYLE_FULL}, 0, 0, width, height);
    for (int y = 0; y < canvas->rows; y++)
        write_row(stream, canvas, theme, y);
    fputs("</g>\n</svg>\n", stream);
}

/* ---- Files ---- */

enum status snapshot_save(const struct canvas *canvas, const struct theme *theme, enum depth depth,
                          const char *title, const char *path, struct error *error)
{
    struct writer writer;
    enum snapshot_format format;
    if (!snapshot_format_of(path, &format))
        return error_set(error, STATUS_USAGE,
                         "%s: expected a file name that ends in .txt, .ansi or .svg", path);
    if (writer_open(&writer, path, error) != STATUS_OK)
        return error->status;
    if (format == SNAPSHOT_TXT)
        snapshot_write_txt(canvas, writer.stream);
    else if (format == SNAPSHOT_ANSI)
        snapshot_write_ansi(canvas, theme, depth, writer.stream);
    else
        snapshot_write_svg(canvas, theme, title, writer.stream);
    return writer_commit(&writer, error);
}
