/* The list of all that has a name: what is in it, how typing filters it, and what its lines do. */
#include "hub_helpers.h"
#include "model_helpers.h"
#include "panel_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/draw/theme.h"
#include "headlight/session/fields.h"

#include <stdio.h>
#include <string.h>

static bool is_shown(const char *text)
{
    struct canvas *canvas = drawn(120, 40);
    bool shown = view_shows(canvas, text);
    canvas_free(canvas);
    return shown;
}

static void type_text(const char *text)
{
    for (; *text; text++)
        input_key(&session, (uint32_t)(unsigned char)*text);
}

/* Opens the list and types a name, whose line comes first then. */
static void seek(const char *kind, const char *name)
{
    char line[64];
    snprintf(line, sizeof line, "%s%s%s", kind, *kind ? " " : "", name);
    if (session.overlay.kind)
        type("Esc");
    type(":");
    type_text(line);
    ck_assert_uint_eq(session.overlay.cursor, 0);
    ck_assert_msg(is_shown(line), "no \"%s\"", line);
}

/* ---- What is in it ---- */

TESTS(.base = &session_tests);

TEST(every_view_is_reached)
{
    for (enum view_kind view = 0; view < VIEW_COUNT; view++) {
        seek("view", view_name(view));
        type("Enter");
        ck_assert_int_eq(session.state.look.view, view);
        ck_assert(!session.overlay.kind && !session.overlay.lines[0]);
    }
}

TEST(every_map_is_reached)
{
    for (enum map_kind map = 0; map < MAP_CONTACTS; map++) {
        seek("map", map_infos[map].name);
        ck_assert(is_shown(map_infos[map].meaning));
    }
    seek("map", "scores");
    type("Enter");
    ck_assert_int_eq(session.state.look.map, MAP_SCORES);
}

TEST(every_theme_is_reached)
{
    for (unsigned theme = 0; theme_at(theme); theme++) {
        seek("theme", theme_at(theme)->name);
        type("Enter");
        ck_assert_uint_eq(session.state.look.theme, theme);
    }
}

/* Each value in words of its own, not in those of its field. */
TEST(every_value_says_what_it_is)
{
    static const enum state_field fields[] = {FIELD_MEAN, FIELD_FILTER, FIELD_SHADE, FIELD_THEME,
                                              FIELD_SPECIAL};
    for (int i = 0; i < COUNT(fields); i++)
        for (size_t value = 0; field_choice(fields[i], value); value++) {
            seek(field_info(fields[i])->name, field_choice(fields[i], value));
            ck_assert(is_shown(field_choice_about(fields[i], value)));
            ck_assert_str_ne(field_choice_about(fields[i], value),
                             option_named(field_info(fields[i])->name)->help);
        }
}

TEST(every_lesson_is_reached)
{
    fake_attend(&session);
    for (size_t i = 0; i < fake.teacher.lesson_count; i++) {
        seek("lesson", fake.teacher.lessons[i].name);
        type("Enter");
        ck_assert_int_eq(fake.what, TEACH_BEGIN);
        ck_assert_uint_eq(fake.lesson, i);
        fake.panel.open = false;
    }
}

/* With the key that one presses for it; "layer-previous" contains the name of another one. */
TEST(every_action_is_reached)
{
    char name[ACTION_NAME_MAX], line[64];
    for (enum action action = 0; action < ACTION_COUNT; action++) {
        size_t length = 0;
        const char *key = action_key(NULL, action, 0, &length);
        action_name(action, name);
        seek("", name);
        snprintf(line, sizeof line, "%.*s", (int)length, key ? key : "");
        ck_assert_msg(is_shown(line), "%s lacks %s", name, line);
    }
}

TEST(an_action_is_done)
{
    seek("", "mean");
    seek("", "layer-next");
    type("Enter");
    ck_assert_uint_eq(session.state.look.layer, 1);
    seek("", "change");
    type("Enter");
    ck_assert_int_eq(session.overlay.kind, OVERLAY_CHANGES);
    type("Esc");
    seek("", "head-digit");
    type("Enter");
    ck_assert_str_eq(session.message, "a digit chooses the head of that number");
    seek("", "quit");
    ck_assert_uint_eq(input_key(&session, KEY_CODE_ENTER) & SESSION_QUIT, SESSION_QUIT);
}

TEST(a_change_of_the_network_is_made)
{
    type(":");
    type_text("causal");
    ck_assert(is_shown("causal: to itself and those before"));
    unsigned bits = input_key(&session, KEY_CODE_ENTER);
    ck_assert(bits & SESSION_PASS && session.state.source.changes.causal);
    ck_assert(!session.overlay.kind);
}

