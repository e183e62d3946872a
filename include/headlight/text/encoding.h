/* encoding.h: a text going in, its tokens coming out. */
#ifndef HEADLIGHT_TEXT_ENCODING_H
#define HEADLIGHT_TEXT_ENCODING_H

#include "headlight/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Text from outside: any bytes, not NUL-terminated. Those that are not UTF-8 count as U+FFFD, which
 * cleaning drops. */
struct text {
    const char *bytes;
    size_t length;
};

/* The line at *at < text.length, without its \n or \r\n; *at moves to the next line. */
struct text text_take_line(struct text text, size_t *at);

/* Bytes start … end-1 of the source text. */
struct span {
    size_t start, end;
};

struct token {
    int32_t id;
    uint8_t sentence; /* 0 or 1: its text, to which the closing [SEP] belongs */
    uint8_t type;     /* what the model is told of it: BERT's token_type_id */
    bool added;       /* a [CLS] or [SEP] from the tokenizer, with an empty span */
    struct span span; /* of texts[sentence] */
};

struct encoding {
    size_t count; /* T */
    struct token tokens[];
};

/* An encoding under construction. Starts as {0}; encoding_finish hands it over. */
struct encoding_builder {
    struct encoding *encoding; /* NULL until the first token */
    size_t capacity;           /* in tokens */
};

/* Appends a token. STATUS_MEMORY leaves the builder as it was. */
enum status encoding_add(struct encoding_builder *builder, struct token token, struct error *error);

/* Hands over *encoding, which may have no tokens; the caller frees it with free(). The builder is
 * {0} again. STATUS_MEMORY. */
enum status encoding_finish(struct encoding_builder *builder, struct encoding **encoding,
                            struct error *error);

/* Frees what was built. */
void encoding_abort(struct encoding_builder *builder);

#endif
