/* Clicks: what they choose, and that those do nothing which were meant for another picture than the
 * one that is there by now. */
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/session/act.h"
#include "headlight/session/overlay.h"

#include <string.h>

#define HEADS      4u
#define DIMENSIONS 8u
#define LAYERS     2u
#define PIECES     13u
#define WORDS      12u /* "ba" and "##nana" are one */

TESTS(.base = &session_tests);

TEST(clicks_choose_and_pair_tokens)
{
    click(HIT(from), 2);
    ck_assert_uint_eq(session.state.look.from, 2);
    ck_assert(!scene_is_pinned(scene_of(&session)));
    click(HIT(to), 5); /* beside a chosen token: a pair */
    ck_assert(scene_is_pinned(scene_of(&session)));
    ck_assert_uint_eq(session.state.look.from, 2);
    ck_assert_uint_eq(session.state.look.to, 5);
    ck_assert_int_eq(session.state.look.side, SIDE_RIGHT);
    act(ACTION_TOKEN_NEXT);
    ck_assert_uint_eq(session.state.look.to, 6);
    click(HIT(from), 8); /* the pinned one can be changed */
    ck_assert_uint_eq(session.state.look.from, 8);
    ck_assert_uint_eq(session.state.look.to, 6);
    act(ACTION_CLEAR);
    click(HIT(to), 4);
    click(HIT(to), 4); /* the one under the cursor: pinned */
    ck_assert(scene_is_pinned(scene_of(&session)));
    ck_assert_int_eq(session.state.look.side, SIDE_LEFT);
}

TEST(clicks_lead_to_views_layers_and_heads)
{
    click(HIT(layer), 1);
    ck_assert_uint_eq(session.state.look.layer, 1);
    click(HIT(layer), 0);
    ck_assert_uint_eq(session.state.look.layer, 0);
    click(HIT(head), 2); /* chosen, */
    ck_assert_uint_eq(session.state.look.head, 2);
    ck_assert(session.state.look.heads == 0xF);
    click(HIT(head), 2); /* alone, */
    ck_assert(session.state.look.heads == 4);
    click(HIT(head), 1); /* another one in its place, */
    ck_assert(session.state.look.heads == 2);
    click(HIT(head), 1); /* and all again */
    ck_assert(session.state.look.heads == 0xF);
    click(HIT(view), VIEW_NEURON);
    ck_assert_int_eq(session.state.look.view, VIEW_NEURON);
    ck_assert_uint_ne(session.state.look.from, NO_TOKEN);
    click(HIT(head), 3);
    ck_assert_uint_eq(session.state.look.head, 3);
    ck_assert(session.state.look.heads == 0xF);
    click(HIT(view), VIEW_MATRIX);
    click_hit(hit_pair(3, 9, false));
    ck_assert_uint_eq(session.state.look.from, 3);
    ck_assert_uint_eq(session.state.look.to, 9);
    click(HIT(view), VIEW_MODEL);
    click_hit(hit_head(1, 2));
    ck_assert_uint_eq(session.state.look.layer, 1);
    ck_assert_uint_eq(session.state.look.head, 2);
    ck_assert_int_eq(session.state.look.view, VIEW_MODEL);
    click_hit(hit_head(1, 2));
    ck_assert_int_eq(session.state.look.view, VIEW_HEAD);
    ck_assert(session.state.look.heads == 4);
    type("?");
    click(HIT_NOTHING, 0);
    ck_assert(!session.overlay.kind);
    ck_assert_uint_eq(session_click(&session, hit_at(HIT_NOTHING, 0)), SESSION_UNCHANGED);
}

/* ---- What is gone ---- */

static void merge_words(void)
{
    session_act(&session, ACTION_WORDS, 0);
    ck_assert_uint_eq(scene_count(scene_of(&session), SIDE_LEFT), WORDS);
}

static void check_changes_nothing(struct hit hit)
{
    const struct look look = session.state.look;
    struct data data;
    memcpy(&data, &session.data, sizeof data);
    ck_assert_msg(session_click(&session, hit) == SESSION_UNCHANGED, "place %d: %zu",
                  (int)hit.place[0], hit.value[0]);
    ck_assert(look_equal(&session.state.look, &look));
    ck_assert_mem_eq(&session.data, &data, sizeof data);
}

static const struct {
    uint16_t places[2];
    size_t there;  /* of the first place, where there is a second one, */
    size_t beyond; /* the first value that there is no more, */
    size_t pieces; /* and in views that merge nothing */
} gone[] = {
    {{HIT(from)}, 0, WORDS, PIECES},
    {{HIT(to)}, 0, WORDS, PIECES},
    {{HIT(from), HIT(to)}, 1, WORDS, PIECES},
    {{HIT(head)}, 0, HEADS, HEADS},
    {{HIT(dimension)}, 0, DIMENSIONS, DIMENSIONS},
    {{HIT(layer)}, 0, LAYERS, LAYERS},
    {{HIT(layer), HIT(head)}, 1, HEADS, HEADS},
};

static struct hit gone_hit(size_t i, size_t value)
{
    const bool two = gone[i].places[1] != HIT_NOTHING;
    return (struct hit){.place = {gone[i].places[0], gone[i].places[1]},
                        .value = {two ? gone[i].there : value, value}};
}

TEST(a_click_on_what_is_gone_changes_nothing, .times = COUNT(gone))
{
    merge_words();
    for (int view = 0; view < VIEW_COUNT; view++) {
        session_set_view(&session, (enum view_kind)view);
        const bool pieces = view_at((enum view_kind)view)->shown & SHOWN_PIECES;
        check_changes_nothing(gone_hit((size_t)_i, pieces ? gone[_i].beyond : gone[_i].pieces));
        check_changes_nothing(gone_hit((size_t)_i, SIZE_MAX - 1));
    }
}

