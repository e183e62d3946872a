/* x86-64 processors with AVX2 and fused multiply-adds: 16 registers of 8 numbers. */
#include "headlight/tensor/kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET    __attribute__((target("avx2,fma")))
#define LANES     8
#define WIDE_ROWS 4

typedef float vector __attribute__((vector_size(4 * LANES)));

static inline __attribute__((always_inline)) TARGET vector fused(vector a, vector b, vector c)
{
    return _mm256_fmadd_ps(a, b, c);
}

#include "kernels_loops.h"

const struct kernels kernels_avx2 = {.name = "AVX2", TILE_LOOPS, ROW_LOOPS};

#endif
