/* sentence_embed.c: from the vectors of tokens to that of their sentence, and from two of those to
 * a number. */
#include "headlight/model/sentence.h"

#include "headlight/model/trace.h"
#include "headlight/tensor/matrix.h"

double sentence_share(enum pooling pooling, size_t token, size_t tokens)
{
    const double t = (double)token, T = (double)tokens;
    const double shares[POOLING_COUNT] = {
        [POOLING_CLS] = token == 0,           [POOLING_MEAN] = 1 / T,
        [POOLING_SQRT] = 1 / sqrt(T),         [POOLING_WEIGHTED] = (t + 1) / (T * (T + 1) / 2),
        [POOLING_LAST] = token + 1 == tokens,
    };
    return shares[pooling];
}

size_t sentence_highest(const float *rows, size_t tokens, size_t hidden, size_t i)
{
    size_t highest = 0;
    for (size_t t = 1; t < tokens; t++)
        if (rows[t * hidden + i] > rows[highest * hidden + i])
            highest = t;
    return highest;
}

/* [H] of one pooling. */
static void pool(enum pooling pooling, const float *rows, size_t tokens, size_t hidden,
                 float *pooled)
{
    for (size_t i = 0; i < hidden; i++) {
        double sum = 0;
        if (pooling == POOLING_MAX)
            sum = (double)rows[sentence_highest(rows, tokens, hidden, i) * hidden + i];
        else
            for (size_t t = 0; t < tokens; t++)
                sum += sentence_share(pooling, t, tokens) * (double)rows[t * hidden + i];
        pooled[i] = (float)sum;
    }
}

static void multiply(const struct sentence_dense *dense, const float *x, float *y)
{
    for (size_t o = 0; o < dense->outputs; o++) {
        double sum = dense->bias ? (double)dense->bias[o] : 0;
        for (size_t i = 0; i < dense->inputs; i++)
            sum += (double)dense->weight[o * dense->inputs + i] * (double)x[i];
        const double of[] = {sum, tanh(sum), activation_of(ACTIVATION_RELU, sum),
                             activation_of(ACTIVATION_GELU, sum), 1 / (1 + exp(-sum))};
        y[o] = (float)of[dense->function];
    }
}

/* torch.nn.functional.normalize's least length. */
static double length_of(const float *x, size_t size)
{
    return fmax(sqrt(vector_dot(x, x, size)), 1e-12);
}

void sentence_embed(const struct sentence_model *sentence, struct trace *trace)
{
    float *const pooled = trace->outputs[OUTPUT_SENTENCE_POOLED],
                 *const dense = trace->outputs[OUTPUT_SENTENCE_DENSE],
                 *const normal = trace->outputs[OUTPUT_SENTENCE_NORMAL];
    float *next = pooled, *last = pooled;
    for (enum pooling i = 0; i < POOLING_COUNT; i++)
        if (sentence->pools[i]) {
            pool(i, trace_last_rows(trace), trace->tokens, trace->hidden, next);
            next += trace->hidden;
        }
    if (dense) {
        multiply(&sentence->dense, pooled, dense);
        last = dense;
    }
    const double length = normal ? length_of(last, sentence->size) : 1;
    for (size_t i = 0; normal && i < sentence->size; i++)
        normal[i] = (float)((double)last[i] / length);
    memcpy(trace->outputs[OUTPUT_SENTENCE], normal ? normal : last, sentence->size * sizeof *last);
}

double sentence_similarity(enum similarity function, const float *a, const float *b, size_t size)
{
    double sum = 0;
    if (function == SIMILARITY_COSINE)
        return vector_dot(a, b, size) / (length_of(a, size) * length_of(b, size));
    if (function == SIMILARITY_DOT)
        return vector_dot(a, b, size);
    for (size_t i = 0; i < size; i++) {
        const double apart = (double)a[i] - (double)b[i];
        sum += function == SIMILARITY_EUCLIDEAN ? apart * apart : fabs(apart);
    }
    return function == SIMILARITY_EUCLIDEAN ? -sqrt(sum) : -sum;
}
