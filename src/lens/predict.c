/* predict.c: probabilities and ranks from the logits of the pretraining heads, in double precision.
 */
#include "headlight/lens/predict.h"

#include <stdlib.h>

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

size_t predict_likeliest(const float *logits, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        best = logits[i] > logits[best] ? i : best;
    return best;
}

static int by_logprob(const void *a, const void *b)
{
    const struct prediction *left = a, *right = b;
    if (left->logprob < right->logprob || left->logprob > right->logprob)
        return left->logprob < right->logprob ? 1 : -1;
    return (left->id > right->id) - (left->id < right->id);
}

/* The list may be as long as the vocabulary, and is sorted then. After the first few hundred pieces
 * almost none gets into a short one. */
size_t predict_best(const float *logits, size_t vocabulary, double total, struct prediction *best,
                    size_t count)
{
    count = count < vocabulary ? count : vocabulary;
    for (size_t id = 0; id < vocabulary && count > 0; id++) {
        const struct prediction next = {(int32_t)id, (double)logits[id] - total};
        const size_t kept = id < count ? id : count;
        size_t at = kept;
        while (count < vocabulary && at > 0 && best[at - 1].logprob < next.logprob)
            at--;
        if (at == count)
            continue;
        memmove(best + at + 1, best + at, (kept - (kept == count) - at) * sizeof *best);
        best[at] = next;
    }
    if (count == vocabulary)
        qsort(best, count, sizeof *best, by_logprob);
    return count;
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

const float *predict_words(const struct model *model, const struct trace *trace, size_t token,
                           struct head_rows **rows, struct error *error)
{
    const size_t H = trace->hidden;
    if (trace_words(trace))
        return trace_words(trace) + token * trace->vocabulary;
    trace = trace_speaker(trace);
    if (!*rows && forward_words_prepare(model, 1, rows, error) != STATUS_OK)
        return NULL;
    memcpy((*rows)->hidden, trace->layer[trace->layers - 1].output + token * H,
           H * sizeof *(*rows)->hidden);
    (*rows)->count = 1;
    return forward_head(model, trace->tokens, *rows, error) == STATUS_OK ? (*rows)->logits : NULL;
}

/* The first of the two logits is the one for "follows" (nsp) and for "in order" (sop). */
bool predict_pair(const struct trace *trace, float *probability)
{
    const float *logits =
        trace->outputs[OUTPUT_NSP] ? trace->outputs[OUTPUT_NSP] : trace->outputs[OUTPUT_SOP];
    if (!logits)
        return false;
    *probability = (float)exp((double)logits[0] - predict_total(logits, 2, NULL));
    return true;
}

float predict_replaced(const struct trace *trace, size_t token)
{
    return (float)(1 / (1 + exp(-(double)trace->outputs[OUTPUT_RTD][token])));
}
