/* Products of every type of weights, on every kind of processor, by any number of threads, against
 * plain loops in double precision. */
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/matmul.h"
#include "numbers.h"
#include "suites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sizes of one run. Some of the inputs are longer than what is multiplied in one go. */
struct sizes {
    size_t tokens, inputs, outputs;
};

static const struct sizes sizes[] = {
    {1, 1, 1},    {1, 64, 2},    {2, 6, 8},     {3, 33, 17},     {4, 32, 32},  {5, 40, 24},
    {7, 25, 9},   {8, 128, 64},  {9, 16, 8},    {13, 96, 48},    {16, 48, 16}, {17, 64, 40},
    {31, 20, 8},  {33, 31, 100}, {49, 64, 128}, {100, 1100, 24}, {6, 2500, 9}, {70, 48, 1000},
    {3, 4500, 9}, {8, 4100, 33}, {8, 1, 3},     {1, 1050, 77},
};
#define SIZES ((int)(sizeof sizes / sizeof *sizes))

static uint64_t seed;

static float *random_floats(size_t count, float size)
{
    float *numbers = calloc(count + 1, sizeof *numbers);
    ck_assert_ptr_nonnull(numbers);
    fill_random(numbers, count, size, ++seed);
    return numbers;
}

static size_t rounded(size_t count)
{
    return (count + KERNELS_LANES_MAX - 1) / KERNELS_LANES_MAX * KERNELS_LANES_MAX;
}

static void assert_close(const char *what, size_t at, float found, double expected, size_t terms)
{
    double bound = (double)(terms + 4) * 5 * 0x1p-23 + 1e-6;
    if (!(fabs((double)found - expected) <= bound))
        ck_abort_msg("%s, %s: number %zu: expected %.9g, found %.9g", kernels_now()->name, what, at,
                     expected, (double)found);
}

/* ---- Linear layers ------------------------------------------------------------------------ */

/* One layer of two parts and the same by plain loops. */
struct layer {
    struct sizes sizes;
    float *x;             /* [tokens,inputs] */
    unsigned char *bytes; /* of the weights, in some type */
    float *weights;       /* [2·outputs,inputs], what the bytes stand for */
    float *bias;          /* [2·outputs] */
    double *expected;     /* [tokens,2·outputs] */
    struct linear part[2];
    float *memory; /* for panels of x */
    struct packed panels;
    float *y;
};

/* The bytes are one off where `shift` is: floats can't be used there. */
static void make_weights(struct layer *layer, enum tensor_type type, size_t shift)
{
    size_t count = 2 * layer->sizes.outputs * layer->sizes.inputs;
    size_t size = type == TENSOR_F32 ? 4 : 2;
    layer->weights = random_floats(count, 1);
    layer->bytes = malloc(count * 4 + 1);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        uint16_t half = (uint16_t)(0x2C00 + i * 2654435761u % 0x1000 + (i % 3 == 0 ? 0x8000 : 0));
        memcpy(&bits, &layer->weights[i], sizeof bits);
        if (type == TENSOR_BF16)
            half = (uint16_t)(bits >> 16);
        memcpy(layer->bytes + shift + i * size, size == 4 ? (void *)&layer->weights[i] : &half,
               size);
    }
    if (type == TENSOR_F16)
        kernels_plain.widen_f16(layer->bytes + shift, count, layer->weights);
    if (type == TENSOR_BF16)
        widen_bf16(layer->bytes + shift, count, layer->weights);
    layer->bias = random_floats(2 * layer->sizes.outputs, 3);
    for (size_t p = 0; p < 2; p++)
        layer->part[p] = (struct linear){
            {layer->bytes + shift + p * layer->sizes.outputs * layer->sizes.inputs * size, type},
            layer->bias + p * layer->sizes.outputs};
}

static void pack_layer(struct layer *layer, size_t tokens, bool runs)
{
    const size_t K = layer->sizes.inputs;
    layer->panels = pack_in(layer->memory, tokens, K, runs);
    for (size_t t = 0; t < tokens; t += PACK_TOKENS)
        pack_put(&layer->panels, layer->x + t * K, K, t,
                 tokens - t < PACK_TOKENS ? tokens - t : PACK_TOKENS);
}

