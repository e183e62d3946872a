/* grapheme.h: where a cursor may stand in a text, and where words begin and end.
 *
 * A grapheme is what a reader sees as one character: a letter with its accents, a flag, emoji
 * joined into a family (extended grapheme clusters, Unicode Standard Annex 29, from utf8proc).
 * Texts are valid UTF-8; offsets count bytes and lie between graphemes unless stated otherwise. */
#pragma once

#include "headlight/text/unicode.h"

/* Whether a grapheme ends between two neighbouring code points. *state is what is known of those
 * before: 0 at first, and carried from call to call. */
bool grapheme_breaks(int32_t before, int32_t code, int32_t *state);

/* The end of the grapheme at `at`; `length` at the end of the text. */
size_t grapheme_next(const char *text, size_t length, size_t at);

/* The start of the grapheme before `at`; 0 at the start of the text. */
size_t grapheme_previous(const char *text, size_t at);

/* The first grapheme boundary at or after any offset. */
size_t grapheme_align(const char *text, size_t length, size_t offset);

/* Whether the grapheme at `at` < `length` is of these classes (unicode.h), such as of a word:
 * letters and digits, and a vowel sign that is a grapheme by itself. */
#define GRAPHEME_WORD (UNICODE_LETTER | UNICODE_MARK | UNICODE_NUMBER)
bool grapheme_is(const char *text, size_t length, size_t at, unsigned classes);

/* Movement by words, as in readline: to the end of this word, or of the next; to the start of this
 * word, or of the one before. A word is a run of letters and digits. */
size_t word_end(const char *text, size_t length, size_t at);
size_t word_start(const char *text, size_t at);

/* The same start for words that are runs of anything but white space, as Ctrl-W deletes them. */
size_t unspaced_start(const char *text, size_t at);
