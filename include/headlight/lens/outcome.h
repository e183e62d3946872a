/* outcome.h: what a change of the network changed most: how likely the model's answer is or, where
 * there is none, a token's vector. */
#ifndef HEADLIGHT_LENS_OUTCOME_H
#define HEADLIGHT_LENS_OUTCOME_H

#include "headlight/base/error.h"
#include "headlight/model/model.h"
#include "headlight/model/side.h"
#include "headlight/model/trace.h"

struct outcome {
    bool is_answer;
    size_t token;
    int32_t id;                     /* the likeliest piece there before the change, */
    double logprob, logprob_before; /* and its log-probabilities */
    size_t layer;                   /* or whose output differs most there from what it was, */
    double cosine;                  /* and the cosine between both; NaN: no vectors */
};

/* Compares two traces of the same tokens by the answer at a token or, with NO_TOKEN, by vectors.
 * Free with free(). STATUS_MEMORY, and as logit_lens_answer. */
enum status outcome_measure(const struct model *model, const struct trace *trace,
                            const struct trace *before, size_t token, struct outcome **outcome,
                            struct error *error);

#endif
