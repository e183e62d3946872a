/* text.h: texts of an exact number of tokens, and the pieces that they are made of. */
#ifndef HEADLIGHT_BENCH_TEXT_H
#define HEADLIGHT_BENCH_TEXT_H

#include "headlight/text/tokenizer.h"

/* The fewest tokens of a pair: [CLS] a [SEP] b [SEP]. */
#define TEXT_TOKENS_MIN 5

/* A pair of sentences; the texts are to be freed. */
struct text_pair {
    char *texts[2];
};

/* Words of English that make so many tokens as a pair, as near as can be to half in each. */
struct text_pair text_make(const struct tokenizer *tokenizer, size_t tokens);
void text_free(struct text_pair *pair);

/* The pair as the tokenizer takes it. */
struct text text_of(const struct text_pair *pair, size_t index);

/* The pieces of these words in a vocabulary of WordPiece; NULL after the last. */
const char *text_piece(size_t index);

#endif
