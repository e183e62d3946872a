#include "headlight/tensor/pack.h"

#include "headlight/base/size.h"
#include "headlight/tensor/kernels.h"

#include <string.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* ---- Transposing -------------------------------------------------------------------------- */

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

/* ---- Packing ------------------------------------------------------------------------------ */

size_t pack_size(size_t tokens, size_t inputs)
{
    size_t rounded = (tokens + KERNELS_LANES_MAX - 1) / KERNELS_LANES_MAX * KERNELS_LANES_MAX;
    return rounded * inputs;
}

struct packed pack_in(float *numbers, size_t tokens, size_t inputs, bool pairs)
{
    const struct kernels *kernels = kernels_now();
    bool paired =
        pairs && kernels->tile_of_pairs && inputs % 2 == 0 && tokens <= kernels->lanes / 2;
    size_t width = paired ? kernels->lanes / 2 : kernels->lanes;
    return (struct packed){numbers, tokens, inputs, width, paired};
}

float *pack_at(const struct packed *packed, size_t panel, size_t input)
{
    return packed->numbers + (panel * packed->inputs + input) * packed->width;
}

static void put_pairs(const struct packed *packed, const float *x, size_t stride, size_t first,
                      size_t count)
{
    for (size_t t = 0; t < count; t++) {
        float *to = packed->numbers + 2 * (first + t);
        for (size_t k = 0; k < packed->inputs; k += 2)
            memcpy(to + k * packed->width, x + t * stride + k, 2 * sizeof *to);
    }
}

void pack_put(const struct packed *packed, const float *x, size_t stride, size_t first,
              size_t count)
{
    const size_t width = packed->width;
    if (packed->paired) {
        put_pairs(packed, x, stride, first, count);
        return;
    }
    for (size_t t = 0; t < count; t += PACK_TOKENS) {
        size_t token = first + t, some = size_min(count - t, PACK_TOKENS);
        transpose(x + t * stride, stride, some, packed->inputs,
                  pack_at(packed, token / width, 0) + token % width, width);
    }
}
