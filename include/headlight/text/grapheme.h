/* grapheme.h: where a cursor may stand in a text, and what keys that go by words walk over.
 *
 * A grapheme is what a reader takes for one character: a letter with its accents, a flag, a family
 * of emoji joined to one (extended grapheme clusters, Unicode Standard Annex 29, from utf8proc).
 * Texts are valid UTF-8; offsets are bytes, and stand between graphemes unless said otherwise. */
#ifndef HEADLIGHT_TEXT_GRAPHEME_H
#define HEADLIGHT_TEXT_GRAPHEME_H

#include <stdbool.h>
#include <stddef.h>

/* The end of the grapheme at `at`; `length` at the end of the text. */
size_t grapheme_next(const char *text, size_t length, size_t at);

/* The start of the grapheme before `at`; 0 at the start of the text. */
size_t grapheme_previous(const char *text, size_t at);

/* The first place at or after any offset where a grapheme starts, or the end of the text. */
size_t grapheme_align(const char *text, size_t length, size_t offset);

/* Whether the grapheme at `at` < `length` is a letter or digit (with all its marks), or white
 * space. */
bool grapheme_is_word(const char *text, size_t length, size_t at);
bool grapheme_is_space(const char *text, size_t length, size_t at);

/* As readline goes by words: to the end of this word or, from between words, of the next one; to
 * the start of this word or the one before. A word is a run of letters and digits. */
size_t word_end(const char *text, size_t length, size_t at);
size_t word_start(const char *text, size_t at);

/* The same back over whatever is not white space, as Ctrl-W does. */
size_t unspaced_start(const char *text, size_t at);

#endif
