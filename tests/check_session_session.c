#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/session/act.h"
#include "headlight/session/click.h"
#include "headlight/session/derive.h"
#include "headlight/session/find.h"
#include "headlight/session/session.h"

#include <stdlib.h>
#include <string.h>

static struct session session;

static void begin(void)
{
    session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
}

static void end(void)
{
    session_end(&session);
}

static void act(enum action action)
{
    ck_assert_uint_eq(session_act(&session, action, 0), SESSION_REDRAW);
}

static void type_digit(int digit)
{
    ck_assert_uint_eq(session_act(&session, ACTION_HEAD_DIGIT, digit), SESSION_REDRAW);
}

START_TEST(layers_go_round)
{
    act(ACTION_LAYER_PREVIOUS);
    ck_assert_uint_eq(session.state.look.layer, 1);
    act(ACTION_LAYER_NEXT);
    ck_assert_uint_eq(session.state.look.layer, 0);
}
END_TEST

START_TEST(heads_are_isolated_and_restored)
{
    type_digit(2);
    ck_assert_uint_eq(session.state.look.heads, 4);
    ck_assert_uint_eq(session.state.look.head, 2);
    type_digit(9); /* there is none */
    ck_assert_uint_eq(session.state.look.heads, 4);
    type_digit(2);
    ck_assert_uint_eq(session.state.look.heads, 0xF);
    act(ACTION_HEAD_ISOLATE);
    ck_assert_uint_eq(session.state.look.heads, 4);
    act(ACTION_HEAD_NEXT); /* a head that is alone stays alone */
    ck_assert_uint_eq(session.state.look.heads, 8);
    act(ACTION_HEAD_NEXT);
    ck_assert_uint_eq(session.state.look.heads, 1);
    act(ACTION_HEAD_ISOLATE);
    ck_assert_uint_eq(session.state.look.heads, 0xF);
    act(ACTION_HEAD_ALL);
    ck_assert_uint_eq(session.state.look.heads, 0);
    act(ACTION_HEAD_ALL);
    ck_assert_uint_eq(session.state.look.heads, 0xF);
}
END_TEST

/* Space adds the chosen head to those shown before it, or takes it away; what was there before a
 * head was isolated comes back. */
START_TEST(heads_are_added_and_removed)
{
    type_digit(3);
    type_digit(1);
    act(ACTION_HEAD_TOGGLE);
    ck_assert_uint_eq(session.state.look.heads, 0xA);
    act(ACTION_HEAD_TOGGLE);
    ck_assert_uint_eq(session.state.look.heads, 8);
    act(ACTION_HEAD_TOGGLE);
    act(ACTION_HEAD_PREVIOUS);
    ck_assert_uint_eq(session.state.look.heads, 0xA); /* the cursor alone has moved */
    act(ACTION_HEAD_TOGGLE);
    ck_assert_uint_eq(session.state.look.heads, 0xB);
    type_digit(2);
    ck_assert_uint_eq(session.state.look.heads, 4);
    type_digit(2);
    ck_assert_uint_eq(session.state.look.heads, 0xB);
}
END_TEST

/* The last one stays: a picture without heads is what `a` is for. */
START_TEST(a_head_that_was_always_alone_is_not_removed)
{
    session.state.look.heads = session.state.look.others = 2;
    session.state.look.head = 1;
    act(ACTION_HEAD_TOGGLE);
    ck_assert_uint_eq(session.state.look.heads, 2);
    ck_assert_str_eq(session.message, "head 1 is alone: a digit shows another one, a all of them");
}
END_TEST

/* Ten heads have one digit each; of more, two digits in a row name one. */
START_TEST(two_digits_name_a_head)
{
    end();
    session = synthetic_session(synthetic_pair, 13, 7, 13, 4);
    type_digit(1);
    ck_assert_uint_eq(session.state.look.heads, 1u << 1);
    type_digit(1);
    ck_assert_uint_eq(session.state.look.heads, 1u << 11);
    type_digit(2); /* begins anew: 112 is too many, and so is 13 */
    ck_assert_uint_eq(session.state.look.heads, 1u << 2);
    type_digit(1);
    type_digit(3);
    ck_assert_uint_eq(session.state.look.heads, 1u << 3);
    type_digit(1);
    act(ACTION_LAYER_NEXT); /* another key in between */
    type_digit(2);
    ck_assert_uint_eq(session.state.look.heads, 1u << 2);
    act(ACTION_LAYER_NEXT);
    type_digit(2);
    ck_assert_uint_eq(session.state.look.heads, 0x1FFF);
}
END_TEST

