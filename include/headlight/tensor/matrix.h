/* matrix.h: numbers of a checkpoint, used where they lie in its file and in the type that they have
 * there. Nothing is converted before it is needed, and nothing is kept twice. */
#ifndef HEADLIGHT_TENSOR_MATRIX_H
#define HEADLIGHT_TENSOR_MATRIX_H

#include "headlight/tensor/safetensors.h"

#include <stddef.h>

struct matrix {
    const unsigned char
        *bytes;            /* row-major, little-endian, perhaps unaligned; NULL: there is none */
    enum tensor_type type; /* TENSOR_F32, TENSOR_F16 or TENSOR_BF16 */
};

/* The numbers first … first + count - 1, as floats. Every type's numbers are floats' too. */
void matrix_numbers(const struct matrix *matrix, size_t first, size_t count, float *numbers);

/* Asks for them to be brought nearer, without waiting. They may lie behind the matrix. */
void matrix_fetch(const struct matrix *matrix, size_t first, size_t count);

/* Where number `first` lies, in the matrix's type and perhaps unaligned. */
const unsigned char *matrix_at(const struct matrix *matrix, size_t first);

/* The same if floats lie there for any processor to read; else NULL. */
const float *matrix_floats(const struct matrix *matrix, size_t first);

/* 16-bit floating-point numbers as 32-bit ones. Both conversions are exact: every half has a float
 * of the same value, subnormals, infinities and signed zeros included; NaN stays NaN. `halves` are
 * `count` little-endian numbers of 2 bytes, aligned or not. */
void widen_f16(const unsigned char *halves, size_t count, float *numbers);
void widen_bf16(const unsigned char *halves, size_t count, float *numbers);

/* widen_f16 on a processor without instructions for it. Public so that the tests reach it. */
void widen_f16_portable(const unsigned char *halves, size_t count, float *numbers);

#endif
