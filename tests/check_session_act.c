#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/session/act.h"
#include "headlight/session/overlay.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"

#include <stdlib.h>
#include <string.h>

/* Every action means something in every view, or says why not. */

static struct session session;

static void end(void)
{
    session_end(&session);
}

/* In the middle of everything, so that each step leads somewhere. */
static void look_in(enum view_kind view, size_t layer, bool pinned)
{
    session.columns = 120;
    session.rows = 40;
    session_set_view(&session, view);
    struct look look = session.state.look;
    look.from = 5;
    look.to = pinned ? 6 : NO_TOKEN;
    look.side = pinned ? SIDE_RIGHT : SIDE_LEFT;
    look.dimension = 3;
    look.layer = layer;
    look.head = 1;
    look.threshold = 100;
    look.query_found = false;
    ck_assert(derive_show(&session, &look));
}

static void open_view(enum view_kind view, size_t layer, bool pinned)
{
    session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    look_in(view, layer, pinned);
}

static bool has_changed(const struct state *before)
{
    const struct interventions *changes = &before->source.changes;
    return !look_equal(&before->look, &session.state.look) || session.overlay.kind ||
           memcmp(changes, &session.state.source.changes, sizeof *changes) != 0;
}

static void check_action(enum view_kind view, enum action action, bool pinned)
{
    const unsigned asks = (unsigned)~SESSION_REDRAW; /* something of whoever runs the session */
    open_view(view, action == ACTION_TOKEN_FIRST, pinned);
    struct state *before = malloc(sizeof *before);
    ck_assert_ptr_nonnull(before);
    *before = session.state;
    unsigned bits = session_act(&session, action, 2);
    ck_assert_msg(has_changed(before) || bits & asks || session.message[0],
                  "%s in the %s view%s: nothing happens, and nothing is said",
                  action_info(action)->keys, view_name(view), pinned ? ", pinned" : "");
    ck_assert_int_eq(session.refusal.status, STATUS_OK);
    free(before);
    end();
}

TEST(an_action_is_handled_or_refused, .times = ACTION_COUNT)
{
    for (enum view_kind view = 0; view < VIEW_COUNT; view++) {
        check_action(view, (enum action)_i, false);
        check_action(view, (enum action)_i, true);
    }
}

/* What is refused changes nothing. */
TEST(what_is_refused_changes_nothing)
{
    static const struct {
        enum view_kind view;
        enum action action;
        int digit;
        const char *said;
    } refused[] = {
        {VIEW_ANSWERS, ACTION_RANK, 0, "choose two tokens first: one, then Enter, then another"},
        {VIEW_HEAD, ACTION_HEAD_DIGIT, 7, "a layer has the heads 0 to 3"},
        {VIEW_MATRIX, ACTION_HEAD_TOGGLE, 0, "one head is shown here: [ and ] go to another"},
        {VIEW_ANSWERS, ACTION_LIST, 0,
         "c: only works in the head, neuron, model, matrix, steps or corpus view"},
        {VIEW_NEURON, ACTION_SIDE, 0, "only works in the head, model, matrix or compare view"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        open_view(refused[i].view, 0, false);
        const struct look before = session.state.look;
        session_act(&session, refused[i].action, refused[i].digit);
        ck_assert_str_eq(session.message, refused[i].said);
        ck_assert(look_equal(&before, &session.state.look));
        end();
    }
}

/* A view's row answers for it: what it does not show isn't changed, and said to be elsewhere. */
TEST(what_is_not_shown_is_not_changed)
{
    for (enum view_kind view = 0; view < VIEW_COUNT; view++)
        for (enum action action = 0; action < ACTION_COUNT; action++) {
            unsigned shown = action_info(action)->shown;
            if (!shown ||
                (view_at(view)->speaks && (action == ACTION_METRIC || action == ACTION_SORT)))
                continue; /* which leads there, or says why it can't */
            open_view(view, 0, true);
            const struct look before = session.state.look;
            session_act(&session, action, 0);
            if (session.overlay.kind) /* of the maps */
                overlay_choose(&session, MAP_SCORES);
            bool said = strstr(session.message, "only works in the ") != NULL;
            ck_assert(!said || look_equal(&before, &session.state.look));
            ck_assert_msg(said == !(view_at(view)->shown & shown), "%s in the %s view: \"%s\"",
                          action_info(action)->keys, view_name(view), session.message);
            end();
        }
}

/* What is on the screen without a message and lists, once all of it is computed. */
static struct canvas *draw(void)
{
    struct error error;
    struct canvas *canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    overlay_close(&session);
    assert_ok(request_rest(&session, &error), error);
    session.message[0] = '\0';
    ck_assert_int_eq(screen_draw(&session, canvas, &error), STATUS_OK);
    return canvas;
}

/* A change of the look is seen, or else the message says where it could be. */
TEST(what_changes_is_seen, .times = 2 * VIEW_COUNT)
{
    static struct checkpoint checkpoint;
    const struct interventions none = {0};
    const struct text texts[] = {{"time flies like an arrow", 24}, {"the cat sat", 11}};
    const enum view_kind view = (enum view_kind)(_i / 2);
    struct error error;
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    for (enum action action = 0; action < ACTION_COUNT; action++) {
        char said[sizeof session.message];
        session_begin(&session, &checkpoint, true, &none);
        assert_ok(session_open(&session, texts, 2, NULL, &error), error);
        assert_ok(request_settle(&session, &error), error);
        look_in(view, 1, _i % 2);
        struct canvas *before = draw();
        const struct look look = session.state.look;
        session_act(&session, action, 2);
        overlay_close(&session);
        snprintf(said, sizeof said, "%s", session.message);
        struct canvas *after = draw();
        const bool seen = memcmp(before->cells, after->cells, 120 * 40 * sizeof *after->cells) != 0;
        ck_assert_msg(seen || look_equal(&look, &session.state.look) || strstr(said, " anyway"),
                      "%s changes what is not seen in the %s view%s: \"%s\"",
                      action_info(action)->keys, view_name(view), _i % 2 ? ", pinned" : "", said);
        canvas_free(before);
        canvas_free(after);
        end();
    }
    checkpoint_close(&checkpoint);
}

/* A key that leaves everything as it is says why. */
TEST(what_changes_nothing_is_said)
{
    static const struct {
        enum view_kind view;
        enum action action;
        const char *said;
    } idle[] = {
        {VIEW_HEAD, ACTION_TOKEN_PREVIOUS, "Up: can't go any further"},
        {VIEW_HEAD, ACTION_TOKEN_FIRST, "Home: can't go any further"},
        {VIEW_HEAD, ACTION_CLEAR, "Esc: nothing is chosen"},
        {VIEW_MODEL, ACTION_TOKEN_FIRST, "Home: can't go any further"},
        {VIEW_MATRIX, ACTION_HEAD_ISOLATE, "one head is shown here: [ and ] go to another"},
        {VIEW_MATRIX, ACTION_HEAD_ALL, "one head is shown here: [ and ] go to another"},
    };
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        open_view(idle[i].view, 0, false);
        session.state.look.from = idle[i].action == ACTION_CLEAR ? NO_TOKEN : 0;
        session_act(&session, idle[i].action, 0);
        ck_assert_str_eq(session.message, idle[i].said);
        end();
    }
}
