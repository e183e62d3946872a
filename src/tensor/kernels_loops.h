/* kernels_loops.h: the innermost loops for one kind of processor. The file that includes this one
 * says which:
 *
 *     LANES          numbers in a vector: 4, 8 or 16
 *     TARGET         the attribute that lets a function use its instructions
 *     WIDE_ROWS      rows that two or three vectors of sums each leave registers for
 *     DOT_VECTORS    vectors of sums of products with few tokens
 *     fused(a, b, c) a·b + c, for three vectors, rounded once
 *     vector_of_f16(p), vector_of_bf16(p)  numbers that lie anywhere, widened
 *     two_of_f32(p, q), two_of_f16, two_of_bf16  half a vector of each, if LANES are 16
 *
 * Everything else is vectors as GCC and Clang know them on any processor.
 *
 * Numbers are added in an order that doesn't depend on LANES, so all processors compute the same
 * bits: rows in 16 sums, products with few tokens in 8, number i in sum i % 16 or i % 8; then
 * halves are added to halves. Tiles have a sum for each of their numbers. */
#include "headlight/base/size.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/pack.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define ROWS   8
#define INLINE static inline __attribute__((always_inline)) TARGET
#define UNROLL _Pragma("GCC unroll 16")

typedef int32_t integers __attribute__((vector_size(4 * LANES)));

/* ---- Vectors ------------------------------------------------------------------------------ */

