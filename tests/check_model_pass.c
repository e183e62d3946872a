/* What may go into a forward pass, and what is left of one that is stopped. What is changed and
 * what is kept is in check_model_interpreted.c. */
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

/* ---- What goes in ------------------------------------------------------------------------- */

TEST(text_must_fit_the_positions)
{
    int32_t ids[67] = {0}, segments[67] = {0};
    struct trace *trace;
    assert_fails(forward_prepare(model, NULL, ids, segments, 0, true, &trace, &error), STATUS_LIMIT,
                 "no tokens", error);
    ck_assert_ptr_null(trace);
    assert_fails(
        forward_prepare(model, NULL, ids, segments, 67, true, &trace, &error), STATUS_LIMIT,
        "the text is 67 tokens long, the model has 64 positions: shorten it by 3 tokens", error);
    assert_ok(forward_prepare(model, NULL, ids, segments, 64, true, &trace, &error), error);
    assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
    free(trace);
    assert_ok(forward_prepare(model, NULL, ids, segments, 1, true, &trace, &error), error);
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
        assert_fails(forward_prepare(model, NULL, bad_ids[i], segments, 3, true, &trace, &error),
                     STATUS_MISMATCH, "token 1: expected an id from 0 to 100", error);
    segments[2] = 2;
    assert_fails(forward_prepare(model, NULL, good, segments, 3, true, &trace, &error),
                 STATUS_MISMATCH, "token 2: expected a segment from 0 to 1", error);
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
    assert_ok(forward_prepare(model, NULL, ids, segments, 3, true, &trace, &error), error);
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

TEST(a_cancelled_pass_goes_on_where_it_was)
{
    struct trace *fresh, *used;
    const int32_t ids[] = {2, 78, 3}, segments[] = {0, 0, 0};
    size_t last = 0, layers = 0;
    struct watch stopping = {stop_after_two_layers, &last}, counting = {count_layers, &layers};
    assert_ok(forward_prepare(model, NULL, ids, segments, 3, true, &fresh, &error), error);
    assert_ok(forward_prepare(model, NULL, ids, segments, 3, true, &used, &error), error);
    ck_assert_int_eq(forward_run(model, NULL, &stopping, used, &error), STATUS_CANCELLED);
    assert_ok(forward_run(model, NULL, &counting, used, &error), error);
    assert_ok(forward_run(model, NULL, NULL, fresh, &error), error);
    ck_assert_uint_eq(layers, 1);
    assert_same_traces(fresh, used);
    free(fresh);
    free(used);
}
