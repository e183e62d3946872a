#define _GNU_SOURCE /* RTLD_DEFAULT in glibc's dlfcn.h */

#include "headlight/model/kernels.h"

#include "headlight/model/bits.h"

#include <cblas.h>
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- Products ----------------------------------------------------------------------------- */

void kernels_linear(const float *x, size_t rows, size_t inputs, const float *weight,
                    const float *bias, size_t outputs, float *y, size_t y_stride)
{
    for (size_t i = 0; i < rows; i++)
        memcpy(y + i * y_stride, bias, outputs * sizeof *bias);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)outputs, (int)inputs, 1, x,
                (int)inputs, weight, (int)inputs, 1, y, (int)y_stride);
}

void kernels_scores(const float *query, const float *key, size_t stride, size_t tokens,
                    size_t dimensions, float scale, float *scores)
{
    int T = (int)tokens;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, T, T, (int)dimensions, scale, query,
                (int)stride, key, (int)stride, 0, scores, T);
}

void kernels_context(const float *weights, const float *value, size_t value_stride, size_t tokens,
                     size_t dimensions, float *context, size_t context_stride)
{
    int T = (int)tokens;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, T, (int)dimensions, T, 1, weights, T,
                value, (int)value_stride, 0, context, (int)context_stride);
}

/* ---- Exponential and error function -------------------------------------------------------- */

/* The C library's expf and erff are calls for one number each, and a third of the time of a pass
 * over a long text. These are loops that a compiler turns into vector instructions: blocks of a
 * constant size, with masks for branches. They are within one unit of the last place, and do
 * not depend on the C library. The magnitudes of floats compare like the integers of their bits. */
#define BLOCK     16
#define MAGNITUDE 0x7FFFFFFFu

/* y = exp(x) for x <= 0; 0 below -87.3, where a float would be subnormal. With n = round(x/ln 2)
 * and r = x - n·ln 2, exp(x) = 2^n·exp(r); ln 2 is taken off in two parts (Cody and Waite 1980),
 * the first of which has few bits, so that n times it is exact. exp(r) = 1 + r + r²·p(r), p the
 * best polynomial for -0.3475 … 0.3475, off by 3e-9 at most. */
static void exponential(const float *restrict x, float *restrict y)
{
    const float lowest = -87.3f, round_to_integer = 0x1.8p23f; /* leaves no bits for a fraction */
    const uint32_t limit = bits_of_float(lowest);
    for (int i = 0; i < BLOCK; i++) {
        uint32_t bits = bits_of_float(x[i]);
        uint32_t below = bits_mask((int32_t)(bits & MAGNITUDE) > (int32_t)(limit & MAGNITUDE));
        float bounded = float_of_bits((limit & below) | (bits & ~below));
        float n = bounded * 1.44269504f + round_to_integer - round_to_integer;
        float r = bounded - n * 0.693359375f + n * 2.12194440e-4f;
        float p = 1.38142216e-3f;
        p = p * r + 8.36889911e-3f;
        p = p * r + 4.16684039e-2f;
        p = p * r + 1.66665196e-1f;
        p = p * r + 4.99999940e-1f;
        p = p * r * r + r + 1;
        float power = float_of_bits((uint32_t)((int32_t)n + 127) << 23); /* 2^n */
        y[i] = float_of_bits(bits_of_float(p * power) & ~below);
    }
}

/* y = erf(x). With t = |x|, the polynomials p being the best for their ranges:
 *
 *     t up to 0.9     t + t·p(t²)             off by 2e-8 of it at most
 *     above           1 - exp(-t - t·p(t))    off by 1e-9 at most; 1 from 4 on */
