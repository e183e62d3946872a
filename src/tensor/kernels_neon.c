/* kernels_neon.c: 64-bit Arm processors, all of which have NEON: 32 registers of 4 numbers. They
 * need no target attribute, and conversion from F16 is part of the base instructions; BF16 is only
 * moved into the upper half. */
#include "headlight/tensor/kernels.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#define TARGET
#define LANES       4
#define DOT_VECTORS 16
#define WIDE_ROWS   8

typedef float vector __attribute__((vector_size(4 * LANES)));

static inline __attribute__((always_inline)) vector fused(vector a, vector b, vector c)
{
    return (vector)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
}

static inline __attribute__((always_inline)) vector vector_of_f16(const unsigned char *from)
{
    return (vector)vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(from)));
}

static inline __attribute__((always_inline)) vector vector_of_bf16(const unsigned char *from)
{
    return (vector)vshll_n_u16(vreinterpret_u16_u8(vld1_u8(from)), 16);
}

#include "kernels_loops.h"

const struct kernels kernels_neon = {
    .name = "NEON", .bits = KERNELS_SAME_BITS, TILE_LOOPS, ROW_LOOPS};

#endif
