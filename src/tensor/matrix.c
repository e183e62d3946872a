#include "headlight/tensor/matrix.h"

#include "headlight/tensor/widen.h"

#include <stdint.h>
#include <string.h>

static size_t size_of(const struct matrix *matrix)
{
    return matrix->type == TENSOR_F32 ? 4 : 2;
}

void matrix_numbers(const struct matrix *matrix, size_t first, size_t count, float *numbers)
{
    const unsigned char *from = matrix->bytes + first * size_of(matrix);
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
    uintptr_t from = (uintptr_t)matrix->bytes + first * size_of(matrix);
    for (size_t i = 0; i < count * size_of(matrix); i += line)
        __builtin_prefetch((const void *)(from + i));
}

const float *matrix_floats(const struct matrix *matrix, size_t first)
{
    if (matrix->type != TENSOR_F32 || (uintptr_t)matrix->bytes % _Alignof(float) != 0)
        return NULL;
    return (const float *)(const void *)matrix->bytes + first;
}
