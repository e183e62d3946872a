/* wordpiece.h: words to word pieces.
 *
 *     pieces of a word: repeatedly the longest piece in the vocabulary that the rest of the word
 *     begins with, marked "##" unless it is the first
 *
 * Source: Hugging Face tokenizers, models/wordpiece/mod.rs; the search is that of Schuster and
 * Nakajima, "Japanese and Korean voice search", 2012. */
#ifndef HEADLIGHT_TEXT_WORDPIECE_H
#define HEADLIGHT_TEXT_WORDPIECE_H

#include "headlight/text/normalise.h"
#include "headlight/text/vocabulary.h"

/* Appends the tokens of one word. A word of more than WORD_LIMIT code points, or that
 * pieces don't make up completely, is one token `unknown`. A token's span covers the source bytes
 * that its code points came from. STATUS_MEMORY is the only error. */
enum status wordpiece_encode(const struct vocabulary *vocabulary, int32_t unknown,
                             const struct point *points, size_t count, uint8_t sentence,
                             struct encoding_builder *builder, struct error *error);

#endif
