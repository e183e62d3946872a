/* predict.h: what the model's pretraining heads say. */
#ifndef HEADLIGHT_LENS_PREDICT_H
#define HEADLIGHT_LENS_PREDICT_H

#include "headlight/model/trace.h"

struct prediction {
    int32_t id;
    double logprob; /* natural logarithm of the probability */
};

/* log Σ exp(logit) of logits [V]: a logit less this is the piece's log-probability. `entropy`, when
 * not NULL, gets how spread out they are: -Σ p·log2 p bits, 0 … log2 V. */
double predict_total(const float *logits, size_t vocabulary, double *entropy);

/* The `count` likeliest pieces by logits [V] of that total, likeliest first; of equal ones the
 * lower id first. Returns how many there are: V, if that is less. */
size_t predict_best(const float *logits, size_t vocabulary, double total, struct prediction *best,
                    size_t count);

/* The same for a token of a trace, or for what comes next after it; 0 without a head for words. */
size_t predict_pieces(const struct trace *trace, size_t token, struct prediction *best,
                      size_t count);

/* The place, from 1, of a piece among them all. */
size_t predict_rank(const float *logits, size_t vocabulary, size_t id);

/* The probability that the second sentence follows the first, or, where the trace has sop_logits,
 * that the two stand in their order; false without a head that says so. */
bool predict_pair(const struct trace *trace, float *probability);

/* The probability that a token was put in the place of another; only where there are rtd_logits.
 * Source: Clark et al. 2020, "ELECTRA". */
float predict_replaced(const struct trace *trace, size_t token);

#endif