INLINE vector load(const float *from)
{
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void store(float *to, vector v)
{
    memcpy(to, &v, sizeof v);
}

/* `count` numbers, fewer than a vector's lanes; the other lanes are `rest`. */
INLINE vector load_part(const float *from, size_t count, vector rest)
{
    memcpy(&rest, from, count * sizeof *from);
    return rest;
}

INLINE void store_part(float *to, vector v, size_t count)
{
    memcpy(to, &v, count * sizeof *to);
}

/* Keeps v in a register: otherwise compilers reload it for each use, and a loop of multiply-adds
 * has no load to spare. */
INLINE vector held(vector v)
{
#if defined(__x86_64__)
    __asm__("" : "+v"(v));
#endif
    return v;
}

/* The bits of x in every lane. */
INLINE vector all(float x)
{
    int32_t pattern;
    memcpy(&pattern, &x, sizeof pattern);
    return (vector)(pattern + (integers){0});
}

/* a where the mask is all ones, b where it is all zeros */
INLINE vector choose(integers mask, vector a, vector b)
{
    return (vector)(((integers)a & mask) | ((integers)b & ~mask));
}

INLINE vector larger(vector a, vector b)
{
    return choose(a > b, a, b);
}

/* The sums of a row. */
#define SUMS  16
#define PARTS (SUMS / LANES)

/* Adds halves to halves, which rounds less than one running sum. */
INLINE float sum_of(vector parts[PARTS])
{
    float lane[SUMS];
    memcpy(lane, parts, sizeof lane);
    for (int width = SUMS / 2; width > 0; width /= 2)
        for (int j = 0; j < width; j++)
            lane[j] += lane[j + width];
    return lane[0];
}

INLINE float largest_of(vector v)
{
    float lane[LANES];
    memcpy(lane, &v, sizeof lane);
    for (int j = 1; j < LANES; j++)
        lane[0] = lane[j] > lane[0] ? lane[j] : lane[0];
    return lane[0];
}

/* ---- Weights ------------------------------------------------------------------------------ */

/* The size of a number. In every caller, here and below, the type is a constant. */
INLINE size_t size_of(const enum tensor_type type)
{
    return type == TENSOR_F32 ? 4 : 2;
}

/* Weights as floats, from memory in their type. */
INLINE vector widened(const unsigned char *from, const enum tensor_type type)
{
    vector v;
    if (type == TENSOR_F16)
        return vector_of_f16(from);
    if (type == TENSOR_BF16)
        return vector_of_bf16(from);
    memcpy(&v, from, sizeof v);
    return v;
}

/* The same for the last `count` of a row; the other lanes are 0. */
INLINE vector widened_part(const unsigned char *from, size_t count, const enum tensor_type type)
{
    unsigned char bytes[sizeof(vector)] = {0};
    memcpy(bytes, from, (count < LANES ? count : LANES) * size_of(type));
    return widened(bytes, type);
}

/* ---- Products ----------------------------------------------------------------------------- */

/* Inputs processed at a time. */
#define SOME PACK_RUN

/* `rows` and `panels` are constants in every caller, so that the sums stay in registers. */
INLINE void step(const float *rows, size_t row_stride, const float *panel, size_t apart,
                 const int row_count, const int panels, vector sums[ROWS][KERNELS_PANELS_MAX])
{
    vector x[KERNELS_PANELS_MAX];
    UNROLL for (int v = 0; v < panels; v++) x[v] = load(panel + (size_t)v * apart);
    UNROLL for (int r = 0; r < row_count; r++)
    {
        vector weight = all(rows[(size_t)r * row_stride]);
        UNROLL for (int v = 0; v < panels; v++) sums[r][v] = fused(weight, x[v], sums[r][v]);
    }
}

/* `count` inputs of each row as floats. They stay in the L1 cache, from where a tile broadcasts
 * each to all lanes of a vector, which is impossible for half floats. */
INLINE void widen_some(const unsigned char *rows, size_t stride, size_t count, const int row_count,
                       const enum tensor_type type, float some[ROWS][SOME])
{
    UNROLL for (int r = 0; r < row_count; r++) for (size_t i = 0; i < count; i += LANES)
    {
        const unsigned char *from = rows + (size_t)r * stride + i * size_of(type);
        store(&some[r][i],
              count == SOME ? widened(from, type) : widened_part(from, count - i, type));
    }
}

/* The number of products in one sum, which is then added to `out`. Longer sums round more: with
 * one sum for all inputs the built-in model's last layer is off by 1.7 times as much, and its
 * pass takes as long. */
#define ONE_SUM (8 * SOME)

INLINE void multiply(const struct tile *tile, size_t first, const int row_count, const int panels,
                     const enum tensor_type type)
{
    const size_t stride = tile->row_stride * size_of(type);
    const unsigned char *rows = (const unsigned char *)tile->rows + first * stride;
    const float *panel = tile->panel;
    float *out = tile->out + first * tile->out_stride;
    bool add = tile->add;
    _Alignas(64) float some[ROWS][SOME];
    for (size_t left = tile->inputs; left > 0; add = true) {
        size_t count = left < ONE_SUM ? left : ONE_SUM;
        vector sums[ROWS][KERNELS_PANELS_MAX];
        left -= count;
        UNROLL for (int r = 0; r < row_count; r++) UNROLL for (int v = 0; v < panels; v++)
            sums[r][v] = all(0);
        for (; count >= SOME; count -= SOME, rows += SOME * size_of(type)) {
            const bool in_place = type == TENSOR_F32;
            const float *from = in_place ? (const float *)(const void *)rows : some[0];
            const size_t from_stride = in_place ? tile->row_stride : SOME;
            /* while some rows are multiplied, the next ones are prefetched: a row is read once, in
             * order, and usually comes from main memory; they go into the L2 cache, which allows
             * more outstanding loads, and leave the L1 cache to the panel */
            if (tile->fetch)
                UNROLL for (int r = 0; r < row_count; r++)
                    __builtin_prefetch(rows + (size_t)(r + ROWS) * stride, 0, 2);
            if (!in_place)
                widen_some(rows, stride, SOME, row_count, type, some);
            for (int i = 0; i < SOME; i++, panel += tile->panel_step)
                step(from + i, from_stride, panel, tile->panel_apart, row_count, panels, sums);
        }
        widen_some(rows, stride, count, row_count, type, some);
        for (size_t i = 0; i < count; i++, panel += tile->panel_step)
            step(&some[0][i], SOME, panel, tile->panel_apart, row_count, panels, sums);
        UNROLL for (int r = 0; r < row_count; r++) UNROLL for (int v = 0; v < panels; v++)
        {
            float *to = out + (size_t)r * tile->out_stride + (size_t)v * tile->out_apart;
            store(to, add ? load(to) + sums[r][v] : sums[r][v]);
        }
    }
}

/* ---- Products with one token -------------------------------------------------------------- */

/* Shuffles lanes of a and b by constant numbers; b's lanes follow a's. */
#ifdef __clang__
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (integers){__VA_ARGS__})
#endif

#define FOUR(f, l, w) f(l, w), f(l + 1, w), f(l + 2, w), f(l + 3, w)
#if LANES == 4
#define EVERY_LANE(f, w) FOUR(f, 0, w)
#elif LANES == 8
#define EVERY_LANE(f, w) FOUR(f, 0, w), FOUR(f, 4, w)
#elif LANES == 16
#define EVERY_LANE(f, w) FOUR(f, 0, w), FOUR(f, 4, w), FOUR(f, 8, w), FOUR(f, 12, w)
#endif