/* A view of one head goes to it, and leaves alone which of them the others show. */
START_TEST(a_digit_goes_to_a_head_where_one_is_shown)
{
    session_set_view(&session, VIEW_MATRIX);
    type_digit(2);
    ck_assert_uint_eq(session.state.look.head, 2);
    ck_assert_uint_eq(session.state.look.heads, 0xF);
    ck_assert_str_eq(session.message, "");
    type_digit(2);
    ck_assert_str_eq(session.message, "head 2 is shown already");
}
END_TEST

START_TEST(cursor_comes_in_and_stays_inside)
{
    act(ACTION_TOKEN_NEXT);
    ck_assert_uint_eq(session.state.look.from, 0);
    act(ACTION_TOKEN_PREVIOUS);
    ck_assert_uint_eq(session.state.look.from, 0);
    act(ACTION_TOKEN_LAST);
    ck_assert_uint_eq(session.state.look.from, 12);
    act(ACTION_PAGE_DOWN);
    ck_assert_uint_eq(session.state.look.from, 12);
    act(ACTION_PAGE_UP);
    ck_assert_uint_eq(session.state.look.from, 2);
    act(ACTION_CLEAR);
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
    act(ACTION_TOKEN_PREVIOUS);
    ck_assert_uint_eq(session.state.look.from, 12);
    act(ACTION_TOKEN_FIRST);
    ck_assert_uint_eq(session.state.look.from, 0);
}
END_TEST

START_TEST(a_pinned_token_stays_while_the_other_side_is_walked)
{
    struct edge edge;
    enum side side;
    act(ACTION_TOKEN_NEXT);
    act(ACTION_TOKEN_NEXT);
    ck_assert(scene_current_edge(scene_of(&session), &edge));
    act(ACTION_PIN);
    ck_assert(scene_is_pinned(scene_of(&session)));
    ck_assert_uint_eq(session.state.look.from, 1);
    ck_assert_uint_eq(session.state.look.to, edge.to); /* where its heaviest line leads */
    ck_assert_uint_eq(scene_focus(scene_of(&session), &side), 1);
    ck_assert_int_eq(side, SIDE_LEFT);
    act(ACTION_TOKEN_FIRST);
    act(ACTION_TOKEN_NEXT);
    ck_assert_uint_eq(session.state.look.from, 1);
    ck_assert_uint_eq(session.state.look.to, 1);
    act(ACTION_PIN);
    ck_assert(!scene_is_pinned(scene_of(&session)));
    ck_assert_uint_eq(session.state.look.from, 1);
    ck_assert_int_eq(session.state.look.side, SIDE_LEFT);
}
END_TEST

START_TEST(crossing_takes_the_cursor_along)
{
    act(ACTION_TOKEN_NEXT);
    act(ACTION_TOKEN_NEXT);
    act(ACTION_SIDE);
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
    ck_assert_uint_eq(session.state.look.to, 1);
    act(ACTION_PIN); /* now the attended token is pinned */
    ck_assert_uint_eq(session.state.look.to, 1);
    ck_assert_uint_ne(session.state.look.from, NO_TOKEN);
    ck_assert_int_eq(session.state.look.side, SIDE_LEFT);
}
END_TEST

START_TEST(filters_keep_the_cursor_in_sight)
{
    struct token_range range;
    act(ACTION_TOKEN_LAST);
    act(ACTION_FILTER); /* A→A has no such token */
    ck_assert_int_eq(session.state.look.filter, FILTER_AA);
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
    act(ACTION_FILTER);
    range = scene_range(scene_of(&session), SIDE_RIGHT);
    ck_assert_uint_eq(range.first, 7);
    ck_assert_uint_eq(range.end, 13);
    act(ACTION_FILTER);
    act(ACTION_TOKEN_NEXT);
    ck_assert_uint_eq(session.state.look.from, 7);
    act(ACTION_FILTER);
    act(ACTION_FILTER);
    ck_assert_int_eq(session.state.look.filter, FILTER_ALL);
}
END_TEST

