/* matrix.c: numbers of a checkpoint, widened to floats only where they are used. F16 and BF16 stay
 * as they are in the file. */
#include "headlight/tensor/matrix.h"

#include "headlight/tensor/kernels.h"

#include <stdint.h>
#include <string.h>

/* ---- Widening ----------------------------------------------------------------------------- */

static inline float float_of_bits(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline uint32_t bits_of_float(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* All ones if the condition holds, else zero. */
static inline uint32_t bits_mask(int condition)
{
    return 0u - (uint32_t)(condition != 0);
}

/* The loops below process blocks of this constant size, on aligned copies that cannot overlap,
 * so that compilers vectorise them at -O2. */
#define BLOCK 32

/* IEEE 754 binary16 has 1 sign, 5 exponent (bias 15) and 10 fraction bits; binary32 has 1, 8 (bias
 * 127) and 23. With s = h << 13, minus the sign, the fraction is in place and the exponent lacks
 * 127 - 15 = 112. Two exponents are special:
 *
 *     31 (infinity, NaN)       must become 255 = 31 + 112 + 112
 *      0 (zero, subnormal)     the value is fraction·2^-24 = (2^-14 + fraction·2^-24) - 2^-14: give
 *                              it the exponent 113 of 2^-14, and subtract 2^-14 as floats, exactly
 *
 * After Fabian Giesen 2012, "Half to float done quic", without branches. */
static void widen_block_f16(const uint16_t *restrict halves, float *restrict numbers)
{
    const uint32_t rebias = (uint32_t)112 << 23;
    for (int i = 0; i < BLOCK; i++) {
        uint32_t half = halves[i];
        uint32_t s = (half & 0x7FFF) << 13;
        uint32_t if_special = bits_mask((half & 0x7C00) == 0x7C00);
        uint32_t if_small = bits_mask((half & 0x7C00) == 0);
        uint32_t normal = s + rebias + (if_special & rebias);
        uint32_t small = bits_of_float(float_of_bits(s + ((uint32_t)113 << 23)) - 0x1p-14f);
        numbers[i] =
            float_of_bits((small & if_small) | (normal & ~if_small) | (half & 0x8000) << 16);
    }
}

/* bfloat16 is the upper half of a binary32. */
static void widen_block_bf16(const uint16_t *restrict halves, float *restrict numbers)
{
    for (int i = 0; i < BLOCK; i++)
        numbers[i] = float_of_bits((uint32_t)halves[i] << 16);
}

static void widen(const unsigned char *halves, size_t count, float *numbers,
                  void (*block)(const uint16_t *restrict, float *restrict))
{
    uint16_t in[BLOCK] = {0};
    float out[BLOCK];
    size_t whole = count - count % BLOCK;
    for (size_t i = 0; i < whole; i += BLOCK) {
        memcpy(in, halves + i * sizeof *in, sizeof in);
        block(in, numbers + i);
    }
    if (whole == count)
        return;
    memcpy(in, halves + whole * sizeof *in, (count - whole) * sizeof *in);
    block(in, out);
    memcpy(numbers + whole, out, (count - whole) * sizeof *out);
}

void widen_f16_portable(const unsigned char *halves, size_t count, float *numbers)
{
    widen(halves, count, numbers, widen_block_f16);
}

void widen_bf16(const unsigned char *halves, size_t count, float *numbers)
{
    widen(halves, count, numbers, widen_block_bf16);
}

void widen_f16(const unsigned char *halves, size_t count, float *numbers)
{
    kernels_now()->widen_f16(halves, count, numbers);
}

/* ---- Matrices ----------------------------------------------------------------------------- */

static size_t element_size(const struct matrix *matrix)
{
    return matrix->type == TENSOR_F32 ? 4 : 2;
}

const unsigned char *matrix_at(const struct matrix *matrix, size_t first)
{
    return matrix->bytes + first * element_size(matrix);
}

void matrix_numbers(const struct matrix *matrix, size_t first, size_t count, float *numbers)
{
    const unsigned char *from = matrix_at(matrix, first);
    if (matrix->type == TENSOR_F16)
        widen_f16(from, count, numbers);
    else if (matrix->type == TENSOR_BF16)
        widen_bf16(from, count, numbers);
    else
        memcpy(numbers, from, count * sizeof *numbers);
}

void matrix_fetch(const struct matrix *matrix, size_t first, size_t count)
{
    const size_t line = 64;
    uintptr_t from = (uintptr_t)matrix->bytes + first * element_size(matrix);
    for (size_t i = 0; i < count * element_size(matrix); i += line)
        __builtin_prefetch((const void *)(from + i));
}

const float *matrix_floats(const struct matrix *matrix, size_t first)
{
    if (matrix->type != TENSOR_F32 || (uintptr_t)matrix->bytes % _Alignof(float) != 0)
        return NULL;
    return (const float *)(const void *)matrix->bytes + first;
}
