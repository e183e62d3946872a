#include "headlight/model/processor.h"

#include "headlight/model/processor_blas.h"

#include <stdatomic.h>

static _Atomic(const struct processor *) now;

const struct processor *processor_at(size_t index)
{
    const struct processor *list[4];
    size_t count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        list[count++] = &processor_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        list[count++] = &processor_avx2;
#elif defined(__aarch64__)
    list[count++] = &processor_neon;
#endif
    list[count++] = &processor_blas;
    list[count++] = &processor_plain;
    return index < count ? list[index] : NULL;
}

const struct processor *processor_now(void)
{
    const struct processor *processor = atomic_load_explicit(&now, memory_order_relaxed);
    if (processor)
        return processor;
    processor = processor_at(0);
    atomic_store(&now, processor);
    return processor;
}

void processor_choose(const struct processor *processor)
{
    atomic_store(&now, processor);
}
