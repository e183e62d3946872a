/* kernels.c: chooses the loops for this processor, once: the best that it can run, or those that a
 * test or a measurement asks for. */
/* The same bits on every processor: sums that are kept in 80 bits would round otherwise. */
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ == 2
#error "headlight computes in exactly the precision of a type: compile with -msse2 -mfpmath=sse"
#endif

#include "headlight/tensor/kernels.h"

#include <math.h>
#include <stdatomic.h>

static _Atomic(const struct kernels *) now;

/* Best first. The list is made on each call, as asking the processor costs next to nothing. */
const struct kernels *kernels_at(size_t index)
{
    const struct kernels *list[4];
    size_t count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        list[count++] = &kernels_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        list[count++] = &kernels_avx2;
#elif defined(__aarch64__)
    list[count++] = &kernels_neon;
#endif
    if (index >= count && kernels_blas_open()) /* only if none of these can run */
        list[count++] = &kernels_blas;
    list[count++] = &kernels_plain;
    return index < count ? list[index] : NULL;
}

/* Several threads may choose at once; all choose the same. */
const struct kernels *kernels_now(void)
{
    const struct kernels *kernels = atomic_load_explicit(&now, memory_order_relaxed);
    if (kernels)
        return kernels;
    kernels = kernels_at(0);
    atomic_store(&now, kernels);
    return kernels;
}

void kernels_choose(const struct kernels *kernels)
{
    atomic_store(&now, kernels);
}

/* ---- Activations -------------------------------------------------------------------------- */

void activation_apply(enum activation activation, float *x, size_t count)
{
    switch (activation) {
    case ACTIVATION_GELU:
        kernels_now()->gelu(x, count);
        break;
    case ACTIVATION_GELU_NEW:
        kernels_now()->gelu_new(x, count);
        break;
    case ACTIVATION_SILU:
        kernels_now()->silu(x, count);
        break;
    case ACTIVATION_RELU:
        for (size_t i = 0; i < count; i++)
            x[i] = x[i] > 0 ? x[i] : 0 * x[i] + 0; /* NaN for NaN and -inf, and never -0 */
        break;
    case ACTIVATION_TANH: /* in double precision, since C libraries' tanhf differ */
        for (size_t i = 0; i < count; i++)
            x[i] = (float)activation_of(activation, (double)x[i]);
        break;
    }
}

/* Hendrycks and Gimpel 2016: x·Φ(x), its approximation by tanh, and x·σ(x). For the steps view,
 * which shows one number's arithmetic. */
double activation_of(enum activation activation, double x)
{
    switch (activation) {
    case ACTIVATION_GELU_NEW:
        return 0.5 * x * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
    case ACTIVATION_RELU:
        return x > 0 ? x : 0 * x + 0; /* as above */
    case ACTIVATION_SILU:
        return x / (1 + exp(-x));
    case ACTIVATION_TANH:
        return isfinite(x) ? tanh(x) : (double)NAN;
    default:
        return 0.5 * x * (1 + erf(x * 0.70710678118654752440));
    }
}
