/* divergence.c: how far two models are apart on the same tokens, head by head and vector by vector.
 * One thread measures a whole head, so the number of threads changes no digit. */
#include "headlight/lens/divergence.h"

#include "headlight/base/memory.h"
#include "headlight/lens/cosine.h"
#include "headlight/tensor/thread_pool.h"

/* p·log2(p/m), and 0 for p = 0, of which the limit is 0 too. */
static double surprise(double p, double m)
{
    return p > 0 ? p * log2(p / m) : 0;
}

/* No term of a pair is negative, but rounding may make it so. */
double divergence_of_head(const struct trace *a, const struct trace *b, size_t layer, size_t head)
{
    const size_t map = a->tokens * a->attended;
    const float *left = a->layer[layer].weights + head * map,
                *right = b->layer[layer].weights + head * map;
    double sum = 0;
    for (size_t from = 0; from < map; from += a->attended) {
        double bits = 0;
        for (size_t to = from; to < from + a->attended; to++) {
            const double p = left[to] > 0 ? (double)left[to] : 0;
            const double q = right[to] > 0 ? (double)right[to] : 0;
            bits += fmax(0, surprise(p, (p + q) / 2) + surprise(q, (p + q) / 2)) / 2;
        }
        sum += bits;
    }
    return sum / (double)a->tokens;
}

/* One layer; each thread of the pool takes heads of its own. */
struct divergence_work {
    const struct trace *a, *b;
    size_t layer;
    double *bits; /* [A] */
};

static void measure_heads(const struct pool_thread *thread, void *context)
{
    const struct divergence_work *work = context;
    size_t head;
    while ((head = pool_claim(thread)) < work->a->heads)
        work->bits[head] = divergence_of_head(work->a, work->b, work->layer, head);
}

/* In one block of memory, the numbers behind the struct. */
enum status divergence_measure(const struct trace *a, const struct trace *b,
                               const struct watch *watch, struct divergence **result,
                               struct error *error)
{
    const size_t L = a->layers, A = a->heads, T = a->tokens;
    const size_t numbers = L * A + (L + 1) * T;
    struct divergence *divergence = *result =
        memory_new(numbers, sizeof(double), sizeof *divergence, "the divergence", error);
    enum status status = divergence ? STATUS_OK : STATUS_MEMORY;
    if (!divergence)
        return status;
    *divergence = (struct divergence){L, A, T, (double *)(void *)(divergence + 1), NULL};
    divergence->cosines = divergence->bits + L * A;
    for (size_t level = 0; level <= L && status == STATUS_OK; level++) {
        for (size_t t = 0; t < T; t++) {
            const struct occurrence left = {a, {t, t + 1}}, right = {b, {t, t + 1}};
            divergence->cosines[level * T + t] = cosine_at(&left, &right, level);
        }
        if (level == L)
            break;
        struct divergence_work work = {a, b, level, divergence->bits + level * A};
        pool_run(pool_size_for(A * T * a->attended), measure_heads, &work);
        status = watch_step(watch, level + 1, L, error);
    }
    if (status != STATUS_OK) {
        free(divergence);
        *result = NULL;
    }
    return status;
}

double divergence_cosine(const struct divergence *divergence, size_t layer,
                         struct token_range tokens)
{
    double sum = 0;
    for (size_t token = tokens.first; token < tokens.end; token++)
        sum += divergence->cosines[(layer + 1) * divergence->tokens + token];
    return sum / (double)(tokens.end - tokens.first);
}
