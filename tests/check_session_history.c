/* What u undoes and U brings back: keys, and what a field of the state is then. */
#include "model_helpers.h"
#include "rows.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/session/history.h"
#include "headlight/session/request.h"

#include <stdio.h>
#include <string.h>

static struct checkpoint tiny;
static struct error error;

static void begin(void)
{
    assert_ok(checkpoint_open(&tiny, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&tiny, NULL, "time flies", "like an arrow");
}

static void end(void)
{
    end_session();
    checkpoint_close(&tiny);
}

TESTS(.begin = begin, .end = end);

/* "text" and "masked", or a field as it is saved. */
static const char *value_of(const char *name)
{
    static struct field_value value;
    const struct source *source = &session.state.source;
    value.length = 0;
    value.text[0] = '\0';
    for (size_t i = 0; strcmp(name, "masked") == 0 && i < source->masked.count; i++)
        field_value_add(&value, "%s%zu", i > 0 ? "," : "", source->masked.tokens[i]);
    for (size_t i = 0; strcmp(name, "text") == 0 && i < source->texts.count; i++)
        field_value_add(&value, "%s%s", i > 0 ? " | " : "", texts_at(&source->texts, i));
    if (field_named(name) < FIELD_COUNT)
        field_write(&session, field_named(name), &value);
    return value.text;
}

/* What is computed is what the state says. */
static void check_shown(void)
{
    assert_ok(request_rest(&session, &error), error);
    ck_assert(derived_is_current(&session));
}

static const struct {
    const char *keys, *name, *value, *message;
} cases[] = {
    /* what is deliberate, each by itself */
    {"u", "view", "head", "nothing to undo"},
    {"U", "view", "head", "nothing to redo"},
    {"Tab Tab u", "view", "neuron", "undo: the neuron view"},
    {"Tab Tab u u", "view", "head", "undo: the head view"},
    {"Tab Tab u u u", "view", "head", "nothing to undo"},
    {"Tab Tab u u U", "view", "neuron", "redo: the neuron view"},
    {"Tab Tab u u U U U", "view", "model", "nothing to redo"},
    {"Tab Tab u t U", "view", "neuron", "nothing to redo"},
    {"z m Esc u", "causal", "", "undo: no longer causal"},
    {"z m d Esc u", "causal", "on", "undo: scores divided by √D"},
    {"z m Esc u U", "causal", "on", "redo: causal: to itself and those before"},
    {"z m z Z Esc u", "off", "0.0", "undo: causal: to itself and those before"},
    {"z z Esc u", "off", "", "undo: head 0.0 is on again"},
    {"z z Esc ] z z Esc u", "off", "0.0", "undo: head 0.1 is on again"},
    {"z z m u", "off", "0.0", "undo: no longer causal"},
    {"z z m u u", "off", "", "undo: head 0.0 is on again"},
    {"z z m u u U", "off", "0.0", "redo: head 0.0 is off again"},
    {"z z Esc u U", "off", "0.0", "redo: head 0.0 is off again"},
    {"z z Esc ] z z Z Esc u U", "off", "", "redo: heads 0.0 and 0.1 are on again"},
    {"z t Enter Esc u", "temperature", "", "undo: as it was trained"},
    {"f u", "filter", "", "undo: every token may attend to every other"},
    {"2 u", "heads", "all", "undo: all heads"},
    {"2 Space u", "heads", "2", "undo: head 2 alone"},
    {"m u", "mean", "", "undo: each head by itself"},
    {"H u", "special", "", "undo: all tokens are there"},
    {"w u", "words", "", "undo: word pieces, each by itself"},
    {"p 2 u", "map", "", "undo: the weights map"},
    {"t u", "theme", "dark", "undo: dark mode: for a dark terminal"},
    {"P u", "present", "", "undo: as on a desk, with bars and footer"},
    {"P u U", "present", "on", "redo: for the projector"},
    {"Tab Tab o u", "metric", "", "undo: the thumbnails alone"},
    {"Tab Tab o O u", "sort", "", "undo: heads in their own order"},
    {"+ + u", "detail", "1", "undo: fewer lines"},
    {": \"threshold 0.2\" Enter u", "threshold", "",
     "undo: as many lines as can be told apart, the heaviest"},
    {"Tab Tab Tab Tab O u", "without", "", "undo: the answer as it is"},
    {"/ \"an\" Enter u", "find", "", "undo: nothing is marked"},
    {": \"map\" Esc : \"scores\" Enter u", "map", "", "undo: the weights map"},
    /* texts and masks */
    {"e \" by\" Enter u", "text", "time flies | like an arrow", "undo: text"},
    {"e \" by\" Enter u U", "text", "time flies by | like an arrow", "redo: text"},
    {"e \" by\" Enter e Tab Ctrl-U Enter u", "text", "time flies by | like an arrow", "undo: text"},
    {"e \" by\" Enter e Tab Ctrl-U Enter u u", "text", "time flies | like an arrow", "undo: text"},
    {"e \" by\" Enter u e \" on\" Enter U", "text", "time flies on | like an arrow",
     "nothing to redo"},
    {"e \" by\" Esc u", "text", "time flies | like an arrow", "nothing to undo"},
    {"e Enter u", "text", "time flies | like an arrow", "nothing to undo"},
    {"g Down M u", "masked", "", "undo: mask"},
    {"g Down M u U", "masked", "1", "redo: mask"},
    {"g Down M e \" by\" Enter", "masked", "", ""},
    {"g Down M e \" by\" Enter u", "masked", "1", "undo: text"},
    {"g Down M e \" by\" Esc", "masked", "1", ""},
    {"z m Esc e \" by\" Enter u u", "causal", "", "undo: no longer causal"},
    /* cursors are where they were */
    {"g Down Down Right 1 u", "select", "#2", "undo: all heads"},
    {"g Down Down u", "select", "#2", "nothing to undo"},
    {"1 ] ] u", "heads", "all", "undo: all heads"},
    {"1 ] ] t u", "heads", "3", "undo: dark mode: for a dark terminal"},
    {"1 2 3 u", "heads", "all", "undo: all heads"},
    {"Tab Tab Right Down Enter Up Up u", "head", "1", "undo: the model view"},
    {"Tab Tab Right Down Enter Up Up u", "layer", "1", "undo: the model view"},
    {"Tab Tab Right Down Enter Up Up u U", "attended", "", "redo: the head view"},
    {"Tab Tab Right Down Enter g Down Down u U", "select", "#2", "redo: the head view"},
    {"End w u", "select", "#7", "undo: word pieces, each by itself"},
    {"End H u", "select", "#7", "undo: all tokens are there"},
    {"End e Tab Ctrl-U Enter Home u", "select", "#7", "undo: text"},
    {"End e Tab Ctrl-U Enter Home u U", "select", "#0", "redo: text"},
    {"Down Enter r Down u", "rank", "", "undo: the head view"},
    {"Tab Tab Tab Tab Tab Enter Down Down u", "view", "answers", "undo: the answers view"},
};

TEST(keys_are_undone, .times = COUNT(cases))
{
    type(cases[_i].keys);
    ck_assert_msg(strcmp(value_of(cases[_i].name), cases[_i].value) == 0,
                  "%s: %s is \"%s\", expected \"%s\"", cases[_i].keys, cases[_i].name,
                  value_of(cases[_i].name), cases[_i].value);
    ck_assert_msg(strcmp(session.message, cases[_i].message) == 0, "%s: \"%s\", expected \"%s\"",
                  cases[_i].keys, session.message, cases[_i].message);
    check_shown();
}

/* ---- Esc: where one came from, with the cursor there ---- */

static const struct {
    const char *keys;
    enum view_kind view;
    size_t layer, head;
    const char *message;
} ways[] = {
    {"Tab Tab Right Down Enter", VIEW_HEAD, 1, 1, ""},
    {"Tab Tab Right Down Enter ] Right Esc", VIEW_MODEL, 1, 1, ""},
    {"Tab Tab Right Down Enter 3 Esc Enter", VIEW_HEAD, 1, 1, ""},
    {"Tab Tab Right Down Enter Down Esc", VIEW_HEAD, 1, 1, ""}, /* the token first */
    {"Tab Tab Right Down Enter Down Esc Esc", VIEW_MODEL, 1, 1, ""},
    {"Tab Tab Right Down Enter / \"an\" Enter Esc Esc", VIEW_MODEL, 1, 1, ""},
    {"Tab Tab Right Down Enter Esc Esc", VIEW_MODEL, 1, 1, "Esc: nothing is chosen"},
    {"Tab Tab Right Down Enter e Esc Esc", VIEW_MODEL, 1, 1, ""},
    {"Tab Tab Right Down Enter Tab Shift-Tab Esc", VIEW_HEAD, 1, 1, "Esc: nothing is chosen"},
    {"Tab Tab Right Down Enter Esc u", VIEW_HEAD, 1, 1, "undo: the head view"},
    {"Tab Tab Right Down Enter Esc u Esc", VIEW_MODEL, 1, 1, ""},
    {"Tab Tab Right Down Enter u", VIEW_MODEL, 1, 1, "undo: the model view"},
    {"Right Tab Tab Tab Tab Down Down o", VIEW_MODEL, NO_TOKEN, NO_TOKEN, ""},
    {"Right Tab Tab Tab Tab Down o Esc", VIEW_ANSWERS, 1, 0, ""},
    {"Right Tab Tab Tab Tab Down Right o Enter Esc Esc", VIEW_ANSWERS, 1, 0, ""},
    {"Down Tab Tab Right Down Enter Esc", VIEW_MODEL, 1, 1, ""}, /* it was chosen before */
    {"Right Tab Tab Tab Tab Down Down o Enter Esc", VIEW_MODEL, NO_TOKEN, NO_TOKEN, ""},
    {"Tab Tab Right Down Enter Down Enter r Esc", VIEW_HEAD, 1, 1, ""},
    {"Tab Tab Tab Tab Tab Enter Esc", VIEW_STEPS, 0, 0, ""},
};

TEST(escape_leads_back, .times = COUNT(ways))
{
    const struct look *look = &session.state.look;
    type(ways[_i].keys);
    ck_assert_msg(look->view == ways[_i].view, "%s: %s", ways[_i].keys, view_name(look->view));
    if (ways[_i].layer != NO_TOKEN)
        ck_assert_msg(look->layer == ways[_i].layer && look->head == ways[_i].head, "%s: %zu.%zu",
                      ways[_i].keys, look->layer, look->head);
    ck_assert_str_eq(session.message, ways[_i].message);
}

static struct canvas *drawn_at_rest(void)
{
    assert_ok(request_rest(&session, &error), error);
    session.message[0] = '\0';
    return drawn(120, 40);
}

/* From every list and every view that another opened: the picture is the same again, to the cell.
 */
ROW_TEST(escape_leads_back_to_the_same_picture, "back")
{
    type(row[0]);
    struct canvas *before = drawn_at_rest();
    const struct look look = session.state.look;
    type_and_wait(row[1]);
    struct canvas *after = drawn_at_rest();
    ck_assert(look_equal(&look, &session.state.look));
    ck_assert(!session.overlay.kind && !interventions_any(&session.state.source.changes));
    ck_assert_mem_eq(before->cells, after->cells, (size_t)120 * 40 * sizeof *after->cells);
    canvas_free(before);
    canvas_free(after);
}

/* ---- Other ways to change a state ---- */

static void click_on(uint16_t place, size_t value)
{
    session_click(&session, hit_at(place, value));
}

TEST(clicks_are_undone)
{
    click_on(HIT(view), VIEW_MODEL);
    click_on(HIT_KEY, 'o');
    click_on(HIT_KEY, 'u');
    ck_assert_str_eq(session.message, "undo: the thumbnails alone");
    type("u");
    ck_assert_str_eq(value_of("view"), "head");
    type("U U U");
    ck_assert_str_eq(value_of("view"), "model");
    ck_assert_str_eq(session.message, "nothing to redo");
}

/* Keys that come before the pass is there. */
TEST(a_look_waits_for_its_text)
{
    session.interactive = true;
    type("End e Tab Ctrl-U Enter f Home");
    ck_assert_uint_eq(input_key(&session, 'u'), SESSION_REDRAW | SESSION_PASS);
    ck_assert_str_eq(session.message, "undo: text");
    ck_assert_str_eq(value_of("select"), ""); /* there is no such token yet */
    input_key(&session, '?');
    input_key(&session, 'q');
    assert_ok(request_settle(&session, &error), error);
    ck_assert_str_eq(value_of("select"), "#7");
    type("U");
    ck_assert_str_eq(value_of("select"), "#0");
}

TEST(a_cancelled_change_is_passed_over)
{
    const struct error cancelled = {.status = STATUS_CANCELLED};
    type("t z");
    ck_assert(input_key(&session, 'm') & SESSION_PASS);
    request_fail(&session, REQUEST_PASS, &cancelled);
    ck_assert_str_eq(value_of("causal"), "");
    type("Esc u");
    ck_assert_str_eq(session.message, "undo: dark mode: for a dark terminal");
}

TEST(the_oldest_are_forgotten)
{
    char text[64];
    for (int i = 0; i < HISTORY_MAX + 5; i++) {
        snprintf(text, sizeof text, "e Ctrl-U \"time %d\" Enter", i);
        type(text);
    }
    for (int i = 1; i < HISTORY_MAX; i++)
        type("u");
    ck_assert_str_eq(session.message, "undo: text");
    ck_assert_str_eq(value_of("text"), "time 5 | like an arrow");
    type("u");
    ck_assert_str_eq(session.message, "nothing to undo");
    type("U");
    ck_assert_str_eq(value_of("text"), "time 6 | like an arrow");
}

/* In the editor, whatever was changed between the texts; those gone back over, too. */
TEST(texts_are_recalled)
{
    static const struct {
        const char *keys, *line;
    } recalled[] = {{"e Up", "time"},
                    {"Esc e Up Up", "time flies"},
                    {"Esc e Up Up Up", "time flies"},
                    {"Esc e Up Up Down", "time"},
                    {"Esc e x Up Down", "catx"},
                    {"Esc u u e Up", "cat"},
                    {"Esc e Up Up", "time"}};
    type("t e Ctrl-U \"time\" Enter Tab t Down M w e Ctrl-U \"cat\" Enter t");
    for (size_t i = 0; i < COUNT(recalled); i++) {
        type(recalled[i].keys);
        ck_assert_msg(strcmp(editor_text(session.overlay.lines[0]), recalled[i].line) == 0,
                      "%s: \"%s\"", recalled[i].keys, editor_text(session.overlay.lines[0]));
    }
}

TEST(a_recording_has_looks_to_undo)
{
    end_session();
    session_anew_on_pair(4, 8);
    type("Tab t u u");
    ck_assert_str_eq(value_of("view"), "head");
    ck_assert_str_eq(session.message, "undo: the head view");
    type("H t u u");
    ck_assert_str_eq(session.message, "undo: all tokens are there");
}
