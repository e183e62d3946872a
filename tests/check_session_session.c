/* A session as a whole: its tokens' names, its help, what is derived of the weights and when, and
 * one on a real checkpoint. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/session/derive.h"
#include "headlight/session/find.h"
#include "headlight/session/request.h"

#include <stdlib.h>
#include <string.h>

TESTS(.base = &session_tests);

/* As other tokenizers write them: what says that a word begins is neither shown nor asked for. */
TEST(tokens_are_shown_and_found_without_their_mark, .times = 3)
{
    static const char *const labels[][3] = {
        {"\u0120quick", "ly", "\u0120"}, {"\u2581quick", "ly", "\u2581"}, {" quick", "ly", " "}};
    session_anew(labels[_i], 3, 3, 4, 8);
    ck_assert_str_eq(scene_label(scene_of(&session), SIDE_LEFT, 0), "quick");
    ck_assert_str_eq(scene_label(scene_of(&session), SIDE_LEFT, 1), "ly");
    ck_assert_str_eq(scene_label(scene_of(&session), SIDE_LEFT, 2), "␣");
    ck_assert_uint_eq(find_token(scene_of(&session), "quick", SIDE_LEFT), 0);
    ck_assert_uint_eq(find_token(scene_of(&session), "Quick", SIDE_RIGHT), 0);
    act(ACTION_WORDS);
    ck_assert_str_eq(scene_label(scene_of(&session), SIDE_LEFT, 0), "quickly");
    ck_assert_uint_eq(find_token(scene_of(&session), "quickly", SIDE_LEFT), 0);
}

/* As scene_name writes them, from 1, in signs and in ASCII. */
TEST(tokens_are_found_by_their_place_among_those_of_a_name)
{
    static const char *const labels[] = {"flies", "x₂", "Flies", "flies", "x", "x", "#2", "a#2"};
    session_anew(labels, 8, 8, 4, 8);
    const struct scene *scene = scene_of(&session);
    ck_assert_uint_eq(find_token(scene, "flies₁", SIDE_LEFT), 0);
    ck_assert_uint_eq(find_token(scene, "flies₂", SIDE_LEFT), 3);
    ck_assert_uint_eq(find_token(scene, "flies#2", SIDE_RIGHT), 3);
    ck_assert_uint_eq(find_token(scene, "FLIES#2", SIDE_LEFT), 2); /* in any case, if in no other */
    ck_assert_uint_eq(find_token(scene, "flies₄", SIDE_LEFT), NO_TOKEN);
    ck_assert_uint_eq(find_token(scene, "flies₀", SIDE_LEFT), NO_TOKEN);
    ck_assert_uint_eq(find_token(scene, "flies#", SIDE_LEFT), NO_TOKEN);
    ck_assert_uint_eq(find_token(scene, "₂", SIDE_LEFT), NO_TOKEN);
    ck_assert_uint_eq(find_token(scene, "x₁₀", SIDE_LEFT), NO_TOKEN);
    ck_assert_uint_eq(find_token(scene, "x₂", SIDE_LEFT), 1); /* a token's own text */
    ck_assert_uint_eq(find_token(scene, "x#2", SIDE_LEFT), 5);
    ck_assert_uint_eq(find_token(scene, "a#2", SIDE_LEFT), 7);
    ck_assert_uint_eq(find_token(scene, "#2", SIDE_LEFT), 2); /* by index */
    for (size_t token = 0; token < 6; token++)
        if (token != 1)
            ck_assert_uint_eq(
                find_token(scene, scene_name(scene, SIDE_LEFT, token, true).text, SIDE_LEFT),
                token);
}

TEST(a_twelfth_token_of_a_name_is_found)
{
    const char *labels[14];
    for (size_t i = 0; i < 14; i++)
        labels[i] = "the";
    session_anew(labels, 14, 14, 4, 8);
    ck_assert_uint_eq(find_token(scene_of(&session), "the₁₂", SIDE_LEFT), 11);
    ck_assert_uint_eq(find_token(scene_of(&session), "the#12", SIDE_LEFT), 11);
}

TEST(help_is_left_by_any_key)
{
    act(ACTION_HELP);
    ck_assert_int_eq(session.overlay.kind, OVERLAY_HELP);
    type("q"); /* leaves the help, not the program */
    ck_assert(!session.overlay.kind);
    ck_assert(session_act(&session, ACTION_QUIT, 0) & SESSION_QUIT);
    ck_assert_uint_eq(session_act(&session, ACTION_REDRAW, 0), SESSION_REDRAW | SESSION_REPAINT);
}

