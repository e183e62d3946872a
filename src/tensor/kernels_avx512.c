/* kernels_avx512.c: x86-64 processors with AVX-512: 32 registers of 16 numbers. Twice the registers
 * of AVX2 allow twice the rows and sums at a time, which hides the time of the multiply-adds. Only
 * the foundation (F) is needed, so every such processor will do. */
#include "headlight/tensor/kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET     __attribute__((target("avx512f,avx2,fma")))
#define LANES      16
#define DOT_SUMS   32
#define DOT_TOKENS 8
#define WIDE_ROWS  8

typedef float vector __attribute__((vector_size(4 * LANES)));

static inline __attribute__((always_inline)) TARGET vector fused(vector a, vector b, vector c)
{
    return _mm512_fmadd_ps(a, b, c);
}

static inline __attribute__((always_inline)) TARGET vector vector_of_f16(const unsigned char *from)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const void *)from));
}

static inline __attribute__((always_inline)) TARGET vector vector_of_bf16(const unsigned char *from)
{
    return _mm512_castsi512_ps(
        _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)from)), 16));
}

#include "kernels_loops.h"

const struct kernels kernels_avx512 = {.name = "AVX-512", TILE_LOOPS, ROW_LOOPS};

#endif
