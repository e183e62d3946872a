/* predict.c: probabilities and ranks from the logits of the pretraining heads, in double precision.
 */
#include "headlight/lens/predict.h"

#include <math.h>

/* Without overflow: with m the largest logit, log Σ exp(x) = m + log Σ exp(x - m), and
 * -Σ p·log p = log Σ exp(x - m) - Σ p·(x - m). */
double predict_total(const float *logits, size_t vocabulary, double *entropy)
{
    double largest = (double)logits[0], others = -1, weighted = 0;
    for (size_t i = 1; i < vocabulary; i++)
        largest = fmax(largest, (double)logits[i]);
    for (size_t i = 0; i < vocabulary; i++) {
        double below = (double)logits[i] - largest, part = exp(below);
        others += part;
        weighted += part > 0 ? part * below : 0;
    }
    double spread = log1p(others); /* the largest itself adds 1 */
    if (entropy)
        *entropy = fmax(0, (spread - weighted / (1 + others)) * 1.44269504088896340736);
    return largest + spread;
}

/* Inserts into the sorted list of the likeliest. */
static void insert(struct prediction *best, size_t *filled, size_t count, struct prediction next)
{
    size_t at = *filled;
    while (at > 0 && best[at - 1].logprob < next.logprob)
        at--;
    if (at == count)
        return;
    if (*filled < count)
        ++*filled;
    for (size_t i = *filled - 1; i > at; i--)
        best[i] = best[i - 1];
    best[at] = next;
}

/* Insertion is fast enough: after the first few hundred pieces almost none gets in. */
size_t predict_best(const float *logits, size_t vocabulary, double total, struct prediction *best,
                    size_t count)
{
    size_t filled = 0;
    for (size_t id = 0; count > 0 && id < vocabulary; id++)
        insert(best, &filled, count, (struct prediction){(int32_t)id, (double)logits[id] - total});
    return filled;
}

/* In the order of predict_best: the lower id first if equal. */
size_t predict_rank(const float *logits, size_t vocabulary, size_t id)
{
    size_t rank = 1;
    for (size_t i = 0; i < id; i++)
        rank += logits[i] >= logits[id];
    for (size_t i = id + 1; i < vocabulary; i++)
        rank += logits[i] > logits[id];
    return rank;
}

size_t predict_pieces(const struct trace *trace, size_t token, struct prediction *best,
                      size_t count)
{
    size_t V = trace->vocabulary;
    if (!trace_words(trace))
        return 0;
    const float *logits = trace_words(trace) + token * V;
    return predict_best(logits, V, predict_total(logits, V, NULL), best, count);
}

/* The first of the two logits is the one for "follows" (nsp) and for "in order" (sop). */
bool predict_pair(const struct trace *trace, float *probability)
{
    const float *logits = trace->nsp_logits ? trace->nsp_logits : trace->sop_logits;
    if (!logits)
        return false;
    *probability = (float)exp((double)logits[0] - predict_total(logits, 2, NULL));
    return true;
}

float predict_replaced(const struct trace *trace, size_t token)
{
    return (float)(1 / (1 + exp(-(double)trace->rtd_logits[token])));
}
