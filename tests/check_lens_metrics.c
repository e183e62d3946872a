/* Metrics of heads against weights written by hand. */
#include "suites.h"

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
    ck_assert_int_eq(trace_new(&config, tokens, NULL, 0, &trace, &error), STATUS_OK);
    return trace;
}

/* weights[1][from][to] of layer 1: layer 0 and head 0 stay empty, so that a wrong place shows. */
static float *weight(struct trace *trace, size_t from, size_t to)
{
    size_t tokens = trace->tokens;
    return &trace->layer[1].weights[(tokens + from) * tokens + to];
}

TEST(metrics_of_a_matrix_written_by_hand)
{
    static const float rows[4][4] = {{0.5F, 0.25F, 0.25F, 0},
                                     {0.75F, 0.25F, 0, 0},
                                     {0, 0.5F, 0, 0.5F},
                                     {0.25F, 0.25F, 0.25F, 0.25F}};
    const struct token_kinds kinds = {.separators = (const bool[]){false, false, true, true}};
    struct trace *trace = make(4);
    for (size_t i = 0; i < 16; i++)
        *weight(trace, i / 4, i % 4) = rows[i / 4][i % 4];
    struct head_metrics metrics = metrics_measure(trace, 1, 1, &kinds);
    ck_assert_double_eq_tol(metrics.previous, (0.75 + 0.5 + 0.25) / 3, NEAR);
    ck_assert_double_eq_tol(metrics.next, (0.25 + 0 + 0.5) / 3, NEAR);
    ck_assert_double_eq_tol(metrics.self, (0.5 + 0.25 + 0 + 0.25) / 4, NEAR);
    ck_assert_double_eq_tol(metrics.first, (0.5 + 0.75 + 0 + 0.25) / 4, NEAR);
    ck_assert_double_eq_tol(metrics.separators, (0.25 + 0 + 0.5 + 0.5) / 4, NEAR);
    ck_assert_double_eq_tol(metrics.entropy, (1.5 + 0.8112781244591328 + 1 + 2) / 4, NEAR);
    ck_assert_double_eq_tol(metrics.distance, (0.75 + 0.75 + 1 + 1.5) / 4, NEAR);
    ck_assert_double_eq_tol(metrics.maximum, (0.5 + 0.75 + 0.5 + 0.25) / 4, NEAR);
    ck_assert_str_eq(metrics_label(&metrics).name, "previous");
    ck_assert_double_eq(metrics_measure(trace, 1, 1, NULL).separators, 0);
    ck_assert_double_eq(metrics_measure(trace, 0, 1, &kinds).self, 0);
    ck_assert_double_eq(metrics_measure(trace, 1, 0, &kinds).entropy, 0);
    free(trace);
}

/* Attention to one offset alone has no entropy; at the edge, where there is no such token, it goes
 * to the token itself. */
TEST(a_head_of_one_offset_is_named)
{
    static const struct {
        long offset;
        const char *name;
    } cases[] = {{-1, "previous"}, {1, "next"}, {0, "self"}, {2, ""}, {-2, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = make(9);
        for (long from = 0; from < 9; from++) {
            long to = from + cases[i].offset;
            *weight(trace, (size_t)from, to < 0 || to > 8 ? (size_t)from : (size_t)to) = 1;
        }
        struct head_metrics metrics = metrics_measure(trace, 1, 1, NULL);
        struct head_label label = metrics_label(&metrics);
        ck_assert_str_eq(label.name, cases[i].name);
        ck_assert_double_eq_tol(metrics.entropy, 0, NEAR);
        ck_assert_double_eq_tol(metrics.maximum, 1, NEAR); /* which names no head */
        ck_assert(!metric_stands_out(METRIC_MAXIMUM, metrics.maximum));
        if (cases[i].name[0])
            ck_assert_double_eq_tol(label.value, 1, NEAR);
        else
            ck_assert_double_eq_tol(metrics.distance, 2.0 * 7 / 9, NEAR);
        free(trace);
    }
}

TEST(even_attention_has_the_largest_entropy)
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
    ck_assert_double_eq_tol(metrics.broad, 1, NEAR);
    ck_assert_str_eq(metrics_label(&metrics).name, "broad");
    free(trace);
}

