/* unigram.h: the word pieces of a unigram language model: ALBERT, XLM-RoBERTa, DeBERTa, T5.
 *
 *     text = p_1 … p_n,   sum of score(p_i) = max
 *
 * A code point that is no piece by itself may also be unknown, with a score 10 below the least of
 * the vocabulary; neighbouring unknown ones are one token. Of equal sums the one whose last piece
 * begins first counts. The sums are in double precision.
 *
 * Source: Kudo, "Subword Regularization", 2018; Hugging Face tokenizers, models/unigram/model.rs.
 */
#ifndef HEADLIGHT_TEXT_UNIGRAM_H
#define HEADLIGHT_TEXT_UNIGRAM_H

#include "headlight/text/normalise.h"
#include "headlight/text/vocabulary.h"

struct unigram;

/* `scores` [V] are log-probabilities, `unknown` is an id. Borrows the vocabulary, copies the
 * scores; free with free(). `name` is the file's, for messages. STATUS_FORMAT for a score that is
 * not finite or an id that is not in the vocabulary; STATUS_MEMORY. */
enum status unigram_new(const struct vocabulary *vocabulary, const double *scores, int32_t unknown,
                        const char *name, struct unigram **unigram, struct error *error);

/* Appends the tokens of a text that is normalised and has its "▁". A token's span covers the source
 * of its code points. The time grows with the text's length times the number of pieces that begin
 * at one place. STATUS_MEMORY is the only error. */
enum status unigram_encode(const struct unigram *unigram, const struct point *points, size_t count,
                           uint8_t sentence, struct encoding_builder *builder, struct error *error);

#endif
