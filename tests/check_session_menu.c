/* The menu of changes in the network: what its keys change, what it refuses, how it is drawn. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/session/act.h"
#include "headlight/session/find.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))
#define WITH_PASS    (SESSION_REDRAW | SESSION_PASS)

static struct checkpoint checkpoint;
static struct error error;
static const struct interventions none;

/* The cats sat on the mat: [CLS] the cat ##s sat on the mat . [SEP], and B as it is. */
static void open_texts(size_t count)
{
    session_anew_on_texts(&checkpoint, NULL, "The cats sat on the mat.",
                          count > 1 ? "the cat" : NULL);
}

static void begin(void)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    open_texts(2);
}

static void end(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

static bool is_open(void)
{
    return session.overlay.kind == OVERLAY_CHANGES;
}

static bool is_shown(const char *text)
{
    struct canvas *canvas = drawn(80, 24);
    bool shown = view_shows(canvas, text);
    canvas_free(canvas);
    return shown;
}

/* ---- What a key changes ---- */

/* The cursor's head is 1 in layer 2, `cats` of two pieces, 2 and 3, is chosen, and with `to` the
 * pair of it and `sat`, 4. */
static void choose(const char *from, const char *to)
{
    struct scene scene = session_scene(&session);
    session.state.look.from = from ? find_token(&scene, from, SIDE_LEFT) : NO_TOKEN;
    session.state.look.to = to ? find_token(&scene, to, SIDE_RIGHT) : NO_TOKEN;
    session.state.look.side = to ? SIDE_RIGHT : SIDE_LEFT;
}

static const struct press {
    const char *keys, *from, *to;
    bool words;
    struct interventions changes;
    const char *line; /* what the menu then says */
} presses[] = {
    {"z", NULL, NULL, false, {.off = {0, 0, 2}}, "z ■ head 2.1 off"},
    {"a", NULL, NULL, false, {.uniform = {0, 0, 2}}, "a ■ uniform attention in this head"},
    {"h", "cat", NULL, false, {.hidden_count = 1, .hidden = {2}}, "h ■ hide (cat₁) from all"},
    {"h", "cat", "sat", false, {.hidden_count = 1, .hidden = {4}}, "h ■ hide (sat) from all"},
    {"h", "cats", NULL, true, {.hidden_count = 2, .hidden = {2, 3}}, "h ■ hide (cats) from all"},
    {"c",
     "##s",
     "sat",
     false,
     {.cut_count = 1, .cuts = {{2, 1, 3, 4}}},
     "c ■ cut ##s → sat in this head"},
    {"c",
     "cats",
     "sat",
     true,
     {.cut_count = 2, .cuts = {{2, 1, 2, 4}, {2, 1, 3, 4}}},
     "c ■ cut cats → sat in this head"},
    {"m", NULL, NULL, false, {.causal = true}, "m ■ causal: to itself and those before"},
    {"d", NULL, NULL, false, {.unscaled = true}, "d ■ scores not divided by √D"},
    {"t Enter", NULL, NULL, false, {.temperature = 2}, "t ■ temperature 2"},
    {"t t Enter", NULL, NULL, false, {.temperature = 0.5}, "t ■ temperature 0.5"},
    {"t t t Enter", NULL, NULL, false, {.temperature = 0.25}, "t ■ temperature 0.25"},
    {"t t t t Enter", NULL, NULL, false, {.temperature = 0.1}, "t ■ temperature 0.1"},
    {"p Enter", NULL, NULL, false, {.positions = POSITIONS_NONE}, "p ■ positions none"},
    {"p p Enter",
     NULL,
     NULL,
     false,
     {.positions = POSITIONS_SINUSOIDAL},
     "p ■ positions sinusoidal"},
    {"s", NULL, NULL, false, {.no_segments = true}, "s ■ without segment embeddings"},
    {"m d",
     NULL,
     NULL,
     false,
     {.causal = true, .unscaled = true},
     "m ■ causal: to itself and those before"},
};

static void prepare(const struct press *press)
{
    type(press->words ? "w Right Right 1 1" : "Right Right 1 1");
    ck_assert_uint_eq(session.state.look.layer, 2);
    ck_assert_uint_eq(session.state.look.head, 1);
    choose(press->from, press->to);
}

/* The trace shown is that of these changes. */
static void check_trace(const struct interventions *changes)
{
    const struct trace *shown = session.data.trace;
    struct trace *fresh;
    assert_ok(forward_prepare(checkpoint.model, NULL, shown->ids, shown->segments, shown->tokens,
                              true, &fresh, &error),
              error);
    assert_ok(forward_run(checkpoint.model, changes, NULL, fresh, &error), error);
    for (size_t l = 0; l < shown->layers; l++)
        ck_assert_mem_eq(shown->layer[l].output, fresh->layer[l].output,
                         shown->tokens * shown->hidden * sizeof(float));
    free(fresh);
}

TEST(a_key_changes_what_it_says, .times = COUNT(presses))
{
    const struct press *press = &presses[_i];
    prepare(press);
    ck_assert_uint_eq(input_key(&session, 'z'), SESSION_REDRAW);
    ck_assert(is_open());
    type(press->keys);
    ck_assert(is_open());
    ck_assert_mem_eq(&session.state.source.changes, &press->changes, sizeof press->changes);
    check_trace(&press->changes);
    ck_assert_msg(is_shown(press->line), "no \"%s\"", press->line);
}

/* What has two states has its first one again; of several the first is chosen; and Z undoes all,
 * with the menu and without it. */
TEST(changes_are_taken_back, .times = 3 * COUNT(presses))
{
    const struct press *press = &presses[_i / 3];
    const char *again = press->keys[0] == 't' ? "t 1" : press->keys[0] == 'p' ? "p 1" : press->keys;
    prepare(press);
    type("z");
    if (_i % 3 == 0) {
        type(press->keys);
        type(again);
    } else {
        type(press->keys);
        type(_i % 3 == 1 ? "Z" : "Esc Z");
        ck_assert_str_eq(session.message,
                         "all changes are undone: the network is as it was trained");
    }
    ck_assert_mem_eq(&session.state.source.changes, &none, sizeof none);
    ck_assert_ptr_null(session.data.changes);
    check_trace(&none);
}

TEST(a_pass_is_asked_for_at_once)
{
    static const char keys[] = "zahcmdtps";
    choose("cat", "sat");
    type("z");
    for (const char *key = keys; *key; key++)
        ck_assert_msg(input_key(&session, (uint32_t)*key) == WITH_PASS, "%c", *key);
    ck_assert_uint_eq(input_key(&session, 'Z') & WITH_PASS, WITH_PASS);
}

/* A temperature that the command line asked for. */
TEST(another_temperature_becomes_the_first)
{
    session.state.source.changes.temperature = 0.7;
    type("z t");
    ck_assert_mem_eq(&session.state.source.changes, &none, sizeof none);
}

/* Heads that are off elsewhere have rows of their own. */
TEST(other_heads_that_are_off_are_switched_on)
{
    type("z z Esc ] z z Esc Right z");
    ck_assert(is_shown("1 ■ head 0.0 off") && is_shown("2 ■ head 0.1 off"));
    ck_assert(is_shown("z □ head 1.1 off"));
    type("1");
    ck_assert(is_shown("1 ■ head 0.1 off") && !is_shown("2 ■ head"));
    type("End Enter");
    ck_assert_mem_eq(&session.state.source.changes, &none, sizeof none);
}

/* ---- What is refused ---- */

TEST(what_has_no_meaning_now_is_refused, .times = 4)
{
    static const struct {
        const char *from, *line, *why;
        char key;
    } cases[] = {
        {NULL, "h □ hide a token from all: none is chosen",
         "h hides the chosen token: Esc, then choose one with ↑ and ↓", 'h'},
        {NULL, "c □ cut a pair in this head: none is chosen",
         "c cuts the chosen pair: Esc, then ↑ ↓, Enter and ↑ ↓ choose one", 'c'},
        {"cat", "c □ cut a pair in this head: none is chosen",
         "c cuts the chosen pair: Esc, then ↑ ↓, Enter and ↑ ↓ choose one", 'c'},
        {NULL, "undo all changes", "nothing to undo: the network is as it was trained", 'Z'},
    };
    open_texts(1);
    choose(cases[_i].from, NULL);
    type("z");
    ck_assert(is_shown(cases[_i].line));
    ck_assert_uint_eq(input_key(&session, (uint32_t)cases[_i].key), SESSION_REDRAW);
    ck_assert_str_eq(session.message, cases[_i].why);
    ck_assert(is_shown(cases[_i].why));
    ck_assert_mem_eq(&session.state.source.changes, &none, sizeof none);
    ck_assert(is_open());
}

/* The first sentence has a segment, too. */
TEST(one_sentence_can_do_without_its_segment)
{
    open_texts(1);
    type("z s");
    ck_assert(session.state.source.changes.no_segments);
    type("s");
    ck_assert_mem_eq(&session.state.source.changes, &none, sizeof none);
}

/* Half a word would be worse than none. */
TEST(too_many_are_refused_and_nothing_changes)
{
    struct interventions *changes = &session.state.source.changes;
    for (uint32_t i = 0; i + 1 < INTERVENE_HIDDEN_MAX; i++)
        assert_ok(interventions_hide(changes, 100 + i, &error), error);
    type("w");
    choose("cats", NULL);
    const struct interventions before = *changes;
    type("z");
    ck_assert_uint_eq(input_key(&session, 'h'), SESSION_REDRAW);
    ck_assert_ptr_nonnull(strstr(session.message, "at most 64 tokens"));
    ck_assert_mem_eq(changes, &before, sizeof before);
}

TEST(a_recording_has_no_menu)
{
    static const uint32_t keys[] = {'z', 'Z'};
    static const struct recording recording;
    session.checkpoint = NULL;
    session.recording = &recording;
    for (int i = 0; i < COUNT(keys); i++) {
        ck_assert_uint_eq(input_key(&session, keys[i]), SESSION_REDRAW);
        ck_assert_str_eq(session.message,
                         "a recording can't be changed: it comes without the network");
        ck_assert(!is_open());
        session.message[0] = '\0';
    }
}

/* Its footer names no key that would be refused. */
TEST(a_recording_has_no_hints_of_changes, .times = 3)
{
    static const enum view_kind views[] = {VIEW_STEPS, VIEW_COMPARE, VIEW_ANSWERS};
    session_set_view(&session, views[_i]);
    for (int model = 1; model >= 0; model--) {
        session.checkpoint = model ? &checkpoint : NULL;
        struct canvas *canvas = drawn(160, 24);
        ck_assert_int_eq(view_shows(canvas, "z change"), model);
        ck_assert_int_eq(view_shows(canvas, "M mask"), model && views[_i] == VIEW_ANSWERS);
        ck_assert_int_eq(view_shows(canvas, "e edit"), model);
        canvas_free(canvas);
    }
}

/* ---- Other keys, and the mouse ---- */

TEST(other_keys_do_nothing)
{
    static const uint32_t keys[] = {'q',         'e',          'w',         '?',          '/',
                                    'M',         'x',          '1',         ' ',          0,
                                    KEY_CODE_UP, KEY_CODE_TAB, KEY_CODE_F1, KEY_CODE_NONE};
    type("z");
    const struct state before = session.state;
    for (int i = 0; i < COUNT(keys); i++)
        ck_assert_uint_eq(input_key(&session, keys[i]) & ~(unsigned)SESSION_REDRAW, 0);
    ck_assert(is_open() && !session.overlay.lines[0]);
    ck_assert(look_equal(&before.look, &session.state.look));
    ck_assert_mem_eq(&session.state.source.changes, &none, sizeof none);
    input_key(&session, 'q');
    ck_assert_str_eq(session.message, "q does nothing here: Esc closes the menu");
}

TEST(enter_and_escape_close_it)
{
    static const char *const keys[] = {"Enter", "Esc", "Ctrl-J"};
    choose("cat", NULL);
    for (int i = 0; i < COUNT(keys); i++) {
        type("z");
        ck_assert(is_open());
        type(keys[i]);
        ck_assert(!is_open());
        ck_assert_uint_ne(session.state.look.from, NO_TOKEN);
        ck_assert_uint_eq(session.state.look.to, NO_TOKEN);
    }
}

/* Where a line begins. */
static struct hit hit_of(const char *line)
{
    struct canvas *canvas = drawn(80, 24);
    const struct view_place at = view_find(canvas, 2, line);
    const struct hit hit = canvas_hit(canvas, at.y, at.x);
    canvas_free(canvas);
    return hit;
}

TEST(a_click_on_a_line_presses_its_key_and_elsewhere_closes)
{
    type("z");
    ck_assert_uint_eq(session_click(&session, hit_of("m □")), WITH_PASS);
    ck_assert(session.state.source.changes.causal && is_open());
    const struct interventions before = session.state.source.changes;
    session_click(&session, hit_of("a token's largest weight")); /* only says something */
    ck_assert_mem_eq(&session.state.source.changes, &before, sizeof before);
    ck_assert_uint_eq(session_click(&session, hit_at(HIT(from), 3)), SESSION_REDRAW);
    ck_assert(!is_open());
    ck_assert_uint_eq(session.state.look.from, NO_TOKEN);
    type("z");
    session_click(&session, hit_at(HIT_NOTHING, 0));
    ck_assert(!is_open());
}

/* ---- Drawing ---- */

static const struct {
    int columns, rows;
} sizes[] = {{60, 12}, {80, 14}, {80, 24}, {200, 60}};

static const enum glyph_set sets[] = {GLYPHS_BRAILLE, GLYPHS_ASCII};

/* Every key has its line between the bars and the footer, or the cursor leads there. */
TEST(all_lines_lie_between_bars_and_footer, .times = 2 * COUNT(sizes))
{
    static const char keys[] = "zahcmdtpsZ";
    int columns = sizes[_i / 2].columns, rows = sizes[_i / 2].rows;
    int found[sizeof keys] = {0};
    choose("cat", "sat");
    session.state.source.changes.causal = true; /* so that all can be undone */
    session.state.look.presented = _i % 2;
    type("z");
    for (int at = 0; at < 2; at++, type("End")) {
        struct canvas *canvas = drawn_as(columns, rows, (struct traits){sets[_i % 2], false});
        ck_assert(view_shows(canvas, "change the network: a letter, Esc closes"));
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < columns; x++) {
                const char *text = canvas_at(canvas, y, x)->text;
                if (canvas_hit(canvas, y, x - 2).place[0] != HIT_LINE ||
                    canvas_hit(canvas, y, x - 3).place[0] == HIT_LINE || *text == ' ')
                    continue;
                ck_assert(session.state.look.presented || (y >= 2 && y < rows - 1));
                found[strchr(keys, *text) - keys]++;
            }
        canvas_free(canvas);
    }
    for (size_t i = 0; i + 1 < sizeof keys; i++)
        ck_assert_msg(found[i] > 0, "%c at %d×%d", keys[i], columns, rows);
}