/* v[i]'s lane l and v[l]'s lane i change places: in squares of half the side first, then in their
 * quarters. */
#define LEFT(l, w)  ((l) + ((l) & (w) ? LANES - (w) : 0))
#define RIGHT(l, w) ((l) + ((l) & (w) ? LANES : (w)))
#define EXCHANGE(w)                                                                                \
    UNROLL for (int i = 0; i < LANES; i++) if (!(i & (w)))                                         \
    {                                                                                              \
        const vector a = v[i], b = v[i + (w)];                                                     \
        v[i] = SHUFFLE(a, b, EVERY_LANE(LEFT, w));                                                 \
        v[i + (w)] = SHUFFLE(a, b, EVERY_LANE(RIGHT, w));                                          \
    }
INLINE void exchange_lanes(vector v[LANES])
{
#if LANES >= 16
    EXCHANGE(8)
#endif
#if LANES >= 8
    EXCHANGE(4)
#endif
    EXCHANGE(2)
    EXCHANGE(1)
}

#define ONE_VECTORS (KERNELS_ONE / LANES)
/* How far ahead rows are prefetched, in bytes. */
#define ONE_LINE  64
#define ONE_AHEAD (8 * ONE_LINE)

/* Adds the products of the next `count` inputs, a row in each lane. Two numbers of BF16 change
 * lanes as one. */
INLINE vector step_one(const unsigned char *const rows[LANES], size_t at, const size_t count,
                       const float *x, vector sum, const enum tensor_type type)
{
    const bool two = type == TENSOR_BF16;
    vector v[LANES];
    UNROLL for (int r = 0; r < LANES; r++) v[r] = widened(rows[r] + at, two ? TENSOR_F32 : type);
    exchange_lanes(v);
    UNROLL for (size_t i = 0; i < LANES; i++)
    {
        const integers bits = (integers)v[i];
        if (two && 2 * i < count)
            sum = fused(all(x[2 * i]), (vector)(bits << 16), sum);
        if (two && 2 * i + 1 < count)
            sum = fused(all(x[2 * i + 1]), (vector)(bits >> 16 << 16), sum);
        if (!two && i < count)
            sum = fused(all(x[i]), v[i], sum);
    }
    return sum;
}

/* A lane is a row, where a tile has a lane for each token and would compute them all: to the same
 * bits. Inputs that fill no step are copied to where others may be read behind them. */
INLINE void multiply_one(const struct tile *tile, const enum tensor_type type)
{
    const size_t size = size_of(type), step = type == TENSOR_BF16 ? 2 * LANES : LANES;
    const float *x = tile->panel;
    const unsigned char *rows[KERNELS_ONE];
    unsigned char last[KERNELS_ONE][ONE_LINE] = {{0}};
    bool add = false;
    for (size_t r = 0; r < KERNELS_ONE; r++)
        rows[r] = (const unsigned char *)tile->rows + r * tile->row_stride * size;
    for (size_t left = tile->inputs, at = 0; left > 0; add = true) {
        size_t count = left < ONE_SUM ? left : ONE_SUM;
        vector sums[ONE_VECTORS];
        UNROLL for (int v = 0; v < ONE_VECTORS; v++) sums[v] = all(0);
        for (left -= count; count >= step; count -= step, at += step * size, x += step) {
            UNROLL for (int r = 0; r < KERNELS_ONE; r++) /* a loop would take half as long again */
                __builtin_prefetch(rows[r] + at + ONE_AHEAD, 0, 2);
            UNROLL for (int v = 0; v < ONE_VECTORS; v++) sums[v] =
                step_one(rows + v * LANES, at, step, x, sums[v], type);
        }
        for (int r = 0; count > 0 && r < KERNELS_ONE; r++)
            rows[r] = memcpy(last[r], rows[r] + at, count * size);
        UNROLL for (int v = 0; v < ONE_VECTORS; v++)
        {
            float *out = tile->out + v * LANES;
            if (count > 0)
                sums[v] = step_one(rows + v * LANES, 0, count, x, sums[v], type);
            store(out, add ? load(out) + sums[v] : sums[v]);
        }
    }
}

/* ---- Products with few tokens ------------------------------------------------------------- */

