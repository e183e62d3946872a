/* What holds of every forward pass: of what is changed in it, of what goes in, of what is kept from
 * the one before. */
#include "headlight/model/forward.h"
#include "headlight/tensor/thread_pool.h"
#include "model_helpers.h"
#include "recorded.h"
#include "suites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of two passes whose sums have another order. */
#define SAME 2e-6

static struct error error;
static struct model *model;

static void open_tiny(void)
{
    assert_ok(model_open(TINY_FOLDER, NULL, &model, &error), error);
}

static void open_built_in(void)
{
    assert_ok(model_open("assets/model", NULL, &model, &error), error);
}

static void close_model(void)
{
    model_free(model);
}

static const struct fixture slow_tests = {.begin = open_built_in, .end = close_model, .slow = true};

TESTS(.begin = open_tiny, .end = close_model);

/* ---- What is changed ---------------------------------------------------------------------- */

static struct trace *run_changed(const int32_t *ids, size_t tokens,
                                 const struct interventions *changes)
{
    static const int32_t segments[64];
    struct trace *trace;
    assert_ok(forward_prepare(model, ids, segments, tokens, true, &trace, &error), error);
    assert_ok(forward_run(model, changes, NULL, trace, &error), error);
    return trace;
}

/* What asks for nothing, or of tokens that are not there. */
TEST(no_change_changes_no_bit)
{
    static const struct interventions idle[] = {
        {.temperature = 1},
        {.hidden_count = 2, .hidden = {5, 63}},
        {.cut_count = 3, .cuts = {{0, 1, 2, 5}, {1, 0, 7, 1}, {2, 3, 70, 80}}},
    };
    const int32_t ids[] = {2, 78, 9, 50, 3};
    struct trace *plain = run_changed(ids, 5, NULL);
    for (size_t i = 0; i < COUNT(idle); i++) {
        struct trace *same = run_changed(ids, 5, &idle[i]);
        assert_same_bits(plain, same);
        free(same);
    }
    free(plain);
}

/* "dog bites man" and "man bites dog": without positions a word's output is its own wherever it
 * stands, and with them it is not. */
TEST(without_positions_outputs_go_with_their_words)
{
    static const int32_t one[] = {2, 86, 87, 89, 3}, other[] = {2, 89, 87, 86, 3};
    static const size_t place[] = {0, 3, 2, 1, 4};
    static const struct interventions changes[] = {{.positions = POSITIONS_NONE},
                                                   {.causal = false}};
    for (size_t i = 0; i < 2; i++) {
        struct trace *a = run_changed(one, 5, &changes[i]);
        struct trace *b = run_changed(other, 5, &changes[i]);
        const size_t H = a->hidden;
        double largest = 0;
        for (size_t t = 0; t < 5; t++)
            for (size_t d = 0; d < H; d++)
                largest = fmax(largest, fabs((double)a->layer[2].output[t * H + d] -
                                             (double)b->layer[2].output[place[t] * H + d]));
        ck_assert_int_eq(largest < SAME, i == 0);
        free(a);
        free(b);
    }
}

TEST(a_hidden_token_is_seen_by_none_and_sees_the_others)
{
    const int32_t ids[] = {2, 78, 9, 50, 3};
    struct interventions changes = {0};
    assert_ok(interventions_hide(&changes, 3, &error), error);
    struct trace *trace = run_changed(ids, 5, &changes);
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t head = 0; head < trace->heads; head++)
            for (size_t from = 0; from < 5; from++) {
                double sum = 0;
                for (size_t to = 0; to < 5; to++) {
                    double weight = (double)trace_weight(trace, l, head, from, to);
                    ck_assert_int_eq(weight > 0, to != 3);
                    ck_assert_int_eq(trace_is_masked(trace_score(trace, l, head, from, to)),
                                     to == 3);
                    sum += weight;
                }
                ck_assert_double_eq_tol(sum, 1, 1e-6);
            }
    free(trace);
}

/* Rows with nothing left: of all heads where all is hidden, of one where a row is cut. */
TEST(a_row_with_nothing_left_is_zero, .times = 2)
{
    const int32_t ids[] = {2, 78, 9, 50, 3};
    struct interventions changes = {.causal = _i, .uniform = {0, 1, 2}};
    for (uint32_t t = 0; t < 5; t++)
        assert_ok(interventions_hide(&changes, t, &error), error);
    struct trace *trace = run_changed(ids, 5, &changes);
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t i = 0; i < trace->heads * 25; i++) {
            ck_assert_float_eq(trace->layer[l].weights[i], 0);
            ck_assert(trace_is_masked(trace->layer[l].scores[i]));
        }
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t i = 0; i < 5 * trace->hidden; i++) {
            ck_assert_float_eq(trace->layer[l].context[i], 0);
            ck_assert(isfinite(trace->layer[l].output[i]));
        }
    free(trace);
}