TEST(first_and_separators_are_named)
{
    struct trace *trace = make(6);
    const struct token_kinds kinds = {.separators = (const bool[6]){[3] = true, [5] = true}};
    for (size_t from = 0; from < 6; from++)
        *weight(trace, from, 0) = 1;
    struct head_metrics metrics = metrics_measure(trace, 1, 1, &kinds);
    ck_assert_str_eq(metrics_label(&metrics).name, "first");
    for (size_t from = 0; from < 6; from++) {
        *weight(trace, from, 0) = 0;
        *weight(trace, from, 3) = *weight(trace, from, 5) = 0.5F;
    }
    metrics = metrics_measure(trace, 1, 1, &kinds);
    ck_assert_double_eq_tol(metrics.separators, 1, NEAR);
    ck_assert_double_eq_tol(metrics.entropy, 1, NEAR);
    ck_assert_str_eq(metrics_label(&metrics).name, "separators");
    free(trace);
}

/* The pieces a b a c b a between [CLS] and [SEP]. */
static const size_t repeated[8] = {NO_TOKEN, 1, 2, 1, NO_TOKEN, 2, 1, NO_TOKEN};

TEST(the_same_word_is_any_other_of_its_occurrences)
{
    const struct token_kinds kinds = {.words = repeated};
    struct trace *trace = make(8);
    for (size_t from = 0; from < 8; from++) /* not from nor to other words, nor a word to itself */
        *weight(trace, from, 0) = *weight(trace, from, from) = 0.25F;
    *weight(trace, 4, 1) = 1;
    ck_assert_double_eq(metrics_measure(trace, 1, 1, &kinds).same, 0);
    *weight(trace, 1, 3) = 0.5F;
    *weight(trace, 1, 6) = 0.25F;
    *weight(trace, 3, 1) = 1;
    *weight(trace, 6, 3) = 0.5F;
    *weight(trace, 5, 2) = 0.75F;
    ck_assert_double_eq_tol(metrics_measure(trace, 1, 1, &kinds).same,
                            (0.75 + 1 + 0.5 + 0 + 0.75) / 5, NEAR);
    free(trace);
}

TEST(a_head_of_the_same_word_is_labelled)
{
    const struct token_kinds kinds = {.words = repeated};
    struct trace *trace = make(8);
    for (size_t from = 0; from < 8; from++)
        for (size_t to = 1; to < 8; to++)
            if (repeated[from] == NO_TOKEN)
                *weight(trace, from, 0) = 1;
            else if (to != from && repeated[to] == repeated[from])
                *weight(trace, from, to) = repeated[from] == 1 ? 0.5F : 1;
    struct head_metrics metrics = metrics_measure(trace, 1, 1, &kinds);
    struct head_label label = metrics_label(&metrics);
    ck_assert_str_eq(label.name, "same word");
    ck_assert_double_eq_tol(label.value, 1, NEAR);
    free(trace);
}

TEST(without_repeated_words_there_is_no_number)
{
    static const size_t once[4] = {NO_TOKEN, NO_TOKEN, NO_TOKEN, NO_TOKEN};
    const struct token_kinds kinds[] = {{.words = once}, {.words = NULL}};
    struct trace *trace = make(4);
    for (size_t from = 0; from < 4; from++)
        *weight(trace, from, from) = 1;
    for (size_t i = 0; i < 3; i++) {
        struct head_metrics metrics = metrics_measure(trace, 1, 1, i < 2 ? &kinds[i] : NULL);
        char text[32];
        ck_assert(isnan(metrics.same));
        ck_assert(!metric_stands_out(METRIC_SAME, metrics.same));
        ck_assert_str_eq(metrics_label(&metrics).name, "self");
        metric_print(text, sizeof text, METRIC_SAME, metrics.same, 3);
        ck_assert_str_eq(text, "-");
        metric_print_whole(text, sizeof text, METRIC_SAME, metrics.same);
        ck_assert_str_eq(text, "-");
    }
    free(trace);
}

/* Each token weighs alike those up to itself, which are all that it may attend to. */
TEST(causal_attention_can_be_broad)
{
    struct trace *trace = make(8);
    for (size_t from = 0; from < 8; from++)
        for (size_t to = 0; to <= from; to++)
            *weight(trace, from, to) = 1.0F / (float)(from + 1);
    struct head_metrics metrics = metrics_measure(trace, 1, 1, NULL);
    struct head_label label = metrics_label(&metrics);
    ck_assert_double_lt(metrics.entropy, METRICS_BROAD * 3);
    ck_assert_str_eq(label.name, "broad");
    ck_assert_double_eq_tol(label.value, 1, NEAR);
    free(trace);
}

