/* kernels_avx512.c: x86-64 processors with AVX-512: 32 registers of 16 numbers. Twice the registers
 * of AVX2 allow twice the rows and sums at a time, which hides the time of the multiply-adds. Only
 * the foundation (F) is needed, so every such processor will do. */
#include "headlight/tensor/kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET      __attribute__((target("avx512f,avx2,fma")))
#define LANES       16
#define DOT_VECTORS 16
#define WIDE_ROWS   8

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

static inline __attribute__((always_inline)) TARGET vector two_of_f32(const unsigned char *a,
                                                                      const unsigned char *b)
{
    const __m512d low = _mm512_castpd256_pd512(_mm256_loadu_pd((const void *)a));
    return _mm512_castpd_ps(_mm512_insertf64x4(low, _mm256_loadu_pd((const void *)b), 1));
}

static inline __attribute__((always_inline)) TARGET __m256i two_halves(const unsigned char *a,
                                                                       const unsigned char *b)
{
    const __m256i low = _mm256_castsi128_si256(_mm_loadu_si128((const void *)a));
    return _mm256_inserti128_si256(low, _mm_loadu_si128((const void *)b), 1);
}

static inline __attribute__((always_inline)) TARGET vector two_of_f16(const unsigned char *a,
                                                                      const unsigned char *b)
{
    return _mm512_cvtph_ps(two_halves(a, b));
}

static inline __attribute__((always_inline)) TARGET vector two_of_bf16(const unsigned char *a,
                                                                       const unsigned char *b)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(two_halves(a, b)), 16));
}

#include "kernels_loops.h"

const struct kernels kernels_avx512 = {
    .name = "AVX-512", .bits = KERNELS_SAME_BITS, TILE_LOOPS, ROW_LOOPS};

#endif
