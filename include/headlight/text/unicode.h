/* unicode.h: code points, and the classes into which BERT's tokenizer sorts them.
 *
 * The tables are utf8proc's. The classes, made up of its categories, are those of the reference
 * implementation: Hugging Face tokenizers, normalizers/bert.rs and pre_tokenizers/bert.rs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNICODE_REPLACEMENT 0xFFFD

/* The most code points that one can become by decomposition, even by the compatible one (Unicode's
 * own bound), and by lower-casing. */
#define UNICODE_COMPATIBLE 18
#define UNICODE_LOWERED    2

/* The most bytes of a code point in UTF-8. */
#define UNICODE_BYTES 4

/* Reads the code point at `bytes`, where `length` > 0 bytes are left, and returns how many it
 * takes. A byte that starts no valid sequence is one U+FFFD. */
size_t unicode_next(const char *bytes, size_t length, int32_t *code);

/* How many code points begin in valid UTF-8. */
size_t unicode_count(const char *bytes, size_t length);

/* Whether the bytes are valid UTF-8 without a NUL. */
bool unicode_valid(const char *bytes, size_t length);

/* A string of *repaired bytes, with U+FFFD for each byte that is not part of a UTF-8 sequence, and
 * without the NULs. The caller frees it with free(); NULL without memory. */
char *unicode_repair(const char *bytes, size_t length, size_t *repaired);

/* Writes a code point as UTF-8 and returns how many bytes it took. */
size_t unicode_encode(int32_t code, char bytes[UNICODE_BYTES]);

/* What a code point is, as bits. */
enum unicode_class {
    UNICODE_LETTER = 1, /* categories L* */
    UNICODE_NUMBER = 2, /* N* */
    UNICODE_MARK = 4,   /* M* */
    UNICODE_ACCENT = 8, /* of these the non-spacing ones, Mn */
    UNICODE_BLANK = 16, /* ' ' */
    UNICODE_BREAK = 32, /* \r and \n */
    UNICODE_SPACE = 64, /* white space: separates words */
    /* Unicode's White_Space, as byte-level BPE and unigram models split at it: BERT's spaces, and
     * the vertical tab, the form feed and U+0085 too. */
    UNICODE_WHITE_SPACE = 128,
    /* What \w matches (Unicode Technical Standard 18, annex C): letters, marks, decimal digits,
     * connectors such as "_", and the two joiners of zero width. */
    UNICODE_WORD = 256,
    /* Each mark a word of its own: includes all of ASCII but letters, digits, spaces and controls,
     * so "$" and "~" too. */
    UNICODE_PUNCTUATION = 512,
    /* What cleaning drops: NUL, U+FFFD, and control, format and private-use characters except tab,
     * line feed and carriage return. Unassigned code points stay, and become [UNK]. */
    UNICODE_DROPPED = 1024,
};

/* Whether it is of any of these classes. */
bool unicode_is(int32_t code, unsigned classes);

/* An ideograph of the CJK blocks, a word of its own. Kana and Hangul are not ideographs. */
bool unicode_is_ideograph(int32_t code);

/* The canonical combining class: 0 for all but combining marks. */
int unicode_combining_class(int32_t code);

/* The full decomposition of one code point, canonical (NFD) or `compatible` (NFKD); returns how
 * many code points it has, at least 1. */
size_t unicode_decompose(int32_t code, bool compatible, int32_t out[UNICODE_COMPATIBLE]);

/* What two code points compose to (NFC), or 0. */
int32_t unicode_compose(int32_t first, int32_t second);

/* The lower case of one code point regardless of context: capital sigma gives σ at the end of a
 * word too, as in the reference. Returns how many code points: 2 for İ, else 1. */
size_t unicode_lower(int32_t code, int32_t out[UNICODE_LOWERED]);
