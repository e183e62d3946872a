/* Metrics of heads against weights written by hand. */
#include "suites.h"

#include "headlight/lens/metrics.h"

#include <math.h>
#include <stdlib.h>

#define NEAR 1e-6

/* A trace of two layers of two heads, all weights 0. */
static struct trace *make(size_t tokens)
{
    struct config config = {.vocabulary = 10,
                            .hidden = 4,
                            .layers = 2,
                            .heads = 2,
                            .feed_forward = 4,
                            .positions = 64,
                            .segments = 2};
    struct trace *trace;
    struct error error;
    ck_assert_int_eq(trace_new(&config, tokens, false, false, 0, &trace, &error), STATUS_OK);
    return trace;
}

/* weights[1][from][to] of layer 1: layer 0 and head 0 stay empty, so that a wrong place shows. */
static float *weight(struct trace *trace, size_t from, size_t to)
{
    size_t tokens = trace->tokens;
    return &trace->layer[1].weights[(tokens + from) * tokens + to];
}

START_TEST(metrics_of_a_matrix_written_by_hand)
{
    static const float rows[4][4] = {{0.5F, 0.25F, 0.25F, 0},
                                     {0.75F, 0.25F, 0, 0},
                                     {0, 0.5F, 0, 0.5F},
                                     {0.25F, 0.25F, 0.25F, 0.25F}};
    const bool separators[4] = {false, false, true, true};
    struct trace *trace = make(4);
    for (size_t i = 0; i < 16; i++)
        *weight(trace, i / 4, i % 4) = rows[i / 4][i % 4];
    struct head_metrics metrics = metrics_measure(trace, 1, 1, separators);
    ck_assert_double_eq_tol(metrics.previous, (0.75 + 0.5 + 0.25) / 3, NEAR);
    ck_assert_double_eq_tol(metrics.next, (0.25 + 0 + 0.5) / 3, NEAR);
    ck_assert_double_eq_tol(metrics.self, (0.5 + 0.25 + 0 + 0.25) / 4, NEAR);
    ck_assert_double_eq_tol(metrics.first, (0.5 + 0.75 + 0 + 0.25) / 4, NEAR);
    ck_assert_double_eq_tol(metrics.separators, (0.25 + 0 + 0.5 + 0.5) / 4, NEAR);
    ck_assert_double_eq_tol(metrics.entropy, (1.5 + 0.8112781244591328 + 1 + 2) / 4, NEAR);
    ck_assert_double_eq_tol(metrics.distance, (0.75 + 0.75 + 1 + 1.5) / 4, NEAR);
    ck_assert_double_eq_tol(metrics.maximum, (0.5 + 0.75 + 0.5 + 0.25) / 4, NEAR);
    ck_assert_str_eq(metrics_name(&metrics, NULL), "previous");
    ck_assert_double_eq(metrics_measure(trace, 1, 1, NULL).separators, 0);
    ck_assert_double_eq(metrics_measure(trace, 0, 1, separators).self, 0);
    ck_assert_double_eq(metrics_measure(trace, 1, 0, separators).entropy, 0);
    free(trace);
}
END_TEST

/* Attention to one offset alone has no entropy; at the edge, where there is no such token, it goes
 * to the token itself. */
