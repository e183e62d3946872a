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

/* Where number `first` lies, if floats lie there for any processor to read; else NULL. */
const float *matrix_floats(const struct matrix *matrix, size_t first);

#endif
