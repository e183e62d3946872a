/* editor_line.h: the editor's text with its cursor, and the ways to make a new one from it.
 *
 * The text of a line never changes, only its cursor does: each edit makes a new line, so that undo
 * has nothing to do but keep the old ones, and an edit that finds no memory has done nothing.
 * Whatever returns a line or text gives it to the caller to free(), or NULL without memory. */
#ifndef HEADLIGHT_SESSION_EDITOR_LINE_H
#define HEADLIGHT_SESSION_EDITOR_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct line {
    size_t length; /* bytes */
    size_t cursor; /* byte offset between graphemes */
    char text[];   /* clean, with a NUL after it */
};

/* Makes text clean: valid UTF-8 (U+FFFD for other bytes), one blank for newlines and tabs in a row,
 * no other control characters. `cleaned` receives the length. */
char *line_clean(const char *text, size_t length, size_t *cleaned);

/* Clean text in place of the bytes from `from` to `to`; the cursor comes after it. With NULL for a
 * line, the text alone. */
struct line *line_splice(const struct line *line, size_t from, size_t to, const char *text,
                         size_t length);

/* The bytes from places[0] to places[1] and those from places[2] to places[3] change places; the
 * cursor comes after them. */
struct line *line_swap(const struct line *line, const size_t places[4]);

enum letter_case { CASE_UPPER, CASE_LOWER, CASE_CAPITAL };

/* The letters from `from` to `to` in another case; the cursor comes after them. */
struct line *line_case(const struct line *line, size_t from, size_t to, enum letter_case letters);

/* Whether the text is the same. */
bool line_same(const struct line *line, const struct line *other);

#endif