TEST(a_click_on_a_line_needs_a_list)
{
    check_changes_nothing(hit_at(HIT_LINE, 0));
}

TEST(nothing_is_clicked_before_there_is_a_text)
{
    struct session loading = {.busy = REQUEST_LOAD};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        ck_assert_uint_eq(session_click(&loading, gone_hit(i, 0)), SESSION_UNCHANGED);
}

/* What the mouse was over is forgotten with the picture, and not looked up in the next one. */
TEST(a_mouse_over_what_is_gone_shows_nothing)
{
    session_hover(&session, hit_token(SIDE_LEFT, 8));
    ck_assert_uint_eq(session_picture(&session).look.from, 8);
    merge_words();
    ck_assert_uint_eq(session_picture(&session).look.from, NO_TOKEN);
    session_hover(&session, hit_token(SIDE_LEFT, PIECES - 1));
    ck_assert_uint_eq(session_picture(&session).look.from, NO_TOKEN);
    session_hover(&session, hit_token(SIDE_RIGHT, PIECES - 1));
    ck_assert_uint_eq(session_picture(&session).look.to, NO_TOKEN);
    session_set_view(&session, VIEW_MATRIX);
    session_hover(&session, hit_pair(0, WORDS, true));
    ck_assert_uint_eq(session_picture(&session).look.from, NO_TOKEN);
}

/* ---- Lines ---- */

/* Wherever a line can be hit stands a stroke, and a click there chooses a pair whose line is drawn.
 */
TEST(a_click_on_a_line_chooses_its_pair)
{
    struct canvas *canvas = drawn(80, 24);
    size_t places = 0, from = NO_TOKEN, lefts = 0;
    for (int y = 0; y < 24; y++)
        for (int x = 20; x < 60; x++) {
            struct hit hit = canvas_hit(canvas, y, x);
            if (hit.place[0] != HIT(from) || hit.place[1] != HIT(to))
                continue;
            ck_assert(canvas_at(canvas, y, x)->style.stroke);
            session_click(&session, hit);
            ck_assert_uint_eq(session.state.look.from, hit.value[0]);
            ck_assert_uint_eq(session.state.look.to, hit.value[1]);
            lefts += session.state.look.from != from;
            from = session.state.look.from;
            places++;
        }
    ck_assert_uint_gt(places, 100);
    ck_assert_uint_gt(lefts, 5);
    canvas_free(canvas);
}

/* ---- Hints ---- */

/* What a click on a piece of the footer means; it has to stand there. */
static struct hit hint_at(const char *hint, int offset)
{
    struct canvas *canvas = drawn(80, 24);
    for (int x = 0; x < 80; x++)
        if (strncmp(view_text(canvas, 23, x, 80 - x), hint, strlen(hint)) == 0) {
            struct hit hit = canvas_hit(canvas, 23, x + offset);
            canvas_free(canvas);
            return hit;
        }
    ck_abort_msg("no \"%s\" in \"%s\"", hint, view_text(canvas, 23, 0, 80));
    return hit_at(HIT_NOTHING, 0);
}

TEST(each_key_of_a_hint_is_its_own)
{
    static const struct {
        const char *hint;
        int offset;
        uint32_t key;
    } keys[] = {{"↑↓ token", 0, KEY_CODE_UP},
                {"↑↓ token", 1, KEY_CODE_DOWN},
                {"↑↓ token", 7, KEY_CODE_DOWN},
                {"Enter choose", 0, KEY_CODE_ENTER},
                {"Enter choose", 11, KEY_CODE_ENTER},
                {"←→ layer", 0, KEY_CODE_LEFT},
                {"Tab view", 2, KEY_CODE_TAB},
                {"Tab view", 6, KEY_CODE_TAB},
                {"? help", 0, '?'},
                {"? help", 4, '?'},
                {"q quit", 5, 'q'}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct hit hit = hint_at(keys[i].hint, keys[i].offset);
        ck_assert_msg(hit.place[0] == HIT_KEY && hit.value[0] == keys[i].key, "%s, %d: %u %zX",
                      keys[i].hint, keys[i].offset, hit.place[0], hit.value[0]);
    }
    ck_assert_int_eq(hint_at("0-9 head", 0).place[0], HIT_NOTHING); /* no single key */
    ck_assert_int_eq(hint_at("q quit", 6).place[0], HIT_NOTHING);
}

TEST(a_click_on_a_hint_presses_its_key)
{
    session_click(&session, hint_at("←→ layer", 1));
    ck_assert_uint_eq(session.state.look.layer, 1);
    session_click(&session, hint_at("Tab view", 0));
    session_click(&session, hint_at(", . dim", 2));
    ck_assert_uint_eq(session.state.look.dimension, 0);
    ck_assert(session_click(&session, hint_at("q quit", 0)) & SESSION_QUIT);
    session_click(&session, hint_at("? help", 0));
    ck_assert_int_eq(session.overlay.kind, OVERLAY_HELP);
    overlay_close(&session);
    input_key(&session, '/');
    session_click(&session, hint_at("Esc forget", 0));
    ck_assert_ptr_null(session.overlay.lines[0]);
}

/* As a key does: the footer's hints come back for a hand that stays on the mouse. */
TEST(a_click_takes_the_message_away)
{
    session_act(&session, ACTION_HEAD_DIGIT, 9);
    ck_assert_str_ne(session.message, "");
    ck_assert_uint_eq(session_click(&session, hit_at(HIT_NOTHING, 0)), SESSION_REDRAW);
    ck_assert_str_eq(session.message, "");
}
