#include "lanes.h"

#include <stdint.h>

/* ---- Reading ------------------------------------------------------------------------------- */

/* A compiler's vectors: 64 bytes in as few registers as the target has for them. */
typedef uint64_t lanes __attribute__((vector_size(64)));

#define WAYS 8 /* sums that don't wait for each other */

/* Inlined into each of the functions below, and compiled for its target. */
static inline __attribute__((always_inline)) double sum_lanes(const unsigned char *bytes,
                                                              size_t size)
{
    const lanes *at = (const lanes *)(const void *)bytes;
    const lanes *end = at + size / sizeof *at;
    lanes a = {0}, b = {0}, c = {0}, d = {0}, e = {0}, f = {0}, g = {0}, h = {0};
    uint64_t sum = 0;
    for (; at < end; at += WAYS) {
        a += at[0];
        b += at[1];
        c += at[2];
        d += at[3];
        e += at[4];
        f += at[5];
        g += at[6];
        h += at[7];
    }
    a += b + c + d + e + f + g + h;
    for (int i = 0; i < 8; i++)
        sum += a[i];
    return (double)sum;
}

/* ---- Multiplying and adding ---------------------------------------------------------------- */

/* Enough chains to hide a latency of 4 to 6 cycles in two units. */
#define CHAINS(DO)  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define CHAIN_COUNT 12

/* `vector` chains, each started apart, `rounds` multiply-adds of factor and term in each. */
#define MULTIPLY_ADD(vector, set, fused)                                                           \
    volatile float source = 0.999f; /* not known to the compiler */                                \
    const vector factor = set(source), term = set(source);                                         \
    CHAINS(START_##fused)                                                                          \
    for (size_t i = 0; i < rounds; i++) {                                                          \
        CHAINS(STEP_##fused)                                                                       \
    }                                                                                              \
    vector total = term;                                                                           \
    CHAINS(TOTAL_##fused)

#if defined(__x86_64__)
#include <immintrin.h>

enum level { LEVEL_BASE, LEVEL_AVX2, LEVEL_AVX512 };

static enum level level(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return LEVEL_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return LEVEL_AVX2;
    return LEVEL_BASE;
}

__attribute__((target("avx512f"))) static double read_avx512(const unsigned char *bytes,
                                                             size_t size)
{
    return sum_lanes(bytes, size);
}

__attribute__((target("avx2"))) static double read_avx2(const unsigned char *bytes, size_t size)
{
    return sum_lanes(bytes, size);
}

#define START_WIDE(n) __m512 chain##n = _mm512_set1_ps((float)n);
#define STEP_WIDE(n)  chain##n = _mm512_fmadd_ps(chain##n, factor, term);
#define TOTAL_WIDE(n) total = _mm512_add_ps(total, chain##n);

__attribute__((target("avx512f"))) static double multiply_avx512(size_t rounds)
{
    MULTIPLY_ADD(__m512, _mm512_set1_ps, WIDE)
    return (double)_mm512_cvtss_f32(total);
}

#define START_HALF(n) __m256 chain##n = _mm256_set1_ps((float)n);
#define STEP_HALF(n)  chain##n = _mm256_fmadd_ps(chain##n, factor, term);
#define TOTAL_HALF(n) total = _mm256_add_ps(total, chain##n);

__attribute__((target("avx2,fma"))) static double multiply_avx2(size_t rounds)
{
    MULTIPLY_ADD(__m256, _mm256_set1_ps, HALF)
    return (double)_mm256_cvtss_f32(total);
}

const char *lanes_name(void)
{
    static const char *const names[] = {"SSE2", "AVX2 and FMA", "AVX-512"};
    return names[level()];
}

double lanes_read(const unsigned char *bytes, size_t size)
{
    switch (level()) {
    case LEVEL_AVX512:
        return read_avx512(bytes, size);
    case LEVEL_AVX2:
        return read_avx2(bytes, size);
    default:
        return sum_lanes(bytes, size);
    }
}

double lanes_multiply_add(size_t rounds)
{
    switch (level()) {
    case LEVEL_AVX512:
        return multiply_avx512(rounds);
    case LEVEL_AVX2:
        return multiply_avx2(rounds);
    default:
        return 0;
    }
}

size_t lanes_operations(void)
{
    static const size_t width[] = {0, 8, 16};
    return (size_t)2 * CHAIN_COUNT * width[level()];
}

#elif defined(__aarch64__)
#include <arm_neon.h>

#define START_NEON(n) float32x4_t chain##n = vdupq_n_f32((float)n);
#define STEP_NEON(n)  chain##n = vfmaq_f32(chain##n, factor, term);
#define TOTAL_NEON(n) total = vaddq_f32(total, chain##n);

const char *lanes_name(void)
{
    return "NEON";
}

double lanes_read(const unsigned char *bytes, size_t size)
{
    return sum_lanes(bytes, size);
}

double lanes_multiply_add(size_t rounds)
{
    MULTIPLY_ADD(float32x4_t, vdupq_n_f32, NEON)
    return (double)vgetq_lane_f32(total, 0);
}

size_t lanes_operations(void)
{
    return (size_t)2 * CHAIN_COUNT * 4;
}

#else

const char *lanes_name(void)
{
    return "no vector instructions known here";
}

double lanes_read(const unsigned char *bytes, size_t size)
{
    return sum_lanes(bytes, size);
}

double lanes_multiply_add(size_t rounds)
{
    (void)rounds;
    return 0;
}

size_t lanes_operations(void)
{
    return 0;
}

#endif
