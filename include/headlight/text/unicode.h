/* unicode.h: code points, and the classes into which BERT's tokenizer sorts them.
 *
 * The tables are utf8proc's; this says which of its categories make up which class. The classes are
 * those of the reference implementation: Hugging Face tokenizers, normalizers/bert.rs and
 * pre_tokenizers/bert.rs. */
#ifndef HEADLIGHT_TEXT_UNICODE_H
#define HEADLIGHT_TEXT_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNICODE_REPLACEMENT 0xFFFD

/* The most code points that one turns into by canonical decomposition (Unicode's own bound), and
 * by lower-casing. */
#define UNICODE_DECOMPOSED 4
#define UNICODE_LOWERED    2

/* The most bytes that a code point has in UTF-8. */
#define UNICODE_BYTES 4

/* Reads the code point at `bytes`, where `length` > 0 bytes are left, and returns how many bytes it
 * has. A byte that starts no valid sequence is one U+FFFD. */
size_t unicode_next(const char *bytes, size_t length, int32_t *code);

/* Whether the bytes are UTF-8 throughout, without a NUL. */
bool unicode_valid(const char *bytes, size_t length);

/* The bytes with U+FFFD in place of each that is not part of a UTF-8 sequence, in new memory with a
 * NUL after them; NULL without memory. */
char *unicode_repair(const char *bytes, size_t length, size_t *repaired);

/* Writes a code point as UTF-8 and returns how many bytes it took. */
size_t unicode_encode(int32_t code, char bytes[UNICODE_BYTES]);

/* White space: separates words. */
bool unicode_is_space(int32_t code);

/* What the cleaning drops: NUL, U+FFFD, and control, format and private-use characters, but for
 * tab, line feed and carriage return. Unassigned code points stay, and become [UNK]. */
bool unicode_is_dropped(int32_t code);

/* Punctuation: a word of its own. All of ASCII that is no letter, digit, space or control counts,
 * "$" and "~" too. */
bool unicode_is_punctuation(int32_t code);

/* An ideograph of the CJK blocks: a word of its own. Kana and Hangul are not. */
bool unicode_is_ideograph(int32_t code);

/* A non-spacing mark (category Mn). */
bool unicode_is_accent(int32_t code);

/* The canonical combining class: 0 for all but marks. */
int unicode_combining_class(int32_t code);

/* The full canonical decomposition (NFD) of one code point; returns how many it has, at least 1. */
size_t unicode_decompose(int32_t code, int32_t out[UNICODE_DECOMPOSED]);

/* The lower case of one code point, whatever stands around it (so capital sigma gives σ at the end
 * of a word too, as in the reference). Returns how many code points: 2 for İ, otherwise 1. */
size_t unicode_lower(int32_t code, int32_t out[UNICODE_LOWERED]);

#endif