/* In the lanes whose number has the bit w, the sum of b's lane and of b's lane without the bit;
 * in the others, of a's lane and of a's lane with it. */
#define OWN(l, w)       ((l) + ((l) & (w) ? LANES : 0))
#define OTHER(l, w)     (((l) ^ (w)) + ((l) & (w) ? LANES : 0))
#define FOLDED(a, b, w) (SHUFFLE(a, b, EVERY_LANE(OWN, w)) + SHUFFLE(a, b, EVERY_LANE(OTHER, w)))

/* A product with few tokens has 8 sums: two vectors of 4, one of 8, or half of one, whose other
 * half is the next row's. */
#define DOT_SUMS   8
#define DOT_PARTS  (LANES < DOT_SUMS ? DOT_SUMS / LANES : 1)
#define DOT_ROWS   (LANES > DOT_SUMS ? LANES / DOT_SUMS : 1)
#define DOT_TOKENS KERNELS_TOKENS_MAX

/* The lane that has the total for lane l, where two rows take turns. */
#define IN_TURN(l, rows) ((l) / (rows) + DOT_SUMS * ((l) % (rows)))

/* The totals of v[0], v[1], … in lanes 0, 1, …; with a second row, in lanes 0, 2, … and that row's
 * in lanes 1, 3, …. */
INLINE vector totals_of(vector v[DOT_SUMS])
{
#if LANES < 8
    UNROLL for (int i = 0; i < 4; i++) v[i] = v[2 * i] + v[2 * i + 1];
#else
    UNROLL for (int i = 0; i < 4; i++) v[i] = FOLDED(v[i], v[i + 4], 4);
#endif
    UNROLL for (int i = 0; i < 2; i++) v[i] = FOLDED(v[i], v[i + 2], 2);
    const vector totals = FOLDED(v[0], v[1], 1);
    return SHUFFLE(totals, totals, EVERY_LANE(IN_TURN, DOT_ROWS));
}

/* Eight weights of as many rows as a vector takes. */
INLINE void take_weights(const unsigned char *row, size_t stride, const enum tensor_type type,
                         vector weights[DOT_PARTS])
{
#if LANES == 16
    weights[0] = type == TENSOR_F16    ? two_of_f16(row, row + stride)
                 : type == TENSOR_BF16 ? two_of_bf16(row, row + stride)
                                       : two_of_f32(row, row + stride);
#else
    (void)stride;
    UNROLL for (int p = 0; p < DOT_PARTS; p++) weights[p] =
        widened(row + (size_t)(p * LANES) * size_of(type), type);
#endif
}

/* Eight inputs of a token, for each row of a vector. */
INLINE void take_inputs(const float *x, vector inputs[DOT_PARTS])
{
#if LANES == 16
    const unsigned char *bytes = (const unsigned char *)x;
    inputs[0] = two_of_f32(bytes, bytes);
#else
    UNROLL for (int p = 0; p < DOT_PARTS; p++) inputs[p] = load(x + p * LANES);
#endif
}

/* Eight inputs of each row times those of each token. All counts are constants. */
INLINE void step_dots(const unsigned char *rows, size_t stride, const float *x, const int row_count,
                      const int tokens, const enum tensor_type type, vector *sums)
{
    const int vectors = row_count / DOT_ROWS;
    vector weights[ROWS][DOT_PARTS], inputs[DOT_PARTS];
    UNROLL for (int r = 0; r < vectors; r++)
        take_weights(rows + (size_t)(r * DOT_ROWS) * stride, stride, type, weights[r]);
    UNROLL for (int t = 0; t < tokens; t++)
    {
        take_inputs(x + t * PACK_RUN, inputs);
        UNROLL for (int p = 0; p < DOT_PARTS; p++)
        {
            const vector some = held(inputs[p]);
            UNROLL for (int r = 0; r < vectors; r++)
            {
                vector *sum = &sums[(t * vectors + r) * DOT_PARTS + p];
                *sum = fused(weights[r][p], some, *sum);
            }
        }
    }
}

INLINE void put_dots(const struct dots *dots, size_t row, const int row_count, size_t first,
                     const int tokens, vector *sums)
{
    const int vectors = row_count / DOT_ROWS;
    float out[DOT_ROWS * DOT_VECTORS], y[ROWS];
    UNROLL for (int i = 0; i < vectors * tokens; i += DOT_SUMS / DOT_PARTS)
        store(out + i * DOT_ROWS, totals_of(sums + i * DOT_PARTS));
    for (size_t t = first; t < size_min(first + (size_t)tokens, dots->tokens); t++) {
        const float *base = dots->base + t * dots->base_stride + row;
        const float *totals = out + (t - first) * (size_t)row_count;
        UNROLL for (int r = 0; r < row_count; r++) y[r] = base[r] + totals[r];
        memcpy(dots->out + t * dots->out_stride + row, y, (size_t)row_count * sizeof *y);
    }
}

