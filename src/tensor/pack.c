/* pack.c: arranges tokens in panels, as many together as a vector has lanes, so that the kernels
 * read memory in order. */
#include "headlight/tensor/pack.h"

#include "headlight/base/size.h"
#include "headlight/tensor/kernels.h"

#include <string.h>

/* ---- Transposing -------------------------------------------------------------------------- */

typedef float four __attribute__((vector_size(16)));

/* The lanes with these constant numbers, of a and then of b. Each choice below is one instruction
 * on x86 and on Arm. */
#ifdef __clang__
#define PAIRS(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
typedef int32_t lanes __attribute__((vector_size(16)));
#define PAIRS(a, b, ...) __builtin_shuffle(a, b, (lanes){__VA_ARGS__})
#endif

static inline four load_four(const float *from)
{
    four v;
    memcpy(&v, from, sizeof v);
    return v;
}

static void square(const float *from, size_t from_stride, float *to, size_t to_stride)
{
    const four a = load_four(from), b = load_four(from + from_stride);
    const four c = load_four(from + 2 * from_stride), d = load_four(from + 3 * from_stride);
    const four ab = PAIRS(a, b, 0, 4, 1, 5), cd = PAIRS(c, d, 0, 4, 1, 5);
    const four ab2 = PAIRS(a, b, 2, 6, 3, 7), cd2 = PAIRS(c, d, 2, 6, 3, 7);
    const four rows[] = {PAIRS(ab, cd, 0, 1, 4, 5), PAIRS(ab, cd, 2, 3, 6, 7),
                         PAIRS(ab2, cd2, 0, 1, 4, 5), PAIRS(ab2, cd2, 2, 3, 6, 7)};
    _Pragma("GCC unroll 4") /* else GCC keeps the rows in memory */
        for (size_t r = 0; r < 4; r++) memcpy(to + r * to_stride, &rows[r], sizeof rows[r]);
}

/* What no whole square covers: fewer than four rows or columns. */
static void edge(const float *from, size_t from_stride, size_t rows, size_t columns, float *to,
                 size_t to_stride)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            to[c * to_stride + r] = from[r * from_stride + c];
}

/* Squares of four by four, each in four registers, then the two edges. */
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

/* ---- Packing ------------------------------------------------------------------------------ */

static size_t round_up(size_t count, size_t unit)
{
    return (count + unit - 1) / unit * unit;
}

size_t pack_size(size_t tokens, size_t inputs)
{
    return size_max(round_up(tokens, KERNELS_LANES_MAX) * inputs,
                    round_up(tokens, KERNELS_TOKENS_MAX) * round_up(inputs, PACK_RUN));
}

struct packed pack_in(float *numbers, size_t tokens, size_t inputs, bool runs)
{
    const struct kernels *kernels = kernels_now();
    runs = runs && kernels->dots[TENSOR_F32];
    return (struct packed){numbers, tokens, inputs,
                           runs                                      ? KERNELS_TOKENS_MAX
                           : tokens == 1 && kernels->one[TENSOR_F32] ? 1
                                                                     : kernels->lanes,
                           runs};
}

float *pack_at(const struct packed *packed, size_t panel, size_t input)
{
    const size_t width = packed->width;
    if (packed->runs)
        return packed->numbers + panel * round_up(packed->inputs, PACK_RUN) * width +
               input / PACK_RUN * PACK_RUN * width + input % PACK_RUN;
    return packed->numbers + (panel * packed->inputs + input) * width;
}

/* In runs a token's inputs are copied as they lie, PACK_RUN at a time. Panels are filled by groups
 * of PACK_TOKENS tokens, the sides of a square. */
void pack_put(const struct packed *packed, const float *x, size_t stride, size_t first,
              size_t count)
{
    const size_t width = packed->width, inputs = packed->inputs;
    const size_t run = packed->runs ? PACK_RUN : width == 1 ? inputs : 0;
    for (size_t t = 0; run > 0 && t < count; t++)
        for (size_t k = 0, token = first + t; k < inputs; k += run)
            memcpy(pack_at(packed, token / width, k) + token % width * run, x + t * stride + k,
                   size_min(inputs - k, run) * sizeof *x);
    for (size_t t = 0; run == 0 && t < count; t += PACK_TOKENS) {
        size_t token = first + t, some = size_min(count - t, PACK_TOKENS);
        transpose(x + t * stride, stride, some, inputs,
                  pack_at(packed, token / width, 0) + token % width, width);
    }
}
