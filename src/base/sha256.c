/* sha256.c: SHA-256 as FIPS 180-4 defines it, section 6.2. It tells whether two surveys were made
 * with the same model; no secret depends on it. */
#include "headlight/base/sha256.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#elif defined __aarch64__ && (defined __ARM_FEATURE_SHA2 || !defined __clang__)
#define ARM_INSTRUCTIONS /* older compilers of LLVM have them only where all code may use them */
#include <arm_neon.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif
#endif

#define BLOCK 64

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x >> bits | x << (32 - bits);
}

/* Numbers are big-endian. */
static uint32_t word_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[BLOCK] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* Eight steps. The standard's a … h move on by one at each: here it is their places that do, and
 * after eight they are where they began. Unrolled, they stay in registers: twice as fast. */
static inline void add_round(uint32_t s[8], const uint32_t *w, const uint32_t *k)
{
    _Pragma("GCC unroll 8") for (size_t i = 0; i < 8; i++)
    {
        const uint32_t a = s[(8 - i) % 8], b = s[(9 - i) % 8], c = s[(10 - i) % 8];
        const uint32_t e = s[(12 - i) % 8], f = s[(13 - i) % 8], g = s[(14 - i) % 8];
        const uint32_t first = s[(15 - i) % 8] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                               ((e & f) ^ (~e & g)) + k[i] + w[i];
        const uint32_t second =
            (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        s[(11 - i) % 8] += first;
        s[(15 - i) % 8] = first + second;
    }
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[BLOCK], s[8];
    for (size_t i = 0; i < 16; i++)
        w[i] = word_at(block + 4 * i);
    for (size_t i = 16; i < BLOCK; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (size_t i = 0; i < BLOCK; i += 8)
        add_round(s, w + i, constants + i);
    for (size_t i = 0; i < 8; i++)
        state[i] += s[i];
}

static void add_blocks_in_c(uint32_t state[8], const unsigned char *from, size_t blocks)
{
    for (; blocks > 0; blocks--, from += BLOCK)
        add_block(state, from);
}

#ifdef __x86_64__

/* Gulley et al. 2013, "Intel SHA extensions": a state is kept as the words ABEF and CDGH, and an
 * instruction makes two steps. */
__attribute__((target("sha,sse4.1"))) static void
add_blocks_by_instructions(uint32_t state[8], const unsigned char *from, size_t blocks)
{
    const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const void *)state), 0xb1);
    const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const void *)(state + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0), w[16];
    for (; blocks > 0; blocks--, from += BLOCK) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        for (size_t i = 0; i < 16; i++) {
            if (i < 4)
                w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const void *)(from + 16 * i)), swapped);
            else
                w[i] = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w[i - 4], w[i - 3]),
                                                          _mm_alignr_epi8(w[i - 1], w[i - 2], 4)),
                                            w[i - 1]);
            const __m128i sum =
                _mm_add_epi32(w[i], _mm_loadu_si128((const void *)(constants + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((void *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/* __builtin_cpu_supports has no name for it before gcc 14. */
static bool has_instructions(void)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA &&
           __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSE4_1;
}

#elif defined ARM_INSTRUCTIONS

/* Arm's architecture reference manual, SHA256H: an instruction makes four steps for half of a
 * state. */
#ifndef __clang__
__attribute__((target("+crypto")))
#endif
static void
add_blocks_by_instructions(uint32_t state[8], const unsigned char *from, size_t blocks)
{
    uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4), w[16];
    for (; blocks > 0; blocks--, from += BLOCK) {
        const uint32x4_t abcd_before = abcd, efgh_before = efgh;
        for (size_t i = 0; i < 16; i++) {
            if (i < 4)
                w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(from + 16 * i)));
            else
                w[i] = vsha256su1q_u32(vsha256su0q_u32(w[i - 4], w[i - 3]), w[i - 2], w[i - 1]);
            const uint32x4_t sum = vaddq_u32(w[i], vld1q_u32(constants + 4 * i)), before = abcd;
            abcd = vsha256hq_u32(abcd, efgh, sum);
            efgh = vsha256h2q_u32(efgh, before, sum);
        }
        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }
    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}

/* All of Apple's have them. */
static bool has_instructions(void)
{
#ifdef __linux__
    return getauxval(AT_HWCAP) & HWCAP_SHA2;
#else
    return true;
#endif
}

#else

#define add_blocks_by_instructions add_blocks_in_c

static bool has_instructions(void)
{
    return false;
}

#endif

static void add_blocks(struct sha256 *hash, const unsigned char *from, size_t blocks)
{
    (hash->by_instructions ? add_blocks_by_instructions : add_blocks_in_c)(hash->state, from,
                                                                           blocks);
}

/* Those of the square roots of the first 8 primes. */
void sha256_begin(struct sha256 *hash)
{
    *hash = (struct sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                      0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
                            .by_instructions = has_instructions()};
}

void sha256_add(struct sha256 *hash, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    size_t filled = hash->length % BLOCK;
    hash->length += size;
    if (filled > 0) {
        const size_t some = size < BLOCK - filled ? size : BLOCK - filled;
        memcpy(hash->block + filled, from, some);
        if (filled + some < BLOCK)
            return;
        add_blocks(hash, hash->block, 1);
        from += some;
        size -= some;
    }
    add_blocks(hash, from, size / BLOCK);
    if (size % BLOCK > 0)
        memcpy(hash->block, from + size / BLOCK * BLOCK, size % BLOCK);
}

/* A bit of one, zeros, and the length in bits. */
void sha256_end(struct sha256 *hash, char digest[SHA256_DIGITS + 1])
{
    static const unsigned char padding[BLOCK] = {0x80};
    const uint64_t bits = 8 * hash->length;
    unsigned char length[8];
    for (size_t i = 0; i < sizeof length; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_add(hash, padding, (BLOCK + 55 - hash->length % BLOCK) % BLOCK + 1);
    sha256_add(hash, length, sizeof length);
    for (size_t i = 0; i < 8; i++)
        snprintf(digest + 8 * i, 9, "%08x", (unsigned)hash->state[i]);
}
