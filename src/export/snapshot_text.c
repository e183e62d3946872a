/* snapshot_text.c: the screen as text, plain and with ANSI colours, for pipes and pagers; and what
 * SVG and HTML share: escaped text, colours, and the facts about a picture. Text keeps the
 * zero-width joiners of emoji and some scripts; other invisible characters are spelt out. */
#include "headlight/export/export.h"

#include <utf8proc.h>

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

/* 38 and 48 choose a colour by number or by its components; among 16, 30 to 37 and 90 to 97 are the
 * text's, ten more the ground's. */
static void write_sgr_color(FILE *stream, const struct snapshot *snapshot,
                            const struct theme_indexes *indexes, struct style style, bool back)
{
    struct ink ink = back ? style.back : style.fore;
    struct rgb rgb = theme_rgb(snapshot->theme, ink);
    int ansi = theme_ansi(snapshot->theme, ink);
    enum depth depth = snapshot->depth;
    if (depth == DEPTH_DIRECT)
        fprintf(stream, ";%d;2;%d;%d;%d", back ? 48 : 38, rgb.red, rgb.green, rgb.blue);
    else if (depth == DEPTH_256)
        fprintf(stream, ";%d;5;%d", back ? 48 : 38, theme_index_of(indexes, style, back));
    else if (depth == DEPTH_16 && !(back && ink.level == 0))
        fprintf(stream, ";%d", (ansi < 8 ? 30 + ansi : 82 + ansi) + (back ? 10 : 0));
}

void snapshot_ansi_row(const struct snapshot *snapshot, int y, FILE *stream)
{
    const struct canvas *canvas = snapshot->canvas;
    struct theme_indexes indexes;
    bool painted = snapshot->depth >= DEPTH_256; /* then the theme's background fills the row */
    if (snapshot->depth == DEPTH_256)
        theme_indexes(snapshot->theme, &indexes);
    int length = painted ? canvas->columns : canvas_row_end(canvas, y, true);
    for (int x = 0; x < length; x++) {
        const struct cell *cell = canvas_at(canvas, y, x);
        const struct style style = cell->style,
                           before = x > 0 ? canvas_at(canvas, y, x - 1)->style : style;
        if (x == 0 || !ink_equal(style.fore, before.fore) || !ink_equal(style.back, before.back) ||
            style.bold != before.bold || style.stroke != before.stroke ||
            style.strength != before.strength) {
            /* CSI 0 … m: reset, then bold, foreground and background; without colours, a background
             * becomes reverse video */
            fputs("\033[0", stream);
            if (style.bold)
                fputs(";1", stream);
            if (snapshot->depth == DEPTH_MONO && style.back.level > 0)
                fputs(";7", stream);
            write_sgr_color(stream, snapshot, &indexes, style, false);
            write_sgr_color(stream, snapshot, &indexes, style, true);
            fputc('m', stream);
        }
        fputs(cell->text, stream);
    }
    fputs("\033[0m", stream);
}

/* The same with SGR sequences of the snapshot's depth. */
void snapshot_ansi(const struct snapshot *snapshot, FILE *stream)
{
    for (int y = 0; y < snapshot->canvas->rows; y++) {
        snapshot_ansi_row(snapshot, y, stream);
        fputc('\n', stream);
    }
}

/* ---- Escaped text, colours and facts ---- */

/* Invisible characters come out of text_next spelt out; four mean something in an element or a
 * quoted attribute. */
static void write_glyphs(FILE *stream, const char *text, size_t length)
{
    static const char meant[] = "<>&\"", *const written[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
    struct text_reader reader = text_reader(text, length, false);
    struct glyph glyph;
    while (text_next(&reader, &glyph))
        for (const char *at = glyph.text; *at; at++)
            if (strchr(meant, *at))
                fputs(written[strchr(meant, *at) - meant], stream);
            else
                fputc(*at, stream);
}

/* U+200D, which joins emoji, and letters of some scripts. */
#define JOINER "\xE2\x80\x8D"

/* Whether the character is a letter, an emoji or, if `or_mark`, a combining mark. */
static bool is_joined(const char *at, const char *end, bool or_mark)
{
    utf8proc_int32_t code;
    if (utf8proc_iterate((const utf8proc_uint8_t *)at, end - at, &code) <= 0)
        return false;
    utf8proc_category_t category = utf8proc_category(code);
    bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
    bool mark = category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
    return letter || category == UTF8PROC_CATEGORY_SO || (or_mark && mark);
}

/* Whether a joiner is between two characters that it can join. */
static bool joins(const char *text, const char *joiner, const char *end)
{
    const char *before = joiner, *after = joiner + strlen(JOINER);
    while (before > text && (*--before & 0xC0) == 0x80)
        ;
    return before < joiner && is_joined(before, joiner, true) && is_joined(after, end, false);
}

/* The text is cut at zero-width joiners, which text_next would spell out even where they join
 * something. */
void snapshot_write_text(FILE *stream, const char *text)
{
    const char *end = text + strlen(text), *joiner;
    while ((joiner = strstr(text, JOINER))) {
        write_glyphs(stream, text, (size_t)(joiner - text));
        fputs(joins(text, joiner, end) ? JOINER : "\\u{200d}", stream);
        text = joiner + strlen(JOINER);
    }
    write_glyphs(stream, text, (size_t)(end - text));
}

void snapshot_write_between(FILE *stream, const char *before, const char *text, const char *after)
{
    fputs(before, stream);
    snapshot_write_text(stream, text);
    fputs(after, stream);
}

void snapshot_write_color(FILE *stream, const char *before, const struct theme *theme,
                          struct ink ink)
{
    struct rgb rgb = theme_rgb(theme, ink);
    fprintf(stream, "%s#%02x%02x%02x", before, rgb.red, rgb.green, rgb.blue);
}
