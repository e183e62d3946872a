/* encoding.c: the growing lists of a tokenizer: code points with their source, and tokens. A span
 * is kept beside each code point from the start, because nothing can find it again once a
 * normaliser has rewritten the text. */
#include "headlight/text/encoding.h"

#include "headlight/base/size.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

struct text text_take_line(struct text text, size_t *at)
{
    const char *line = text.bytes + *at;
    const char *stop = memchr(line, '\n', text.length - *at);
    size_t length = stop ? (size_t)(stop - line) : text.length - *at;
    *at += length + (stop ? 1 : 0);
    if (length > 0 && line[length - 1] == '\r')
        length--;
    return (struct text){line, length};
}

/* ---- Code points -------------------------------------------------------------------------- */

static enum status reserve_points(struct points *points, size_t more, struct error *error)
{
    if (points->capacity - points->count >= more)
        return STATUS_OK;
    size_t capacity, bytes;
    struct point *items = NULL;
    bool fits = size_add(points->capacity, points->capacity / 2 + 64, &capacity) &&
                size_add(capacity, more, &capacity) &&
                size_multiply(capacity, sizeof *items, &bytes);
    if (fits)
        items = realloc(points->items, bytes);
    if (!items)
        return error_memory(error, "a normalised text", fits ? bytes : SIZE_MAX);
    points->items = items;
    points->capacity = capacity;
    return STATUS_OK;
}

enum status points_add(struct points *points, struct point point, struct error *error)
{
    return points_append(points, &point, 1, error);
}

enum status points_append(struct points *points, const struct point *more, size_t count,
                          struct error *error)
{
    if (reserve_points(points, count, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < count; i++)
        points->items[points->count++] = more[i];
    return STATUS_OK;
}

enum status points_add_codes(struct points *points, const int32_t *codes, size_t count,
                             struct span span, struct error *error)
{
    if (reserve_points(points, count, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < count; i++)
        points->items[points->count++] = (struct point){codes[i], span};
    return STATUS_OK;
}

enum status points_read(struct text text, struct points *points, struct error *error)
{
    points->count = 0;
    for (struct span span = {0, 0}; span.start < text.length; span.start = span.end) {
        int32_t code;
        span.end =
            span.start + unicode_next(text.bytes + span.start, text.length - span.start, &code);
        if (points_add_codes(points, &code, 1, span, error) != STATUS_OK)
            return error->status;
    }
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

/* ---- Tokens ------------------------------------------------------------------------------- */

static enum status reserve_tokens(struct encoding_builder *builder, size_t capacity,
                                  struct error *error)
{
    size_t bytes;
    struct encoding *grown = NULL;
    bool fits = size_multiply(capacity, sizeof(struct token), &bytes) &&
                size_add(bytes, sizeof(struct encoding), &bytes);
    if (fits)
        grown = realloc(builder->encoding, bytes);
    if (!grown)
        return error_memory(error, "the tokens of a text", fits ? bytes : SIZE_MAX);
    if (!builder->encoding)
        grown->count = 0;
    *builder = (struct encoding_builder){grown, capacity};
    return STATUS_OK;
}

enum status encoding_add(struct encoding_builder *builder, struct token token, struct error *error)
{
    size_t count = builder->encoding ? builder->encoding->count : 0;
    if ((!builder->encoding || count == builder->capacity) &&
        reserve_tokens(builder, count < 32 ? 32 : count + count / 2, error) != STATUS_OK)
        return error->status;
    builder->encoding->tokens[builder->encoding->count++] = token;
    return STATUS_OK;
}

enum status encoding_finish(struct encoding_builder *builder, struct encoding **encoding,
                            struct error *error)
{
    if (!builder->encoding && reserve_tokens(builder, 0, error) != STATUS_OK)
        return error->status;
    *encoding = builder->encoding;
    *builder = (struct encoding_builder){0};
    return STATUS_OK;
}

void encoding_abort(struct encoding_builder *builder)
{
    free(builder->encoding);
    *builder = (struct encoding_builder){0};
}
