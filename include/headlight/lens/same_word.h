/* same_word.h: finds other occurrences of a token's word, in another text or in the same one.
 *
 * Words are compared by the spelling of their pieces, without the vocabulary's marks and ignoring
 * the case of ASCII letters, as two models can split the same word differently. */
#pragma once

#include "headlight/model/side.h"

/* The word that a token belongs to: its pieces. */
struct token_range same_word_of(const struct token_side *side, size_t token);

bool same_word(const struct token_side *a, struct token_range word, const struct token_side *b,
               struct token_range other);

/* Finds a word of `a` in another text `b`: its n-th occurrence if the word is the n-th in `a`, or
 * else the first. False: none. */
bool same_word_find(const struct token_side *a, struct token_range word, const struct token_side *b,
                    struct token_range *found);

/* The next occurrence in the word's own text, after the last the first. */
bool same_word_again(const struct token_side *side, struct token_range word,
                     struct token_range *found);

/* The first word of `a`, neither a special token nor punctuation, that occurs in `b` (if NULL,
 * again in `a`), and that occurrence. Where a token sees only the `past`, not one of those that
 * both texts begin with, which are the same there, unless there is no other. */
bool same_word_first(const struct token_side *a, const struct token_side *b, bool past,
                     struct token_range found[2]);
