/* moved.c: how far two models are apart on the same tokens, head by head and vector by vector. One
 * thread measures a whole head, so the number of threads changes no digit. */
#include "headlight/lens/moved.h"

#include "headlight/base/memory.h"
#include "headlight/lens/cosine.h"
#include "headlight/tensor/thread_pool.h"

#include <math.h>
#include <stdlib.h>

/* p·log2(p/m), and 0 for p = 0, of which the limit is 0 too. */
static double surprise(double p, double m)
{
    return p > 0 ? p * log2(p / m) : 0;
}

/* No term of a pair is negative, but rounding may make it so. */
static double row_divergence(const float *a, const float *b, size_t count)
{
    double bits = 0;
    for (size_t to = 0; to < count; to++) {
        double p = a[to] > 0 ? (double)a[to] : 0, q = b[to] > 0 ? (double)b[to] : 0;
        bits += fmax(0, surprise(p, (p + q) / 2) + surprise(q, (p + q) / 2)) / 2;
    }
    return bits;
}

double moved_divergence(const struct trace *a, const struct trace *b, size_t layer, size_t head)
{
    const size_t map = a->tokens * a->attended;
    const float *left = a->layer[layer].weights + head * map,
                *right = b->layer[layer].weights + head * map;
    double sum = 0;
    for (size_t from = 0; from < map; from += a->attended)
        sum += row_divergence(left + from, right + from, a->attended);
    return sum / (double)a->tokens;
}

/* One layer; each thread of the pool takes heads of its own. */
struct moved_work {
    const struct trace *a, *b;
    size_t layer;
    double *divergence; /* [A] */
};

static void moved_measure_heads(const struct pool_thread *thread, void *context)
{
    const struct moved_work *work = context;
    size_t head;
    while ((head = pool_claim(thread)) < work->a->heads)
        work->divergence[head] = moved_divergence(work->a, work->b, work->layer, head);
}

static void measure_vectors(const struct trace *a, const struct trace *b, size_t layer,
                            double *cosines)
{
    for (size_t token = 0; token < a->tokens; token++) {
        const struct token_range one = {token, token + 1};
        const struct occurrence left = {a, one}, right = {b, one};
        cosines[token] = cosine_at(&left, &right, 1 + layer);
    }
}

/* In one block of memory, the numbers behind the struct. */
enum status moved_measure(const struct trace *a, const struct trace *b, const struct watch *watch,
                          struct moved **moved, struct error *error)
{
    const size_t L = a->layers, A = a->heads, T = a->tokens;
    *moved = memory_new(1, sizeof **moved + L * (A + T) * sizeof(double), 0, "what moved", error);
    if (!*moved)
        return error->status;
    double *numbers = (double *)(void *)(*moved + 1);
    **moved = (struct moved){L, A, T, numbers, numbers + L * A};
    for (size_t layer = 0; layer < L; layer++) {
        struct moved_work work = {a, b, layer, numbers + layer * A};
        pool_run(pool_size_for(A * T * a->attended), moved_measure_heads, &work);
        measure_vectors(a, b, layer, (*moved)->cosines + layer * T);
        if (watch_step(watch, layer + 1, L, error) != STATUS_OK) {
            free(*moved);
            *moved = NULL;
            return error->status;
        }
    }
    return STATUS_OK;
}

double moved_cosine(const struct moved *moved, size_t layer, struct token_range tokens)
{
    double sum = 0;
    for (size_t token = tokens.first; token < tokens.end; token++)
        sum += moved->cosines[layer * moved->tokens + token];
    return sum / (double)(tokens.end - tokens.first);
}