/* The next rows are prefetched into the L2 cache, which allows more outstanding loads. */
INLINE void multiply_dots(const struct dots *dots, size_t row, const int row_count, size_t first,
                          const int tokens, const enum tensor_type type)
{
    const size_t size = size_of(type);
    size_t stride = dots->row_stride * size, left = dots->inputs;
    const size_t ahead = dots->fetch ? (size_t)row_count * stride : 0;
    const unsigned char *rows = (const unsigned char *)dots->rows + row * stride;
    const float *x = dots->x + first * PACK_RUN;
    unsigned char last_rows[ROWS * SOME * sizeof(float)];
    float last_x[DOT_TOKENS * SOME];
    vector sums[DOT_VECTORS];
    UNROLL for (int i = 0; i < DOT_VECTORS; i++) sums[i] = all(0);
    for (;; left -= SOME, rows += SOME * size, x += DOT_TOKENS * SOME) {
        if (left == 0)
            break;
        if (left < SOME) { /* the inputs that fill no run are copied to where zeros follow them */
            memset(last_rows, 0, sizeof last_rows);
            memset(last_x, 0, sizeof last_x);
            for (size_t r = 0; r < (size_t)row_count; r++)
                memcpy(last_rows + r * SOME * size, rows + r * stride, left * size);
            for (int t = 0; t < tokens; t++)
                memcpy(last_x + t * SOME, x + t * SOME, left * sizeof *x);
            rows = last_rows;
            stride = SOME * size;
            x = last_x;
            left = SOME;
        }
        UNROLL for (int r = 0; r < row_count; r++)
            __builtin_prefetch(rows + (size_t)r * stride + ahead, 0, 2);
        for (int i = 0; i < SOME; i += DOT_SUMS)
            step_dots(rows + (size_t)i * size, stride, x + i, row_count, tokens, type, sums);
    }
    put_dots(dots, row, row_count, first, tokens, sums);
}

/* All rows of a tile, some at a time. Where all tokens would leave registers for one row only, two
 * rows go with one half of the tokens and then with the other: inputs are loaded half as often. */
INLINE void dots_of(const struct dots *dots, const enum tensor_type type)
{
    enum { HALF = DOT_TOKENS / 2, FOR_ALL = DOT_VECTORS * LANES / DOT_SUMS / DOT_TOKENS };
    const bool all_at_once = FOR_ALL > 1 && dots->tokens > HALF;
    for (size_t row = 0; all_at_once && row < ROWS; row += FOR_ALL)
        multiply_dots(dots, row, FOR_ALL, 0, DOT_TOKENS, type);
    for (size_t row = 0; !all_at_once && row < ROWS; row += 2 * FOR_ALL)
        for (size_t first = 0; first < dots->tokens; first += HALF)
            multiply_dots(dots, row, 2 * FOR_ALL, first, HALF, type);
}

/* The loops for one type of weights. */
#define LOOPS(type, name)                                                                          \
    TARGET static void tile_of_one_##name(const struct tile *tile)                                 \
    {                                                                                              \
        multiply(tile, 0, ROWS, 1, type);                                                          \
    }                                                                                              \
    TARGET static void tile_of_two_##name(const struct tile *tile)                                 \
    {                                                                                              \
        for (size_t first = 0; first < ROWS; first += WIDE_ROWS)                                   \
            multiply(tile, first, WIDE_ROWS, 2, type);                                             \
    }                                                                                              \
    TARGET static void tile_of_three_##name(const struct tile *tile)                               \
    {                                                                                              \
        for (size_t first = 0; first < ROWS; first += WIDE_ROWS)                                   \
            multiply(tile, first, WIDE_ROWS, 3, type);                                             \
    }                                                                                              \
    TARGET static void one_##name(const struct tile *tile)                                         \
    {                                                                                              \
        multiply_one(tile, type);                                                                  \
    }                                                                                              \
    TARGET static void dots_##name(const struct dots *dots)                                        \
    {                                                                                              \
        dots_of(dots, type);                                                                       \
    }

