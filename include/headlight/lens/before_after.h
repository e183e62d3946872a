/* before_after.h: what a change of the network changed most: how likely the model's answer is or,
 * where there is none, a token's vector. */
#ifndef HEADLIGHT_LENS_BEFORE_AFTER_H
#define HEADLIGHT_LENS_BEFORE_AFTER_H

#include "headlight/lens/target.h"

struct before_after {
    bool is_answer;
    struct target on;               /* what was likeliest before the change, */
    double logprob, logprob_before; /* and its log-probabilities */
    size_t token, layer; /* or whose output differs most from what it was, and after which layer, */
    double cosine;       /* and the cosine between both; NaN: no vectors */
};

/* Compares two traces of the same tokens by an answer of the same output and token, whose id is not
 * looked at, or, if `on` is NULL, by vectors. Free with free(). STATUS_MEMORY, and as target_ask.
 */
enum status before_after_measure(const struct target_source *now,
                                 const struct target_source *before, const struct target *on,
                                 struct before_after **change, struct error *error);

#endif