/* A sentence without tokens, which --no-special makes possible, is skipped. */
START_TEST(filters_skip_an_empty_sentence)
{
    end();
    session = synthetic_session(synthetic_pair, 13, 0, 4, 8);
    act(ACTION_FILTER);
    ck_assert_int_eq(session.state.look.filter, FILTER_BB);
    act(ACTION_FILTER);
    ck_assert_int_eq(session.state.look.filter, FILTER_ALL);
}
END_TEST

START_TEST(one_sentence_has_nothing_to_filter)
{
    end();
    session = synthetic_session(synthetic_pair, 13, 13, 4, 8);
    act(ACTION_FILTER);
    ck_assert_int_eq(session.state.look.filter, FILTER_ALL);
}
END_TEST

START_TEST(neuron_view_always_has_a_query)
{
    act(ACTION_VIEW_NEXT);
    ck_assert_int_eq(session.state.look.view, VIEW_NEURON);
    ck_assert_uint_eq(session.state.look.from, 0);
    type_digit(3); /* goes there, toggles nothing */
    ck_assert_uint_eq(session.state.look.head, 3);
    ck_assert_uint_eq(session.state.look.heads, 0xF);
    act(ACTION_CLEAR);
    ck_assert_uint_eq(session.state.look.from, 0);
}
END_TEST

/* An attended token that is chosen alone stays it, whatever filter hides it on the other side. */
START_TEST(neuron_view_keeps_an_attended_token)
{
    struct edge edge;
    act(ACTION_SIDE);
    act(ACTION_TOKEN_LAST);
    ck_assert(scene_current_edge(scene_of(&session), &edge));
    act(ACTION_VIEW_NEXT);
    ck_assert_uint_eq(session.state.look.to, 12);
    ck_assert_uint_ne(session.state.look.from, NO_TOKEN);
    ck_assert_int_eq(session.state.look.side, SIDE_RIGHT);
}
END_TEST