TEST(all_words_are_whole_at_80x24, .times = COUNT(sets))
{
    static const char *const lines[][2] = {
        {"z □ head 0.0 off", "z . head 0.0 off"},
        {"a □ uniform attention in this head", "a . uniform attention in this head"},
        {"h □ hide sat from all", "h . hide sat from all"},
        {"c □ cut cat₁ → sat in this head", "c . cut cat#1 > sat in this head"},
        {"m □ causal: to itself and those before", "m . causal: to itself and those before"},
        {"d □ scores not divided by √D", "d . scores not divided by VD"},
        {"t □ temperature 1", "t . temperature 1"},
        {"a token's largest weight: ", "a token's largest weight: "},
        {"p □ positions as trained", "p . positions as trained"},
        {"s □ without segment embeddings", "s . without segment embeddings"},
        {"Z   undo all changes", "Z   undo all changes"},
    };
    choose("cat", "sat");
    type("z");
    struct canvas *canvas = drawn_as(80, 24, (struct traits){sets[_i], false});
    for (int i = 0; i < COUNT(lines); i++)
        ck_assert_msg(view_shows(canvas, lines[i][_i]), "no \"%s\"", lines[i][_i]);
    canvas_free(canvas);
}

/* How sharp softmax is, and was. */
TEST(saturation_is_told)
{
    char text[80];
    type("z d");
    assert_ok(request_rest(&session, &error), error);
    ck_assert_ptr_nonnull(data_before(&session.data));
    snprintf(text, sizeof text, "a token's largest weight: %.2f on average, before %.2f",
             metrics_measure(session.data.trace, 0, 0, NULL).of[METRIC_MAXIMUM],
             metrics_measure(data_before(&session.data), 0, 0, NULL).of[METRIC_MAXIMUM]);
    ck_assert_msg(is_shown(text), "no \"%s\"", text);
    type("d");
    snprintf(text, sizeof text, "    a token's largest weight: %.2f on average",
             metrics_measure(session.data.trace, 0, 0, NULL).of[METRIC_MAXIMUM]);
    ck_assert_msg(is_shown(text), "no \"%s\"", text);
}