TEST(equal_weights_leave_the_scores)
{
    const int32_t ids[] = {2, 78, 9, 50, 3};
    const struct interventions causal = {.causal = true};
    struct interventions changes = {.causal = true, .uniform = {4}};
    struct trace *plain = run_changed(ids, 5, &causal);
    struct trace *equal = run_changed(ids, 5, &changes);
    for (size_t i = 0; i < plain->heads * 25; i++)
        ck_assert(!(plain->layer[0].scores[i] < equal->layer[0].scores[i]) &&
                  !(plain->layer[0].scores[i] > equal->layer[0].scores[i]));
    for (size_t from = 0; from < 5; from++)
        for (size_t to = 0; to < 5; to++) {
            double expected = to <= from ? 1 / (double)(from + 1) : 0;
            ck_assert_double_eq_tol((double)trace_weight(equal, 0, 2, from, to), expected, 1e-7);
            ck_assert_float_eq(trace_weight(equal, 0, 1, from, to),
                               trace_weight(plain, 0, 1, from, to));
        }
    free(plain);
    free(equal);
}

/* ---- What goes in ------------------------------------------------------------------------- */

TEST(text_must_fit_the_positions)
{
    int32_t ids[67] = {0}, segments[67] = {0};
    struct trace *trace;
    assert_fails(forward_prepare(model, ids, segments, 0, true, &trace, &error), STATUS_LIMIT,
                 "no tokens", error);
    ck_assert_ptr_null(trace);
    assert_fails(forward_prepare(model, ids, segments, 67, true, &trace, &error), STATUS_LIMIT,
                 "the text is 67 tokens long, the model has 64 positions: shorten it by 3 tokens",
                 error);
    assert_ok(forward_prepare(model, ids, segments, 64, true, &trace, &error), error);
    assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
    free(trace);
    assert_ok(forward_prepare(model, ids, segments, 1, true, &trace, &error), error);
    assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
    ck_assert_float_eq(trace_weight(trace, 0, 0, 0, 0), 1);
    free(trace);
}

TEST(ids_and_segments_must_be_rows_of_the_tables)
{
    int32_t segments[] = {0, 0, 0}, good[] = {2, 100, 3};
    struct trace *trace;
    const int32_t bad_ids[][3] = {{2, 101, 3}, {2, -1, 3}};
    for (size_t i = 0; i < 2; i++)
        assert_fails(forward_prepare(model, bad_ids[i], segments, 3, true, &trace, &error),
                     STATUS_MISMATCH, "token 1: expected an id from 0 to 100", error);
    segments[2] = 2;
    assert_fails(forward_prepare(model, good, segments, 3, true, &trace, &error), STATUS_MISMATCH,
                 "token 2: expected a segment from 0 to 1", error);
}

static bool stop_after_two_layers(void *context, size_t done, size_t total)
{
    *(size_t *)context = done;
    return done != 2 && total == 3;
}

TEST(a_watch_can_stop_it)
{
    struct trace *trace;
    const int32_t ids[] = {2, 78, 3}, segments[] = {0, 0, 0};
    size_t last = 99;
    struct watch watch = {stop_after_two_layers, &last};
    assert_ok(forward_prepare(model, ids, segments, 3, true, &trace, &error), error);
    assert_fails(forward_run(model, NULL, &watch, trace, &error), STATUS_CANCELLED,
                 "cancelled after 2 of 3", error);
    ck_assert_uint_eq(last, 2);
    ck_assert_float_ne(trace->layer[1].output[0], 0);
    ck_assert_float_eq(trace->layer[2].output[0], 0);
    free(trace);
}

/* What an earlier pass left in a trace must not show in the next one. */
TEST(a_trace_can_be_computed_again)
{
    cJSON *cases = recorded_object(TINY_FOLDER, "cases.json");
    struct trace *fresh = recorded_prepare(model, json_member(cases, "pair"), true);
    struct trace *used = recorded_prepare(model, json_member(cases, "pair"), true);
    struct interventions changes = {.causal = true, .off = {15, 15, 15}};
    cJSON_Delete(cases);
    assert_ok(forward_run(model, NULL, NULL, fresh, &error), error);
    assert_ok(forward_run(model, NULL, NULL, used, &error), error);
    assert_ok(forward_run(model, &changes, NULL, used, &error), error);
    ck_assert_float_ne(fresh->outputs[OUTPUT_NSP][0], used->outputs[OUTPUT_NSP][0]);
    assert_ok(forward_run(model, NULL, NULL, used, &error), error);
    assert_same_bits(fresh, used);
    free(fresh);
    free(used);
}

