#include "headlight/tensor/transpose.h"

#include <string.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__SSE2__)

static void square(const float *from, size_t from_stride, float *to, size_t to_stride)
{
    __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + from_stride);
    __m128 c = _mm_loadu_ps(from + 2 * from_stride), d = _mm_loadu_ps(from + 3 * from_stride);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(to, a);
    _mm_storeu_ps(to + to_stride, b);
    _mm_storeu_ps(to + 2 * to_stride, c);
    _mm_storeu_ps(to + 3 * to_stride, d);
}

#elif defined(__aarch64__)

static void square(const float *from, size_t from_stride, float *to, size_t to_stride)
{
    float32x4x2_t ab = vtrnq_f32(vld1q_f32(from), vld1q_f32(from + from_stride));
    float32x4x2_t cd =
        vtrnq_f32(vld1q_f32(from + 2 * from_stride), vld1q_f32(from + 3 * from_stride));
    vst1q_f32(to, vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0])));
    vst1q_f32(to + to_stride, vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1])));
    vst1q_f32(to + 2 * to_stride, vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0])));
    vst1q_f32(to + 3 * to_stride, vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1])));
}

#else

static void square(const float *from, size_t from_stride, float *to, size_t to_stride)
{
    for (size_t r = 0; r < 4; r++)
        for (size_t c = 0; c < 4; c++)
            to[c * to_stride + r] = from[r * from_stride + c];
}

#endif

static void edge(const float *from, size_t from_stride, size_t rows, size_t columns, float *to,
                 size_t to_stride)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            to[c * to_stride + r] = from[r * from_stride + c];
}

void transpose(const float *from, size_t from_stride, size_t rows, size_t columns, float *to,
               size_t to_stride)
{
    const size_t whole_rows = rows - rows % 4, whole_columns = columns - columns % 4;
    for (size_t r = 0; r < whole_rows; r += 4)
        for (size_t c = 0; c < whole_columns; c += 4)
            square(from + r * from_stride + c, from_stride, to + c * to_stride + r, to_stride);
    edge(from + whole_columns, from_stride, whole_rows, columns - whole_columns,
         to + whole_columns * to_stride, to_stride);
    edge(from + whole_rows * from_stride, from_stride, rows - whole_rows, columns, to + whole_rows,
         to_stride);
}

void transpose_pairs(const float *from, size_t from_stride, size_t rows, size_t columns, float *to,
                     size_t to_stride)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            memcpy(to + c * to_stride + 2 * r, from + r * from_stride + 2 * c, 2 * sizeof *to);
}
