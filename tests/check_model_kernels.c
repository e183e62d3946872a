/* The arithmetic against plain loops in double precision. */
#include "headlight/model/kernels.h"
#include "model_helpers.h"
#include "suites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 40000

static float x[ROOM], y[ROOM], weight[ROOM], bias[ROOM], result[ROOM];

static void fill(uint64_t seed)
{
    fill_random(x, ROOM, 2, seed);
    fill_random(weight, ROOM, 1, seed + 1000);
    fill_random(bias, ROOM, 3, seed + 2000);
    memset(result, 0x7F, sizeof result);
}

/* A size from 1 to 64, of which few are powers of two. */
static size_t size_of(int run, size_t which)
{
    return ((size_t)run * 37 + which * 53 + (size_t)run * which * 11) % 64 + 1;
}

/* A product of n terms of size a rounds off by less than n·a·2^-23 in any order of summation. */
static void assert_near(double found, double expected, double bound)
{
    if (!(fabs(found - expected) <= bound))
        ck_abort_msg("expected %.9g, found %.9g", expected, found);
}

START_TEST(linear_is_the_sum_of_products)
{
    size_t rows = size_of(_i, 1), inputs = size_of(_i, 2), outputs = size_of(_i, 3);
    size_t stride = outputs + (size_t)_i % 7;
    fill((uint64_t)_i);
    kernels_linear(x, rows, inputs, weight, bias, outputs, result, stride);
    for (size_t i = 0; i < rows; i++)
        for (size_t o = 0; o < outputs; o++) {
            double sum = (double)bias[o];
            for (size_t k = 0; k < inputs; k++)
                sum += (double)x[i * inputs + k] * (double)weight[o * inputs + k];
            assert_near((double)result[i * stride + o], sum, (double)(inputs + 2) * 5 * 0x1p-23);
        }
    for (size_t o = outputs; o < stride; o++) /* what lies between the rows is left alone */
        ck_assert_mem_eq(&result[o], "\x7F\x7F\x7F\x7F", 4);
}
END_TEST

START_TEST(scores_are_scaled_products_of_strided_rows)
{
    size_t T = size_of(_i, 1), D = size_of(_i, 2), stride = D + size_of(_i, 3);
    fill((uint64_t)_i);
    kernels_scores(x, weight, stride, T, D, 0.25f, result);
    for (size_t i = 0; i < T; i++)
        for (size_t j = 0; j < T; j++) {
            double sum = 0;
            for (size_t d = 0; d < D; d++)
                sum += (double)x[i * stride + d] * (double)weight[j * stride + d];
            assert_near((double)result[i * T + j], sum / 4, (double)(D + 2) * 2 * 0x1p-23);
        }
}
END_TEST

START_TEST(context_is_the_weighted_sum_of_values)
{
    size_t T = size_of(_i, 1), D = size_of(_i, 2), stride = D + size_of(_i, 3);
    fill((uint64_t)_i);
    kernels_context(weight, x, stride, T, D, result, stride);
    for (size_t i = 0; i < T; i++)
        for (size_t d = 0; d < D; d++) {
            double sum = 0;
            for (size_t j = 0; j < T; j++)
                sum += (double)weight[i * T + j] * (double)x[j * stride + d];
            assert_near((double)result[i * stride + d], sum, (double)(T + 2) * 2 * 0x1p-23);
        }
}
END_TEST

static void check_softmax(const float *scores, size_t rows, size_t columns)
{
    kernels_softmax(scores, rows, columns, result);
    for (size_t i = 0; i < rows; i++) {
        double maximum = (double)-INFINITY, sum = 0, total = 0;
        for (size_t j = 0; j < columns; j++)
            maximum = fmax(maximum, (double)scores[i * columns + j]);
        for (size_t j = 0; j < columns; j++)
            sum += exp((double)scores[i * columns + j] - maximum);
        for (size_t j = 0; j < columns; j++) {
            /* exp turns the rounding of its argument into a relative error */
            double below = maximum - (double)scores[i * columns + j];
            double expected = exp(-below) / sum, found = (double)result[i * columns + j];
            double relative = (fmin(below, 110) + (double)columns + 8) * 0x1p-23;
            assert_near(found, expected, expected * relative + 1e-37);
            total += found;
        }
        assert_near(total, 1, (double)(columns + 4) * 0x1p-23);
    }
}

START_TEST(softmax_gives_distributions)
{
    size_t rows = size_of(_i, 1), columns = size_of(_i, 2);
    fill((uint64_t)_i);
    for (size_t i = 0; i < rows * columns; i++)
        x[i] *= (float)(_i % 5) * 9;
    check_softmax(x, rows, columns);
}
END_TEST

START_TEST(softmax_takes_masks_and_large_scores)
{
    static const float rows[][4] = {
        {-INFINITY, -INFINITY, 2, -INFINITY},
        {1e30f, 1e30f, -1e30f, -INFINITY},
        {-1e30f, -INFINITY, -1e30f, -1e30f},
        {88, 89, 90, 200},
    };
    for (size_t i = 0; i < 4; i++) {
        check_softmax(rows[i], 1, 4);
        for (size_t j = 0; j < 4; j++)
            if (isinf(rows[i][j]))
                ck_assert_float_eq(result[j], 0);
    }
    kernels_softmax(rows[0], 1, 4, result);
    ck_assert_float_eq(result[2], 1);
}
END_TEST

