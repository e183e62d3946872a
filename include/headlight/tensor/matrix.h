/* matrix.h: numbers of a checkpoint, used in place and in their type there. Nothing is converted
 * before it is needed, and nothing is stored twice. */
#pragma once

#include "headlight/tensor/safetensors.h"

struct matrix {
    const unsigned char *bytes; /* row-major, little-endian, perhaps unaligned; or NULL */
    enum tensor_type type;      /* TENSOR_F32, TENSOR_F16 or TENSOR_BF16 */
};

/* The numbers first … first + count - 1 as floats, which all types convert to exactly. */
void matrix_numbers(const struct matrix *matrix, size_t first, size_t count, float *numbers);

/* STATUS_FORMAT, with its place, for the first of `count` numbers of a tensor that is NaN or
 * infinite. */
enum status tensor_check_finite(const struct tensor *tensor, size_t first, size_t count,
                                struct error *error);

/* All numbers of a tensor of F32, F16, BF16 or F64 as floats: where they lie if they can be used
 * there, else in memory of its file. Too large ones of F64 become infinite. NULL and
 * STATUS_MEMORY. */
const float *tensor_floats(struct safetensors *file, const struct tensor *tensor,
                           struct error *error);

/* Makes all F64 tensors of a file such of F32. STATUS_MEMORY. */
enum status tensor_narrow(struct safetensors *file, struct error *error);

/* Prefetches them. They may lie past the matrix. */
void matrix_fetch(const struct matrix *matrix, size_t first, size_t count);

/* The address of number `first`, in the matrix's type and perhaps unaligned. */
const unsigned char *matrix_at(const struct matrix *matrix, size_t first);

/* The same if they are aligned floats; else NULL. */
const float *matrix_floats(const struct matrix *matrix, size_t first);

/* Σ a·b of `count` numbers, in double precision and in their order. */
double vector_dot(const float *a, const float *b, size_t count);

/* 16-bit floating-point numbers as 32-bit ones, which is exact: every half has a float of the same
 * value, subnormals, infinities and signed zeros included; NaN stays NaN. `halves` are `count`
 * little-endian numbers of 2 bytes, aligned or not. */
void widen_bf16(const unsigned char *halves, size_t count, float *numbers);

/* To the nearest 16-bit number, of two the even one; infinite where it is too large. */
void narrow_f16(const float *numbers, size_t count, unsigned char *halves);
