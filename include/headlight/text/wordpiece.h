/* wordpiece.h: words to word pieces.
 *
 *     word := a punctuation mark, or the longest run of neither white space nor punctuation
 *     pieces of a word: repeatedly the longest piece in the vocabulary that the rest of the word
 *     begins with, marked "##" unless it is the first
 *
 * Source: Hugging Face tokenizers, pre_tokenizers/bert.rs and models/wordpiece/mod.rs; the search
 * is that of Schuster and Nakajima, "Japanese and Korean voice search", 2012. */
#ifndef HEADLIGHT_TEXT_WORDPIECE_H
#define HEADLIGHT_TEXT_WORDPIECE_H

#include "headlight/text/normalise.h"
#include "headlight/text/vocabulary.h"

/* Appends the tokens of a normalised text. A word of more than WORD_LIMIT code points, or that
 * pieces don't make up completely, is one token `unknown`. A token's span covers the source bytes
 * that its code points came from. STATUS_MEMORY is the only error. */
enum status wordpiece_encode(const struct vocabulary *vocabulary, int32_t unknown,
                             const struct points *points, uint8_t sentence,
                             struct encoding_builder *builder, struct error *error);

#endif
