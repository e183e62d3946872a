/* kernels_four.c: the loops with vectors of four numbers, as on Arm, with the fused multiply-add of
 * this processor, so that tests can see that they compute the same bits as wider ones. */
#include "kernels_four.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET      __attribute__((target("avx2,fma,f16c")))
#define LANES       4
#define DOT_VECTORS 16
#define WIDE_ROWS   4

typedef float vector __attribute__((vector_size(4 * LANES)));

static inline __attribute__((always_inline)) TARGET vector fused(vector a, vector b, vector c)
{
    return _mm_fmadd_ps(a, b, c);
}

static inline __attribute__((always_inline)) TARGET vector vector_of_f16(const unsigned char *from)
{
    return _mm_cvtph_ps(_mm_loadl_epi64((const void *)from));
}

static inline __attribute__((always_inline)) TARGET vector vector_of_bf16(const unsigned char *from)
{
    return (vector)_mm_slli_epi32(_mm_cvtepu16_epi32(_mm_loadl_epi64((const void *)from)), 16);
}

#include "../src/tensor/kernels_loops.h"

static const struct kernels kernels_four = {
    .name = "vectors of four", .bits = KERNELS_SAME_BITS, TILE_LOOPS, ROW_LOOPS};

#endif

const struct kernels *kernels_of_tests(size_t index)
{
    if (kernels_at(index))
        return kernels_at(index);
#if defined(__x86_64__)
    if (!kernels_at(index - 1)) /* the one that comes last is plain C */
        return NULL;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernels_four : NULL;
#else
    return NULL;
#endif
}
