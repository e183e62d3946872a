/* predict.h: predictions of the model's pretraining heads. */
#pragma once

#include "headlight/model/forward.h"

struct prediction {
    int32_t id;
    double logprob; /* natural logarithm of the probability */
};

/* log Σ exp(logit) of logits [V]: a logit minus this is the piece's log-probability. `entropy`, if
 * not NULL, gets -Σ p·log2 p bits, 0 … log2 V. */
double predict_total(const float *logits, size_t vocabulary, double *entropy);

/* The `count` likeliest pieces by logits [V] and their total, likeliest first, the lower id first
 * if equal. Returns their number: `count`, or V if that is less. */
size_t predict_best(const float *logits, size_t vocabulary, double total, struct prediction *best,
                    size_t count);

/* The index of the largest of some logits, of equal ones the first. */
size_t predict_likeliest(const float *logits, size_t count);

/* The logits of words [V] at a token: those of the pass or, as passes for the screen leave them
 * out, of the head itself, whose rows are made when they are needed first; free *rows, at first
 * NULL, with free(). NULL: errors as forward_words_prepare and forward_head. */
const float *predict_words(const struct model *model, const struct trace *trace, size_t token,
                           struct head_rows **rows, struct error *error);

/* The rank of a piece, from 1. */
size_t predict_rank(const float *logits, size_t vocabulary, size_t id);

/* The probability that the second sentence follows the first, or, if the trace has sop_logits, that
 * the two are in order; false without such a head. */
bool predict_pair(const struct trace *trace, float *probability);

/* The probability that a token was replaced; only if there are rtd_logits.
 * Source: Clark et al. 2020, "ELECTRA". */
float predict_replaced(const struct trace *trace, size_t token);