LOOPS(TENSOR_F32, f32)
LOOPS(TENSOR_F16, f16)
LOOPS(TENSOR_BF16, bf16)

/* The order is fixed explicitly: sixteen sums, then halves added to halves. */
TARGET static double dot(const double *x, const float *weight, size_t count)
{
    double sums[16] = {0};
    size_t whole = count - count % 16;
    for (size_t i = 0; i < whole; i += 16)
        for (size_t j = 0; j < 16; j++)
            sums[j] += x[i + j] * (double)weight[i + j];
    for (size_t i = whole; i < count; i++)
        sums[i - whole] += x[i] * (double)weight[i];
    for (size_t width = 8; width > 0; width /= 2)
        for (size_t j = 0; j < width; j++)
            sums[j] += sums[j + width];
    return sums[0];
}

/* ---- Exponential and error function -------------------------------------------------------- */

/* Within one unit of the last place, whatever the C library.
 *
 * exp(x) for x <= 0; 0 below -87.3, where a float would be subnormal. With n = round(x/ln 2) and
 * r = x - n·ln 2, exp(x) = 2^n·exp(r); ln 2 is taken off in two parts (Cody and Waite 1980), the
 * first of which has few bits, so that n times it is exact. exp(r) = 1 + r + r²·p(r), p the best
 * polynomial for -0.3475 … 0.3475, off by 3e-9 at most. */
INLINE vector exponential(vector x)
{
    const vector round_to_integer = all(0x1.8p23f); /* leaves no bits for a fraction */
    integers below = x < all(-87.3f);
    vector bounded = choose(below, all(-87.3f), x);
    vector n = bounded * all(1.44269504f) + round_to_integer - round_to_integer;
    vector r = fused(n, all(2.12194440e-4f), fused(n, all(-0.693359375f), bounded));
    vector p = all(1.38142216e-3f);
    p = fused(p, r, all(8.36889911e-3f));
    p = fused(p, r, all(4.16684039e-2f));
    p = fused(p, r, all(1.66665196e-1f));
    p = fused(p, r, all(4.99999940e-1f));
    p = fused(p * r, r, r) + all(1);
    vector power = (vector)((__builtin_convertvector(n, integers) + 127) << 23); /* 2^n */
    return (vector)((integers)(p * power) & ~below);
}

/* erf(x). With t = |x|, the polynomials p being the best for their ranges:
 *
 *     t up to 0.9     t + t·p(t²)             off by 2e-8 of it at most
 *     above           1 - exp(-t - t·p(t))    off by 1e-9 at most; 1 from 4 on */
INLINE vector error_function(vector x)
{
    integers sign = (integers)x & (integers)all(-0.0f);
    vector size = (vector)((integers)x & ~(integers)all(-0.0f));
    vector t = choose(size > all(4), all(4), size), s = t * t;
    vector far = all(1.07631522e-5f), near = all(-5.94121928e-4f);
    far = fused(far, t, all(-3.18059465e-4f));
    far = fused(far, t, all(3.62291792e-3f));
    far = fused(far, t, all(-2.37201843e-2f));
    far = fused(far, t, all(1.06187612e-1f));
    far = fused(far, t, all(6.35181487e-1f));
    far = fused(far, t, all(1.28640965e-1f));
    far = all(1) - exponential(-fused(far, t, t));
    near = fused(near, s, all(4.98346891e-3f));
    near = fused(near, s, all(-2.67600287e-2f));
    near = fused(near, s, all(1.12816356e-1f));
    near = fused(near, s, all(-3.76124769e-1f));
    near = fused(near, s, all(1.28379151e-1f));
    near = fused(near, t, t);
    return (vector)((integers)choose(t > all(0.9f), far, near) | sign);
}

/* ---- Rows --------------------------------------------------------------------------------- */

/* The numbers of a row that fill no sixteen, and behind them `rest`. */
INLINE void take_last(const float *from, size_t count, float rest, float last[SUMS])
{
    UNROLL for (int p = 0; p < PARTS; p++) store(last + p * LANES, all(rest));
    memcpy(last, from, count * sizeof *from);
}

/* Vaswani et al. 2017, 3.2.1, with the row's maximum m taken out so that no exponential overflows:
 *
 *     w_j = exp(s_j - m) / Σ_k exp(s_k - m)
 */