TEST(detail_has_ends)
{
    for (int i = 0; i < 100; i++)
        act(ACTION_MORE);
    ck_assert_int_eq(session.state.look.detail, DETAIL_MAX);
    for (int i = 0; i < 100; i++)
        act(ACTION_FEWER);
    ck_assert_int_eq(session.state.look.detail, DETAIL_MIN);
}

/* The mean is always that of the state; a key that moves the cursor doesn't make it anew. */
static void check_mean(struct token_range layers)
{
    struct attention *fresh;
    struct error error;
    ck_assert_int_eq(
        attention_mean(session.data.attention, layers, session.state.look.heads, &fresh, &error),
        STATUS_OK);
    ck_assert_ptr_eq(session.data.mean, session.data.mean);
    ck_assert_mem_eq(session.data.mean->weights[0], fresh->weights[0],
                     scene_count(scene_of(&session), SIDE_LEFT) *
                         scene_count(scene_of(&session), SIDE_RIGHT) * sizeof(float));
    attention_free(fresh);
}

TEST(a_mean_is_made_anew_when_it_is_another)
{
    static const enum action others[] = {ACTION_LAYER_NEXT,  ACTION_HEAD_TOGGLE, ACTION_WORDS,
                                         ACTION_LAYER_NEXT,  ACTION_SPECIAL,     ACTION_LAYER_NEXT,
                                         ACTION_HEAD_TOGGLE, ACTION_WORDS};
    act(ACTION_MEAN);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        act(others[i]);
        check_mean((struct token_range){session.state.look.layer, session.state.look.layer + 1});
        session.data.mean->owned[0] = 7; /* still there: it wasn't made anew */
        act(ACTION_TOKEN_NEXT);
        ck_assert(session.data.mean->weights[0][0] == 7);
    }
    act(ACTION_MEAN);
    check_mean((struct token_range){0, 2});
    act(ACTION_LAYER_NEXT);
    check_mean((struct token_range){0, 2});
    act(ACTION_MEAN);
    ck_assert_ptr_null(session.data.mean);
}

/* ---- A real one ---- */

static const struct fixture real_tests = {0};

TEST(a_session_on_a_checkpoint, .with = &real_tests)
{
    const struct text texts[] = {{"time flies like an arrow", 24},
                                 {"fruit flies like a banana", 25}};
    const struct interventions none = {0}, causal = {.causal = true};
    struct checkpoint checkpoint;
    struct session real;
    struct error error;
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER "/", NULL, NULL, &error), error);
    ck_assert_str_eq(checkpoint.name, "tiny-bert");
    session_begin(&real, &checkpoint, true, &none);
    assert_ok(session_open(&real, texts, 2, NULL, &error), error);
    ck_assert_ptr_null(real.data.trace);
    assert_ok(request_settle(&real, &error), error);
    ck_assert_ptr_eq(real.data.trace, real.data.encoded->trace);
    ck_assert_ptr_null(real.data.changes);
    ck_assert_uint_eq(real.data.tokens, 13);
    ck_assert(scene_is_pair(scene_of(&real)));
    ck_assert_uint_eq(scene_boundary(scene_of(&real), SIDE_RIGHT), 7);
    ck_assert_uint_eq(find_token(scene_of(&real), "banana", SIDE_LEFT), 11);
    ck_assert_uint_eq(find_token(scene_of(&real), "Banana", SIDE_LEFT), 11);
    ck_assert_uint_eq(find_token(scene_of(&real), "12", SIDE_LEFT), 12);
    ck_assert_uint_eq(find_token(scene_of(&real), "13", SIDE_LEFT), NO_TOKEN);
    ck_assert_uint_eq(find_token(scene_of(&real), "-1", SIDE_LEFT), 12);
    ck_assert_uint_eq(find_token(scene_of(&real), "-14", SIDE_LEFT), NO_TOKEN);
    ck_assert_uint_eq(find_token(scene_of(&real), "plum", SIDE_LEFT), NO_TOKEN);
    ck_assert_uint_eq(find_token(scene_of(&real), "flies", SIDE_RIGHT), 2);
    real.state.look.filter = FILTER_AB;
    ck_assert_uint_eq(find_token(scene_of(&real), "flies", SIDE_RIGHT), 8);
    ck_assert_uint_eq(find_token(scene_of(&real), "time", SIDE_RIGHT),
                      1); /* the caller refuses it */
    session_end(&real);
    session_begin(&real, &checkpoint, true, &causal);
    assert_ok(session_open(&real, texts, 1, NULL, &error), error);
    assert_ok(request_settle(&real, &error), error);
    ck_assert_str_eq(real.data.changes, "changed: causal");
    ck_assert_float_eq(trace_weight(real.data.encoded->trace, 0, 0, 0, 1), 0);
    session_end(&real);
    checkpoint_close(&checkpoint);
}

