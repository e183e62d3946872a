/* Metrics of heads by their definitions, and the labels that follow from them. */
#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/lens/metrics.h"
#include "headlight/model/trace_new.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    assert_ok(trace_blank(&config, tokens, NULL, 0, &trace, &error), error);
    return trace;
}

/* weights[1][from][to] of layer 1: layer 0 and head 0 stay empty, so that a wrong place shows. */
static float *weight(struct trace *trace, size_t from, size_t to)
{
    size_t tokens = trace->tokens;
    return &trace->layer[1].weights[(tokens + from) * tokens + to];
}

/* What is no number, or negative, is no weight. */
static double at(struct trace *trace, size_t from, size_t to)
{
    const double found = to < trace->tokens ? (double)*weight(trace, from, to) : 0;
    return found > 0 ? found : 0;
}

static bool sees(const struct trace *trace, size_t from, size_t to)
{
    const size_t apart = from > to ? from - to : to - from;
    return (!trace->computed.changes.causal || to <= from) &&
           (!trace->local[1] || apart <= trace->reach);
}

/* As the header defines them. */
static struct head_metrics define(struct trace *trace, const struct token_kinds *kinds)
{
    const size_t T = trace->tokens;
    const double rows = (double)T, neighbours = T > 1 ? rows - 1 : 1;
    struct head_metrics sum = {.rest = 0};
    double most = 0, repeated = 0, induced = 0;
    for (size_t i = 0; i < T; i++) {
        size_t seen = 0;
        bool elsewhere = false, before = false;
        double largest = 0;
        for (size_t j = 0; j < T; j++) {
            const double w = at(trace, i, j);
            const bool same = kinds->words[i] != NO_TOKEN && kinds->words[j] == kinds->words[i];
            sum.of[METRIC_ENTROPY] -= w > 0 ? w * log2(w) / rows : 0;
            sum.of[METRIC_SEPARATORS] += kinds->separators[j] ? w / rows : 0;
            sum.of[METRIC_DISTANCE] += w * fabs((double)i - (double)j) / rows;
            sum.of[METRIC_SAME] += same && i != j ? w : 0;
            sum.of[METRIC_INDUCTION] += same && j + 2 < i ? at(trace, i, j + 1) : 0;
            elsewhere |= same && i != j && sees(trace, i, j);
            before |= same && j + 2 < i && sees(trace, i, j + 1);
            largest = fmax(largest, w);
            seen += sees(trace, i, j);
        }
        sum.of[METRIC_PREVIOUS] += at(trace, i, i - 1) / neighbours;
        sum.of[METRIC_NEXT] += at(trace, i, i + 1) / neighbours;
        sum.of[METRIC_SELF] += at(trace, i, i) / rows;
        sum.of[METRIC_FIRST] += at(trace, i, 0) / rows;
        sum.of[METRIC_MAXIMUM] += largest / rows;
        most += log2((double)seen);
        repeated += elsewhere;
        induced += before;
    }
    sum.of[METRIC_INDUCTION] = induced > 0 ? sum.of[METRIC_INDUCTION] / induced : NAN;
    if (trace->computed.changes.causal)
        sum.of[METRIC_NEXT] = NAN;
    sum.of[METRIC_SAME] = repeated > 0 ? sum.of[METRIC_SAME] / repeated : NAN;
    sum.of[METRIC_BROAD] = most > 0 ? sum.of[METRIC_ENTROPY] * rows / most : 0;
    return sum;
}

static void assert_near(double a, double b, const char *name)
{
    if (!(isnan(a) && isnan(b)) && !(fabs(a - b) <= NEAR))
        ck_abort_msg("%s: %g, expected %g", name, a, b);
}

/* Of texts of any length, causal ones and those of a window too; layer 0 and head 0 stay empty. */
TEST(numbers_are_what_they_are_defined_as, .times = 40)
{
    static const size_t repeated[] = {NO_TOKEN, 1, 2, 1, NO_TOKEN, 2, 1, NO_TOKEN, NO_TOKEN};
    static const size_t once[] = {NO_TOKEN, NO_TOKEN, NO_TOKEN, NO_TOKEN, NO_TOKEN,
                                  NO_TOKEN, NO_TOKEN, NO_TOKEN, NO_TOKEN};
    const size_t T = 1 + (size_t)_i % 9;
    const struct token_kinds kinds = {(const bool[9]){[2] = true, [7] = true},
                                      T > 6 ? repeated : once};
    struct trace *trace = make(T);
    uint64_t state = (uint64_t)_i;
    trace->computed.changes.causal = _i % 3 == 0;
    trace->local[1] = _i % 4 < 2;
    trace->reach = 2;
    for (size_t i = 0; i < T * T; i++)
        if (sees(trace, i / T, i % T))
            *weight(trace, i / T, i % T) = (float)random_below(&state, 100) / 99;
    *weight(trace, T - 1, T / 2) = NAN;
    *weight(trace, T / 2, 0) = -1;
    const struct head_metrics found = metrics_measure(trace, 1, 1, &kinds),
                              expected = define(trace, &kinds);
    for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++)
        assert_near(found.of[metric], expected.of[metric], metric_infos[metric].name);
    ck_assert_double_eq(metrics_measure(trace, 1, 1, NULL).of[METRIC_SEPARATORS], 0);
    ck_assert(isnan(metrics_measure(trace, 1, 1, NULL).of[METRIC_SAME]));
    ck_assert_double_eq(metrics_measure(trace, 0, 1, &kinds).of[METRIC_SELF], 0);
    ck_assert_double_eq(metrics_measure(trace, 1, 0, &kinds).of[METRIC_ENTROPY], 0);
    free(trace);
}

