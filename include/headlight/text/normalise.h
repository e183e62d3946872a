/* normalise.h: what a text is before it is split into words.
 *
 * In this order, as in the reference (Hugging Face tokenizers, normalizers/bert.rs):
 *
 *     clean          drop controls and U+FFFD, make all white space ' '
 *     ideographs     put a ' ' on each side of a CJK ideograph
 *     strip accents  decompose canonically (NFD), drop the non-spacing marks
 *     lower case     code point by code point
 *
 * Nothing is composed: a cased text keeps its code points as they were written. */
#ifndef HEADLIGHT_TEXT_NORMALISE_H
#define HEADLIGHT_TEXT_NORMALISE_H

#include "headlight/text/encoding.h"

/* A word of more code points than this is not looked up: it is unknown. */
#define WORD_LIMIT 100

struct rules {
    bool lower_case;
    bool strip_accents;
    bool space_ideographs;
};

/* A normalised code point and the bytes of the source that it came from. An accent that was
 * stripped belongs to the code point before it; a ' ' put in beside an ideograph has no bytes.
 * Spans ascend, except where the canonical order swaps combining marks. */
struct point {
    int32_t code;
    struct span span;
};

struct points {
    struct point *items;
    size_t count, capacity;
};

/* Replaces *points by the normalised bytes `part` of the text; spans count from the text's first
 * byte. Starts with {0}, keeps its memory from call to call. STATUS_MEMORY is the only error. */
enum status normalise_text(struct text text, struct span part, const struct rules *rules,
                           struct points *points, struct error *error);

void points_free(struct points *points);

#endif