START_TEST(a_head_of_one_offset_is_named)
{
    static const struct {
        long offset;
        const char *name;
    } cases[] = {{-1, "previous"}, {1, "next"}, {0, "self"}, {2, ""}, {-2, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = make(9);
        double value;
        for (long from = 0; from < 9; from++) {
            long to = from + cases[i].offset;
            *weight(trace, (size_t)from, to < 0 || to > 8 ? (size_t)from : (size_t)to) = 1;
        }
        struct head_metrics metrics = metrics_measure(trace, 1, 1, NULL);
        ck_assert_str_eq(metrics_name(&metrics, &value), cases[i].name);
        ck_assert_double_eq_tol(metrics.entropy, 0, NEAR);
        ck_assert_double_eq_tol(metrics.maximum, 1, NEAR); /* which names no head */
        ck_assert(!metric_stands_out(METRIC_MAXIMUM, metrics.maximum));
        if (cases[i].name[0])
            ck_assert_double_eq_tol(value, 1, NEAR);
        else
            ck_assert_double_eq_tol(metrics.distance, 2.0 * 7 / 9, NEAR);
        free(trace);
    }
}
END_TEST

START_TEST(even_attention_has_the_largest_entropy)
{
    struct trace *trace = make(8);
    for (size_t i = 0; i < 64; i++)
        *weight(trace, i / 8, i % 8) = 0.125F;
    struct head_metrics metrics = metrics_measure(trace, 1, 1, NULL);
    ck_assert_double_eq_tol(metrics.entropy, 3, NEAR);
    ck_assert_double_eq_tol(metrics.previous, 0.125, NEAR);
    ck_assert_double_eq_tol(metrics.next, 0.125, NEAR);
    ck_assert_double_eq_tol(metrics.first, 0.125, NEAR);
    ck_assert_double_eq_tol(metrics.distance, 2.625, NEAR); /* (T² - 1) / 3T */
    ck_assert_str_eq(metrics_name(&metrics, NULL), "");
    free(trace);
}
END_TEST

START_TEST(first_and_separators_are_named)
{
    struct trace *trace = make(6);
    const bool separators[6] = {[3] = true, [5] = true};
    for (size_t from = 0; from < 6; from++)
        *weight(trace, from, 0) = 1;
    struct head_metrics metrics = metrics_measure(trace, 1, 1, separators);
    ck_assert_str_eq(metrics_name(&metrics, NULL), "first");
    for (size_t from = 0; from < 6; from++) {
        *weight(trace, from, 0) = 0;
        *weight(trace, from, 3) = *weight(trace, from, 5) = 0.5F;
    }
    metrics = metrics_measure(trace, 1, 1, separators);
    ck_assert_double_eq_tol(metrics.separators, 1, NEAR);
    ck_assert_double_eq_tol(metrics.entropy, 1, NEAR);
    ck_assert_str_eq(metrics_name(&metrics, NULL), "separators");
    free(trace);
}
END_TEST

START_TEST(one_token_has_no_neighbours)
{
    struct trace *trace = make(1);
    *weight(trace, 0, 0) = 1;
    struct head_metrics metrics = metrics_measure(trace, 1, 1, (const bool[]){false});
    ck_assert_double_eq(metrics.previous, 0);
    ck_assert_double_eq(metrics.next, 0);
    ck_assert_double_eq(metrics.self, 1);
    ck_assert_double_eq(metrics.first, 1);
    ck_assert_double_eq(metrics.entropy, 0);
    ck_assert_double_eq(metrics.distance, 0);
    ck_assert_str_eq(metrics_name(&metrics, NULL), "self");
    free(trace);
}
END_TEST

START_TEST(the_threshold_is_rounded)
{
    struct head_metrics metrics = {.next = 0.4994};
    double value = 0;
    ck_assert_str_eq(metrics_name(&metrics, &value), "");
    ck_assert_double_eq(value, 0.4994);
    metrics.next = 0.4996;
    ck_assert_str_eq(metrics_name(&metrics, NULL), "next");
    metrics.previous = 0.4995; /* equal when rounded: the first */
    ck_assert_str_eq(metrics_name(&metrics, NULL), "previous");
    metrics.separators = 0.7;
    ck_assert_str_eq(metrics_name(&metrics, &value), "separators");
    ck_assert_double_eq(value, 0.7);
}
END_TEST

START_TEST(what_is_no_weight_counts_as_none)
{
    struct trace *trace = make(2);
    *weight(trace, 0, 0) = NAN;
    *weight(trace, 0, 1) = -1;
    *weight(trace, 1, 0) = 0.5F;
    struct head_metrics metrics = metrics_measure(trace, 1, 1, NULL);
    ck_assert_double_eq(metrics.self, 0);
    ck_assert_double_eq(metrics.next, 0);
    ck_assert_double_eq(metrics.previous, 0.5);
    ck_assert_double_eq(metrics.entropy, 0.25);
    free(trace);
}
END_TEST

Suite *suite_lens_metrics(void)
{
    Suite *suite = suite_create("lens/metrics");
    TCase *tests = tcase_create("heads");
    tcase_add_test(tests, metrics_of_a_matrix_written_by_hand);
    tcase_add_test(tests, a_head_of_one_offset_is_named);
    tcase_add_test(tests, even_attention_has_the_largest_entropy);
    tcase_add_test(tests, first_and_separators_are_named);
    tcase_add_test(tests, one_token_has_no_neighbours);
    tcase_add_test(tests, the_threshold_is_rounded);
    tcase_add_test(tests, what_is_no_weight_counts_as_none);
    suite_add_tcase(suite, tests);
    return suite;
}
