#include "headlight/text/encoding.h"

#include "headlight/base/size.h"

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

/* Makes room for `capacity` tokens in all. False, with the error set, without memory. */
static bool reserve(struct encoding_builder *builder, size_t capacity, struct error *error)
{
    size_t bytes;
    struct encoding *grown = NULL;
    bool fits = size_multiply(capacity, sizeof(struct token), &bytes) &&
                size_add(bytes, sizeof(struct encoding), &bytes);
    if (fits)
        grown = realloc(builder->encoding, bytes);
    if (!grown) {
        error_memory(error, "the tokens of a text", fits ? bytes : SIZE_MAX);
        return false;
    }
    if (!builder->encoding)
        grown->count = 0;
    builder->encoding = grown;
    builder->capacity = capacity;
    return true;
}

enum status encoding_add(struct encoding_builder *builder, struct token token, struct error *error)
{
    size_t count = builder->encoding ? builder->encoding->count : 0;
    if ((!builder->encoding || count == builder->capacity) &&
        !reserve(builder, count < 32 ? 32 : count + count / 2, error))
        return STATUS_MEMORY;
    builder->encoding->tokens[builder->encoding->count++] = token;
    return STATUS_OK;
}

enum status encoding_finish(struct encoding_builder *builder, struct encoding **encoding,
                            struct error *error)
{
    if (!builder->encoding && !reserve(builder, 0, error))
        return STATUS_MEMORY;
    *encoding = builder->encoding;
    *builder = (struct encoding_builder){0};
    return STATUS_OK;
}

void encoding_abort(struct encoding_builder *builder)
{
    free(builder->encoding);
    *builder = (struct encoding_builder){0};
}
