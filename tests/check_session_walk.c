/* The cursor: where keys take it among tokens, pairs and dimensions, and what filters and other
 * views leave of what was chosen. */
#include "session_helpers.h"
#include "suites.h"

#include "headlight/session/fields.h"

#include <string.h>

TESTS(.base = &session_tests);

/* It comes in on the pair that the view announces. */
TEST(cursor_comes_in_and_stays_inside)
{
    struct edge edge;
    ck_assert(scene_current_edge(scene_of(&session), &edge));
    act(ACTION_TOKEN_NEXT);
    ck_assert_uint_eq(session.state.look.from, edge.from);
    for (int i = 0; i < 13; i++)
        act(ACTION_TOKEN_PREVIOUS);
    ck_assert_uint_eq(session.state.look.from, 0);
    act(ACTION_TOKEN_LAST);
    ck_assert_uint_eq(session.state.look.from, 12);
    act(ACTION_TOKEN_NEXT);
    ck_assert_uint_eq(session.state.look.from, 12);
    act(ACTION_CLEAR);
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
    act(ACTION_TOKEN_PREVIOUS);
    ck_assert_uint_eq(session.state.look.from, edge.from);
    act(ACTION_TOKEN_FIRST);
    ck_assert_uint_eq(session.state.look.from, 0);
}

/* Where the arrows choose something else, too, and beside a pinned token. */
TEST(the_attending_token_has_its_own_keys)
{
    for (enum view_kind view = 0; view < VIEW_COUNT; view++) {
        if (!(view_at(view)->shown & SHOWN_QUERY))
            continue;
        session_set_view(&session, view);
        session.state.look.from = 3;
        act(ACTION_QUERY_NEXT);
        ck_assert_uint_eq(session.state.look.from, 4);
        act(ACTION_QUERY_PREVIOUS);
        ck_assert_uint_eq(session.state.look.from, 3);
    }
    session_set_view(&session, VIEW_HEAD);
    session.state.look.to = 5;
    session.state.look.side = SIDE_RIGHT;
    act(ACTION_QUERY_NEXT);
    ck_assert(session.state.look.from == 4 && session.state.look.to == 5 &&
              session.state.look.side == SIDE_RIGHT);
}

TEST(esc_closes_the_list_once_no_token_is_chosen)
{
    act(ACTION_LIST);
    act(ACTION_TOKEN_NEXT);
    act(ACTION_CLEAR);
    ck_assert(session.state.look.listed && session.state.look.from == NO_TOKEN);
    act(ACTION_CLEAR);
    ck_assert(!session.state.look.listed && !session.message[0]);
    act(ACTION_CLEAR);
    ck_assert_str_eq(session.message, "Esc: nothing is chosen");
}

TEST(a_pinned_token_stays_while_the_other_side_is_walked)
{
    struct edge edge;
    enum side side;
    act(ACTION_TOKEN_FIRST);
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

/* A text that has none of them, as GPT-2's. */
TEST(without_special_tokens_hiding_them_does_nothing)
{
    static const char *const plain[] = {"a", "b", "c"};
    const char *values[FIELD_COUNT] = {[FIELD_SPECIAL] = "hidden"};
    struct error error;
    session_end(&session);
    session = synthetic_session(plain, 3, 3, 2, 2);
    ck_assert_ptr_nonnull(session.data.encoded);
    for (int i = 0; i < 2; i++) {
        act(ACTION_SPECIAL);
        ck_assert_int_eq(session.state.look.shape.special, SPECIAL_SHOWN);
        ck_assert_ptr_nonnull(strstr(session.message, "there is nothing to hide"));
    }
    session.message[0] = '\0';
    ck_assert_int_eq(fields_apply(&session, PART_LOOK, values, NULL, &error), STATUS_OK);
    ck_assert_int_eq(session.state.look.shape.special, SPECIAL_SHOWN);
    ck_assert_ptr_nonnull(strstr(session.message, "there is nothing to hide"));
}

TEST(crossing_takes_the_cursor_along)
{
    act(ACTION_TOKEN_FIRST);
    act(ACTION_TOKEN_NEXT);
    act(ACTION_SIDE);
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
    ck_assert_uint_eq(session.state.look.to, 1);
    act(ACTION_PIN); /* now the attended token is pinned */
    ck_assert_uint_eq(session.state.look.to, 1);
    ck_assert_uint_ne(session.state.look.from, NO_TOKEN);
    ck_assert_int_eq(session.state.look.side, SIDE_LEFT);
}

TEST(filters_keep_the_cursor_in_sight)
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
    act(ACTION_TOKEN_FIRST);
    ck_assert_uint_eq(session.state.look.from, 7);
    act(ACTION_FILTER);
    act(ACTION_FILTER);
    ck_assert_int_eq(session.state.look.filter, FILTER_ALL);
}

