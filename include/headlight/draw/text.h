/* text.h: outside text made safe for a grid of cells, one cell at a time.
 *
 *     struct text_reader reader = text_reader(label, strlen(label), false);
 *     struct glyph glyph;
 *     while (text_next(&reader, &glyph)) …
 *
 * No control character, escape sequence or direction mark ever comes out: they are shown as ^X or
 * \u{…}. utf8proc says what a code point is, wcwidth how wide it is (ncurses positions with it). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A base character and up to three zero-width marks. */
#define GLYPH_BYTES 20

struct glyph {
    char text[GLYPH_BYTES]; /* UTF-8, NUL-terminated */
    int width;              /* 1 or 2 cells */
};

struct text_reader {
    const char *next, *end;
    bool ascii;
    char pending[16]; /* the rest of an escape such as \u{202e} */
    size_t pending_at;
};

/* With `ascii` every glyph is one ASCII character: headlight's own signs (→ × ‹ …) have stand-ins,
 * other characters are escaped. Bytes that are not UTF-8 come out as U+FFFD ("?" in ASCII). */
struct text_reader text_reader(const char *text, size_t length, bool ascii);

/* False at the end of the text. */
bool text_next(struct text_reader *reader, struct glyph *glyph);

/* Columns that the text takes. */
size_t text_width(const char *text, bool ascii);

/* The same, of its first `length` bytes. */
int text_columns(const char *text, size_t length, bool ascii);

/* Where the characters end that fit in so many columns from a byte on; or, if negative, where those
 * before it begin. */
size_t text_reach(const char *text, size_t at, int columns, bool ascii);

/* Copies the text, made safe, into `buffer` (always NUL-terminated; cut at a glyph when too long).
 */
void text_safe(const char *text, bool ascii, char *buffer, size_t size);

/* Writes so many bytes of a text, made safe. */
void text_write(FILE *stream, const char *text, size_t length, bool ascii);
