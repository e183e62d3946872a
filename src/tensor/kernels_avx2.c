/* kernels_avx2.c: x86-64 processors with AVX2 and fused multiply-adds: 16 registers of 8
 * numbers. */
#include "headlight/tensor/kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET      __attribute__((target("avx2,fma,f16c")))
#define LANES       8
#define DOT_VECTORS 8
#define WIDE_ROWS   4

typedef float vector __attribute__((vector_size(4 * LANES)));

static inline __attribute__((always_inline)) TARGET vector fused(vector a, vector b, vector c)
{
    return _mm256_fmadd_ps(a, b, c);
}

/* Every processor with AVX2 has F16C. */
static inline __attribute__((always_inline)) TARGET vector vector_of_f16(const unsigned char *from)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const void *)from));
}

static inline __attribute__((always_inline)) TARGET vector vector_of_bf16(const unsigned char *from)
{
    return _mm256_castsi256_ps(
        _mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)from)), 16));
}

#include "kernels_loops.h"

const struct kernels kernels_avx2 = {
    .name = "AVX2", .bits = KERNELS_SAME_BITS, TILE_LOOPS, ROW_LOOPS};

#endif