/* ---- Marks ---- */

TEST(what_is_hidden_is_in_parentheses_in_every_view)
{
    for (enum view_kind view = 0; view < VIEW_COUNT; view++) {
        if (view_at(view)->surveys) /* of other texts */
            continue;
        open_texts(1);
        session_set_view(&session, view);
        type("Enter");
        choose("sat", NULL);
        ck_assert(view == VIEW_MODEL || is_shown(view == VIEW_MATRIX ? "▸ sat" : "sat"));
        ck_assert(!is_shown("(sat)"));
        type("z h Esc");
        choose("mat", NULL); /* of which numbers and lists are now */
        struct canvas *canvas = drawn(140, 50);
        ck_assert_msg(view_shows(canvas, "(sat)"), "%s", view_name(view));
        canvas_free(canvas);
    }
}

TEST(heads_and_cuts_are_marked)
{
    type("0"); /* the line of numbers is of the heaviest head that is on */
    choose("the", "sat");
    type("z z");
    ck_assert(is_shown("heads ×0"));
    type("z a");
    ck_assert(is_shown("heads =0"));
    type("a c Esc");
    ck_assert(is_shown("heads /0"));
    assert_ok(request_rest(&session, &error), error);
    ck_assert(is_shown(" cut   head 0.0"));
    session_set_view(&session, VIEW_MATRIX);
    ck_assert(is_shown("×"));
    type("z c Esc");
    ck_assert(!is_shown("×") && !is_shown(" cut "));
}