/* Those of the hub's cache, too. */
TEST(every_model_is_reached)
{
    struct hub hub;
    hub_make(&hub);
    hub_add(&hub, "models--org--tiny", "c1", "main");
    session.interactive = true;
    seek("model", "org/tiny");
    ck_assert_uint_eq(session.models.count, 1);
    ck_assert_msg(!session.models.model[0].why[0], "%s", session.models.model[0].why);
    ck_assert(input_key(&session, KEY_CODE_ENTER) & SESSION_MODEL);
    ck_assert_str_eq(session.wanted, "org/tiny");
    ck_assert_str_eq(session.message, "opening org/tiny");
    session.interactive = false;
    seek("model", "dates");
    type("Enter");
    ck_assert_str_eq(session.message, "a model is opened from the shell: headlight --model dates");
    hub_remove(&hub);
}

/* A recording has no network to change. */
TEST(without_a_network_nothing_of_it_is_listed)
{
    const struct checkpoint *checkpoint = session.checkpoint;
    session.checkpoint = NULL;
    type(":");
    type_text("causal");
    const bool shown = is_shown("causal: to itself");
    session.checkpoint = checkpoint;
    ck_assert(!shown);
}

TEST(own_keys_are_shown)
{
    struct bindings bindings = {0};
    ck_assert(bindings_add(&bindings, "F1", ACTION_MASK));
    session.bindings = &bindings;
    seek("", "mask");
    ck_assert(is_shown("F1"));
}

/* ---- Typing ---- */

/* Letters that move the cursor elsewhere are letters here. */
TEST(typing_filters_names_and_what_is_said_of_them, .times = 38)
{
    static const struct {
        const char *typed, *first;
    } cases[] = {{"roll", "map rollout"},
                 {"ROLL", "map rollout"},
                 {"dark", "theme dark"},
                 {"out roll", "map rollout"},
                 {"mask", "mask"},
                 {"gj", NULL},
                 {"cosine", "map similarity"},
                 {"projector", "present"},
                 {"screenshot", "save"},
                 {"causal", "network"},
                 {"multi", "head-all"},
                 {"next word", "token-next"},
                 {"turn off", "head 0.0 off"},
                 {"disable", "head 0.0 off"},
                 {"ablate", "head 0.0 off"},
                 {"heatmap", "view matrix"},
                 {"probability", "view answers"},
                 {"causal mask", "network"},
                 {"dark mode", "theme dark"},
                 {"zoom", "present"},
                 {"export", "save-page"},
                 {"copy", "command"},
                 {"previous word", "token-previous"},
                 {"tired", "lesson guess"},
                 {"dates", "model dates"},
                 {"built-in", "model built-in"},
                 {"temperature", "temperature 1"},
                 {"positions", "positions as trained"},
                 {"uniform", "uniform attention"},
                 {"switch", "head 0.0 off"},
                 {"font", "present"},
                 {"color", "theme"},
                 {"embed", "find-alike"},
                 {"not divided", "scores not divided"},
                 {"sqrt", "scores not divided"},
                 {"unscaled", "scores not divided"},
                 {"threshold", "threshold 0.05"},
                 {"lines of tokens", "threshold 0.5"}};
    fake_attend(&session);
    type(":");
    type_text(cases[_i].typed);
    ck_assert(is_shown(cases[_i].typed));
    if (cases[_i].first)
        ck_assert(is_shown(cases[_i].first));
    ck_assert(cases[_i].first || !is_shown("map weights"));
    ck_assert_ptr_nonnull(session.overlay.lines[0]);
}

TEST(arrows_choose_and_esc_leaves)
{
    const struct look before = session.state.look;
    type(":");
    type_text("theme");
    type("Down Down Up Enter");
    ck_assert_uint_eq(session.state.look.theme, 1);
    type(": End Down PageUp Home Up Esc");
    ck_assert(!session.overlay.kind && !session.overlay.lines[0]);
    type(":");
    type_text("nothing of that name");
    type("Enter Down"); /* there is no line */
    ck_assert(is_shown("nothing is called that"));
    ck_assert(session.overlay.kind);
    type("Ctrl-U Esc");
    session.state.look.theme = before.theme;
    ck_assert(look_equal(&before, &session.state.look));
}

TEST(text_is_pasted_into_the_filter)
{
    type(":");
    ck_assert_uint_eq(input_paste(&session, "rollout\n", 8), SESSION_REDRAW);
    ck_assert_str_eq(editor_text(session.overlay.lines[0]), "rollout");
    ck_assert_str_eq(session.state.look.find, "");
}

TEST(lines_are_clicked)
{
    type(":");
    type_text("theme");
    click(HIT_LINE, 2);
    ck_assert_uint_eq(session.state.look.theme, 2);
    type(":");
    ck_assert_uint_eq(session_click(&session, hit_at(HIT_LINE, 9999)), SESSION_REDRAW);
    click(HIT(from), 3); /* elsewhere */
    ck_assert(!session.overlay.kind && !session.overlay.lines[0]);
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
}

TEST(what_is_not_seen_is_not_set)
{
    session_set_view(&session, VIEW_STEPS);
    const enum map_kind before = session.state.look.map;
    type("p");
    ck_assert_int_eq(session.state.look.map, before);
    ck_assert_str_eq(session.message, "p: only works in the head, model or matrix view");
}