static void make_layer(struct layer *layer, const struct sizes *wanted, enum tensor_type type,
                       size_t shift)
{
    const size_t T = wanted->tokens, K = wanted->inputs, N = 2 * wanted->outputs;
    *layer = (struct layer){.sizes = *wanted};
    layer->x = random_floats(T * K, 2);
    make_weights(layer, type, shift);
    layer->expected = calloc(T * N, sizeof *layer->expected);
    for (size_t t = 0; t < T; t++)
        for (size_t o = 0; o < N; o++) {
            double sum = (double)layer->bias[o];
            for (size_t k = 0; k < K; k++)
                sum += (double)layer->x[t * K + k] * (double)layer->weights[o * K + k];
            layer->expected[t * N + o] = sum;
        }
    layer->memory = random_floats(pack_size(T, K), 100);
    layer->y = random_floats(T * (N + 3), 1);
}

static void free_layer(struct layer *layer)
{
    free(layer->x);
    free(layer->bytes);
    free(layer->weights);
    free(layer->bias);
    free(layer->expected);
    free(layer->memory);
    free(layer->y);
}

static void multiply(const struct pool_thread *thread, void *context)
{
    struct layer *layer = context;
    matmul_linear(thread, &layer->panels, layer->part, 2, layer->sizes.outputs, layer->y,
                  2 * layer->sizes.outputs + 3);
}

static void check_linear(const struct sizes *wanted, enum tensor_type type, size_t shift, bool runs)
{
    struct layer layer;
    const size_t N = 2 * wanted->outputs, stride = N + 3;
    make_layer(&layer, wanted, type, shift);
    pack_layer(&layer, wanted->tokens, runs);
    float *alone = malloc(wanted->tokens * stride * sizeof *alone);
    for (size_t threads = 1; threads <= 3; threads++) {
        for (size_t i = 0; i < wanted->tokens * stride; i++)
            layer.y[i] = 77;
        pool_run(threads, multiply, &layer);
        for (size_t i = 0; i < wanted->tokens * stride; i++)
            if (i % stride < N)
                assert_close("linear", i, layer.y[i], layer.expected[i / stride * N + i % stride],
                             wanted->inputs);
            else if (layer.y[i] != 77) /* what lies between the rows is left alone */
                ck_abort_msg("%s: written past row %zu", kernels_now()->name, i / stride);
        if (threads == 1)
            memcpy(alone, layer.y, wanted->tokens * stride * sizeof *alone);
        ck_assert_mem_eq(alone, layer.y, wanted->tokens * stride * sizeof *alone);
    }
    pack_layer(&layer, 1, runs); /* the first token alone, to the same bits */
    pool_run(2, multiply, &layer);
    if (kernels_now()->one[type])
        ck_assert_mem_eq(alone, layer.y, N * sizeof *alone);
    free(alone);
    free_layer(&layer);
}

TEST(linear_layers_are_sums_of_products, .times = 2 * SIZES)
{
    const struct sizes *some = &sizes[_i % SIZES];
    const bool runs = _i < SIZES;
    for (size_t i = 0; kernels_at(i); i++) {
        kernels_choose(kernels_at(i));
        check_linear(some, TENSOR_F32, 0, runs);
        check_linear(some, TENSOR_F32, 1, runs);
        check_linear(some, TENSOR_F16, (size_t)_i % 2, runs);
        check_linear(some, TENSOR_BF16, (size_t)_i / 2 % 2, runs);
    }
}

/* ---- Two layers with an activation between ------------------------------------------------ */

struct block {
    struct layer first;
    struct layer second; /* of its own x nothing is used */
    struct packed between;
};

static void go_through(const struct pool_thread *thread, void *context)
{
    struct block *block = context;
    matmul_activated(thread, &block->first.panels, &block->first.part[0], ACTIVATION_RELU,
                     &block->between);
    matmul_linear(thread, &block->between, block->second.part, 2, block->second.sizes.outputs,
                  block->second.y, 2 * block->second.sizes.outputs);
}