/* Of a pair, one is hidden or filtered away: the other is then the one whose lines are drawn. */
START_TEST(the_rest_of_a_pair_keeps_the_focus)
{
    static const struct {
        size_t from, to;
        enum action action;
        enum side side;
        size_t focus;
    } cases[] = {
        {1, 0, ACTION_SPECIAL, SIDE_LEFT, 0}, /* "time" is the first one then */
        {0, 1, ACTION_SPECIAL, SIDE_RIGHT, 0},
        {1, 9, ACTION_FILTER, SIDE_LEFT, 1},
        {9, 1, ACTION_FILTER, SIDE_RIGHT, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (enum side cursor = SIDE_LEFT; cursor <= SIDE_RIGHT; cursor++) {
            enum side side;
            end();
            begin();
            session.state.look.from = cases[i].from;
            session.state.look.to = cases[i].to;
            session.state.look.side = cursor;
            act(cases[i].action);
            ck_assert(!scene_is_pinned(scene_of(&session)));
            ck_assert_uint_eq(scene_focus(scene_of(&session), &side), cases[i].focus);
            ck_assert_int_eq(side, cases[i].side);
            ck_assert_int_eq(session.state.look.side, cases[i].side);
        }
}
END_TEST

/* As other tokenizers write them: what says that a word begins is neither shown nor asked for. */
START_TEST(tokens_are_shown_and_found_without_their_mark)
{
    static const char *const labels[][3] = {
        {"\u0120quick", "ly", "\u0120"}, {"\u2581quick", "ly", "\u2581"}, {" quick", "ly", " "}};
    end();
    session = synthetic_session(labels[_i], 3, 3, 4, 8);
    ck_assert_str_eq(scene_label(scene_of(&session), SIDE_LEFT, 0), "quick");
    ck_assert_str_eq(scene_label(scene_of(&session), SIDE_LEFT, 1), "ly");
    ck_assert_str_eq(scene_label(scene_of(&session), SIDE_LEFT, 2), "␣");
    ck_assert_uint_eq(find_token(scene_of(&session), "quick", SIDE_LEFT), 0);
    ck_assert_uint_eq(find_token(scene_of(&session), "Quick", SIDE_RIGHT), 0);
    act(ACTION_WORDS);
    ck_assert_str_eq(scene_label(scene_of(&session), SIDE_LEFT, 0), "quickly");
    ck_assert_uint_eq(find_token(scene_of(&session), "quickly", SIDE_LEFT), 0);
}
END_TEST

/* The query that the neuron view begins with is its own, and the filter is not for it. */
START_TEST(passing_through_the_neuron_view_chooses_nothing)
{
    for (int i = 0; i < 3; i++)
        act(ACTION_FILTER); /* B→A */
    act(ACTION_VIEW_NEXT);
    ck_assert_uint_eq(session.state.look.from, 0);
    act(ACTION_VIEW_NEXT);
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
    act(ACTION_VIEW_PREVIOUS);
    act(ACTION_TOKEN_LAST);
    act(ACTION_VIEW_NEXT);
    ck_assert_uint_eq(session.state.look.from, 12);
}
END_TEST

START_TEST(dimensions_go_round_and_are_left)
{
    act(ACTION_VIEW_NEXT);
    act(ACTION_DIMENSION_PREVIOUS);
    ck_assert_uint_eq(session.state.look.dimension, 7);
    act(ACTION_DIMENSION_NEXT);
    ck_assert_uint_eq(session.state.look.dimension, 0);
    act(ACTION_CLEAR);
    ck_assert_uint_eq(session.state.look.dimension, NO_TOKEN);
    act(ACTION_DIMENSION_NEXT);
    ck_assert_uint_eq(session.state.look.dimension, 0);
}
END_TEST

START_TEST(a_matrix_is_walked_in_two_directions)
{
    act(ACTION_VIEW_PREVIOUS);
    ck_assert_int_eq(session.state.look.view, VIEW_MATRIX);
    act(ACTION_TOKEN_NEXT);
    act(ACTION_TOKEN_NEXT);
    act(ACTION_RIGHT);
    act(ACTION_RIGHT);
    act(ACTION_RIGHT);
    act(ACTION_LEFT);
    ck_assert_uint_eq(session.state.look.from, 1);
    ck_assert_uint_eq(session.state.look.to, 1);
    ck_assert_uint_eq(session.state.look.layer, 0);
    act(ACTION_LAYER_NEXT);
    ck_assert_uint_eq(session.state.look.layer, 1);
    type_digit(2);
    ck_assert_uint_eq(session.state.look.head, 2);
    ck_assert_uint_eq(session.state.look.heads, 0xF);
    act(ACTION_VIEW_NEXT); /* the head view takes the pair as pinned */
    ck_assert_int_eq(session.state.look.view, VIEW_HEAD);
    ck_assert(scene_is_pinned(scene_of(&session)));
}
END_TEST

START_TEST(a_head_of_the_model_is_opened)
{
    act(ACTION_VIEW_NEXT);
    act(ACTION_VIEW_NEXT);
    ck_assert_int_eq(session.state.look.view, VIEW_MODEL);
    act(ACTION_TOKEN_NEXT);
    act(ACTION_LEFT);
    ck_assert_uint_eq(session.state.look.layer, 1);
    ck_assert_uint_eq(session.state.look.head, 3);
    act(ACTION_PIN);
    ck_assert_int_eq(session.state.look.view, VIEW_HEAD);
    ck_assert_uint_eq(session.state.look.heads, 8);
    ck_assert_uint_eq(session.state.look.layer, 1);
}
END_TEST

START_TEST(help_is_left_by_any_key)
{
    act(ACTION_HELP);
    ck_assert(session.help);
    act(ACTION_QUIT); /* leaves the help, not the program */
    ck_assert(!session.help);
    ck_assert_uint_eq(session_act(&session, ACTION_QUIT, 0), SESSION_QUIT);
    ck_assert_uint_eq(session_act(&session, ACTION_REDRAW, 0), SESSION_REDRAW | SESSION_REPAINT);
}
END_TEST

START_TEST(detail_has_ends)
{
    for (int i = 0; i < 100; i++)
        act(ACTION_MORE);
    ck_assert_int_eq(session.state.look.detail, DETAIL_MAX);
    for (int i = 0; i < 100; i++)
        act(ACTION_FEWER);
    ck_assert_int_eq(session.state.look.detail, DETAIL_MIN);
}
END_TEST

/* ---- Clicks ---- */

static void click(enum hit_kind kind, size_t value)
{
    ck_assert_uint_eq(session_click(&session, (struct hit){kind, value}), SESSION_REDRAW);
}

START_TEST(clicks_choose_and_pair_tokens)
{
    click(HIT_FROM, 2);
    ck_assert_uint_eq(session.state.look.from, 2);
    ck_assert(!scene_is_pinned(scene_of(&session)));
    click(HIT_TO, 5); /* beside a chosen token: a pair */
    ck_assert(scene_is_pinned(scene_of(&session)));
    ck_assert_uint_eq(session.state.look.from, 2);
    ck_assert_uint_eq(session.state.look.to, 5);
    ck_assert_int_eq(session.state.look.side, SIDE_RIGHT);
    act(ACTION_TOKEN_NEXT);
    ck_assert_uint_eq(session.state.look.to, 6);
    click(HIT_FROM, 8); /* the pinned one can be changed */
    ck_assert_uint_eq(session.state.look.from, 8);
    ck_assert_uint_eq(session.state.look.to, 6);
    act(ACTION_CLEAR);
    click(HIT_TO, 4);
    click(HIT_TO, 4); /* the one under the cursor: pinned */
    ck_assert(scene_is_pinned(scene_of(&session)));
    ck_assert_int_eq(session.state.look.side, SIDE_LEFT);
}
END_TEST

START_TEST(clicks_lead_to_views_layers_and_heads)
{
    click(HIT_LAYER, 1);
    ck_assert_uint_eq(session.state.look.layer, 1);
    click(HIT_LAYER, 0);
    ck_assert_uint_eq(session.state.look.layer, 0);
    click(HIT_HEAD, 2); /* chosen, */
    ck_assert_uint_eq(session.state.look.head, 2);
    ck_assert_uint_eq(session.state.look.heads, 0xF);
    click(HIT_HEAD, 2); /* alone, */
    ck_assert_uint_eq(session.state.look.heads, 4);
    click(HIT_HEAD, 1); /* another one in its place, */
    ck_assert_uint_eq(session.state.look.heads, 2);
    click(HIT_HEAD, 1); /* and all again */
    ck_assert_uint_eq(session.state.look.heads, 0xF);
    click(HIT_VIEW, VIEW_NEURON);
    ck_assert_int_eq(session.state.look.view, VIEW_NEURON);
    ck_assert_uint_eq(session.state.look.from, 0);
    click(HIT_HEAD, 3);
    ck_assert_uint_eq(session.state.look.head, 3);
    ck_assert_uint_eq(session.state.look.heads, 0xF);
    click(HIT_VIEW, VIEW_MATRIX);
    click(HIT_PAIR, 3 * 13 + 9);
    ck_assert_uint_eq(session.state.look.from, 3);
    ck_assert_uint_eq(session.state.look.to, 9);
    click(HIT_VIEW, VIEW_MODEL);
    click(HIT_THUMBNAIL, 1 * 4 + 2);
    ck_assert_uint_eq(session.state.look.layer, 1);
    ck_assert_uint_eq(session.state.look.head, 2);
    ck_assert_int_eq(session.state.look.view, VIEW_MODEL);
    click(HIT_THUMBNAIL, 1 * 4 + 2);
    ck_assert_int_eq(session.state.look.view, VIEW_HEAD);
    ck_assert_uint_eq(session.state.look.heads, 4);
    session.help = 1;
    click(HIT_NOTHING, 0);
    ck_assert(!session.help);
    ck_assert_uint_eq(session_click(&session, (struct hit){HIT_NOTHING, 0}), SESSION_UNCHANGED);
}
END_TEST

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

START_TEST(a_mean_is_made_anew_when_it_is_another)
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
END_TEST

/* ---- A real one ---- */

START_TEST(a_session_on_a_checkpoint)
{
    const struct text texts[] = {{"time flies like an arrow", 24},
                                 {"fruit flies like a banana", 25}};
    const struct interventions none = {0}, causal = {.causal = true};
    struct checkpoint checkpoint;
    struct session real;
    struct error error;
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER "/", NULL, &error), error);
    ck_assert_str_eq(checkpoint.name, "tiny-bert");
    session_begin(&real, &checkpoint, true, &none);
    assert_ok(session_open(&real, texts, 2, &error), error);
    ck_assert_ptr_null(real.data.trace);
    assert_ok(session_compute(&real, NULL, &error), error);
    ck_assert_ptr_eq(real.data.trace, real.data.encoded->trace);
    ck_assert_ptr_null(real.data.changes);
    ck_assert_uint_eq(real.data.tokens, 13);
    ck_assert(scene_is_pair(scene_of(&real)));
    ck_assert_uint_eq(scene_boundary(scene_of(&real), SIDE_RIGHT), 7);
    ck_assert_uint_eq(find_token(scene_of(&real), "banana", SIDE_LEFT), 11);
    ck_assert_uint_eq(find_token(scene_of(&real), "Banana", SIDE_LEFT), 11);
    ck_assert_uint_eq(find_token(scene_of(&real), "12", SIDE_LEFT), 12);
    ck_assert_uint_eq(find_token(scene_of(&real), "13", SIDE_LEFT), NO_TOKEN);
    ck_assert_uint_eq(find_token(scene_of(&real), "-1", SIDE_LEFT), NO_TOKEN);
    ck_assert_uint_eq(find_token(scene_of(&real), "plum", SIDE_LEFT), NO_TOKEN);
    ck_assert_uint_eq(find_token(scene_of(&real), "flies", SIDE_RIGHT), 2);
    real.state.look.filter = FILTER_AB;
    ck_assert_uint_eq(find_token(scene_of(&real), "flies", SIDE_RIGHT), 8);
    ck_assert_uint_eq(find_token(scene_of(&real), "time", SIDE_RIGHT),
                      1); /* the caller refuses it */
    session_end(&real);
    session_begin(&real, &checkpoint, true, &causal);
    assert_ok(session_open(&real, texts, 1, &error), error);
    assert_ok(session_compute(&real, NULL, &error), error);
    ck_assert_str_eq(real.data.changes, "changed: causal");
    ck_assert_float_eq(trace_weight(real.data.encoded->trace, 0, 0, 0, 1), 0);
    session_end(&real);
    checkpoint_close(&checkpoint);
}
END_TEST

