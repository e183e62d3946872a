#include "headlight/tensor/kernels.h"

#include <stdatomic.h>

static _Atomic(const struct kernels *) now;

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
    if (index >= count && kernels_blas_open()) /* only where none of these will do */
        list[count++] = &kernels_blas;
    list[count++] = &kernels_plain;
    return index < count ? list[index] : NULL;
}

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