TEST(what_has_no_number_is_a_dash)
{
    char text[32];
    ck_assert(!metric_stands_out(METRIC_SAME, (double)NAN));
    metric_print(text, sizeof text, METRIC_SAME, (double)NAN);
    ck_assert_str_eq(text, "-");
}

/* ---- Labels ---- */

/* From half of the attention on, in thousandths; broad from a share of its own; of equal ones the
 * first. The largest weight names none. */
TEST(a_head_is_called_by_its_largest_number)
{
    static const struct {
        struct head_metrics metrics;
        const char *name;
        double value;
    } cases[] = {
        {{.named = {[METRIC_NEXT] = 0.4994, [METRIC_SAME] = (double)NAN}}, "", 0},
        {{.named = {[METRIC_NEXT] = 0.4996, [METRIC_SAME] = (double)NAN}}, "next", 0.4996},
        {{.named = {[METRIC_NEXT] = 0.4996, [METRIC_PREVIOUS] = 0.4995}}, "previous", 0.4995},
        {{.named = {[METRIC_NEXT] = 0.6, [METRIC_SELF] = 0.7}}, "self", 0.7},
        {{.named = {[METRIC_FIRST] = 0.5},
          .of = {[METRIC_MAXIMUM] = 1, [METRIC_DISTANCE] = 3, [METRIC_ENTROPY] = 2}},
         "first",
         0.5},
        {{.named = {[METRIC_NEXT] = 0.6, [METRIC_SEPARATORS] = 0.7}}, "separators", 0.7},
        {{.named = {[METRIC_SEPARATORS] = 0.7, [METRIC_SAME] = 0.8}}, "same word", 0.8},
        {{.named = {[METRIC_SAME] = 0.8, [METRIC_BROAD] = 0.8494}}, "same word", 0.8},
        {{.named = {[METRIC_SAME] = 0.8, [METRIC_BROAD] = 0.8496}}, "broad", 0.8496},
        {{.of = {[METRIC_MAXIMUM] = 1}}, "", 0},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        const struct head_label label = metrics_label(&cases[i].metrics);
        ck_assert_str_eq(label.name, cases[i].name);
        ck_assert_double_eq(label.value, cases[i].value);
        ck_assert_int_eq(label.metric == METRIC_NONE, !*cases[i].name);
    }
    ck_assert(!metric_stands_out(METRIC_MAXIMUM, 1));
}

/* Each token weighs alike those up to itself, which are all that it may attend to: as the site
 * tells, or the weights of a recording. */
TEST(causal_attention_can_be_broad, .times = 2)
{
    struct trace *trace = make(8);
    if (_i == 0)
        trace->axes = AXES_PAST;
    else
        trace->scratch = NULL;
    for (size_t from = 0; from < 8; from++)
        for (size_t to = 0; to <= from; to++)
            *weight(trace, from, to) = 1.0F / (float)(from + 1);
    struct head_metrics metrics = metrics_measure(trace, 1, 1, NULL);
    ck_assert_double_lt(metrics.of[METRIC_ENTROPY], METRICS_BROAD * 3);
    ck_assert_str_eq(metrics_label(&metrics).name, "broad");
    ck_assert_double_eq_tol(metrics.of[METRIC_BROAD], 1, NEAR);
    free(trace);
}

/* As many tokens of another text: what compares places isn't measured, and names no head. Nothing
 * is behind what sees the past alone. */
