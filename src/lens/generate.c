/* generate.c: chooses the next token, by the logits at the last one. */
#include "headlight/lens/generate.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/lens/predict.h"
#include "headlight/tensor/kernels.h"

#include <stdlib.h>
#include <string.h>

/* From 0 to below 1. */
static double random_at(uint64_t seed, size_t index)
{
    uint64_t x = seed + (uint64_t)index * 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/* The kernels' softmax has the same bits on every machine, unlike a library's exp. */
static enum status draw(const float *logits, size_t vocabulary, const struct sampling *sampling,
                        size_t index, int32_t *id, struct error *error)
{
    const size_t most = sampling->top_k > 0 ? size_min(sampling->top_k, vocabulary) : vocabulary;
    struct prediction *best =
        memory_new(most, sizeof *best, 2 * vocabulary * sizeof(float), "the next token", error);
    if (!best)
        return error->status;
    float *weights = (float *)(void *)(best + most), *scores = weights + vocabulary;
    double kept = 0, sum = 0, passed = 0;
    size_t count = 0, chosen = 0;
    memcpy(scores, logits, vocabulary * sizeof *scores);
    kernels_now()->softmax((float)(1 / sampling->temperature), vocabulary, scores, weights);
    predict_best(logits, vocabulary, 0, best, most);
    for (size_t i = 0; i < most; i++)
        kept += (double)weights[best[i].id];
    const double wanted = sampling->top_p > 0 ? sampling->top_p * kept : kept;
    while (count < most && (count == 0 || sum < wanted))
        sum += (double)weights[best[count++].id];
    const double place = random_at(sampling->seed, index) * sum;
    while (chosen + 1 < count && (passed += (double)weights[best[chosen].id]) <= place)
        chosen++;
    *id = best[chosen].id;
    free(best);
    return STATUS_OK;
}

enum status generate_next(const struct model *model, const struct trace *trace,
                          const struct sampling *sampling, int32_t *id, struct error *error)
{
    struct head_rows *rows = NULL;
    const float *logits = predict_words(model, trace, trace->tokens - 1, &rows, error);
    enum status status = logits ? STATUS_OK : error->status;
    if (logits && sampling->temperature > 0)
        status = draw(logits, trace->vocabulary, sampling, trace->tokens, id, error);
    else if (logits)
        *id = (int32_t)predict_likeliest(logits, trace->vocabulary);
    free(rows);
    return status;
}