/* There are no weights yet: whatever is asked for is made when they come. */
TEST(keys_that_are_pressed_during_the_first_pass, .with = &real_tests)
{
    static const enum action actions[] = {ACTION_MEAN, ACTION_WORDS, ACTION_SPECIAL};
    const struct text text = {"time xyzzy flies", 16};
    const struct interventions none = {0};
    struct checkpoint checkpoint;
    struct error error;
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, &text, 1, NULL, &error), error);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        act(actions[i]);
        ck_assert_ptr_null(session.data.attention->weights[0]);
        ck_assert_ptr_null(session.data.attention->owned);
        ck_assert_ptr_null(session.data.mean);
        ck_assert_str_eq(session.message, "");
    }
    ck_assert_uint_eq(scene_count(scene_of(&session), SIDE_LEFT), 3);
    ck_assert_str_eq(scene_label(scene_of(&session), SIDE_LEFT, 1), "xyzzy");
    assert_ok(request_settle(&session, &error), error);
    ck_assert_uint_eq(scene_count(scene_of(&session), SIDE_LEFT), 3);
    check_mean((struct token_range){0, 1});
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TEST(texts_that_cannot_be_shown, .with = &real_tests)
{
    const struct text empty = {"", 0};
    const struct interventions none = {0};
    struct checkpoint checkpoint;
    struct session real;
    struct error error;
    char words[400];
    for (size_t i = 0; i < sizeof words; i++)
        words[i] = i % 2 ? ' ' : 'a';
    const struct text endless = {words, sizeof words};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&real, &checkpoint, false, &none);
    assert_fails(session_open(&real, &empty, 1, NULL, &error), STATUS_LIMIT, "no tokens", error);
    session_end(&real);
    session_begin(&real, &checkpoint, true, &none);
    assert_fails(session_open(&real, &endless, 1, NULL, &error), STATUS_LIMIT,
                 "202 tokens long, the model has 64 positions", error);
    assert_ok(session_open(&real, &empty, 1, NULL, &error), error);
    ck_assert_uint_eq(real.data.tokens, 2); /* [CLS] [SEP] */
    session_end(&real);
    checkpoint_close(&checkpoint);
}

TEST(checkpoints_that_cannot_be_opened, .with = &real_tests)
{
    struct checkpoint checkpoint;
    struct folder folder;
    struct error error;
    assert_fails(checkpoint_open(&checkpoint, "/nowhere/at/all", NULL, NULL, &error), STATUS_IO,
                 "/nowhere/at/all", error);
    folder_make(&folder);
    folder_copy(&folder, TINY_FOLDER, "config.json");
    folder_copy(&folder, TINY_FOLDER, "model.safetensors");
    assert_fails(checkpoint_open(&checkpoint, folder.path, NULL, NULL, &error), STATUS_IO,
                 "vocab.txt", error);
    folder_remove(&folder);
    checkpoint_close(&checkpoint);
}

#define LONG 120 /* tokens: figures of so many take some milliseconds */

static bool wants_metrics(const struct session *one)
{
    return derive_wants(REQUEST_METRICS, &one->state.look, &one->data);
}

/* Whoever has a worker is asked for the metrics; without one they are there at once. */
TEST(figures_of_a_long_text_are_left_to_a_worker)
{
    const char *labels[LONG];
    struct head_metrics *metrics;
    struct error error;
    for (size_t i = 0; i < LONG; i++)
        labels[i] = "word";
    struct session long_one = synthetic_session(labels, LONG, LONG, 16, 4);
    ck_assert_ptr_nonnull(long_one.data.encoded);
    session_set_view(&long_one, VIEW_MODEL);
    ck_assert(!wants_metrics(&long_one));
    long_one.interactive = true;
    session_act(&long_one, ACTION_METRIC, 0);
    ck_assert(wants_metrics(&long_one) && !long_one.data.metrics);
    ck_assert_int_eq(metrics_measure_all(long_one.data.trace, NULL, NULL, &metrics, &error),
                     STATUS_OK);
    long_one.data.metrics = metrics;
    ck_assert(!wants_metrics(&long_one) && long_one.data.metrics == metrics);
    long_one.interactive = false;
    free(long_one.data.metrics);
    long_one.data.metrics = NULL;
    derive_show(&long_one, &long_one.state.look);
    ck_assert_ptr_nonnull(long_one.data.metrics);
    session_end(&long_one);
}
