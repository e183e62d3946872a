/* normalise.h: a text made ready to be split into words.
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

/* A word of more code points is not looked up: it is unknown. */
#define WORD_LIMIT 100

struct rules {
    bool lower_case;
    bool strip_accents;
    bool space_ideographs;
};

/* A normalised code point and the source bytes that it came from. Those of a stripped accent go to
 * the code point before it; a ' ' added beside an ideograph has none. Spans ascend, except where
 * the canonical order swaps combining marks. */
struct point {
    int32_t code;
    struct span span;
};

struct points {
    struct point *items;
    size_t count, capacity;
};

/* Replaces *points with the code points of a text, spans counted from its first byte. *points
 * starts as {0} and keeps its memory between calls. STATUS_MEMORY. */
enum status points_read(struct text text, struct points *points, struct error *error);

/* Replaces *points with the normalised source. STATUS_MEMORY. */
enum status normalise_points(const struct points *source, const struct rules *rules,
                             struct points *points, struct error *error);

/* Appends a point. STATUS_MEMORY leaves *points as they were. */
enum status points_add(struct points *points, struct point point, struct error *error);

/* The source bytes from the first to the last of those that `count` > 0 points came from. */
struct span points_span(const struct point *points, size_t count);

/* How many bytes the points take as UTF-8. */
size_t points_bytes(const struct point *points, size_t count);

void points_free(struct points *points);

#endif