TEST(places_are_of_one_text)
{
    struct trace *trace = make(3);
    for (size_t i = 0; i < 3; i++)
        *weight(trace, i, i) = 1;
    trace->computed.changes.causal = true;
    ck_assert(isnan(metrics_measure(trace, 1, 1, NULL).of[METRIC_NEXT]));
    ck_assert_double_eq(metrics_measure(trace, 1, 1, NULL).of[METRIC_SELF], 1);
    trace->axes = AXES_TWO_TEXTS;
    ck_assert_str_eq(metrics_label(&(struct head_metrics){.named = {[METRIC_SELF] = 1}}).name,
                     "self");
    struct head_metrics metrics = metrics_measure(trace, 1, 1, NULL);
    ck_assert(isnan(metrics.of[METRIC_SELF]) && isnan(metrics.of[METRIC_PREVIOUS]) &&
              isnan(metrics.of[METRIC_NEXT]));
    ck_assert(isnan(metrics.of[METRIC_DISTANCE]) && isnan(metrics.of[METRIC_SAME]));
    ck_assert_double_eq_tol(metrics.of[METRIC_FIRST], 1.0 / 3, NEAR);
    ck_assert_double_eq(metrics.of[METRIC_MAXIMUM], 1);
    ck_assert_int_eq(metrics_label(&metrics).metric, METRIC_NONE);
    free(trace);
}

/* Of what is not on the first token, rows counting as much as they have of it. */
TEST(beside_a_sink_a_label_stands_on_the_rest)
{
    static const float rows[5][5] = {
        {1}, {0.6F, 0.4F}, {0.5F, 0.3F, 0.2F}, {0.8F, 0, 0.2F, 0}, {0.2F, 0.1F, 0.1F, 0.6F, 0}};
    static const size_t words[] = {NO_TOKEN, 1, NO_TOKEN, NO_TOKEN, 1};
    const struct token_kinds kinds = {(const bool[5]){[2] = true}, words};
    struct trace *trace = make(5);
    for (size_t i = 0; i < 25; i++)
        *weight(trace, i / 5, i % 5) = rows[i / 5][i % 5];
    ck_assert_str_eq(metrics_label(&(struct head_metrics){.rest = 0.4}).name, "");
    struct head_metrics metrics = metrics_measure(trace, 1, 1, &kinds);
    ck_assert_double_eq(metrics.rest, 0);
    ck_assert_double_eq(metrics.named[METRIC_FIRST], metrics.of[METRIC_FIRST]);
    ck_assert_str_eq(metrics_label(&metrics).name, "first");
    trace->axes = AXES_PAST;
    metrics = metrics_measure(trace, 1, 1, &kinds);
    ck_assert_double_eq_tol(metrics.of[METRIC_FIRST], 3.1 / 5, NEAR);
    ck_assert_double_eq_tol(metrics.of[METRIC_PREVIOUS], (0.6 + 0.3 + 0.2 + 0.6) / 4, NEAR);
    ck_assert_double_eq_tol(metrics.rest, (0.5 + 0.2 + 0.8) / 3, NEAR);
    ck_assert_double_eq_tol(metrics.named[METRIC_PREVIOUS], (0.3 + 0.2 + 0.6) / (0.5 + 0.2 + 0.8),
                            NEAR);
    ck_assert_double_eq_tol(metrics.named[METRIC_SELF], 0.2 / 1.5, NEAR);
    ck_assert_double_eq_tol(metrics.named[METRIC_SEPARATORS], (0.2 + 0.2 + 0.1) / 1.5, NEAR);
    ck_assert_double_eq_tol(metrics.named[METRIC_SAME], 0.1 / 0.8, NEAR);
    const double bits =
        -0.5 * (0.6 * log2(0.6) + 0.4 * log2(0.4)) - 0.8 * (0.25 * log2(0.125) + 0.75 * log2(0.75));
    ck_assert_double_eq_tol(metrics.named[METRIC_BROAD],
                            bits / (0.5 + 0.2 * log2(3) + 0.8 * log2(4)), NEAR);
    const struct head_label label = metrics_label(&metrics);
    ck_assert_str_eq(label.name, "previous");
    ck_assert_double_eq_tol(label.rest, 0.5, NEAR);
    for (size_t i = 1; i < 5; i++) /* next to nothing beside it */
        *weight(trace, i, i) = 1 - (*weight(trace, i, 0) = 0.96F);
    for (size_t i = 2; i < 5; i++)
        memset(weight(trace, i, 1), 0, (i - 1) * sizeof(float));
    metrics = metrics_measure(trace, 1, 1, &kinds);
    ck_assert_str_eq(metrics_label(&metrics).name, "first");
    ck_assert_double_eq(metrics_label(&metrics).rest, 0);
    free(trace);
}

static bool count_steps(void *context, size_t done, size_t total)
{
    ck_assert_uint_eq(done, ++*(size_t *)context);
    return done <= total;
}

TEST(the_watch_is_told_of_each_layer)
{
    struct trace *trace = make(5);
    struct head_metrics *metrics;
    struct error error;
    size_t layers = 0;
    const struct watch watch = {count_steps, &layers};
    ck_assert_int_eq(metrics_measure_all(trace, NULL, &watch, &metrics, &error), STATUS_OK);
    ck_assert_uint_eq(layers, trace->layers);
    free(metrics);
    free(trace);
}
