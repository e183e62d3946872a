/* What dimensions add: against the tensors that the encoder itself made of the example pair, and on
 * synthetic traces. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/lens/dimensions.h"

#include <math.h>

#define D 32

static struct checkpoint checkpoint;
static const struct trace *trace;

static void setup(void)
{
    struct error error;
    ck_assert_int_eq(checkpoint_open(&checkpoint, NULL, NULL, NULL, &error), STATUS_OK);
    session_anew_on_texts(&checkpoint, NULL, "time flies like an arrow", "fruit flies");
    trace = session.data.trace;
    ck_assert_uint_eq(trace->dimensions, D);
}

static void teardown(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.begin = setup, .end = teardown);

/* The sum over the keys is the context that the encoder handed on. */
TEST(context_is_the_traces)
{
    float sum[D], weighted[D];
    double largest = 0;
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t head = 0; head < trace->heads; head++)
            for (size_t from = 0; from < trace->tokens; from++) {
                struct attending at = {trace, layer, head, from};
                const float *expected =
                    trace->layer[layer].context + from * trace->hidden + head * D;
                double parts[D] = {0};
                dimensions_context(&at, sum);
                for (size_t to = 0; to < trace->tokens; to++) {
                    dimensions_weighted(&at, to, weighted);
                    for (size_t d = 0; d < D; d++)
                        parts[d] += (double)weighted[d];
                }
                for (size_t d = 0; d < D; d++) {
                    ck_assert_double_eq_tol((double)sum[d], (double)expected[d], 1e-5);
                    ck_assert_double_eq_tol(parts[d], (double)expected[d], 1e-5);
                    largest = fmax(largest, fabs((double)expected[d]));
                }
            }
    ck_assert_double_gt(largest, 0.5); /* it was no comparison of zeros */
}

TEST(products_make_the_score)
{
    float product[D], score;
    struct trace without = *trace;
    struct layer_trace layer = trace->layer[5];
    layer.scores = NULL;
    without.layer = &layer;
    for (size_t to = 0; to < trace->tokens; to++) {
        struct attending at = {trace, 5, 3, 2}, recorded = {&without, 0, 3, 2};
        double sum = 0, expected = (double)trace_score(trace, 5, 3, 2, to);
        dimensions_product(&at, to, product);
        for (size_t d = 0; d < D; d++)
            sum += (double)product[d];
        ck_assert_double_eq_tol(sum / dimensions_divisor(trace), expected, 1e-4);
        ck_assert(dimensions_score(&at, to, 1, &score));
        ck_assert_float_eq(score, trace_score(trace, 5, 3, 2, to));
        ck_assert(dimensions_score(&recorded, to, sqrt(D), &score));
        ck_assert_double_eq_tol((double)score, expected, 1e-4);
        ck_assert(dimensions_score(&recorded, to, 1, &score));
        ck_assert_double_eq_tol((double)score, expected * sqrt(D), 1e-3);
    }
}

static const struct {
    double divisor;
    bool ascii;
    const char *text;
} divisors[] = {
    {1, false, ""},
    {1, true, ""},
    {5.6568542494923806, false, "√32"},
    {5.6568542494923806, true, "rt32"},
    {2.8284271247461903, false, "2.83"},
    {0.5, false, "0.50"},
    {56.56, false, "56.6"},
    {5656.8, false, "5657"},
};

TEST(divisors_are_written_as_the_formula_has_them, .times = COUNT(divisors))
{
    struct trace of_32 = *trace;
    char text[24];
    of_32.dimensions = 32;
    dimensions_write_divisor(&(struct attending){&of_32, 0, 0, 0}, divisors[_i].divisor,
                             divisors[_i].ascii, text, sizeof text);
    ck_assert_str_eq(text, divisors[_i].text);
}

TEST(missing_tensors_are_told)
{
    struct trace recording = *trace;
    struct layer_trace layer = trace->layer[0];
    struct attending at = {&recording, 0, 0, 0};
    float score;
    recording.layer = &layer;
    ck_assert(dimensions_have_keys(&at) && dimensions_have_values(&at));
    layer.key.data = NULL;
    ck_assert(!dimensions_have_keys(&at) && dimensions_have_values(&at));
    ck_assert(dimensions_score(&at, 1, 1, &score));
    layer.scores = NULL;
    ck_assert(!dimensions_score(&at, 1, 1, &score));
    layer.value.data = NULL;
    ck_assert(!dimensions_have_values(&at));
}

TEST(dimensions_are_ranked_by_magnitude)
{
    static const float values[] = {0, -2, 1, 2, -0.5F, NAN, -7};
    static const size_t expected[] = {5, 6, 1, 3, 2, 4, 0};
    struct dimension ranked[7];
    dimensions_rank(values, 7, ranked);
    for (size_t i = 0; i < 7; i++) {
        ck_assert_uint_eq(ranked[i].index, expected[i]);
        ck_assert_mem_eq(&ranked[i].value, &values[expected[i]], sizeof *values);
    }
}