TARGET static bool softmax(float scale, size_t columns, float *scores, float *weights)
{
    const size_t rest = columns % SUMS, whole = columns - rest;
    vector most = all(-INFINITY), totals[PARTS], nothing[PARTS]; /* 0·s, as in all_finite */
    float last[SUMS];
    UNROLL for (int p = 0; p < PARTS; p++) totals[p] = nothing[p] = all(0);
    for (size_t j = 0; j < whole; j += LANES) {
        vector s = load(scores + j) * all(scale);
        store(scores + j, s);
        most = larger(s, most);
        nothing[0] = fused(s, all(0), nothing[0]);
    }
    take_last(scores + whole, rest, 0, last);
    UNROLL for (int p = 0; p < PARTS; p++)
    {
        vector s = load(last + p * LANES) * all(scale);
        store(last + p * LANES, s);
        nothing[0] = fused(s, all(0), nothing[0]);
    }
    memcpy(scores + whole, last, rest * sizeof *scores);
    take_last(scores + whole, rest, -INFINITY, last);
    UNROLL for (int p = 0; p < PARTS; p++) most = larger(load(last + p * LANES), most);
    most = all(largest_of(most));
    for (size_t j = 0; j < whole; j += SUMS)
        UNROLL for (int p = 0; p < PARTS; p++)
        {
            vector e = exponential(load(scores + j + p * LANES) - most);
            store(weights + j + p * LANES, e);
            totals[p] += e;
        }
    UNROLL for (int p = 0; p < PARTS; p++)
    {
        vector e = exponential(load(last + p * LANES) - most);
        store(last + p * LANES, e);
        totals[p] += e;
    }
    const vector divisor = all(sum_of(totals));
    for (size_t j = 0; j < whole; j += LANES)
        store(weights + j, load(weights + j) / divisor);
    UNROLL for (int p = 0; p < PARTS; p++)
        store(last + p * LANES, load(last + p * LANES) / divisor);
    memcpy(weights + whole, last, rest * sizeof *weights);
    return sum_of(nothing) == 0;
}

/* Ba et al. 2016, "Layer Normalization"; the variance is the biased one, as in PyTorch, and taken
 * in a second pass over the row, which loses no digits when the mean is large. Without a bias Zhang
 * and Sennrich 2019, "Root Mean Square Layer Normalization": no mean is subtracted. */
TARGET static void layer_norm(const float *x, bool add, size_t columns, const float *weight,
                              const float *bias, float epsilon, float *y)
{
    const size_t rest = columns % SUMS, whole = columns - rest;
    vector totals[PARTS], squares[PARTS];
    float last[SUMS];
    UNROLL for (int p = 0; p < PARTS; p++) totals[p] = squares[p] = all(0);
    for (size_t j = 0; j < whole; j += SUMS)
        UNROLL for (int p = 0; p < PARTS; p++)
        {
            const size_t i = j + (size_t)(p * LANES);
            vector v = add ? load(x + i) + load(y + i) : load(x + i);
            store(y + i, v);
            totals[p] += v;
        }
    take_last(x + whole, rest, 0, last);
    for (size_t i = 0; add && i < rest; i++)
        last[i] += y[whole + i];
    UNROLL for (int p = 0; p < PARTS; p++) totals[p] += load(last + p * LANES);
    const float average = bias ? sum_of(totals) / (float)columns : 0;
    const vector mean = all(average);
    for (size_t j = 0; j < whole; j += SUMS)
        UNROLL for (int p = 0; p < PARTS; p++)
        {
            vector v = load(y + j + p * LANES) - mean;
            squares[p] = fused(v, v, squares[p]);
        }
    for (size_t i = rest; i < SUMS; i++)
        last[i] = average; /* no squares past the row */
    UNROLL for (int p = 0; p < PARTS; p++)
    {
        vector v = load(last + p * LANES) - mean;
        squares[p] = fused(v, v, squares[p]);
    }
    const float variance = sum_of(squares) / (float)columns;
    const vector scale = all(1 / sqrtf(variance + epsilon) + 0 * variance); /* 1/inf is not 0 */
    for (size_t j = 0; j < whole; j += LANES)
        store(y + j, fused((load(y + j) - mean) * scale, load(weight + j),
                           bias ? load(bias + j) : all(0)));
    for (size_t j = 0; j < rest; j += LANES) {
        const size_t i = whole + j, count = rest - j < LANES ? rest - j : LANES;
        store_part(y + i,
                   fused((load(last + j) - mean) * scale, load_part(weight + i, count, all(0)),
                         bias ? load_part(bias + i, count, all(0)) : all(0)),
                   count);
    }
}

