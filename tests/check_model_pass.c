/* What holds of every forward pass: of what is changed in it, of what goes in, of what is kept from
 * the one before. */
#include "headlight/model/forward.h"
#include "model_helpers.h"
#include "opening.h"
#include "random_model.h"
#include "suites.h"

#include <stdlib.h>

static struct error error;
static struct model *model;

static void open_tiny(void)
{
    assert_ok(model_open(TINY_FOLDER, NULL, &model, &error), error);
}

static void close_model(void)
{
    model_free(model);
}

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
        assert_same_traces(plain, same);
        free(same);
    }
    free(plain);
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
        assert_same_traces(fresh, used);
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
    assert_same_traces(fresh, used);
    free(fresh);
    free(used);
}
