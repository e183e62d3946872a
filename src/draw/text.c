/* text.c: text from outside made safe for a terminal. A character whose width the terminal and the
 * C library might see differently is escaped: it would shift the rest of the row. */
#include "headlight/draw/text.h"

#include "headlight/base/format.h"
#include "headlight/text/unicode.h"

#include <string.h>
#include <utf8proc.h>
#include <wchar.h>

#define ZERO_WIDTH_JOINER 0x200D
#define DOTTED_CIRCLE     0x25CC

static bool is_among(utf8proc_int32_t code, utf8proc_int32_t first, utf8proc_int32_t last)
{
    return code >= first && code <= last;
}

/* Variation selectors choose a picture of the character before them: a narrow one or a wide one, in
 * some terminals. The grapheme joiner changes nothing that is seen. */
static bool is_selector(utf8proc_int32_t code)
{
    return is_among(code, 0xFE00, 0xFE0F) || is_among(code, 0xE0100, 0xE01EF) ||
           is_among(code, 0x180B, 0x180D) || code == 0x180F || code == 0x034F;
}

/* Columns of one code point: -1 for one that must not reach a terminal. So are letters that show
 * nothing (fillers of Hangul, inherent vowels of Khmer), and skin tones: two columns to the C
 * library, and none to a terminal that colours with it whatever stands before. In a locale without
 * UTF-8 wcwidth knows nothing; utf8proc's own table stands in, so that exports do not depend on it.
 */
static int columns_of(utf8proc_int32_t code)
{
    if (is_unseen(code) || is_selector(code) || is_among(code, 0x115F, 0x1160) ||
        is_among(code, 0x17B4, 0x17B5) || code == 0x3164 || code == 0xFFA0 ||
        is_among(code, 0x1F3FB, 0x1F3FF))
        return -1;
    if (code >= 0x80 && wcwidth(0x2192) < 0)
        return utf8proc_charwidth(code);
    return wcwidth((wchar_t)code);
}

/* ASCII stand-ins for the signs that headlight itself writes. */
static char ascii_of(utf8proc_int32_t code)
{
    static const struct {
        utf8proc_int32_t code;
        char ascii;
    } signs[] = {
        {0x2192, '>'}, {0x2190, '<'}, {0x2191, '^'}, {0x2193, 'v'}, {0x2194, '-'},
        {0x25B8, '>'}, {0x25C2, '<'}, {0x25BE, 'v'}, {0x221A, 'V'}, {0x2039, '<'},
        {0x203A, '>'}, {0x00D7, 'x'}, {0x00B7, '.'}, {0x2026, '~'}, {0x2013, '-'},
        {0x22EF, '~'}, {0x25A0, '#'}, {0x25A1, '.'}, {0x2212, '-'}, {0x2014, '-'},
        {0x2502, '|'}, {0x2500, '-'}, {0x250C, '+'}, {0x2510, '+'}, {0x2514, '+'},
        {0x2518, '+'}, {0x25CF, 'o'}, {0x00B1, '~'}, {0x2423, '_'}, {UNICODE_REPLACEMENT, '?'},
        {0x2571, '/'}, {0x2265, '>'}, {0x2264, '<'},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].code == code)
            return signs[i].ascii;
    return '\0';
}

/* Nothing is copied: the text has to outlive the reader. */
struct text_reader text_reader(const char *text, size_t length, bool ascii)
{
    return (struct text_reader){.next = text, .end = text + length, .ascii = ascii};
}

/* The next character of an escape that was begun. */
static bool take_pending(struct text_reader *reader, struct glyph *glyph)
{
    char next = reader->pending[reader->pending_at];
    if (next == '\0')
        return false;
    *glyph = (struct glyph){.text = {next}, .width = 1};
    reader->pending_at++;
    return true;
}