/* A sentence without tokens, which --raw-text makes possible, is skipped. */
TEST(filters_skip_an_empty_sentence)
{
    session_anew(synthetic_pair, 13, 0, 4, 8);
    act(ACTION_FILTER);
    ck_assert_int_eq(session.state.look.filter, FILTER_BB);
    act(ACTION_FILTER);
    ck_assert_int_eq(session.state.look.filter, FILTER_ALL);
}

TEST(one_sentence_has_nothing_to_filter)
{
    session_anew(synthetic_pair, 13, 13, 4, 8);
    act(ACTION_FILTER);
    ck_assert_int_eq(session.state.look.filter, FILTER_ALL);
}

/* It begins at the token whose line the other views announce; at the first word where all between
 * words are light. */
TEST(neuron_view_always_has_a_query)
{
    struct edge edge;
    session.state.look.head = 1;
    session_set_view(&session, VIEW_MATRIX);
    ck_assert(scene_current_edge(scene_of(&session), &edge));
    session_set_view(&session, VIEW_HEAD);
    act(ACTION_VIEW_NEXT);
    ck_assert_int_eq(session.state.look.view, VIEW_NEURON);
    ck_assert_uint_eq(session.state.look.from, edge.from);
    type_digit(3); /* goes there, toggles nothing */
    ck_assert_uint_eq(session.state.look.head, 3);
    ck_assert(session.state.look.heads == 0xF);
    act(ACTION_CLEAR); /* begins anew, with that head */
    ck_assert_uint_ne(session.state.look.from, NO_TOKEN);
    session_anew_on_pair(4, 8);
    memset(session.data.encoded->trace->layer[0].weights, 0, (size_t)13 * 13 * sizeof(float));
    act(ACTION_VIEW_NEXT);
    ck_assert_uint_eq(session.state.look.from, 1);
}

/* An attended token that is chosen alone stays it, whatever filter hides it on the other side. */
TEST(neuron_view_keeps_an_attended_token)
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

/* Of a pair, one is hidden or filtered away: the other is then the one whose lines are drawn. */
TEST(the_rest_of_a_pair_keeps_the_focus)
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
            session_anew_on_pair(4, 8);
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

/* Of the head that the first picture chooses, not of the one before. */
TEST(the_opening_head_has_its_own_query)
{
    struct edge edge;
    session_set_view(&session, VIEW_NEURON);
    session_show_opening_head(&session);
    struct scene scene = session_scene(&session);
    const size_t from = scene.look.from;
    scene.look.from = NO_TOKEN;
    ck_assert(scene_current_edge(&scene, &edge));
    ck_assert_uint_eq(from, edge.from);
    ck_assert(session.state.look.query_found);
}

/* The query that the neuron view begins with is its own, and the filter is not for it. */
TEST(passing_through_the_neuron_view_chooses_nothing)
{
    for (int i = 0; i < 3; i++)
        act(ACTION_FILTER); /* B→A */
    act(ACTION_VIEW_NEXT);
    ck_assert_uint_ne(session.state.look.from, NO_TOKEN);
    act(ACTION_VIEW_NEXT);
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
    act(ACTION_VIEW_PREVIOUS);
    act(ACTION_TOKEN_LAST);
    act(ACTION_VIEW_NEXT);
    ck_assert_uint_eq(session.state.look.from, 12);
}

TEST(dimensions_go_round_and_are_left)
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

TEST(a_matrix_is_walked_in_two_directions)
{
    session_set_view(&session, VIEW_MATRIX);
    act(ACTION_TOKEN_FIRST);
    act(ACTION_TOKEN_NEXT);
    struct edge edge;
    ck_assert(scene_current_edge(scene_of(&session), &edge));
    act(ACTION_RIGHT);
    act(ACTION_RIGHT);
    act(ACTION_LEFT);
    ck_assert_uint_eq(session.state.look.from, 1);
    ck_assert_uint_eq(session.state.look.to, edge.to);
    ck_assert_uint_eq(session.state.look.layer, 0);
    act(ACTION_LAYER_NEXT);
    ck_assert_uint_eq(session.state.look.layer, 1);
    type_digit(2);
    ck_assert_uint_eq(session.state.look.head, 2);
    ck_assert(session.state.look.heads == 0xF);
    session_set_view(&session, VIEW_HEAD); /* takes the pair as pinned */
    ck_assert(scene_is_pinned(scene_of(&session)));
}
