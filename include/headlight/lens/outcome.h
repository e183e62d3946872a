/* outcome.h: what a change of the network changed most: how likely the model's answer is or, where
 * there is none, a token's vector. */
#ifndef HEADLIGHT_LENS_OUTCOME_H
#define HEADLIGHT_LENS_OUTCOME_H

#include "headlight/lens/target.h"

struct outcome {
    bool is_answer;
    struct target on;               /* what was likeliest before the change, */
    double logprob, logprob_before; /* and its log-probabilities */
    size_t token, layer; /* or whose output differs most from what it was, and after which layer, */
    double cosine;       /* and the cosine between both; NaN: no vectors */
};

/* Compares two traces of the same tokens by an answer of the same output and token, whose id is not
 * looked at, or, if `on` is NULL, by vectors. Free with free(). STATUS_MEMORY, and as target_ask.
 */
enum status outcome_measure(const struct target_source *now, const struct target_source *before,
                            const struct target *on, struct outcome **outcome, struct error *error);

#endif
