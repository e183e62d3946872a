/* encoding.c: the growing lists of a tokenizer: code points with their source, and tokens. A span
 * is kept beside each code point from the start, because nothing can find it again once a
 * normaliser has rewritten the text. A list that runs out of memory stops growing and notes it
 * in the error that it was given: some thirty functions append to one, and none has to pass it on.
 */
#include "headlight/text/encoding.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/unicode.h"

/* Both kinds of line ends, so that a file edited on Windows reads the same. */
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

/* The sum cannot overflow: `more` points are in memory already. */
static bool reserve_points(struct points *points, size_t more)
{
    const size_t needed = points->count + more;
    if (points->most == 0 || needed <= points->most)
        return memory_grow(&points->items, &points->capacity, needed, sizeof *points->items,
                           "a normalised text", points->error) == STATUS_OK;
    error_write(points->error, STATUS_LIMIT,
                "expected the tokenizer's steps to make at most four times as many characters of a "
                "text, found more; shorten the text");
    return false;
}

void points_add(struct points *points, struct point point)
{
    if (reserve_points(points, 1))
        points->items[points->count++] = point;
}

void points_append(struct points *points, const struct point *more, size_t count)
{
    bool reserved = reserve_points(points, count);
    for (size_t i = 0; reserved && i < count; i++)
        points->items[points->count++] = more[i];
}

void points_put(struct points *points, const struct points *more, struct span span)
{
    for (size_t i = 0; i < more->count; i++)
        points_add(points, (struct point){more->items[i].code, span});
}

void points_read(struct text text, struct points *points)
{
    points->count = 0;
    for (struct point point = {.code = 0}; point.span.start < text.length;
         point.span.start = point.span.end) {
        const char *at = text.bytes + point.span.start;
        point.span.end =
            point.span.start + unicode_next(at, text.length - point.span.start, &point.code);
        points_add(points, point);
    }
}

void points_take(struct points *points, struct points *other)
{
    points_free(points);
    *points = *other;
    points->most = 0;
    *other = (struct points){0};
}

/* Spans need not ascend here: normalisation forms reorder marks. */
struct span points_span(const struct point *points, size_t count)
{
    struct span span = points[0].span;
    for (size_t i = 1; i < count; i++) {
        span.start = size_min(span.start, points[i].span.start);
        span.end = size_max(span.end, points[i].span.end);
    }
    return span;
}

size_t points_bytes(const struct points *points)
{
    size_t length = 0;
    for (size_t i = 0; i < points->count; i++) {
        char bytes[UNICODE_BYTES];
        length += unicode_encode(points->items[i].code, bytes);
    }
    return length;
}

void points_free(struct points *points)
{
    free(points->items);
    *points = (struct points){0};
}

/* ---- Tokens ------------------------------------------------------------------------------- */

/* The encoding is one block, its tokens behind their number, and moves as it grows. */
static bool reserve_tokens(struct encoding_builder *builder, size_t capacity)
{
    const size_t bytes = sizeof *builder->encoding + capacity * sizeof(struct token);
    struct encoding *grown = realloc(builder->encoding, bytes);
    if (!grown)
        return error_memory(builder->error, "the tokens of a text", bytes) == STATUS_OK;
    if (!builder->encoding)
        grown->count = 0;
    builder->encoding = grown;
    builder->capacity = capacity;
    return true;
}

void encoding_add(struct encoding_builder *builder, struct token token)
{
    size_t count = builder->encoding ? builder->encoding->count : 0;
    if ((!builder->encoding || count == builder->capacity) &&
        !reserve_tokens(builder, count < 32 ? 32 : count + count / 2))
        return;
    token.sentence = builder->sentence;
    token.type = builder->type;
    token.word = builder->word;
    builder->encoding->tokens[builder->encoding->count++] = token;
}

enum status encoding_finish(struct encoding_builder *builder, struct encoding **encoding)
{
    if (!builder->encoding)
        reserve_tokens(builder, 0);
    const enum status status = builder->error->status;
    *encoding = status == STATUS_OK ? builder->encoding : NULL;
    if (status != STATUS_OK)
        free(builder->encoding);
    *builder = (struct encoding_builder){.error = builder->error};
    return status;
}

bool encoding_cut(struct encoding *encoding, size_t longest)
{
    size_t words[2] = {0, 0}, kept = 0;
    for (size_t i = 0; i < encoding->count; i++)
        words[encoding->tokens[i].sentence] += !encoding->tokens[i].added;
    if (encoding->count - words[0] - words[1] > longest)
        return false;
    for (size_t count = encoding->count; count > longest; count--)
        words[words[1] >= words[0]]--;
    for (size_t i = 0; i < encoding->count; i++) {
        const struct token token = encoding->tokens[i];
        if (token.added || words[token.sentence] > 0)
            encoding->tokens[kept++] = token;
        words[token.sentence] -= !token.added && words[token.sentence] > 0;
    }
    encoding->count = kept;
    return true;
}
