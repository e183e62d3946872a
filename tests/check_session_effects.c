/* The effects of heads: on which prediction they are measured, when, and how long they stay. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/session/derive.h"
#include "headlight/session/fields.h"
#include "headlight/session/find.h"
#include "headlight/session/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 3
#define HEADS  4
#define MASK   6 /* where [MASK] stands */

static struct checkpoint checkpoint;
static struct error error;

static void open_text(const char *text)
{
    session_anew_on_texts(&checkpoint, NULL, text, NULL);
    session_set_view(&session, VIEW_MODEL);
}

static void begin(void)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    open_text("The cats sat on [MASK] mat.");
}

static void end(void)
{
    end_session();
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

static bool wanted(void)
{
    return derive_wants(REQUEST_EFFECTS, &session.state.look, &session.data);
}

static void measure(void)
{
    struct look look = session.state.look;
    look.metric = METRIC_EFFECT;
    ck_assert(derive_show(&session, &look));
    assert_ok(request_rest(&session, &error), error);
}

static void choose(const char *label)
{
    struct look look = session.state.look;
    look.from = find_token(scene_of(&session), label, SIDE_LEFT);
    ck_assert_uint_ne(look.from, NO_TOKEN);
    ck_assert(derive_show(&session, &look));
}

static void answer(size_t id)
{
    struct look look = session.state.look;
    look.answer = id;
    ck_assert(derive_show(&session, &look));
}

/* That they are on the piece at the token, to the bit. */
static void assert_measured(size_t token, int32_t id)
{
    const struct effects *ours = session.data.effects;
    struct effects *expected;
    ck_assert_ptr_nonnull(ours);
    assert_ok(
        effects_of_word(checkpoint.model, session.data.trace, token, id, NULL, &expected, &error),
        error);
    ck_assert_uint_eq(ours->on.token, token);
    ck_assert_int_eq(ours->on.id, expected->on.id);
    ck_assert_mem_eq(ours->change, expected->change, LAYERS * HEADS * sizeof *ours->change);
    free(expected);
}

/* ---- On what ---- */

TEST(without_a_choice_they_are_on_the_mask)
{
    ck_assert(!wanted()); /* nobody asks for them */
    measure();
    ck_assert(!wanted());
    assert_measured(MASK, TARGET_LIKELIEST);
}

TEST(without_a_mask_they_are_on_the_last_word)
{
    open_text("the cats sat");
    measure();
    assert_measured(4, TARGET_LIKELIEST);
    open_text("");
    measure();
    assert_measured(0, TARGET_LIKELIEST); /* [CLS] [SEP] */
}

TEST(they_are_on_the_chosen_token)
{
    measure();
    choose("sat");
    ck_assert_ptr_null(session.data.effects);
    measure();
    assert_measured(4, TARGET_LIKELIEST);
    type("w"); /* of a word its first piece, wherever it stands */
    measure();
    assert_measured(4, TARGET_LIKELIEST);
    choose("cats");
    measure();
    assert_measured(2, TARGET_LIKELIEST);
}

/* The words view has a cursor that nobody put there: on what is asked for. */
TEST(a_token_that_a_view_chose_is_none)
{
    measure();
    const struct effects *before = session.data.effects;
    session_set_view(&session, VIEW_ANSWERS);
    ck_assert_uint_eq(session.state.look.from, MASK);
    session_set_view(&session, VIEW_MODEL);
    ck_assert_ptr_eq(session.data.effects, before);
    ck_assert(!wanted());
}

TEST(they_follow_the_answer)
{
    choose("[MASK]");
    measure();
    int32_t likeliest = session.data.effects->likeliest.id, other = likeliest == 77 ? 78 : 77;
    ck_assert_int_eq(session.data.effects->on.id, likeliest);
    answer((size_t)likeliest); /* the same, said aloud */
    ck_assert(!wanted());
    answer((size_t)other);
    ck_assert_ptr_null(session.data.effects);
    measure();
    assert_measured(MASK, other);
    answer(NO_TOKEN);
    ck_assert(wanted());
    measure();
    assert_measured(MASK, likeliest);
}

TEST(an_answer_is_forgotten_with_its_token)
{
    choose("[MASK]");
    answer(77);
    type("w"); /* it stands elsewhere now, and is the same */
    ck_assert_uint_eq(session.state.look.answer, 77);
    choose("sat");
    ck_assert_uint_eq(session.state.look.answer, NO_TOKEN);
}

/* ---- How long ---- */

TEST(they_follow_the_network)
{
    measure();
    session.state.look.layer = 1;
    session.state.look.head = 2;
    ck_assert_double_ne(session.data.effects->change[1 * HEADS + 2], 0);
    const int32_t id = session.data.effects->likeliest.id;
    type("z z");
    ck_assert_ptr_null(session.data.effects);
    ck_assert(wanted());
    type("Esc");
    measure();
    assert_measured(MASK, id);
    ck_assert_double_eq(session.data.effects->change[1 * HEADS + 2], 0);
}

/* The likeliest piece is another one without a head, and may be asked about. */
TEST(they_stay_on_the_word_while_heads_are_off)
{
    measure();
    const int32_t id = session.data.effects->likeliest.id;
    struct prediction best = {.id = id};
    for (size_t i = 0; i < LAYERS * HEADS && best.id == id; i++) {
        session.state.source.changes.off[i / HEADS] |= head_mask_of(i % HEADS);
        assert_ok(request_settle(&session, &error), error);
        measure();
        ck_assert_uint_eq(best_pieces(session.data.trace, MASK, &best, 1), 1);
        assert_measured(MASK, id);
    }
    ck_assert_int_ne(best.id, id);
    answer((size_t)best.id);
    measure();
    assert_measured(MASK, best.id);
}

/* ---- Where the cursor goes ---- */

static size_t cursor(void)
{
    return session.state.look.layer * HEADS + session.state.look.head;
}

static double size_at_cursor(void)
{
    return round(fabs(session.data.effects->change[cursor()]) * 1000);
}

TEST(the_cursor_goes_to_the_largest_and_on_to_the_next, .times = 2)
{
    static const char *const ways[] = {"o o o o o o o o o o o o o", "Tab Tab o"};
    bool seen[LAYERS * HEADS] = {false};
    type_and_wait(ways[_i]);
    ck_assert_int_eq(session.state.look.view, VIEW_MODEL);
    ck_assert_int_eq(session.state.look.metric, METRIC_EFFECT);
    const size_t largest = cursor();
    double before = size_at_cursor();
    for (size_t i = 0; i < LAYERS * HEADS; i++)
        ck_assert_double_le(fabs(session.data.effects->change[i]) * 1000, before + 0.5);
    for (type("n"); cursor() != largest; type("n")) {
        ck_assert(!seen[cursor()]);
        seen[cursor()] = true;
        ck_assert_double_le(size_at_cursor(), before);
        ck_assert_double_gt(size_at_cursor(), 0);
        before = size_at_cursor();
    }
    type("n N");
    ck_assert_uint_eq(cursor(), largest);
    type("N");
    ck_assert_double_eq(size_at_cursor(), before);
    type("n n n z z Esc n");
    ck_assert_double_gt(size_at_cursor(), 0);
    type("N n"); /* from the smallest, it was the largest */
    for (size_t i = 0; i < LAYERS * HEADS; i++)
        ck_assert_double_le(round(fabs(session.data.effects->change[i]) * 1000), size_at_cursor());
}

/* Whoever moves it meanwhile, or names a head, is left there. */
TEST(a_cursor_that_was_put_somewhere_stays)
{
    measure();
    ck_assert_uint_eq(cursor(), 0);
    open_text("The cats sat on the mat.");
    session.state.look.metric = METRIC_EFFECT - 1;
    input_key(&session, 'o');
    ck_assert(session.state.look.effect_sought);
    input_key(&session, KEY_CODE_ENTER); /* keeps it */
    input_key(&session, KEY_CODE_DOWN);
    assert_ok(request_rest(&session, &error), error);
    ck_assert_uint_eq(cursor(), HEADS);
}

/* Nobody has to wait for them to go on to the next. */
TEST(a_next_one_asked_for_meanwhile_is_gone_to)
{
    size_t largest;
    open_text("The cats sat on the mat.");
    session.state.look.metric = METRIC_EFFECT - 1;
    type("o");
    assert_ok(request_rest(&session, &error), error);
    largest = cursor();
    type("n");
    const size_t second = cursor();
    ck_assert_uint_ne(second, largest);
    open_text("The cats sat on the mat.");
    session.state.look.metric = METRIC_EFFECT - 1;
    input_key(&session, 'o');
    input_key(&session, 'n');
    ck_assert_ptr_null(session.data.effects);
    assert_ok(request_rest(&session, &error), error);
    ck_assert_uint_eq(cursor(), second);
}

TEST(they_follow_the_text)
{
    measure();
    type("e \" dog\" Enter");
    ck_assert_ptr_null(session.data.effects);
    ck_assert(wanted());
}

TEST(they_wait_for_the_view)
{
    session.state.look.metric = METRIC_EFFECT;
    session_set_view(&session, VIEW_HEAD);
    ck_assert(!wanted());
    session_set_view(&session, VIEW_MODEL);
    ck_assert(wanted());
    session.state.look.metric = METRIC_ENTROPY;
    ck_assert(!wanted());
}

/* ---- By a worker ---- */

static void ask(struct request *request)
{
    session.interactive = true;
    session.state.look.metric = METRIC_EFFECT;
    session.state.look.sorted = true;
    ck_assert(derive_show(&session, &session.state.look));
    ck_assert_ptr_null(session.data.effects);
    assert_ok(request_besides(&session, request, &error), error);
    ck_assert_int_eq(request->kind, REQUEST_EFFECTS);
}

TEST(a_worker_measures_them)
{
    struct request request;
    ask(&request);
    session.busy = request.kind;
    session.done = 5;
    session.total = 12;
    struct canvas *canvas = drawn(80, 24);
    char row[400] = "";
    for (int x = 0; x < 80; x++)
        strcat(row, canvas_at(canvas, 1, x)->text);
    ck_assert_msg(strstr(row, "measuring heads 5/12"), "%s", row);
    canvas_free(canvas);
    ck_assert(!request_is_stale(&session, &request));
    assert_ok(request_run(&request, NULL, &error), error);
    assert_ok(request_take(&session, &request, 0, &error), error);
    assert_measured(MASK, TARGET_LIKELIEST);
    assert_ok(request_besides(&session, &request, &error), error);
    ck_assert_int_eq(request.kind, REQUEST_NONE);
}

static bool stop_after(void *context, size_t done, size_t total)
{
    ck_assert_uint_eq(total, LAYERS * HEADS);
    return done < *(size_t *)context;
}

TEST(cancelled_there_is_no_figure)
{
    struct request request;
    size_t heads = 3;
    const struct watch watch = {stop_after, &heads};
    ask(&request);
    ck_assert_int_eq(request_run(&request, &watch, &error), STATUS_CANCELLED);
    request_drop(&request);
    request_fail(&session, REQUEST_EFFECTS, &error);
    ck_assert_str_eq(session.message, "cancelled");
    ck_assert_int_eq(session.state.look.metric, METRIC_NONE);
    ck_assert(!session.state.look.sorted && !wanted());
}

/* The picture stands while the pass is computed, and its numbers with it. */
TEST(they_go_with_the_trace_that_they_are_of)
{
    struct request request;
    measure();
    session.interactive = true;
    session.state.source.changes.off[0] = 1;
    assert_ok(request_pass(&session, &request, &error), error);
    assert_ok(request_run(&request, NULL, &error), error);
    ck_assert_ptr_nonnull(session.data.effects);
    assert_ok(request_take(&session, &request, 0, &error), error);
    ck_assert_ptr_null(session.data.effects);
    ck_assert(wanted());
}

/* Those that come too late are dropped. */
TEST(what_nobody_needs_any_more_is_stale)
{
    struct request request;
    ask(&request);
    choose("sat");
    ck_assert(request_is_stale(&session, &request));
    assert_ok(request_run(&request, NULL, &error), error);
    assert_ok(request_take(&session, &request, 0, &error), error);
    ck_assert_ptr_null(session.data.effects);
    ask(&request);
    answer(77);
    ck_assert(request_is_stale(&session, &request));
    request_drop(&request);
    ask(&request);
    session_set_view(&session, VIEW_ANSWERS);
    ck_assert(request_is_stale(&session, &request));
    request_drop(&request);
}

/* ---- Keys and settings ---- */

/* Words are merged layer by layer, as they are shown: that of the largest effect, too. */
TEST(they_lead_to_a_layer_whose_words_are_merged, .times = LAYERS)
{
    type("w");
    session.state.look.layer = (size_t)_i;
    session_set_view(&session, VIEW_ANSWERS);
    type("o");
    assert_ok(request_rest(&session, &error), error);
    ck_assert_int_eq(session.state.look.view, VIEW_MODEL);
    ck_assert(session.state.look.shape.words && session.data.effects);
    ck_assert_ptr_nonnull(session.data.attention->weights[session.state.look.layer]);
    canvas_free(drawn(120, 40));
}

TEST(the_words_view_leads_to_them)
{
    session_set_view(&session, VIEW_ANSWERS);
    type("End Left Left Left Enter Down o");
    size_t chosen = session.state.look.answer;
    ck_assert_uint_ne(chosen, NO_TOKEN);
    ck_assert_int_eq(session.state.look.view, VIEW_MODEL);
    ck_assert_int_eq(session.state.look.metric, METRIC_EFFECT);
    measure();
    assert_measured(MASK, (int32_t)chosen);
}

/* Of the first token, too, where the view's own cursor is. */
TEST(an_answer_makes_its_token_the_user_s)
{
    open_text("the cats sat"); /* the cursor is on the first word */
    session_set_view(&session, VIEW_ANSWERS);
    type("Enter o");
    measure();
    assert_measured(1, (int32_t)session.state.look.answer);
}

TEST(o_comes_to_them_last)
{
    for (int i = METRIC_NONE; i < METRIC_EFFECT; i++)
        type("o");
    ck_assert_int_eq(session.state.look.metric, METRIC_EFFECT);
    type("o");
    ck_assert_int_eq(session.state.look.metric, METRIC_NONE);
}

TEST(without_the_head_there_are_none)
{
    const char *values[FIELD_COUNT] = {[FIELD_VIEW] = "model", [FIELD_METRIC] = "effect"};
    strcpy(session.data.no_answers, "words need a head");
    for (int i = METRIC_NONE; i < METRIC_LINKS; i++, type("o"))
        ck_assert_int_ne(session.state.look.metric, METRIC_EFFECT);
    assert_fails(fields_apply(&session, PART_LOOK, values, NULL, &error), STATUS_USAGE,
                 "--metric effect: words need a head", error);
    session_set_view(&session, VIEW_ANSWERS);
    type("o");
    ck_assert_int_eq(session.state.look.view, VIEW_ANSWERS);
}
