/* kernels_loops.h: the innermost loops for one kind of processor. The file that includes this one
 * says which:
 *
 *     LANES          numbers in a vector
 *     TARGET         the attribute that lets a function use its instructions
 *     WIDE_ROWS      rows that two or three vectors of sums each leave registers for
 *     DOT_SUMS       sums of products with few tokens: as many as there are registers, or fewer,
 *     DOT_TOKENS     and the most tokens that they are of: 4 or 8
 *     fused(a, b, c) a·b + c, for three vectors, rounded once if it can be
 *     vector_of_f16(p), vector_of_bf16(p)  numbers that lie anywhere, widened
 *
 * Everything else is vectors as GCC and Clang know them on any processor. */
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/pack.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define ROWS   8
#define INLINE static inline __attribute__((always_inline)) TARGET
#define UNROLL _Pragma("GCC unroll 8")

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

/* Adds halves to halves, which rounds less than one running sum. */
INLINE float sum_of(vector v)
{
    float lane[LANES];
    memcpy(lane, &v, sizeof lane);
    for (int width = LANES / 2; width > 0; width /= 2)
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

/* While some rows are multiplied, the next ones are prefetched: a row is read once, in order,
 * and usually comes from main memory. They go into the L2 cache, which allows more outstanding
 * loads, and leave the L1 cache to the panel. */
INLINE void fetch_next(const struct tile *tile, const unsigned char *rows, size_t stride,
                       const int row_count)
{
    if (!tile->fetch)
        return;
    UNROLL for (int r = 0; r < row_count; r++)
        __builtin_prefetch(rows + (size_t)(r + ROWS) * stride, 0, 2);
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
            fetch_next(tile, rows, stride, row_count);
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

/* ---- Products with few tokens ------------------------------------------------------------- */

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

/* In the lanes whose number has the bit w, the sum of b's lane and of b's lane without the bit;
 * in the others, of a's lane and of a's lane with it. */
#define OWN(l, w)       ((l) + ((l) & (w) ? LANES : 0))
#define OTHER(l, w)     (((l) ^ (w)) + ((l) & (w) ? LANES : 0))
#define FOLDED(a, b, w) (SHUFFLE(a, b, EVERY_LANE(OWN, w)) + SHUFFLE(a, b, EVERY_LANE(OTHER, w)))

/* The sums of as many vectors as there are lanes, that of v[i] in lane i. */
INLINE vector sums_of(vector v[LANES])
{
#if LANES > 8
    UNROLL for (int i = 0; i < 8; i++) v[i] = FOLDED(v[i], v[i + 8], 8);
#endif
#if LANES > 4
    UNROLL for (int i = 0; i < 4; i++) v[i] = FOLDED(v[i], v[i + 4], 4);
#endif
    UNROLL for (int i = 0; i < 2; i++) v[i] = FOLDED(v[i], v[i + 2], 2);
    return FOLDED(v[0], v[1], 1);
}

/* A vector of inputs of each row times those of each token. Both counts are constants. */
INLINE void step_dots(const vector weights[ROWS], const float *x, size_t count, const int row_count,
                      const int tokens, vector sums[DOT_SUMS])
{
    UNROLL for (int t = 0; t < tokens; t++)
    {
        const float *from = x + t * PACK_RUN;
        vector some = held(count < LANES ? load_part(from, count, all(0)) : load(from));
        UNROLL for (int r = 0; r < row_count; r++) sums[t * row_count + r] =
            fused(weights[r], some, sums[t * row_count + r]);
    }
}

INLINE void put_dots(const struct dots *dots, size_t row, const int row_count, const int tokens,
                     vector sums[DOT_SUMS])
{
    float out[DOT_SUMS] = {0};
    UNROLL for (int i = 0; i < row_count * tokens; i += LANES) store(out + i, sums_of(sums + i));
    for (int t = 0; t < tokens && (size_t)t < dots->tokens; t++) {
        const float *base = dots->base + (size_t)t * dots->base_stride + row;
        float *to = dots->out + (size_t)t * dots->out_stride + row;
        UNROLL for (int r = 0; r < row_count; r++) to[r] = base[r] + out[t * row_count + r];
    }
}

/* The next rows are prefetched into the L2 cache, which allows more outstanding loads. */
INLINE void multiply_dots(const struct dots *dots, size_t row, const int row_count,
                          const int tokens, const enum tensor_type type)
{
    const size_t size = size_of(type), stride = dots->row_stride * size;
    const size_t ahead = dots->fetch ? (size_t)row_count * stride : 0;
    const unsigned char *rows = (const unsigned char *)dots->rows + row * stride;
    const float *x = dots->x;
    vector sums[DOT_SUMS], weights[ROWS];
    size_t k = 0;
    UNROLL for (int r = 0; r < row_count; r++) UNROLL for (int t = 0; t < tokens; t++)
        sums[t * row_count + r] = all(0);
    for (; k + SOME <= dots->inputs; k += SOME, x += DOT_TOKENS * SOME) {
        UNROLL for (int r = 0; r < row_count; r++)
            __builtin_prefetch(rows + (size_t)r * stride + ahead, 0, 2);
        UNROLL for (int i = 0; i < SOME; i += LANES, rows += LANES * size)
        {
            UNROLL for (int r = 0; r < row_count; r++) weights[r] =
                widened(rows + (size_t)r * stride, type);
            step_dots(weights, x + i, LANES, row_count, tokens, sums);
        }
    }
    for (; k < dots->inputs; k += LANES, rows += LANES * size, x += LANES) {
        UNROLL for (int r = 0; r < row_count; r++) weights[r] =
            widened_part(rows + (size_t)r * stride, dots->inputs - k, type);
        step_dots(weights, x, dots->inputs - k, row_count, tokens, sums);
    }
    put_dots(dots, row, row_count, tokens, sums);
}

/* All rows of a tile, some at a time. */
INLINE void each_dots(const struct dots *dots, const int row_count, const int tokens,
                      const enum tensor_type type)
{
    for (size_t row = 0; row < ROWS; row += (size_t)row_count)
        multiply_dots(dots, row, row_count, tokens, type);
}

/* Long rows come from main memory, which is read fastest from eight places at once; short ones come
 * from a cache, and rather leave registers for the weights. */
#define LONG_ROW   512
#define SHORT_SUMS (DOT_SUMS < 16 ? DOT_SUMS : 16)

INLINE void dots_of(const struct dots *dots, const enum tensor_type type)
{
    if (DOT_TOKENS > 4 && dots->tokens > 4)
        each_dots(dots, DOT_SUMS / DOT_TOKENS, DOT_TOKENS, type);
    else if (DOT_SUMS > SHORT_SUMS && dots->inputs > LONG_ROW)
        each_dots(dots, DOT_SUMS / 4, 4, type);
    else
        each_dots(dots, SHORT_SUMS / 4, 4, type);
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

/* Vaswani et al. 2017, 3.2.1, with the row's maximum m taken out so that no exponential overflows:
 *
 *     w_j = exp(s_j - m) / Σ_k exp(s_k - m)
 */
TARGET static bool softmax(float scale, size_t columns, float *scores, float *weights)
{
    const size_t rest = columns % LANES, whole = columns - rest;
    const vector lowest = all(-INFINITY);
    vector most = lowest, total = all(0), nothing = all(0); /* 0·s, as in all_finite */
    for (size_t j = 0; j < whole; j += LANES) {
        vector s = load(scores + j) * all(scale);
        store(scores + j, s);
        most = larger(s, most);
        nothing = fused(s, all(0), nothing);
    }
    if (rest > 0) {
        vector s = load_part(scores + whole, rest, lowest) * all(scale);
        store_part(scores + whole, s, rest);
        most = larger(s, most);
        nothing = fused(load_part(scores + whole, rest, all(0)), all(0), nothing);
    }
    most = all(largest_of(most));
    for (size_t j = 0; j < whole; j += LANES) {
        vector e = exponential(load(scores + j) - most);
        store(weights + j, e);
        total += e;
    }
    vector last = exponential(load_part(scores + whole, rest, lowest) - most);
    vector divisor = all(sum_of(total + last));
    for (size_t j = 0; j < whole; j += LANES)
        store(weights + j, load(weights + j) / divisor);
    store_part(weights + whole, last / divisor, rest);
    return sum_of(nothing) == 0;
}

/* Ba et al. 2016, "Layer Normalization"; the variance is the biased one, as in PyTorch, and taken
 * in a second pass over the row, which loses no digits when the mean is large. */
TARGET static void layer_norm(const float *x, bool add, size_t columns, const float *weight,
                              const float *bias, float epsilon, float *y)
{
    const size_t rest = columns % LANES, whole = columns - rest;
    vector total = all(0), squares = all(0);
    for (size_t j = 0; j < whole; j += LANES) {
        vector v = add ? load(x + j) + load(y + j) : load(x + j);
        store(y + j, v);
        total += v;
    }
    vector last = load_part(x + whole, rest, all(0));
    if (add)
        last += load_part(y + whole, rest, all(0));
    const vector mean = all(sum_of(total + last) / (float)columns);
    for (size_t j = 0; j < whole; j += LANES) {
        vector v = load(y + j) - mean;
        squares = fused(v, v, squares);
    }
    last = load_part((const float *)&last, rest, mean) - mean; /* no squares past the row */
    squares = fused(last, last, squares);
    const float variance = sum_of(squares) / (float)columns;
    const vector scale = all(1 / sqrtf(variance + epsilon) + 0 * variance); /* 1/inf is not 0 */
    for (size_t j = 0; j < whole; j += LANES)
        store(y + j, fused((load(y + j) - mean) * scale, load(weight + j), load(bias + j)));
    last = fused(last * scale, load_part(weight + whole, rest, all(0)),
                 load_part(bias + whole, rest, all(0)));
    store_part(y + whole, last, rest);
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
    const size_t rest = count % LANES, pairs_end = count - count % (2 * LANES);
    vector one = all(0), other = all(0);
    size_t i = 0;
    for (; i < pairs_end; i += 2 * LANES) {
        one = fused(load(x + i), all(0), one);
        other = fused(load(x + i + LANES), all(0), other);
    }
    if (i + LANES <= count)
        one = fused(load(x + i), all(0), one);
    other = fused(load_part(x + count - rest, rest, all(0)), all(0), other);
    return sum_of(one + other) == 0;
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
    .dot_tokens = DOT_TOKENS,                                                                      \
    .dots = {[TENSOR_F32] = dots_f32, [TENSOR_F16] = dots_f16, [TENSOR_BF16] = dots_bf16}
#define ROW_LOOPS                                                                                  \
    .softmax = softmax, .layer_norm = layer_norm, .gelu = gelu, .gelu_new = gelu_new,              \
    .silu = silu, .finite = all_finite, .widen_f16 = widen_half, .dot = dot
