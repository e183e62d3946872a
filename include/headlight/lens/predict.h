/* predict.h: what the model's two pretraining heads say. */
#ifndef HEADLIGHT_LENS_PREDICT_H
#define HEADLIGHT_LENS_PREDICT_H

#include "headlight/model/trace.h"

struct prediction {
    int32_t id;
    float probability;
};

/* The `count` likeliest pieces at a token, likeliest first (softmax of mlm_logits[token], [V]); of
 * equal ones the lower id first. Returns how many there are: 0 without a masked-word head. */
size_t predict_pieces(const struct trace *trace, size_t token, struct prediction *best,
                      size_t count);

/* The probability that the second sentence follows the first; false without a next-sentence head.
 */
bool predict_next_sentence(const struct trace *trace, float *probability);

#endif
