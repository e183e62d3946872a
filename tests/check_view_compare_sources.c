/* Where the compare view has its numbers from: recordings, and what is computed for it and when. */
#include "compare_helpers.h"
#include "faults.h"
#include "model_helpers.h"
#include "suites.h"

#include "headlight/session/act.h"
#include "headlight/session/derive.h"
#include "headlight/session/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

/* ---- Recordings ---- */

static struct parts parts;
static struct recording *recording;
static struct folder folder;

/* The view of a recording of the parts, computed. */
static void open_recording(void)
{
    folder_make(&folder);
    parts_write(&parts, 0, parts.count, 0, &folder, "in.safetensors");
    char *path = in_folder(&folder, "in.safetensors");
    assert_ok(recording_open(path, &recording, &error), error);
    session_end(&session);
    assert_ok(session_begin_recording(&session, recording, &error), error);
    session_set_view(&session, VIEW_COMPARE);
    assert_ok(request_rest(&session, &error), error);
    free(path);
}

static void close_recording(void)
{
    session_end(&session);
    recording_close(recording);
    parts_free(&parts);
    folder_remove(&folder);
}

static void add(const char *name, size_t a, size_t b, size_t c)
{
    const size_t shape[] = {a, b, c, 0};
    struct part *part = parts_add(&parts, name, "F32", shape);
    for (size_t i = 0; i < part->size / sizeof(float); i++) {
        float number = (float)(i % 7) / 10;
        memcpy(part->data + i * sizeof number, &number, sizeof number);
    }
}

/* Cross-attention has other columns than rows, and a word can stand twice among the rows. */
TESTS(.base = &compare_tests);

TEST(a_recording_is_compared_with_itself, .times = 2)
{
    static const char metadata[] = "{\"tokens\":\"[\\\"ein\\\",\\\"ein\\\"]\",\"model\":\"t5\","
                                   "\"tokens_right\":\"[\\\"a\\\",\\\"house\\\",\\\"</s>\\\"]\"}";
    parts = (struct parts){.metadata = metadata};
    add("layer.0.weights", 1, 2, 3);
    if (_i)
        add("layer.0.output", 2, 4, 0);
    open_recording();
    session.state.look.to = 2; /* beyond the rows */
    compare_draw(120, 36);
    assert_shows("t5");
    assert_shows("house");
    assert_shows("ein₁ → </s> 0.200");
    ck_assert(!view_shows(compare_canvas, "What"));
    assert_shows(_i ? "ein₁ and ein₂" : "no vectors were recorded");
    type_and_wait("Enter Down Enter");
    struct scene scene = session_scene(&session);
    view_check_inside(compare_view.draw, &scene, 80, 20, 0);
    close_recording();
}

/* A chart that no vectors can make leaves its rows to the maps. */
TEST(maps_take_the_rows_of_a_chart_that_can_never_be)
{
    static const char metadata[] = "{\"tokens\":\"[\\\"a\\\",\\\"b\\\",\\\"a\\\",\\\"c\\\","
                                   "\\\"d\\\",\\\"e\\\",\\\"f\\\",\\\"g\\\",\\\"h\\\","
                                   "\\\"i\\\",\\\"j\\\",\\\"k\\\",\\\"l\\\"]\"}";
    parts = (struct parts){.metadata = metadata};
    add("layer.0.weights", 1, 13, 13);
    open_recording();
    compare_draw(80, 20);
    bool seen = false;
    for (int i = 0; i < compare_canvas->rows * compare_canvas->columns; i++)
        seen |=
            compare_canvas->hits[i].place[0] == HIT(from) && compare_canvas->hits[i].value[0] == 12;
    ck_assert(seen);
    assert_shows("no vectors were recorded");
    close_recording();
}

/* ---- What is computed when ---- */

static void forget(void)
{
    compared_free(session.data.compared);
    session.data.compared = NULL;
}

static enum request_kind asked(void)
{
    struct request request;
    assert_ok(request_besides(&session, &request, &error), error);
    enum request_kind kind = request.kind;
    request_drop(&request);
    return kind;
}

TEST(it_is_computed_while_it_is_shown)
{
    session.interactive = true;
    ck_assert_int_eq(asked(), REQUEST_NONE); /* it is there */
    session_set_view(&session, VIEW_HEAD);
    forget();
    ck_assert_int_eq(asked(), REQUEST_NONE);
    session_set_view(&session, VIEW_COMPARE);
    ck_assert_int_eq(asked(), REQUEST_COMPARE);
    compare_draw(120, 36);
    assert_shows("…");
    ck_assert(!view_shows(compare_canvas, "right − left"));
    type_and_wait("e \" cat\" Enter");
    ck_assert_int_eq(asked(), REQUEST_NONE);
    struct comparison both = compare_now();
    ck_assert_str_eq(both.tokens[SIDE_LEFT]->labels[6], "cat");
    type_and_wait("u");
    both = compare_now();
    ck_assert_str_eq(both.tokens[SIDE_LEFT]->labels[6], "[SEP]");
}