/* Hendrycks and Gimpel 2016, "Gaussian Error Linear Units":  gelu(x) = x·Φ(x)
 *                                                                   = x/2·(1 + erf(x/√2)) */
INLINE vector gelu_of(vector x)
{
    vector half = all(0.5f) * x;
    return fused(half, error_function(x * all(0.70710678f)), half);
}

/* x·σ(u), the logistic function σ(u) = 1/(1 + exp(-u)) being exp(u)·σ(-u) as well, which keeps the
 * argument of exp from being positive. */
INLINE vector times_logistic(vector x, vector u)
{
    const vector minus = (vector)((integers)u | (integers)all(-0.0f)); /* -|u| */
    const vector e = exponential(minus);
    return x * (choose(u < all(0), e, all(1)) / (all(1) + e));
}

/* The approximation of GPT-2, as 1 + tanh(u) = 2·σ(2u):
 *
 *     gelu_new(x) = x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))) = x·σ(√(8/π)·(x + 0.044715·x³)) */
INLINE vector gelu_new_of(vector x)
{
    return times_logistic(x, all(1.59576912f) * fused(all(0.044715f) * x * x, x, x));
}

/* Elfwing et al. 2017, "Sigmoid-Weighted Linear Units". */
INLINE vector silu_of(vector x)
{
    return times_logistic(x, x);
}

#define ACTIVATION_LOOP(name)                                                                      \
    TARGET static void name(float *x, size_t count)                                                \
    {                                                                                              \
        const size_t rest = count % LANES, whole = count - rest;                                   \
        for (size_t i = 0; i < whole; i += LANES)                                                  \
            store(x + i, name##_of(load(x + i)));                                                  \
        if (rest > 0)                                                                              \
            store_part(x + whole, name##_of(load_part(x + whole, rest, all(0))), rest);            \
    }

ACTIVATION_LOOP(gelu)
ACTIVATION_LOOP(gelu_new)
ACTIVATION_LOOP(silu)

/* 0·x is 0 unless x is infinite or NaN. */
TARGET static bool all_finite(size_t count, const float *x)
{
    const size_t rest = count % SUMS, whole = count - rest;
    vector nothing[PARTS];
    float last[SUMS];
    take_last(x + whole, rest, 0, last);
    UNROLL for (int p = 0; p < PARTS; p++) nothing[p] = load(last + p * LANES) * all(0);
    for (size_t i = 0; i < whole; i += SUMS)
        UNROLL for (int p = 0; p < PARTS; p++) nothing[p] =
            fused(load(x + i + p * LANES), all(0), nothing[p]);
    return sum_of(nothing) == 0;
}

INLINE void widen_halves(const unsigned char *halves, size_t count, float *numbers,
                         const enum tensor_type type)
{
    const size_t rest = count % LANES, whole = count - rest;
    for (size_t i = 0; i < whole; i += LANES)
        store(numbers + i, widened(halves + 2 * i, type));
    store_part(numbers + whole, widened_part(halves + 2 * whole, rest, type), rest);
}

TARGET static void widen_half(const unsigned char *halves, size_t count, float *numbers)
{
    widen_halves(halves, count, numbers, TENSOR_F16);
}

#define TILES_OF(name)                                                                             \
    {                                                                                              \
        tile_of_one_##name, tile_of_two_##name, tile_of_three_##name                               \
    }
#define TILE_LOOPS                                                                                 \
    .lanes = LANES, .rows = ROWS, .panels = KERNELS_PANELS_MAX,                                    \
    .tile = {[TENSOR_F32] = TILES_OF(f32),                                                         \
             [TENSOR_F16] = TILES_OF(f16),                                                         \
             [TENSOR_BF16] = TILES_OF(bf16)},                                                      \
    .one = {[TENSOR_F32] = one_f32, [TENSOR_F16] = one_f16, [TENSOR_BF16] = one_bf16},             \
    .dots = {[TENSOR_F32] = dots_f32, [TENSOR_F16] = dots_f16, [TENSOR_BF16] = dots_bf16}
#define ROW_LOOPS                                                                                  \
    .softmax = softmax, .layer_norm = layer_norm, .gelu = gelu, .gelu_new = gelu_new,              \
    .silu = silu, .finite = all_finite, .widen_f16 = widen_half, .dot = dot