static void error_function(const float *restrict x, float *restrict y)
{
    const uint32_t four = bits_of_float(4), middle = bits_of_float(0.9f);
    float size[BLOCK], exponent[BLOCK], tail[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
        uint32_t magnitude = bits_of_float(x[i]) & MAGNITUDE;
        uint32_t above = bits_mask((int32_t)magnitude > (int32_t)four);
        float t = float_of_bits((four & above) | (magnitude & ~above));
        float p = 1.07631522e-5f;
        p = p * t + -3.18059465e-4f;
        p = p * t + 3.62291792e-3f;
        p = p * t + -2.37201843e-2f;
        p = p * t + 1.06187612e-1f;
        p = p * t + 6.35181487e-1f;
        p = p * t + 1.28640965e-1f;
        exponent[i] = -(p * t + t);
        size[i] = t;
    }
    exponential(exponent, tail);
    for (int i = 0; i < BLOCK; i++) {
        float s = size[i] * size[i];
        float p = -5.94121928e-4f;
        p = p * s + 4.98346891e-3f;
        p = p * s + -2.67600287e-2f;
        p = p * s + 1.12816356e-1f;
        p = p * s + -3.76124769e-1f;
        p = p * s + 1.28379151e-1f;
        uint32_t near = bits_of_float(p * size[i] + size[i]), far = bits_of_float(1 - tail[i]);
        uint32_t is_far = bits_mask((int32_t)bits_of_float(size[i]) > (int32_t)middle);
        y[i] =
            float_of_bits((far & is_far) | (near & ~is_far) | (bits_of_float(x[i]) & ~MAGNITUDE));
    }
}

/* ---- Rows --------------------------------------------------------------------------------- */

/* Sums go into BLOCK partial ones: a compiler may keep them in vector registers, and they round off
 * less than one running sum. */
static float sum_of_lanes(const float *lanes)
{
    float sums[BLOCK];
    memcpy(sums, lanes, sizeof sums);
    for (int width = BLOCK / 2; width > 0; width /= 2)
        for (int j = 0; j < width; j++)
            sums[j] += sums[j + width];
    return sums[0];
}

static float sum(const float *x, size_t count)
{
    float lanes[BLOCK] = {0};
    size_t whole = count - count % BLOCK;
    for (size_t i = 0; i < whole; i += BLOCK)
        for (size_t j = 0; j < BLOCK; j++)
            lanes[j] += x[i + j];
    for (size_t i = whole; i < count; i++)
        lanes[i - whole] += x[i];
    return sum_of_lanes(lanes);
}

/* Σ (x_j - centre)² */
static float sum_of_squares(const float *x, size_t count, float centre)
{
    float lanes[BLOCK] = {0};
    size_t whole = count - count % BLOCK;
    for (size_t i = 0; i < whole; i += BLOCK)
        for (size_t j = 0; j < BLOCK; j++)
            lanes[j] += (x[i + j] - centre) * (x[i + j] - centre);
    for (size_t i = whole; i < count; i++)
        lanes[i - whole] += (x[i] - centre) * (x[i] - centre);
    return sum_of_lanes(lanes);
}

/* x = exp(x) for `count` numbers, none above 0 */
static void exponentials(float *x, size_t count)
{
    float in[BLOCK] = {0}, out[BLOCK];
    for (size_t i = 0; i < count; i += BLOCK) {
        size_t bytes = (count - i < BLOCK ? count - i : BLOCK) * sizeof *x;
        memcpy(in, x + i, bytes);
        exponential(in, out);
        memcpy(x + i, out, bytes);
    }
}

/* Vaswani et al. 2017, 3.2.1, with the row's maximum m taken out so that no exponential overflows:
 *
 *     w_j = exp(s_j - m) / Σ_k exp(s_k - m)
 */
static void softmax_row(const float *scores, size_t columns, float *weights)
{
    float maximum = scores[0];
    for (size_t j = 1; j < columns; j++)
        maximum = scores[j] > maximum ? scores[j] : maximum;
    for (size_t j = 0; j < columns; j++)
        weights[j] = scores[j] - maximum;
    exponentials(weights, columns);
    float total = sum(weights, columns);
    for (size_t j = 0; j < columns; j++)
        weights[j] /= total;
}

