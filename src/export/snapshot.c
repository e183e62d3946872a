#include "headlight/export/snapshot.h"

#include "headlight/base/file.h"

#include <string.h>

bool snapshot_format_of(const char *path, enum snapshot_format *format)
{
    static const char *const endings[SNAPSHOT_FORMATS] = {[SNAPSHOT_TXT] = ".txt",
                                                          [SNAPSHOT_ANSI] = ".ansi",
                                                          [SNAPSHOT_SVG] = ".svg",
                                                          [SNAPSHOT_HTML] = ".html"};
    size_t length = strlen(path);
    for (int i = 0; i < SNAPSHOT_FORMATS; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(path + length - ending, endings[i]) == 0) {
            *format = (enum snapshot_format)i;
            return true;
        }
    }
    return false;
}

static bool same_style(struct style a, struct style b)
{
    return ink_equal(a.fore, b.fore) && ink_equal(a.back, b.back) && a.bold == b.bold;
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
        fprintf(stream, ";%d;5;%d", back ? 48 : 38, theme_index(theme, ink));
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

/* The same with SGR sequences of the given depth; each row ends with a reset. */
static void write_ansi(const struct canvas *canvas, const struct theme *theme, enum depth depth,
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

/* ---- Files ---- */

static void write_as(enum snapshot_format format, const struct canvas *canvas,
                     const struct theme *theme, enum depth depth,
                     const struct snapshot_about *about, FILE *stream)
{
    switch (format) {
    case SNAPSHOT_TXT:
        snapshot_write_txt(canvas, stream);
        break;
    case SNAPSHOT_ANSI:
        write_ansi(canvas, theme, depth, stream);
        break;
    case SNAPSHOT_SVG:
        snapshot_write_svg(canvas, theme, about, stream);
        break;
    case SNAPSHOT_HTML:
        snapshot_write_html(canvas, theme, about, stream);
        break;
    case SNAPSHOT_FORMATS:
        break;
    }
}

enum status snapshot_save(const struct canvas *canvas, const struct theme *theme, enum depth depth,
                          const struct snapshot_about *about, const char *path, struct error *error)
{
    struct writer writer;
    enum snapshot_format format;
    if (!snapshot_format_of(path, &format))
        return error_set(error, STATUS_USAGE,
                         "%s: expected a file name that ends in " SNAPSHOT_ENDINGS, path);
    if (writer_open(&writer, path, error) != STATUS_OK)
        return error->status;
    write_as(format, canvas, theme, depth, about, writer.stream);
    return writer_commit(&writer, error);
}