/* A mark that has no room left is dropped rather than cut in the middle of its bytes. */
static void append(struct glyph *glyph, utf8proc_int32_t code)
{
    char bytes[UNICODE_BYTES];
    const size_t length = unicode_encode(code, bytes), at = strlen(glyph->text);
    if (at + length < sizeof glyph->text)
        memcpy(glyph->text + at, bytes, length);
}

/* What is left of an escape comes first. A mark without a base character gets a dotted circle; in
 * ASCII it is escaped, like every character without a stand-in. */
bool text_next(struct text_reader *reader, struct glyph *glyph)
{
    utf8proc_int32_t code;
    if (take_pending(reader, glyph))
        return true;
    if (reader->next >= reader->end)
        return false;
    reader->next += unicode_next(reader->next, (size_t)(reader->end - reader->next), &code);
    int width = columns_of(code);
    *glyph = (struct glyph){.width = width > 1 ? 2 : 1};
    if (reader->ascii && code >= 0x80 && ascii_of(code)) {
        glyph->text[0] = ascii_of(code);
        glyph->width = 1;
        return true;
    }
    if (width < 0 || (reader->ascii && code >= 0x80)) {
        /* spelt out glyph by glyph, so that it is cut and wrapped like any other text */
        if (code < 0x20 || code == 0x7F)
            snprintf(reader->pending, sizeof reader->pending, "^%c", (char)(code ^ 0x40));
        else
            snprintf(reader->pending, sizeof reader->pending, "\\u{%x}", (unsigned)code);
        reader->pending_at = 0;
        return take_pending(reader, glyph);
    }
    if (width == 0)
        append(glyph, DOTTED_CIRCLE);
    append(glyph, code);
    /* Joins the marks that follow; joiners and selectors are dropped, since a cell can't hold such
     * a cluster. In ASCII each mark is an escape of its own. */
    for (int marks = 0; !reader->ascii && reader->next < reader->end;) {
        const size_t used = unicode_next(reader->next, (size_t)(reader->end - reader->next), &code);
        const bool dropped = code == ZERO_WIDTH_JOINER || is_selector(code);
        if (!dropped && columns_of(code) != 0)
            break;
        if (!dropped && marks++ < 3)
            append(glyph, code);
        reader->next += used;
    }
    return true;
}

int text_columns(const char *text, size_t length, bool ascii)
{
    struct text_reader reader = text_reader(text, length, ascii);
    struct glyph glyph;
    int columns = 0;
    while (text_next(&reader, &glyph))
        columns += glyph.width;
    return columns;
}

size_t text_width(const char *text, bool ascii)
{
    return (size_t)text_columns(text, strlen(text), ascii);
}

/* A character at a time, a mark by itself: such a text takes less room than it is given. */
size_t text_reach(const char *text, size_t at, int columns, bool ascii)
{
    const bool back = columns < 0;
    int left = back ? -columns : columns;
    while (back ? at > 0 : text[at] != '\0') {
        size_t next = at;
        do
            next += back ? (size_t)-1 : 1;
        while (next > 0 && ((unsigned char)text[next] & 0xC0) == 0x80);
        left -= back ? text_columns(text + next, at - next, ascii)
                     : text_columns(text + at, next - at, ascii);
        if (left < 0)
            break;
        at = next;
    }
    return at;
}

/* A glyph is copied whole or not at all, so the buffer always ends at the end of one. */
void text_safe(const char *text, bool ascii, char *buffer, size_t size)
{
    struct text_reader reader = text_reader(text, strlen(text), ascii);
    struct glyph glyph;
    size_t used = 0;
    while (size > 0 && text_next(&reader, &glyph)) {
        size_t length = strlen(glyph.text);
        if (used + length >= size)
            break;
        memcpy(buffer + used, glyph.text, length);
        used += length;
    }
    if (size > 0)
        buffer[used] = '\0';
}

void text_write(FILE *stream, const char *text, size_t length, bool ascii)
{
    struct text_reader reader = text_reader(text, length, ascii);
    struct glyph glyph;
    while (text_next(&reader, &glyph))
        fputs(glyph.text, stream);
}
