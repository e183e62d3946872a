#include "headlight/text/normalise.h"

#include "headlight/base/size.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>

/* The most points that one code point of the source can make: decomposed, each part lowered, a
 * space on each side. */
#define EXPANSION ((size_t)UNICODE_DECOMPOSED * UNICODE_LOWERED + 2)

/* Makes room for so many more points, at most EXPANSION. */
static enum status reserve(struct points *points, size_t more, struct error *error)
{
    if (points->capacity - points->count >= more)
        return STATUS_OK;
    size_t capacity, bytes;
    struct point *items = NULL;
    bool fits = size_add(points->capacity, points->capacity / 2 + 16 * EXPANSION, &capacity) &&
                size_multiply(capacity, sizeof *items, &bytes);
    if (fits)
        items = realloc(points->items, bytes);
    if (!items)
        return error_memory(error, "a normalised text", fits ? bytes : SIZE_MAX);
    points->items = items;
    points->capacity = capacity;
    return STATUS_OK;
}

static void put(struct points *points, int32_t code, struct span span)
{
    points->items[points->count++] = (struct point){code, span};
}

static void put_cased(struct points *points, int32_t code, struct span span,
                      const struct rules *rules)
{
    int32_t lowered[UNICODE_LOWERED] = {code};
    size_t count = rules->lower_case ? unicode_lower(code, lowered) : 1;
    for (size_t i = 0; i < count; i++)
        put(points, lowered[i], span);
}

/* Moves the last point to its place in the canonical order: a stable sort by combining class of
 * the run of marks that starts at `run`. Past WORD_LIMIT marks the run is part of a word that is
 * unknown whatever its order; leaving it alone keeps hostile text from costing quadratic time. */
static void order_last(struct points *points, size_t run)
{
    struct point *items = points->items;
    struct point last = items[points->count - 1];
    int class = unicode_combining_class(last.code);
    size_t place = points->count - 1;
    if (place - run > WORD_LIMIT)
        return;
    for (; place > run && unicode_combining_class(items[place - 1].code) > class; place--)
        items[place] = items[place - 1];
    items[place] = last;
}

/* The accent's bytes go to the letter before it, if they follow it directly. */
static void drop_accent(struct points *points, struct span span)
{
    if (points->count > 0 && points->items[points->count - 1].span.end == span.start)
        points->items[points->count - 1].span.end = span.end;
}

/* Decomposes, drops accents, lowers. *run is where the current run of marks starts. */
static void put_stripped(struct points *points, int32_t code, struct span span,
                         const struct rules *rules, size_t *run)
{
    int32_t parts[UNICODE_DECOMPOSED];
    size_t count = unicode_decompose(code, parts);
    for (size_t i = 0; i < count; i++) {
        bool starter = unicode_combining_class(parts[i]) == 0;
        if (unicode_is_accent(parts[i])) {
            drop_accent(points, span);
        } else {
            put_cased(points, parts[i], span, rules);
            if (!starter)
                order_last(points, *run);
        }
        if (starter)
            *run = points->count;
    }
}

static void put_clean(struct points *points, int32_t code, struct span span,
                      const struct rules *rules, size_t *run)
{
    bool spaced = rules->space_ideographs && unicode_is_ideograph(code);
    if (spaced)
        put(points, ' ', (struct span){span.start, span.start});
    if (rules->strip_accents)
        put_stripped(points, code, span, rules, run);
    else
        put_cased(points, code, span, rules);
    if (spaced) {
        put(points, ' ', (struct span){span.end, span.end});
        *run = points->count;
    }
}

enum status points_read(struct text text, struct points *points, struct error *error)
{
    points->count = 0;
    for (struct span span = {0, 0}; span.start < text.length; span.start = span.end) {
        int32_t code;
        span.end =
            span.start + unicode_next(text.bytes + span.start, text.length - span.start, &code);
        if (points_add(points, (struct point){code, span}, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

enum status normalise_points(const struct points *source, const struct rules *rules,
                             struct points *points, struct error *error)
{
    size_t run = 0;
    points->count = 0;
    for (size_t i = 0; i < source->count; i++) {
        struct point point = source->items[i];
        if (unicode_is_dropped(point.code))
            continue;
        /* All that one code point can make, so that what follows cannot fail. */
        if (reserve(points, EXPANSION, error) != STATUS_OK)
            return error->status;
        put_clean(points, unicode_is_space(point.code) ? ' ' : point.code, point.span, rules, &run);
    }
    return STATUS_OK;
}

enum status points_add(struct points *points, struct point point, struct error *error)
{
    if (reserve(points, 1, error) != STATUS_OK)
        return error->status;
    put(points, point.code, point.span);
    return STATUS_OK;
}

struct span points_span(const struct point *points, size_t count)
{
    struct span span = points[0].span;
    for (size_t i = 1; i < count; i++) {
        span.start = size_min(span.start, points[i].span.start);
        span.end = size_max(span.end, points[i].span.end);
    }
    return span;
}

size_t points_bytes(const struct point *points, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        char bytes[UNICODE_BYTES];
        length += unicode_encode(points[i].code, bytes);
    }
    return length;
}

void points_free(struct points *points)
{
    free(points->items);
    *points = (struct points){0};
}
