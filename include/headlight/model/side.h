/* side.h: the two sides of attention. The attending tokens stand on the left, the attended ones on
 * the right; in self-attention both are the same. */
#ifndef HEADLIGHT_MODEL_SIDE_H
#define HEADLIGHT_MODEL_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum side {
    SIDE_LEFT,
    SIDE_RIGHT,
};

static inline enum side side_other(enum side side)
{
    return side == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
}

#define NO_TOKEN SIZE_MAX

/* Tokens first … end-1. */
struct token_range {
    size_t first, end;
};

/* A side's tokens as the model knows them; borrowed. */
struct token_side {
    size_t count;              /* T */
    size_t boundary;           /* tokens of the first sentence; T when there is only one */
    const char *const *labels; /* [T] word pieces, readable: text/labels.h */
    const bool *special;       /* [T] whether the token is [CLS], [SEP] or their like */
};

/* What figures of heads ask of the attended tokens; borrowed. */
struct token_kinds {
    const bool *separators; /* [S] whether the token is [SEP] or its like; NULL: none is */
    const size_t *words;    /* [S] the first token of the same word piece; NO_TOKEN for one that
                               occurs once or says no word; NULL: none occurs twice */
};

#endif