/* There are no weights yet: whatever is asked for is made when they come. */
START_TEST(keys_that_are_pressed_during_the_first_pass)
{
    static const enum action actions[] = {ACTION_MEAN, ACTION_WORDS, ACTION_SPECIAL};
    const struct text text = {"time xyzzy flies", 16};
    const struct interventions none = {0};
    struct checkpoint checkpoint;
    struct error error;
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, &text, 1, &error), error);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        act(actions[i]);
        ck_assert_ptr_null(session.data.attention->weights[0]);
        ck_assert_ptr_null(session.data.attention->owned);
        ck_assert_ptr_null(session.data.mean);
        ck_assert_str_eq(session.message, "");
    }
    ck_assert_uint_eq(scene_count(scene_of(&session), SIDE_LEFT), 3);
    ck_assert_str_eq(scene_label(scene_of(&session), SIDE_LEFT, 1), "xyzzy");
    assert_ok(session_compute(&session, NULL, &error), error);
    ck_assert_uint_eq(scene_count(scene_of(&session), SIDE_LEFT), 3);
    check_mean((struct token_range){0, 1});
    session_end(&session);
    checkpoint_close(&checkpoint);
}
END_TEST

START_TEST(texts_that_cannot_be_shown)
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
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, &error), error);
    session_begin(&real, &checkpoint, false, &none);
    assert_fails(session_open(&real, &empty, 1, &error), STATUS_LIMIT, "no tokens", error);
    session_end(&real);
    session_begin(&real, &checkpoint, true, &none);
    assert_fails(session_open(&real, &endless, 1, &error), STATUS_LIMIT,
                 "202 tokens long, the model has 64 positions", error);
    assert_ok(session_open(&real, &empty, 1, &error), error);
    ck_assert_uint_eq(real.data.tokens, 2); /* [CLS] [SEP] */
    session_end(&real);
    checkpoint_close(&checkpoint);
}
END_TEST

