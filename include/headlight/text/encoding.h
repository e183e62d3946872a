/* encoding.h: a text going in, its tokens coming out. */
#ifndef HEADLIGHT_TEXT_ENCODING_H
#define HEADLIGHT_TEXT_ENCODING_H

#include "headlight/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of outside text: not NUL-terminated, may hold anything. Bytes that are not UTF-8 count as
 * U+FFFD, which the cleaning drops. */
struct text {
    const char *bytes;
    size_t length;
};

/* Half-open range of bytes of the source text. */
struct span {
    size_t start, end;
};

struct token {
    int32_t id;
    uint8_t segment;  /* 0 or 1: which sentence, closing [SEP] included */
    bool added;       /* [CLS] and [SEP] that the tokenizer put in; their span is empty */
    struct span span; /* of texts[segment] */
};

struct encoding {
    size_t count; /* T */
    struct token tokens[];
};

/* An encoding that grows. Starts as {0}; encoding_finish hands the block over. */
struct encoding_builder {
    struct encoding *encoding; /* NULL until the first token */
    size_t capacity;           /* tokens that it has room for */
};

/* Appends a token. STATUS_MEMORY leaves the builder as it was. */
enum status encoding_add(struct encoding_builder *builder, struct token token, struct error *error);

/* *encoding, which may be of no tokens, is the caller's to free with free(); the builder is {0}. */
enum status encoding_finish(struct encoding_builder *builder, struct encoding **encoding,
                            struct error *error);

/* Drops what was built. */
void encoding_abort(struct encoding_builder *builder);

#endif
