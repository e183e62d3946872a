/* snapshot_html.c: a picture as an HTML page without scripts that loads nothing else: no font, no
 * style sheet, no image; and what it shares with SVG: escaped text, colours, and the facts about a
 * picture. Text keeps the zero-width joiners of emoji and some scripts; other invisible characters
 * are spelt out. */
#include "headlight/export/export.h"

#include <string.h>
#include <utf8proc.h>

/* ---- Text, colours and facts ---- */

/* The four characters that mean something in an element or a quoted attribute. */
static void write_escaped(FILE *stream, const char *text)
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

/* Invisible characters come out of text_next spelt out. */
static void write_glyphs(FILE *stream, const char *text, size_t length)
{
    struct text_reader reader = text_reader(text, length, false);
    struct glyph glyph;
    while (text_next(&reader, &glyph))
        write_escaped(stream, glyph.text);
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

/* The next joiner, or the end. */
static const char *find_joiner(const char *text, const char *end)
{
    size_t length = strlen(JOINER);
    while ((size_t)(end - text) >= length && memcmp(text, JOINER, length) != 0)
        text++;
    return (size_t)(end - text) >= length ? text : end;
}

/* The text is cut at zero-width joiners, which text_next would spell out even where they join
 * something. */
void snapshot_write_part(FILE *stream, const char *text, size_t length)
{
    const char *end = text + length, *joiner;
    while ((joiner = find_joiner(text, end)) < end) {
        write_glyphs(stream, text, (size_t)(joiner - text));
        fputs(joins(text, joiner, end) ? JOINER : "\\u{200d}", stream);
        text = joiner + strlen(JOINER);
    }
    write_glyphs(stream, text, (size_t)(end - text));
}

void snapshot_write_text(FILE *stream, const char *text)
{
    snapshot_write_part(stream, text, strlen(text));
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

/* For lists, tables and metadata alike: only the markup differs. */
void snapshot_write_facts(FILE *stream, const struct snapshot *snapshot, const char *before,
                          const char *between, const char *after)
{
    for (size_t i = 0; i < snapshot->fact_count; i++) {
        snapshot_write_between(stream, before, snapshot->facts[i].name, between);
        snapshot_write_between(stream, "", snapshot->facts[i].value, after);
    }
}

/* ---- The page ---- */

/* The theme's colours for the whole page, in print too. */
static void write_html_style(FILE *stream, const struct theme *theme)
{
    const struct ink ground = {ROLE_GROUND, STYLE_FULL};
    snapshot_write_color(stream, "<style>\nbody { margin: 1rem; background: ", theme, ground);
    snapshot_write_color(stream, "; color: ", theme, ink_full(ROLE_TEXT));
    fprintf(stream,
            "; color-scheme: %s; font: 0.9rem/1.5 sans-serif; print-color-adjust: exact; }\n",
            theme_rgb(theme, ground).green < 128 ? "dark" : "light");
    fputs("figure { margin: 0 auto; width: fit-content; max-width: 100%; }\n"
          "svg { display: block; max-width: 100%; height: auto; }\n"
          "dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }\n"
          "dd { margin: 0; overflow-wrap: anywhere; }\n"
          "pre { overflow-x: auto; font: 0.9rem/1.25 'DejaVu Sans Mono', Menlo, Consolas, "
          "monospace; }\n",
          stream);
    snapshot_write_color(stream, "dt, summary { color: ", theme, ink_full(ROLE_FAINT));
    fputs("; }\n</style>\n", stream);
}

/* The policy makes the browser enforce that nothing is loaded. */
static void write_html_head(FILE *stream, const struct snapshot *snapshot)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          stream);
    snapshot_write_facts(stream, snapshot, "<meta name=\"headlight:", "\" content=\"", "\">\n");
    snapshot_write_between(stream, "<title>", snapshot->title, "</title>\n");
    write_html_style(stream, snapshot->theme);
    fputs("</head>\n", stream);
}

/* The rows as in a text snapshot. A browser drops the line feed after <pre>. */
static void write_screen_text(FILE *stream, const struct canvas *canvas)
{
    fputs("<details>\n<summary>The screen as text</summary>\n<pre>\n", stream);
    for (int y = 0; y < canvas->rows; y++) {
        int end = canvas_row_end(canvas, y, false);
        for (int x = 0; x < end; x++)
            snapshot_write_text(stream, canvas_at(canvas, y, x)->text);
        fputc('\n', stream);
    }
    fputs("</pre>\n</details>\n", stream);
}

/* The figure with its caption, then the screen as text for those who can't see it. */
void snapshot_html(const struct snapshot *snapshot, FILE *stream)
{
    write_html_head(stream, snapshot);
    fputs("<body>\n<figure>\n", stream);
    snapshot_write_picture(snapshot, false, stream);
    fputs("<figcaption>\n<dl>\n", stream);
    /* bdi: a right-to-left text must not reverse its line */
    snapshot_write_facts(stream, snapshot, "<dt>", "</dt><dd><bdi>", "</bdi></dd>\n");
    fputs("</dl>\n</figcaption>\n", stream);
    fputs("</figure>\n", stream);
    write_screen_text(stream, snapshot->canvas);
    fputs("</body>\n</html>\n", stream);
}
