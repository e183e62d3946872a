#include "headlight/lens/predict.h"

#include <math.h>

/* log Σ exp(x) of one number or more, without overflow. */
static double log_sum_exp(const float *values, size_t count)
{
    double largest = (double)values[0], others = -1;
    for (size_t i = 1; i < count; i++)
        largest = fmax(largest, (double)values[i]);
    for (size_t i = 0; i < count; i++)
        others += exp((double)values[i] - largest);
    return largest + log1p(others); /* the largest itself adds 1 */
}

/* Keeps the best logits sorted; `best` holds logits until the end. */
static void insert(struct prediction *best, size_t *filled, size_t count, struct prediction next)
{
    size_t at = *filled;
    while (at > 0 && best[at - 1].probability < next.probability)
        at--;
    if (at == count)
        return;
    if (*filled < count)
        ++*filled;
    for (size_t i = *filled - 1; i > at; i--)
        best[i] = best[i - 1];
    best[at] = next;
}

size_t predict_pieces(const struct trace *trace, size_t token, struct prediction *best,
                      size_t count)
{
    size_t filled = 0;
    if (!trace->mlm_logits || count == 0)
        return 0;
    const float *logits = trace->mlm_logits + token * trace->vocabulary;
    double total = log_sum_exp(logits, trace->vocabulary);
    for (size_t id = 0; id < trace->vocabulary; id++)
        insert(best, &filled, count, (struct prediction){(int32_t)id, logits[id]});
    for (size_t i = 0; i < filled; i++)
        best[i].probability = (float)exp((double)best[i].probability - total);
    return filled;
}

bool predict_next_sentence(const struct trace *trace, float *probability)
{
    if (!trace->nsp_logits)
        return false;
    double total = log_sum_exp(trace->nsp_logits, 2);
    *probability = (float)exp((double)trace->nsp_logits[0] - total);
    return true;
}