/* One token has a share of each row, the others the rest in equal parts. */
TEST(attention_is_broad_from_a_share_of_the_largest_entropy)
{
    struct trace *trace = make(16);
    for (int percent = 10; percent < 50; percent++) {
        double one = percent / 100.0, rest = (1 - one) / 15;
        for (size_t i = 0; i < 256; i++)
            *weight(trace, i / 16, i % 16) = (float)(i % 16 == (i / 16 + 5) % 16 ? one : rest);
        struct head_metrics metrics = metrics_measure(trace, 1, 1, NULL);
        double share = -(one * log2(one) + 15 * rest * log2(rest)) / 4;
        ck_assert_double_eq_tol(metrics.broad, share, NEAR);
        ck_assert_str_eq(metrics_label(&metrics).name, share >= 0.85 ? "broad" : "");
    }
    free(trace);
}

TEST(one_token_has_no_neighbours)
{
    struct trace *trace = make(1);
    *weight(trace, 0, 0) = 1;
    struct head_metrics metrics = metrics_measure(
        trace, 1, 1, &(const struct token_kinds){.words = (const size_t[]){NO_TOKEN}});
    ck_assert_double_eq(metrics.previous, 0);
    ck_assert_double_eq(metrics.next, 0);
    ck_assert_double_eq(metrics.self, 1);
    ck_assert_double_eq(metrics.first, 1);
    ck_assert_double_eq(metrics.entropy, 0);
    ck_assert_double_eq(metrics.distance, 0);
    ck_assert_str_eq(metrics_label(&metrics).name, "self");
    free(trace);
}

TEST(the_threshold_is_rounded)
{
    struct head_metrics metrics = {.next = 0.4994, .same = NAN};
    ck_assert_str_eq(metrics_label(&metrics).name, "");
    ck_assert_int_eq(metrics_label(&metrics).label, LABEL_NONE);
    ck_assert_double_eq(metrics_label(&metrics).value, 0);
    metrics.next = 0.4996;
    ck_assert_str_eq(metrics_label(&metrics).name, "next");
    metrics.previous = 0.4995; /* equal when rounded: the first */
    ck_assert_str_eq(metrics_label(&metrics).name, "previous");
    metrics.separators = 0.7;
    ck_assert_str_eq(metrics_label(&metrics).name, "separators");
    ck_assert_double_eq(metrics_label(&metrics).value, 0.7);
    metrics.same = 0.8;
    ck_assert_str_eq(metrics_label(&metrics).name, "same word");
    metrics.broad = 0.8494; /* below its own threshold, if larger than the others */
    ck_assert_str_eq(metrics_label(&metrics).name, "same word");
    metrics.broad = 0.8496;
    ck_assert_str_eq(metrics_label(&metrics).name, "broad");
}

/* As many tokens of another text: what compares places isn't measured, and names no head. Nothing
 * is behind what sees the past alone. */
TEST(places_are_of_one_text)
{
    struct trace *trace = make(3);
    for (size_t i = 0; i < 3; i++)
        *weight(trace, i, i) = 1;
    trace->computed.changes.causal = true;
    ck_assert(isnan(metrics_measure(trace, 1, 1, NULL).next));
    ck_assert_double_eq(metrics_measure(trace, 1, 1, NULL).self, 1);
    trace->axes = AXES_TWO_TEXTS;
    ck_assert_str_eq(metrics_label(&(struct head_metrics){.self = 1}).name, "self");
    struct head_metrics metrics = metrics_measure(trace, 1, 1, NULL);
    ck_assert(isnan(metrics.self) && isnan(metrics.previous) && isnan(metrics.next));
    ck_assert(isnan(metrics.distance) && isnan(metrics.same));
    ck_assert_double_eq_tol(metrics.first, 1.0 / 3, NEAR);
    ck_assert_double_eq(metrics.maximum, 1);
    ck_assert_int_eq(metrics_label(&metrics).label, LABEL_NONE);
    free(trace);
}

TEST(what_is_no_weight_counts_as_none)
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

TEST(a_value_fits_any_width_from_two_on)
{
    static const double values[] = {0, 0.004, 0.04, 0.25, 0.96, 0.996, 1, 3.17, -0.04, -0.3, -7.5};
    for (enum metric metric = METRIC_ENTROPY; metric < METRIC_COUNT; metric++)
        for (int i = 0; i < COUNT(values); i++)
            for (int width = 2; width < 7; width++) {
                char text[32];
                metric_print(text, sizeof text, metric, values[i], width);
                ck_assert_msg(*text && strlen(text) <= (size_t)width, "%s: %s in %d characters",
                              metric_info(metric)->name, text, width);
            }
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