START_TEST(layer_norm_centres_and_scales)
{
    size_t rows = size_of(_i, 1), columns = size_of(_i, 2) + 1;
    float offset = _i % 3 == 0 ? 100 : 0, epsilon = _i % 2 == 0 ? 1e-12f : 1e-5f;
    fill((uint64_t)_i);
    for (size_t i = 0; i < rows * columns; i++)
        y[i] = x[i] += offset;
    kernels_layer_norm(x, rows, columns, weight, bias, epsilon, result);
    kernels_layer_norm(y, rows, columns, weight, bias, epsilon, y);
    ck_assert_mem_eq(y, result, rows * columns * sizeof *y);
    for (size_t i = 0; i < rows; i++) {
        double mean = 0, variance = 0;
        for (size_t j = 0; j < columns; j++)
            mean += (double)x[i * columns + j] / (double)columns;
        for (size_t j = 0; j < columns; j++)
            variance += pow((double)x[i * columns + j] - mean, 2) / (double)columns;
        double deviation = sqrt(variance + (double)epsilon);
        for (size_t j = 0; j < columns; j++)
            assert_near((double)result[i * columns + j],
                        ((double)x[i * columns + j] - mean) / deviation * (double)weight[j] +
                            (double)bias[j],
                        1e-6 + (fabs(mean) + 3) / deviation * 4e-7);
    }
}
END_TEST

START_TEST(layer_norm_of_equal_numbers_is_the_bias)
{
    fill(1);
    for (size_t j = 0; j < 32; j++)
        x[j] = 0.5f;
    kernels_layer_norm(x, 1, 32, weight, bias, 1e-12f, result);
    ck_assert_mem_eq(result, bias, 32 * sizeof *bias);
}
END_TEST

static double gelu(double v)
{
    return v / 2 * (1 + erf(v / sqrt(2)));
}

static double gelu_new(double v)
{
    return v / 2 * (1 + tanh(sqrt(2 / acos(-1)) * (v + 0.044715 * v * v * v)));
}

static double relu(double v)
{
    return v > 0 ? v : 0;
}

START_TEST(activations_follow_their_formulas)
{
    static double (*const formulas[])(double) = {
        [ACTIVATION_GELU] = gelu, [ACTIVATION_GELU_NEW] = gelu_new, [ACTIVATION_RELU] = relu};
    static const float corners[] = {0, -0.0f, 1e-30f, -1e-30f, 6, -6, 15, -15, 1e4f, -1e4f};
    const size_t count = 20001;
    for (size_t i = 0; i < count; i++)
        x[i] = ((float)i - 10000) / 1000;
    memcpy(x, corners, sizeof corners);
    memcpy(y, x, count * sizeof *y);
    kernels_activate((enum activation)_i, y, count);
    for (size_t i = 0; i < count; i++)
        assert_near((double)y[i], formulas[_i]((double)x[i]), 3e-7 * fmax(1, fabs((double)x[i])));
}
END_TEST

START_TEST(additions_and_tangents)
{
    fill(7);
    memcpy(y, bias, sizeof y);
    kernels_add(x, 1001, y);
    kernels_tanh(x, 0);
    for (size_t i = 0; i < 1001; i++)
        ck_assert_float_eq(y[i], x[i] + bias[i]);
    memcpy(result, x, sizeof result);
    kernels_tanh(result, 1001);
    for (size_t i = 0; i < 1001; i++)
        assert_near((double)result[i], tanh((double)x[i]), 3e-7);
}
END_TEST

START_TEST(the_library_has_a_name)
{
    ck_assert_str_ne(kernels_blas(), "");
    if (strstr(kernels_blas(), "OpenBLAS"))
        ck_assert(kernels_set_threads(1));
}
END_TEST

Suite *suite_model_kernels(void)
{
    Suite *suite = suite_create("model_kernels");
    TCase *tests = tcase_create("kernels");
    tcase_add_loop_test(tests, linear_is_the_sum_of_products, 0, 40);
    tcase_add_loop_test(tests, scores_are_scaled_products_of_strided_rows, 0, 40);
    tcase_add_loop_test(tests, context_is_the_weighted_sum_of_values, 0, 40);
    tcase_add_loop_test(tests, softmax_gives_distributions, 0, 40);
    tcase_add_test(tests, softmax_takes_masks_and_large_scores);
    tcase_add_loop_test(tests, layer_norm_centres_and_scales, 0, 40);
    tcase_add_test(tests, layer_norm_of_equal_numbers_is_the_bias);
    tcase_add_loop_test(tests, activations_follow_their_formulas, 0, 3);
    tcase_add_test(tests, additions_and_tangents);
    tcase_add_test(tests, the_library_has_a_name);
    suite_add_tcase(suite, tests);
    return suite;
}
