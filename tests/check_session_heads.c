/* Which layer and which heads are shown: chosen, alone, added, taken away, named by digits. */
#include "session_helpers.h"
#include "suites.h"

TESTS(.base = &session_tests);

TEST(layers_go_round)
{
    act(ACTION_LAYER_PREVIOUS);
    ck_assert_uint_eq(session.state.look.layer, 1);
    act(ACTION_LAYER_NEXT);
    ck_assert_uint_eq(session.state.look.layer, 0);
}

TEST(heads_are_isolated_and_restored)
{
    type_digit(2);
    ck_assert(session.state.look.heads == 4);
    ck_assert_uint_eq(session.state.look.head, 2);
    type_digit(9); /* there is none */
    ck_assert(session.state.look.heads == 4);
    type_digit(2);
    ck_assert(session.state.look.heads == 0xF);
    act(ACTION_HEAD_ISOLATE);
    ck_assert(session.state.look.heads == 4);
    act(ACTION_HEAD_NEXT); /* a head that is alone stays alone */
    ck_assert(session.state.look.heads == 8);
    act(ACTION_HEAD_NEXT);
    ck_assert(session.state.look.heads == 1);
    act(ACTION_HEAD_ISOLATE);
    ck_assert(session.state.look.heads == 0xF);
    act(ACTION_HEAD_ALL);
    ck_assert(session.state.look.heads == 0);
    act(ACTION_HEAD_ALL);
    ck_assert(session.state.look.heads == 0xF);
}

/* Space adds the chosen head to those shown before it, or takes it away; what was there before a
 * head was isolated comes back. */
TEST(heads_are_added_and_removed)
{
    type_digit(3);
    type_digit(1);
    act(ACTION_HEAD_TOGGLE);
    ck_assert(session.state.look.heads == 0xA);
    act(ACTION_HEAD_TOGGLE);
    ck_assert(session.state.look.heads == 8);
    act(ACTION_HEAD_TOGGLE);
    act(ACTION_HEAD_PREVIOUS);
    ck_assert(session.state.look.heads == 0xA); /* the cursor alone has moved */
    act(ACTION_HEAD_TOGGLE);
    ck_assert(session.state.look.heads == 0xB);
    type_digit(2);
    ck_assert(session.state.look.heads == 4);
    type_digit(2);
    ck_assert(session.state.look.heads == 0xB);
}

/* The last one stays: a picture without heads is what `a` is for. */
TEST(a_head_that_was_always_alone_is_not_removed)
{
    session.state.look.heads = session.state.look.others = 2;
    session.state.look.head = 1;
    act(ACTION_HEAD_TOGGLE);
    ck_assert(session.state.look.heads == 2);
    ck_assert_str_eq(session.message, "head 1 is alone: a digit shows another one, a all of them");
}

/* Ten heads have one digit each; of more, two digits in a row name one. */
TEST(two_digits_name_a_head)
{
    session_anew_on_pair(13, 4);
    type_digit(1);
    ck_assert(session.state.look.heads == 1u << 1);
    type_digit(1);
    ck_assert(session.state.look.heads == 1u << 11);
    type_digit(2); /* begins anew: 112 is too many, and so is 13 */
    ck_assert(session.state.look.heads == 1u << 2);
    type_digit(1);
    type_digit(3);
    ck_assert(session.state.look.heads == 1u << 3);
    type_digit(1);
    act(ACTION_LAYER_NEXT); /* another key in between */
    type_digit(2);
    ck_assert(session.state.look.heads == 1u << 2);
    act(ACTION_LAYER_NEXT);
    type_digit(2);
    ck_assert(session.state.look.heads == 0x1FFF);
}

/* A view of one head goes to it, and leaves alone which of them the others show. */
TEST(a_digit_goes_to_a_head_where_one_is_shown)
{
    session_set_view(&session, VIEW_MATRIX);
    type_digit(2);
    ck_assert_uint_eq(session.state.look.head, 2);
    ck_assert(session.state.look.heads == 0xF);
    ck_assert_str_eq(session.message, "");
    type_digit(2);
    ck_assert_str_eq(session.message, "head 2 is shown already");
}

TEST(a_head_of_the_model_is_opened)
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
    ck_assert(session.state.look.heads == 8);
    ck_assert_uint_eq(session.state.look.layer, 1);
}
