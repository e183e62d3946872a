/* side.h: the two sides of attention. Attending tokens are on the left, attended ones on the
 * right; in self-attention both are the same tokens. */
#pragma once

#include "headlight/text/words.h"

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
    const char *const *labels; /* [T] word pieces, readable: text/tokenizer.h */
    const bool *special;       /* [T] whether the token is special, such as [CLS] */
    const bool *sinks;         /* [T] whether heads rest on it that look for nothing: on a special
                                  token, on the first where a model sees the past alone, and from
                                  another text on the full stop at the end */
    const bool *continues;     /* [T] whether it continues the word of the token before it */
    enum word_marks marks;     /* how the labels mark words */
};

/* What head metrics need to know of the attended tokens; borrowed. */
struct token_kinds {
    const bool *separators; /* [S] whether the token is a separator, such as [SEP]; NULL: none */
    const size_t *words;    /* [S] the first token with the same word piece; NO_TOKEN if there is no
                               other, or it isn't a word; NULL: nothing repeats */
};
