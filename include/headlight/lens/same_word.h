/* same_word.h: where the word of a token stands again, in another text or in the same one.
 *
 * Words are compared by what their pieces spell, without the marks of the vocabulary and without
 * the case of ASCII letters: two models can cut the same word up in different ways. */
#ifndef HEADLIGHT_LENS_SAME_WORD_H
#define HEADLIGHT_LENS_SAME_WORD_H

#include "headlight/model/side.h"

/* The word that a token belongs to: its pieces. */
struct token_range same_word_of(const struct token_side *side, size_t token);

bool same_word(const struct token_side *a, struct token_range word, const struct token_side *b,
               struct token_range other);

/* Where a word of `a` stands in another text `b`: of several places the one that is as many from
 * the first as the word is in `a`, else the first. False: nowhere. */
bool same_word_find(const struct token_side *a, struct token_range word, const struct token_side *b,
                    struct token_range *found);

/* Where it stands again in its own text: the next place, and after the last the first. */
bool same_word_again(const struct token_side *side, struct token_range word,
                     struct token_range *found);

/* The first word of `a`, neither a special token nor punctuation, that stands in `b`, or, where b
 * is NULL, again in `a`; and where. */
bool same_word_first(const struct token_side *a, const struct token_side *b,
                     struct token_range found[2]);

#endif
