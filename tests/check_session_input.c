/* What a key or a pasted text means now, and what the footer says to it. */
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/session/act.h"

#include <string.h>

static struct session session;
static struct error error;

static void begin(void)
{
    session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
}

static void end(void)
{
    session_end(&session);
}

TESTS(.begin = begin, .end = end);

static void type(const char *keys)
{
    assert_ok(input_type(&session, keys, &error), error);
}

/* ---- Pasting ---- */

TEST(a_text_pasted_into_the_search_is_found)
{
    type("/");
    ck_assert_uint_eq(input_paste(&session, "arrow\r\n", 7), SESSION_REDRAW);
    ck_assert_str_eq(editor_text(session.overlay.lines[0]), "arrow");
    ck_assert_str_eq(session.state.look.find, "arrow");
    ck_assert_uint_eq(session.state.look.from, 5);
    ck_assert_str_eq(session.message, "");
    type("Enter");
    ck_assert_ptr_null(session.overlay.lines[0]);
    ck_assert_str_eq(session.state.look.find, "arrow");
}

TEST(a_text_too_long_to_be_looked_for_is_said_to_be)
{
    char text[100];
    memset(text, 'x', sizeof text);
    type("/ a");
    ck_assert_uint_eq(input_paste(&session, text, sizeof text), SESSION_REDRAW);
    ck_assert_str_eq(editor_text(session.overlay.lines[0]), "a");
    ck_assert_str_eq(session.message, "100 bytes are too many: there is room for 62");
    input_paste(&session, "\n\001", 2); /* nothing is left of it */
    ck_assert_str_eq(editor_text(session.overlay.lines[0]), "a ");
}

TEST(a_text_pasted_elsewhere_is_no_command)
{
    ck_assert_uint_eq(input_paste(&session, "q", 1), SESSION_REDRAW);
    ck_assert_str_eq(session.message, "to paste a text, press e first");
    ck_assert_str_eq(session.state.look.find, "");
}

/* ---- Esc ---- */

/* A dimension that was chosen in the neuron view is not in the way of Esc in the others. */
TEST(esc_clears_the_dimension_in_the_neuron_view_alone)
{
    static const enum view_kind others[] = {VIEW_HEAD, VIEW_MODEL, VIEW_MATRIX};
    session.state.look.dimension = 3;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        session_set_view(&session, others[i]);
        session.state.look.from = 2;
        type("Esc");
        ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
        ck_assert_uint_eq(session.state.look.dimension, 3);
    }
    session_set_view(&session, VIEW_NEURON);
    type("Down");
    const size_t from = session.state.look.from;
    type("Esc");
    ck_assert_uint_eq(session.state.look.dimension, NO_TOKEN);
    ck_assert_uint_eq(session.state.look.from, from);
}

/* ---- Where it will be seen ---- */

ROW_TEST(a_key_says_where_it_can_be_seen, "keys_said")
{
    session_set_view(&session, view_named(row[0]));
    type(row[1]);
    ck_assert_str_eq(session.message, row[2]);
    type("t"); /* the next key takes it away */
    ck_assert_str_eq(session.message, "");
}

TEST(one_sentence_cannot_be_filtered)
{
    end();
    session = synthetic_session(synthetic_pair, 7, 7, 4, 8);
    type("f");
    ck_assert_str_eq(session.message, "nothing to filter: that is for two sentences in one text");
    ck_assert_int_eq(session.state.look.filter, FILTER_ALL);
}

/* ---- For the projector ---- */

TEST(what_is_presented_says_how_to_leave)
{
    const struct look before = session.state.look;
    type("P");
    ck_assert(session.state.look.presented);
    ck_assert_str_eq(session.message, "P ends the presentation");
    type("Q");
    ck_assert_str_eq(session.message,
                     "Q does nothing here: ? lists the keys, P ends the presentation");
    type("?");
    ck_assert_int_eq(session.overlay.kind, OVERLAY_HELP);
    type("Esc P");
    ck_assert_str_eq(session.message, "");
    ck_assert(look_equal(&before, &session.state.look));
}

TEST(what_is_on_is_presented)
{
    static const struct {
        const char *key, *message;
    } keys[] = {
        {"2", ""}, {"a", ""}, {"#", ""}, {"c", "c: not visible in the presentation, which P ends"}};
    type("P");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        type(keys[i].key);
        ck_assert_str_eq(session.message, keys[i].message);
        ck_assert(scene_maps(scene_of(&session)) == session.state.look.heads);
    }
}

/* ---- Keys that mean nothing ---- */

TEST(a_key_without_a_meaning_says_so)
{
    static const struct {
        uint32_t key;
        const char *said;
    } keys[] = {{'Q', "Q does nothing here: ? lists the keys"},
                {0xE9, "é does nothing here: ? lists the keys"},
                {0x65E5, "日 does nothing here: ? lists the keys"},
                {0xAD, "this key does nothing here: ? lists the keys"}, /* unseen */
                {KEY_CODE_NONE, "this key does nothing here: ? lists the keys"},
                {KEY_CODE_DELETE, "Delete does nothing here: ? lists the keys"}};
    const struct look before = session.state.look;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        unsigned bits = input_key(&session, keys[i].key);
        ck_assert_str_eq(session.message, keys[i].said);
        ck_assert(bits & SESSION_REDRAW);
    }
    ck_assert(look_equal(&before, &session.state.look));
    input_key(&session, '1');
    input_key(&session, 'Q'); /* no longer the first of two digits */
    ck_assert_int_eq(session.first_digit, 0);
}

/* ---- Keys from a list ---- */

static const struct {
    const char *keys, *part;
} refused[] = {
    {"Down s", "one that saves it: --snapshot FILE does that"},
    {"S", "one that saves the state: --state FILE does that"},
    {"q", "one that quits"},
    {"\"xq\"", "one that quits"},
};

TEST(keys_that_leave_the_screen_are_wrong_usage, .times = COUNT(refused))
{
    assert_fails(input_type(&session, refused[_i].keys, &error), STATUS_USAGE, refused[_i].part,
                 error);
}