static bool count_layers(void *context, size_t done, size_t total)
{
    *(size_t *)context += 1;
    return done <= total;
}

/* What a change does not reach is not computed anew; the rest is as if all of it had been. */
TEST(layers_before_a_change_are_kept)
{
    static const struct {
        struct interventions changes;
        size_t layers; /* that are computed, after the ones before it */
    } passes[] = {
        {{.off = {0}}, 3},
        {{.off = {0, 0, 2}}, 1},
        {{.off = {0, 0, 2}}, 0},
        {{.off = {0, 4, 2}}, 2},
        {{.off = {0, 4, 0}}, 1},
        {{.causal = true, .off = {0, 4, 0}}, 3},
        {{.causal = true}, 2},
        {{.unscaled = true}, 3},
        {{.off = {0}}, 3},
        {{.off = {0, 0, 15}}, 1},
        {{.uniform = {0, 2}}, 2},
        {{.uniform = {0, 2}, .cut_count = 1, .cuts = {{2, 1, 0, 3}}}, 1},
        {{.uniform = {0, 2}, .cut_count = 2, .cuts = {{1, 3, 4, 4}, {2, 1, 0, 3}}}, 2},
        {{.cut_count = 2, .cuts = {{1, 3, 4, 4}, {2, 1, 0, 3}}}, 2},
        {{.cut_count = 2, .cuts = {{1, 3, 4, 4}, {2, 1, 0, 2}}}, 1},
        {{.cut_count = 1, .cuts = {{1, 3, 4, 4}}}, 1},
        {{.cut_count = 1, .cuts = {{1, 3, 4, 4}}, .temperature = 1}, 0},
        {{.temperature = 2}, 3},
        {{.temperature = 2.5}, 3},
        {{.hidden_count = 1, .hidden = {3}}, 3},
        {{.hidden_count = 1, .hidden = {2}}, 3},
        {{.no_segments = true}, 3},
        {{.positions = POSITIONS_NONE}, 3},
        {{.positions = POSITIONS_SINUSOIDAL}, 3},
    };
    struct trace *used = NULL;
    const int32_t ids[] = {2, 78, 9, 50, 3}, segments[] = {0, 0, 0, 1, 1};
    assert_ok(forward_prepare(model, ids, segments, 5, true, &used, &error), error);
    for (size_t i = 0; i < COUNT(passes); i++) {
        struct trace *fresh;
        size_t layers = 0;
        struct watch watch = {count_layers, &layers};
        assert_ok(forward_prepare(model, ids, segments, 5, true, &fresh, &error), error);
        assert_ok(forward_run(model, &passes[i].changes, NULL, fresh, &error), error);
        assert_ok(forward_run(model, &passes[i].changes, &watch, used, &error), error);
        ck_assert_uint_eq(layers, passes[i].layers);
        assert_same_bits(fresh, used);
        free(fresh);
    }
    free(used);
}

TEST(a_cancelled_pass_goes_on_where_it_was)
{
    struct trace *fresh, *used;
    const int32_t ids[] = {2, 78, 3}, segments[] = {0, 0, 0};
    size_t last = 0, layers = 0;
    struct watch stopping = {stop_after_two_layers, &last}, counting = {count_layers, &layers};
    assert_ok(forward_prepare(model, ids, segments, 3, true, &fresh, &error), error);
    assert_ok(forward_prepare(model, ids, segments, 3, true, &used, &error), error);
    ck_assert_int_eq(forward_run(model, NULL, &stopping, used, &error), STATUS_CANCELLED);
    assert_ok(forward_run(model, NULL, &counting, used, &error), error);
    assert_ok(forward_run(model, NULL, NULL, fresh, &error), error);
    ck_assert_uint_eq(layers, 1);
    assert_same_bits(fresh, used);
    free(fresh);
    free(used);
}

/* Threads share the work out; what is computed does not depend on how. */
TEST(any_number_of_threads_gives_the_same_bits, .with = &slow_tests)
{
    static const size_t lengths[] = {5, 13, 20, 64};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct trace *alone = NULL;
        int32_t ids[64], segments[64];
        for (size_t t = 0; t < lengths[i]; t++) {
            ids[t] = (int32_t)(7 + 131 * t);
            segments[t] = t > lengths[i] / 2;
        }
        for (size_t threads = 1; threads <= 4; threads++) {
            struct trace *trace;
            pool_set_size(threads);
            assert_ok(forward_prepare(model, ids, segments, lengths[i], true, &trace, &error),
                      error);
            assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
            if (alone)
                assert_same_bits(alone, trace);
            if (alone)
                free(trace);
            else
                alone = trace;
        }
        free(alone);
    }
    pool_set_size(0);
}
