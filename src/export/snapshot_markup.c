/* snapshot_markup.c: what SVG and HTML share: escaped text, colours, and the facts about a picture.
 * Text keeps the zero-width joiners of emoji and some scripts; other invisible characters are
 * spelt out. */
#include "headlight/export/snapshot.h"

#include <string.h>
#include <utf8proc.h>

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

void snapshot_write_color(FILE *stream, const char *before, const struct theme *theme,
                          struct ink ink)
{
    struct rgb rgb = theme_rgb(theme, ink);
    fprintf(stream, "%s#%02x%02x%02x", before, rgb.red, rgb.green, rgb.blue);
}

void snapshot_write_facts(FILE *stream, const struct snapshot *snapshot, const char *before,
                          const char *between, const char *after)
{
    for (size_t i = 0; i < snapshot->fact_count; i++) {
        fputs(before, stream);
        snapshot_write_text(stream, snapshot->facts[i].name);
        fputs(between, stream);
        snapshot_write_text(stream, snapshot->facts[i].value);
        fputs(after, stream);
    }
}
