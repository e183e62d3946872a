/* added.h: tokens that a text may spell out, which are then cut out of it whole: special tokens
 * such as "[MASK]", runs of spaces, placeholders. */
#ifndef HEADLIGHT_TEXT_ADDED_H
#define HEADLIGHT_TEXT_ADDED_H

#include "headlight/text/normaliser.h"

struct added_token {
    char *content; /* valid UTF-8, not empty */
    int32_t id;
    bool normalized;  /* is looked for in the normalised text, not in the raw one */
    bool left, right; /* swallows the white space on that side */
    bool special;
    struct codes codes; /* what is looked for */
};

/* Starts as {0}. */
struct added_tokens {
    struct added_token *items;
    size_t count;
    bool opens[2][256]; /* the lowest bytes of the code points that begin one, by `normalized` */
};

/* Appends a copy; `content` is the caller's. A second token of the same content replaces the first.
 * STATUS_MEMORY. */
enum status added_put(struct added_tokens *tokens, const struct added_token *token,
                      struct error *error);

/* To be called once when all are there: what is looked for in a normalised text is the normalised
 * content. STATUS_MEMORY. */
enum status added_prepare(struct added_tokens *tokens, const struct normaliser *normaliser,
                          struct error *error);

/* By content or id; NULL when there is none. */
const struct added_token *added_find(const struct added_tokens *tokens, const char *content);
const struct added_token *added_of_id(const struct added_tokens *tokens, int32_t id);

/* Where one stands: points first … end-1, the swallowed white space among them. */
struct added_match {
    const struct added_token *token;
    size_t first, end;
};

/* The first token from point `from` on, of those at the same place the longest; false if there is
 * none. */
bool added_next(const struct added_tokens *tokens, bool normalized, const struct points *points,
                size_t from, struct added_match *match);

void added_free(struct added_tokens *tokens);

#endif