void kernels_softmax(const float *scores, size_t rows, size_t columns, float *weights)
{
    for (size_t i = 0; i < rows; i++)
        softmax_row(scores + i * columns, columns, weights + i * columns);
}

/* Ba et al. 2016, "Layer Normalization"; the variance is the biased one, as in PyTorch, and taken
 * in a second pass over the row, which loses no digits when the mean is large. */
void kernels_layer_norm(const float *x, size_t rows, size_t columns, const float *weight,
                        const float *bias, float epsilon, float *y)
{
    for (size_t i = 0; i < rows; i++, x += columns, y += columns) {
        float mean = sum(x, columns) / (float)columns;
        float variance = sum_of_squares(x, columns, mean) / (float)columns;
        float scale = 1 / sqrtf(variance + epsilon);
        for (size_t j = 0; j < columns; j++)
            y[j] = (x[j] - mean) * scale * weight[j] + bias[j];
    }
}

/* ---- Numbers ------------------------------------------------------------------------------ */

void kernels_add(const float *x, size_t count, float *y)
{
    for (size_t i = 0; i < count; i++)
        y[i] += x[i];
}

/* Hendrycks and Gimpel 2016, "Gaussian Error Linear Units":  gelu(x) = x·Φ(x)
 *                                                                   = x/2·(1 + erf(x/√2)) */
static void gelu_block(float *restrict x)
{
    float scaled[BLOCK], erf_of[BLOCK];
    for (int i = 0; i < BLOCK; i++)
        scaled[i] = x[i] * 0.70710678f;
    error_function(scaled, erf_of);
    for (int i = 0; i < BLOCK; i++)
        x[i] = 0.5f * x[i] * (1 + erf_of[i]);
}

static void gelu(float *x, size_t count)
{
    float rest[BLOCK] = {0};
    size_t whole = count - count % BLOCK;
    for (size_t i = 0; i < whole; i += BLOCK)
        gelu_block(x + i);
    memcpy(rest, x + whole, (count - whole) * sizeof *x);
    gelu_block(rest);
    memcpy(x + whole, rest, (count - whole) * sizeof *x);
}

/* The same paper's approximation, as GPT-2 has it:  x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))) */
static void gelu_new(float *x, size_t count)
{
    const float sqrt_two_over_pi = 0.79788456f;
    for (size_t i = 0; i < count; i++) {
        float inner = sqrt_two_over_pi * (x[i] + 0.044715f * x[i] * x[i] * x[i]);
        x[i] = 0.5f * x[i] * (1 + tanhf(inner));
    }
}

void kernels_activate(enum activation activation, float *x, size_t count)
{
    switch (activation) {
    case ACTIVATION_GELU:
        gelu(x, count);
        break;
    case ACTIVATION_GELU_NEW:
        gelu_new(x, count);
        break;
    case ACTIVATION_RELU:
        for (size_t i = 0; i < count; i++)
            x[i] = x[i] > 0 ? x[i] : 0;
        break;
    }
}

void kernels_tanh(float *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        x[i] = tanhf(x[i]);
}

/* ---- The library -------------------------------------------------------------------------- */

/* CBLAS itself says nothing about threads. Each library has functions of its own; they are looked
 * up by name in the running program, so that any of them can be linked. */

static bool look_up(const char *name, void *function, size_t size)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);
    if (symbol)
        memcpy(function, &symbol, size); /* ISO C has no cast from an object to a function */
    return symbol != NULL;
}

bool kernels_set_threads(int threads)
{
    void (*set)(int);
    void (*set_long)(long);
    if (look_up("openblas_set_num_threads", &set, sizeof set) ||
        look_up("MKL_Set_Num_Threads", &set, sizeof set)) {
        set(threads);
        return true;
    }
    if (look_up("bli_thread_set_num_threads", &set_long, sizeof set_long)) {
        set_long(threads);
        return true;
    }
    return false;
}

const char *kernels_blas(void)
{
    char *(*describe)(void);
    return look_up("openblas_get_config", &describe, sizeof describe) ? describe() : "a CBLAS";
}
