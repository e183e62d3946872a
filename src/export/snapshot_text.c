/* snapshot_text.c: the screen as text, plain and with ANSI colours, for pipes and pagers. */
#include "headlight/export/export.h"

static bool same_style(struct style a, struct style b)
{
    return ink_equal(a.fore, b.fore) && ink_equal(a.back, b.back) && a.bold == b.bold &&
           a.stroke == b.stroke && a.strength == b.strength;
}

/* Rows without trailing blanks. */
void snapshot_txt(const struct snapshot *snapshot, FILE *stream)
{
    const struct canvas *canvas = snapshot->canvas;
    for (int y = 0; y < canvas->rows; y++) {
        int length = canvas_row_end(canvas, y, false);
        for (int x = 0; x < length; x++)
            fputs(canvas_at(canvas, y, x)->text, stream);
        fputc('\n', stream);
    }
}

struct colors {
    const struct theme *theme;
    enum depth depth;
    struct theme_indexes indexes; /* among 256 */
};

/* 38 and 48 choose a colour by number or by its components; among 16, 30 to 37 and 90 to 97 are the
 * text's, ten more the ground's. */
static void write_sgr_color(FILE *stream, const struct colors *colors, struct style style,
                            bool back)
{
    struct ink ink = back ? style.back : style.fore;
    struct rgb rgb = theme_rgb(colors->theme, ink);
    int ansi = theme_ansi(colors->theme, ink);
    enum depth depth = colors->depth;
    if (depth == DEPTH_DIRECT)
        fprintf(stream, ";%d;2;%d;%d;%d", back ? 48 : 38, rgb.red, rgb.green, rgb.blue);
    else if (depth == DEPTH_256)
        fprintf(stream, ";%d;5;%d", back ? 48 : 38, theme_index_of(&colors->indexes, style, back));
    else if (depth == DEPTH_16 && !(back && ink.level == 0))
        fprintf(stream, ";%d", (ansi < 8 ? 30 + ansi : 82 + ansi) + (back ? 10 : 0));
}

/* CSI 0 … m: reset, then bold, foreground and background; without colours, a background becomes
 * reverse video. */
static void write_sgr(FILE *stream, const struct colors *colors, struct style style)
{
    fputs("\033[0", stream);
    if (style.bold)
        fputs(";1", stream);
    if (colors->depth == DEPTH_MONO && style.back.level > 0)
        fputs(";7", stream);
    write_sgr_color(stream, colors, style, false);
    write_sgr_color(stream, colors, style, true);
    fputc('m', stream);
}

/* The same with SGR sequences of the snapshot's depth; each row ends with a reset. */
void snapshot_ansi(const struct snapshot *snapshot, FILE *stream)
{
    const struct canvas *canvas = snapshot->canvas;
    struct colors colors = {.theme = snapshot->theme, .depth = snapshot->depth};
    bool painted = snapshot->depth >= DEPTH_256; /* then the theme's background fills the row */
    if (colors.depth == DEPTH_256)
        theme_indexes(colors.theme, &colors.indexes);
    for (int y = 0; y < canvas->rows; y++) {
        int length = painted ? canvas->columns : canvas_row_end(canvas, y, true);
        for (int x = 0; x < length; x++) {
            const struct cell *cell = canvas_at(canvas, y, x);
            if (x == 0 || !same_style(cell->style, canvas_at(canvas, y, x - 1)->style))
                write_sgr(stream, &colors, cell->style);
            fputs(cell->text, stream);
        }
        fputs("\033[0m\n", stream);
    }
}