START_TEST(checkpoints_that_cannot_be_opened)
{
    struct checkpoint checkpoint;
    struct folder folder;
    struct error error;
    assert_fails(checkpoint_open(&checkpoint, "/nowhere/at/all", NULL, &error), STATUS_IO,
                 "/nowhere/at/all", error);
    folder_make(&folder);
    folder_copy(&folder, TINY_FOLDER, "config.json");
    folder_copy(&folder, TINY_FOLDER, "model.safetensors");
    assert_fails(checkpoint_open(&checkpoint, folder.path, NULL, &error), STATUS_IO, "vocab.txt",
                 error);
    folder_copy(&folder, "assets/model", "vocab.txt");
    assert_fails(checkpoint_open(&checkpoint, folder.path, NULL, &error), STATUS_MISMATCH,
                 "expected at most the 101 pieces that config.json says, found 16384", error);
    folder_remove(&folder);
    checkpoint_close(&checkpoint);
}
END_TEST

#define LONG 120 /* tokens: figures of so many take some milliseconds */

static bool wants_metrics(const struct session *one)
{
    return derive_wants_metrics(&one->state.look, &one->data);
}

/* Whoever has a worker is asked for the metrics; without one they are there at once. */
START_TEST(figures_of_a_long_text_are_left_to_a_worker)
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
    long_one.attended = true;
    session_act(&long_one, ACTION_METRIC, 0);
    ck_assert(wants_metrics(&long_one) && !long_one.data.metrics);
    ck_assert_int_eq(metrics_measure_all(long_one.data.trace, NULL, NULL, &metrics, &error),
                     STATUS_OK);
    derive_metrics(&long_one.data, metrics);
    ck_assert(!wants_metrics(&long_one) && long_one.data.metrics == metrics);
    long_one.attended = false;
    derive_metrics(&long_one.data, NULL);
    session_show(&long_one, &long_one.state.look);
    ck_assert_ptr_nonnull(long_one.data.metrics);
    session_end(&long_one);
}
END_TEST

