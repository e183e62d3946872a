/* encoding.h: what goes through a tokenizer: a text, its code points with the bytes that each came
 * from, and its tokens. */
#pragma once

#include "headlight/base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Text from outside: any bytes, not NUL-terminated. Those that are not UTF-8 count as U+FFFD, which
 * cleaning drops. */
struct text {
    const char *bytes;
    size_t length;
};

/* A string's bytes without its NUL. */
static inline struct text text_of_string(const char *string)
{
    return (struct text){string, strlen(string)};
}

/* The line at *at < text.length, without its \n or \r\n; *at moves to the next line. */
struct text text_take_line(struct text text, size_t *at);

/* Bytes start … end-1 of the source text. */
struct span {
    size_t start, end;
};

/* ---- Code points -------------------------------------------------------------------------- */

/* A code point and the source bytes that it came from; a ' ' that was put in has none. Spans
 * ascend. */
struct point {
    int32_t code;
    struct span span;
};

/* Starts as {0} but for the error, and keeps its memory between calls. A list that lacks something
 * is incomplete but safe to go on with, so that only whoever asked for it has to look. */
struct points {
    struct point *items;
    size_t count, capacity;
    size_t most; /* that it may hold; 0: any number */
    struct error
        *error; /* of all lists of one text: what they lack, STATUS_MEMORY or STATUS_LIMIT */
};

/* Replaces *points with the code points of a text, spans counted from its first byte. */
void points_read(struct text text, struct points *points);

/* Append a point, several, or several that are all to come from one span. */
void points_add(struct points *points, struct point point);
void points_append(struct points *points, const struct point *more, size_t count);
void points_put(struct points *points, const struct points *more, struct span span);

/* Replaces *points with *other, which is {0} again. */
void points_take(struct points *points, struct points *other);

/* The source bytes from the first to the last of those that `count` > 0 points came from. */
struct span points_span(const struct point *points, size_t count);

/* How many bytes the points take as UTF-8. */
size_t points_bytes(const struct points *points);

void points_free(struct points *points);

/* ---- Tokens ------------------------------------------------------------------------------- */

struct token {
    int32_t id;
    uint8_t sentence; /* 0 or 1: its text, to which the closing [SEP] belongs */
    uint8_t type;     /* the model's segment of it: BERT's token_type_id */
    bool added;       /* a [CLS] or [SEP] from the tokenizer, with an empty span */
    size_t word;      /* equal for the pieces of what the splitters made one word */
    struct span span; /* of texts[sentence] */
};

struct encoding {
    size_t count; /* T */
    struct token tokens[];
};

/* Drops last tokens, of two texts those of the longer, until there are no more than `longest`;
 * those that a tokenizer added stay. False, with nothing changed, where these alone are more. */
bool encoding_cut(struct encoding *encoding, size_t longest);

/* Whether the first text itself begins with the token that was put in front of it: "<bos><bos>…".
 * The reference lets the model read both, too. */
static inline bool encoding_begins_twice(const struct encoding *encoding)
{
    const struct token *tokens = encoding->tokens;
    return encoding->count > 1 && tokens[0].added && !tokens[1].added &&
           tokens[0].id == tokens[1].id;
}

/* An encoding under construction. Starts as {0} but for the error; encoding_finish hands it over.
 */
struct encoding_builder {
    struct encoding *encoding; /* NULL until the first token */
    size_t capacity;           /* in tokens */
    uint8_t sentence, type;    /* of the tokens that follow, */
    size_t word;               /* and their word */
    struct error *error;       /* as of points */
};

/* Appends a token of the builder's sentence, type and word. */
void encoding_add(struct encoding_builder *builder, struct token token);

/* Hands over *encoding, which may have no tokens; the caller frees it with free(). With an error,
 * which is returned, what was built is freed. */
enum status encoding_finish(struct encoding_builder *builder, struct encoding **encoding);