TEST(an_activated_layer_is_the_next_ones_input, .times = 2 * SIZES)
{
    struct block block;
    const struct sizes *some = &sizes[_i % SIZES], second = {some->tokens, some->outputs, 11};
    const bool runs = _i < SIZES;
    const size_t T = second.tokens, N = 2 * second.outputs, K = second.inputs;
    make_layer(&block.first, some, TENSOR_F16, 0);
    make_layer(&block.second, &second, TENSOR_F32, 0);
    for (size_t i = 0; kernels_at(i); i++) {
        kernels_choose(kernels_at(i));
        pack_layer(&block.first, T, runs);
        block.between = pack_in(block.second.memory, T, K, runs);
        pool_run((size_t)_i % 3 + 1, go_through, &block);
        for (size_t t = 0; t < T; t++)
            for (size_t o = 0; o < N; o++) {
                double sum = (double)block.second.bias[o];
                for (size_t k = 0; k < K; k++)
                    sum += fmax(block.first.expected[t * 2 * K + k], 0) *
                           (double)block.second.weights[o * K + k];
                /* each of the K inputs is off by what its own sum rounds off */
                assert_close("block", t * N + o, block.second.y[t * N + o], sum,
                             K * (some->inputs + 4));
            }
    }
    free_layer(&block.first);
    free_layer(&block.second);
}

/* ---- Attention ---------------------------------------------------------------------------- */

TEST(queries_meet_keys_in_panels, .times = SIZES)
{
    const size_t T = sizes[_i].tokens, D = sizes[_i].inputs, rows = sizes[_i].outputs;
    const size_t stride = D + 5, out_stride = T + 2;
    float *queries = random_floats(rows * stride, 1), *keys = random_floats(T * stride, 1);
    float *memory = random_floats(pack_size(T, D), 50);
    float *out = random_floats(rows * out_stride, 1);
    for (size_t i = 0; kernels_at(i); i++) {
        kernels_choose(kernels_at(i));
        struct packed panels = pack_in(memory, T, D, false);
        pack_put(&panels, keys, stride, 0, T);
        matmul_packed(queries, stride, rows, &panels, out, out_stride);
        for (size_t r = 0; r < rows; r++)
            for (size_t t = 0; t < T; t++) {
                double sum = 0;
                for (size_t d = 0; d < D; d++)
                    sum += (double)queries[r * stride + d] * (double)keys[t * stride + d];
                assert_close("scores", r * T + t, out[r * out_stride + t], sum, D);
            }
    }
    free(queries);
    free(keys);
    free(memory);
    free(out);
}

TEST(weights_mix_values_in_columns, .times = SIZES)
{
    const size_t T = sizes[_i].inputs, D = sizes[_i].tokens, rows = sizes[_i].outputs;
    const size_t stride = rounded(D), out_stride = D + 4;
    float *weights = random_floats(rows * T, 1), *values = random_floats(T * stride, 1);
    float *out = random_floats(rows * out_stride, 1);
    for (size_t i = 0; kernels_at(i); i++) {
        kernels_choose(kernels_at(i));
        for (size_t j = 0; j < rows * out_stride; j++)
            out[j] = 77;
        matmul_columns(weights, T, rows, T, values, stride, D, out, out_stride);
        for (size_t r = 0; r < rows; r++) {
            for (size_t d = 0; d < D; d++) {
                double sum = 0;
                for (size_t t = 0; t < T; t++)
                    sum += (double)weights[r * T + t] * (double)values[t * stride + d];
                assert_close("context", r * D + d, out[r * out_stride + d], sum, T);
            }
            for (size_t d = D; d < out_stride; d++)
                ck_assert(out[r * out_stride + d] == 77);
        }
    }
    free(weights);
    free(values);
    free(out);
}

TEST(a_transposed_matrix_is_turned)
{
    for (size_t rows = 1; rows < 14; rows++)
        for (size_t columns = 1; columns < 14; columns++) {
            float from[14 * 16], to[14 * 15];
            fill_random(from, 14 * 16, 1, rows * 31 + columns);
            memset(to, 0x7F, sizeof to);
            transpose(from, 16, rows, columns, to, 15);
            for (size_t c = 0; c < 14; c++)
                for (size_t r = 0; r < 15; r++)
                    if (c < columns && r < rows)
                        ck_assert(to[c * 15 + r] == from[r * 16 + c]);
                    else
                        ck_assert_mem_eq(&to[c * 15 + r], "\x7F\x7F\x7F\x7F", 4);
        }
}