Suite *suite_session_session(void)
{
    Suite *suite = suite_create("session/session");
    TCase *tests = tcase_create("synthetic");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, layers_go_round);
    tcase_add_test(tests, heads_are_isolated_and_restored);
    tcase_add_test(tests, heads_are_added_and_removed);
    tcase_add_test(tests, a_head_that_was_always_alone_is_not_removed);
    tcase_add_test(tests, two_digits_name_a_head);
    tcase_add_test(tests, a_digit_goes_to_a_head_where_one_is_shown);
    tcase_add_test(tests, cursor_comes_in_and_stays_inside);
    tcase_add_test(tests, a_pinned_token_stays_while_the_other_side_is_walked);
    tcase_add_test(tests, crossing_takes_the_cursor_along);
    tcase_add_test(tests, filters_keep_the_cursor_in_sight);
    tcase_add_test(tests, filters_skip_an_empty_sentence);
    tcase_add_test(tests, one_sentence_has_nothing_to_filter);
    tcase_add_test(tests, neuron_view_always_has_a_query);
    tcase_add_test(tests, neuron_view_keeps_an_attended_token);
    tcase_add_test(tests, the_rest_of_a_pair_keeps_the_focus);
    tcase_add_loop_test(tests, tokens_are_shown_and_found_without_their_mark, 0, 3);
    tcase_add_test(tests, passing_through_the_neuron_view_chooses_nothing);
    tcase_add_test(tests, dimensions_go_round_and_are_left);
    tcase_add_test(tests, a_matrix_is_walked_in_two_directions);
    tcase_add_test(tests, a_head_of_the_model_is_opened);
    tcase_add_test(tests, help_is_left_by_any_key);
    tcase_add_test(tests, detail_has_ends);
    tcase_add_test(tests, clicks_choose_and_pair_tokens);
    tcase_add_test(tests, clicks_lead_to_views_layers_and_heads);
    tcase_add_test(tests, a_mean_is_made_anew_when_it_is_another);
    tcase_add_test(tests, figures_of_a_long_text_are_left_to_a_worker);
    suite_add_tcase(suite, tests);
    TCase *real = tcase_create("on a checkpoint");
    tcase_add_test(real, a_session_on_a_checkpoint);
    tcase_add_test(real, keys_that_are_pressed_during_the_first_pass);
    tcase_add_test(real, texts_that_cannot_be_shown);
    tcase_add_test(real, checkpoints_that_cannot_be_opened);
    suite_add_tcase(suite, real);
    return suite;
}