TEST(an_error_is_said_and_not_asked_for_again)
{
    forget();
    error_set(&error, STATUS_MEMORY, "not enough memory for the comparison");
    request_fail(&session, REQUEST_COMPARE, &error);
    ck_assert_int_eq(asked(), REQUEST_NONE);
    input_key(&session, KEY_CODE_DOWN);
    ck_assert_int_eq(asked(), REQUEST_NONE);
    compare_draw(80, 20);
    assert_shows("not enough memory for the comparison");
    type_and_wait("e \" cat\" Enter"); /* another text may be another matter */
    ck_assert_ptr_nonnull(session.data.compared);
    forget();
    error_set(&error, STATUS_CANCELLED, "cancelled");
    request_fail(&session, REQUEST_COMPARE, &error);
    ck_assert_int_eq(asked(), REQUEST_NONE);
    compare_draw(80, 20);
    assert_shows("cancelled");
    session.interactive = true;
    input_key(&session, KEY_CODE_DOWN); /* somebody wants to see more */
    input_key(&session, KEY_CODE_DOWN);
    ck_assert_int_eq(asked(), REQUEST_COMPARE);
}

TEST(a_text_too_long_for_the_other_model_is_said)
{
    char text[800] = "";
    struct request request;
    session_end(&session);
    checkpoint_close(&compare_model);
    assert_ok(checkpoint_open(&compare_model, NULL, NULL, NULL, &error), error);
    assert_ok(checkpoint_open(&compare_other, TINY_FOLDER, NULL, NULL, &error), error);
    for (int i = 0; i < 80; i++)
        strcat(text, "time ");
    compare_open("time", NULL);
    session.interactive = true;
    const struct text long_text = {text, strlen(text)};
    assert_ok(session_open(&session, &long_text, 1, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    ck_assert_int_eq(request_besides(&session, &request, &error), STATUS_LIMIT);
    ck_assert_int_eq(request.kind, REQUEST_COMPARE);
    request_fail(&session, request.kind, &error);
    request_drop(&request);
    ck_assert_int_eq(asked(), REQUEST_NONE);
    compare_draw(120, 36);
    assert_shows(error.message);
}

/* Before the pass there are tokens to walk, and nothing to compare. */
TEST(keys_work_before_there_is_a_trace)
{
    const struct text text = {TIME, strlen(TIME)};
    session.interactive = true;
    assert_ok(session_open(&session, &text, 1, NULL, &error), error);
    ck_assert_ptr_null(session.data.trace);
    input_key(&session, '#');
    input_key(&session, KEY_CODE_DOWN);
    input_key(&session, KEY_CODE_ENTER);
    ck_assert_int_eq(asked(), REQUEST_NONE);
}

/* ---- Without memory ---- */

static enum status compare_again(struct error *failure)
{
    return request_rest(&session, failure);
}

static void check_nothing(void)
{
    ck_assert_ptr_null(session.data.compared);
}

TEST(without_memory_it_says_so, .times = 2, .skipped = !faults_work())
{
    if (_i) {
        assert_ok(checkpoint_open(&compare_other, TINY_FOLDER, NULL, NULL, &error), error);
        compare_open(TIME, FRUIT);
    }
    faults_try(&(struct trial){
        .name = "compare", .begin = forget, .act = compare_again, .check_failed = check_nothing});
    ck_assert_ptr_nonnull(session.data.compared);
}

/* ---- What it opens with ---- */

static double largest_change_of(const struct comparison *both, size_t layer, size_t head)
{
    double most = 0;
    for (size_t to = 0; to < 7; to++) { /* both texts have seven tokens, at the same places */
        double change = (double)comparison_weights(both, SIDE_RIGHT, layer, head)[2 * 7 + to] -
                        (double)comparison_weights(both, SIDE_LEFT, layer, head)[2 * 7 + to];
        if (comparison_counterpart(both, to) != NO_TOKEN)
            most = fmax(most, fabs(change));
    }
    return most;
}

/* On the head in which the row of "flies" differs most, once both passes are there. */
TEST(it_opens_on_the_head_that_differs_most)
{
    session.interactive = true;
    forget();
    session_show_opening_head(&session);
    ck_assert(session.state.look.difference_sought);
    assert_ok(request_rest(&session, &error), error);
    const struct look *look = &session.state.look;
    const struct comparison both = compare_now();
    double shown = largest_change_of(&both, look->layer, look->head);
    ck_assert(!look->difference_sought && shown > 0);
    for (size_t l = 0; l < session.data.layers; l++)
        for (size_t h = 0; h < session.data.head_count; h++)
            ck_assert(largest_change_of(&both, l, h) <= shown + 0.001);
}

/* Who chooses a head meanwhile keeps it. */
TEST(a_head_that_is_chosen_meanwhile_stays)
{
    session.interactive = true;
    forget();
    session_show_opening_head(&session);
    input_key(&session, '1');
    const size_t layer = session.state.look.layer;
    ck_assert(!session.state.look.difference_sought);
    assert_ok(request_rest(&session, &error), error);
    ck_assert(session.state.look.layer == layer && session.state.look.head == 1);
}
