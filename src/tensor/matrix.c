/* matrix.c: numbers of a checkpoint, widened to floats only where they are used. F16 and BF16 stay
 * as they are in the file. */
#include "headlight/tensor/matrix.h"

#include "headlight/base/size.h"
#include "headlight/tensor/kernels.h"

#include <math.h>
#include <string.h>

/* In three ranges: what is too large, what is subnormal, whose digits the processor rounds when 0.5
 * is added, and all others. */
void narrow_f16(const float *numbers, size_t count, unsigned char *halves)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        const uint32_t sign = bits >> 16 & 0x8000;
        bits &= 0x7fffffff;
        if (bits >= 0x47800000) { /* 65536, infinity, NaN */
            bits = bits > 0x7f800000 ? 0x7e00 : 0x7c00;
        } else if (bits < 0x38800000) { /* 2^-14 */
            float number;
            memcpy(&number, &bits, sizeof number);
            number += 0.5f;
            memcpy(&bits, &number, sizeof bits);
            bits -= 0x3f000000;
        } else {
            bits = (bits + 0xfff + (bits >> 13 & 1) - (112u << 23)) >> 13;
        }
        const uint16_t half = (uint16_t)(sign | bits);
        memcpy(halves + i * sizeof half, &half, sizeof half);
    }
}

double vector_dot(const float *a, const float *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
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
        kernels_now()->widen_f16(from, count, numbers);
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

/* ---- All numbers of a tensor ---- */

const float *tensor_floats(struct safetensors *file, const struct tensor *tensor,
                           struct error *error)
{
    const struct matrix matrix = {tensor->data, tensor->type};
    const bool wide = tensor->type == TENSOR_F64;
    if (matrix_floats(&matrix, 0))
        return matrix_floats(&matrix, 0);
    const size_t count = tensor->size / (wide ? sizeof(double) : element_size(&matrix));
    float *numbers = safetensors_buffer(file, count, sizeof *numbers, error);
    for (size_t i = 0; numbers && wide && i < count; i++) {
        double number;
        memcpy(&number, tensor->data + i * sizeof number, sizeof number);
        numbers[i] = (float)number;
    }
    if (numbers && !wide)
        matrix_numbers(&matrix, 0, count, numbers);
    return numbers;
}

enum status tensor_narrow(struct safetensors *file, struct error *error)
{
    for (struct tensor *tensor = file->tensors; tensor < file->tensors + file->count; tensor++) {
        if (tensor->type != TENSOR_F64)
            continue;
        tensor->data = (const unsigned char *)tensor_floats(file, tensor, error);
        if (!tensor->data)
            return error->status;
        tensor->type = TENSOR_F32;
        tensor->size /= 2;
    }
    return STATUS_OK;
}

/* ---- Non-finite numbers ---- */

/* In parts of the size of a stack buffer, since F16 and BF16 have to be widened first. */
enum { PART = 1024 };

/* The advice covers the usual causes: a download that was cut off and patched, and a conversion to
 * F16 of weights that F16 can't hold. */

enum status tensor_check_finite(const struct tensor *tensor, size_t first, size_t count,
                                struct error *error)
{
    const struct matrix numbers = {tensor->data, tensor->type};
    float some[PART];
    for (size_t end = first + count; first < end; first += PART) {
        size_t here = size_min(end - first, PART);
        matrix_numbers(&numbers, first, here, some);
        for (size_t i = 0; i < here; i++) {
            char at[TENSOR_RANK_MAX * 24];
            if (isfinite(some[i]))
                continue;
            format_index(at, sizeof at, tensor->shape, tensor->rank, first + i);
            return tensor_refuse(
                tensor, STATUS_FORMAT, error,
                "expected finite numbers, found %s at %s; download the checkpoint again, or "
                "convert it anew",
                isnan(some[i]) ? "NaN"
                : some[i] > 0  ? "infinity"
                               : "-infinity",
                at);
        }
    }
    return STATUS_OK;
}
