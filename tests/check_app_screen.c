/* Whole screens against tests/golden. The weights are synthetic, so that no machine's arithmetic
 * shows in them. */
#include "golden.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/app/act.h"
#include "headlight/app/screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BRAILLE                                                                                    \
    {                                                                                              \
        GLYPHS_BRAILLE, false                                                                      \
    }
#define BLOCKS                                                                                     \
    {                                                                                              \
        GLYPHS_BLOCKS, false                                                                       \
    }
#define ASCII                                                                                      \
    {                                                                                              \
        GLYPHS_ASCII, false                                                                        \
    }
#define MONO                                                                                       \
    {                                                                                              \
        GLYPHS_BRAILLE, true                                                                       \
    }

/* What is drawn: the example pair unless `tokens` says more, after the keys have been typed. */
struct golden_case {
    const char *name;
    int columns, rows;
    struct traits traits;
    const char *keys; /* as in the table of actions, separated by blanks */
    size_t heads, dimensions, tokens;
};

static const struct golden_case cases[] = {
    {"head-80x24", 80, 24, BRAILLE, "", 4, 8, 0},
    {"head-120x40", 120, 40, BRAILLE, "", 4, 8, 0},
    {"head-many-heads", 120, 40, BRAILLE, "Right", 16, 8, 0},
    {"head-one", 80, 24, BRAILLE, "i ] ]", 4, 8, 0},
    {"head-none", 80, 24, BRAILLE, "a", 4, 8, 0},
    {"head-chosen", 80, 24, BRAILLE, "Down Down Down", 4, 8, 0},
    {"head-chosen-one", 80, 24, BRAILLE, "i Down Down", 4, 8, 0},
    {"head-right", 120, 40, BRAILLE, "x Down", 4, 8, 0},
    {"head-pinned", 120, 40, BRAILLE, "Down Down Enter Down Down", 4, 8, 0},
    {"head-filter", 80, 24, BRAILLE, "f f Down", 4, 8, 0},
    {"head-more", 80, 24, BRAILLE, "+ + + +", 4, 8, 0},
    {"head-long", 80, 24, BRAILLE, "PageDown PageDown PageDown", 4, 8, 60},
    {"head-mono", 80, 24, MONO, "Down Down", 4, 8, 0},
    {"head-blocks", 80, 24, BLOCKS, "", 4, 8, 0},
    {"head-ascii", 80, 24, ASCII, "Down Down", 4, 8, 0},
    {"neuron-80x24", 80, 24, BRAILLE, "Tab Down", 4, 32, 0},
    {"neuron-120x40", 120, 40, BRAILLE, "Tab Down", 4, 32, 0},
    {"neuron-200x60", 200, 60, BRAILLE, "Tab Down Down", 4, 32, 0},
    {"neuron-64", 80, 24, BRAILLE, "Tab Down ] .", 4, 64, 0},
    {"neuron-wide", 80, 24, BRAILLE, "Tab ,", 4, 256, 0},
    {"neuron-key", 120, 40, BRAILLE, "Tab Down Enter Down . . . .", 4, 32, 0},
    {"neuron-largest", 80, 24, BRAILLE, "Tab v", 4, 8, 0},
    {"neuron-long", 80, 24, BRAILLE, "Tab End", 4, 32, 60},
    {"neuron-mono", 80, 24, MONO, "Tab Down", 4, 32, 0},
    {"neuron-ascii", 80, 24, ASCII, "Tab Down", 4, 32, 0},
    {"neuron-narrow", 60, 14, BRAILLE, "Tab", 4, 64, 0},
    {"neuron-odd", 60, 14, BRAILLE, "Tab ,", 1, 65, 0},
    {"model-80x24", 80, 24, BRAILLE, "Tab Tab Down", 4, 8, 0},
    {"model-120x40", 120, 40, BRAILLE, "Tab Tab Right Right", 8, 8, 0},
    {"model-ascii", 80, 24, ASCII, "Tab Tab", 4, 8, 0},
    {"matrix-80x24", 80, 24, BRAILLE, "Shift-Tab", 4, 8, 0},
    {"matrix-120x40", 120, 40, BRAILLE, "Shift-Tab Down Down Right Right Right", 4, 8, 0},
    {"matrix-long", 80, 24, BRAILLE, "Shift-Tab PageDown PageDown PageDown Right", 4, 8, 60},
    {"matrix-mono", 80, 24, MONO, "Shift-Tab Down Right", 4, 8, 0},
    {"help-80x24", 80, 24, BRAILLE, "?", 4, 8, 0},
    {"help-120x40", 120, 40, BRAILLE, "?", 4, 8, 0},
    {"too-small", 40, 8, BRAILLE, "", 4, 8, 0},
    {"much-too-small", 20, 5, BRAILLE, "", 4, 8, 0},
};

#define CASE_COUNT (sizeof cases / sizeof *cases)

static void type(struct session *session, const char *keys)
{
    while (*keys) {
        size_t length = strcspn(keys, " ");
        enum action action;
        int digit;
        ck_assert_msg(action_of_key(key_named(keys, length), &action, &digit), "key %s", keys);
        ck_assert_uint_eq(session_act(session, action, digit) & SESSION_QUIT, 0);
        keys += length;
        keys += strspn(keys, " ");
    }
}

/* 60 tokens with labels of all kinds, one of them longer than any column. */
static const char **long_labels(size_t count)
{
    static const char *const kinds[] = {
        "the", "cat", "##ing", "[UNK]", "naïve", "日本", "über", ".", "attention-seekingly-long"};
    const char **labels = malloc(count * sizeof *labels);
    for (size_t i = 0; labels && i < count; i++)
        labels[i] = kinds[i % (sizeof kinds / sizeof *kinds)];
    return labels;
}

START_TEST(screen_equals_golden)
{
    const struct golden_case *test = &cases[_i];
    const char **labels = test->tokens ? long_labels(test->tokens) : NULL;
    size_t tokens = labels ? test->tokens : 13;
    struct session session = synthetic_session(labels ? labels : synthetic_pair, tokens,
                                               labels ? tokens : 7, test->heads, test->dimensions);
    struct canvas *canvas = canvas_new(test->columns, test->rows, test->traits);
    struct error error;
    ck_assert_ptr_nonnull(session.passage);
    ck_assert_ptr_nonnull(canvas);
    type(&session, test->keys);
    ck_assert_int_eq(screen_draw(&session, canvas, &error), STATUS_OK);
    ck_assert_msg(golden_equal(canvas, test->name), "%s differs from its golden", test->name);
    canvas_free(canvas);
    session_end(&session);
    free(labels);
}
END_TEST

static struct canvas *draw(const struct session *session, int columns, int rows)
{
    struct error error;
    struct canvas *canvas = canvas_new(columns, rows, (struct traits)BRAILLE);
    ck_assert_ptr_nonnull(canvas);
    ck_assert_int_eq(screen_draw(session, canvas, &error), STATUS_OK);
    return canvas;
}

START_TEST(screen_while_computing)
{
    struct session session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    session.scene.trace = NULL;
    session.busy = BUSY_COMPUTING;
    session.done = 1;
    session.total = 2;
    struct canvas *canvas = draw(&session, 80, 24);
    ck_assert(golden_equal(canvas, "computing"));
    canvas_free(canvas);
    session_end(&session);
}
END_TEST

START_TEST(screen_marks_a_changed_network)
{
    struct session session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    session.scene.changes = "changed: causal unscaled";
    session.scene.unscaled = true;
    type(&session, "Tab");
    for (size_t i = 0; i < 13; i++)
        for (size_t j = i + 1; j < 13; j++)
            session.passage->trace->layer[0].scores[i * 13 + j] = -INFINITY;
    struct canvas *canvas = draw(&session, 80, 24);
    ck_assert(golden_equal(canvas, "changed"));
    canvas_free(canvas);
    session_end(&session);
}
END_TEST

START_TEST(no_golden_is_stale)
{
    const char *names[CASE_COUNT + 2] = {"computing", "changed"};
    for (size_t i = 0; i < CASE_COUNT; i++)
        names[i + 2] = cases[i].name;
    ck_assert(golden_none_stale(names, CASE_COUNT + 2));
}
END_TEST

/* Every size from 1×1 up and every state that a few keys reach is drawn inside the grid. */
START_TEST(any_size_and_state_is_drawn)
{
    static const char *const states[] = {"",
                                         "Down Enter",
                                         "x",
                                         "i",
                                         "a",
                                         "f f",
                                         "Tab",
                                         "Tab , .",
                                         "Tab Enter",
                                         "Tab Tab",
                                         "Tab Tab Down Right",
                                         "Shift-Tab",
                                         "Shift-Tab Down Right f f",
                                         "?"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        struct session session = synthetic_session(synthetic_pair, 13, 7, 4, 64);
        type(&session, states[i]);
        for (int columns = 1; columns < 300; columns += 7)
            for (int rows = 1; rows < 80; rows += 5)
                canvas_free(draw(&session, columns, rows));
        session_end(&session);
    }
}
END_TEST

START_TEST(one_token_is_drawn)
{
    static const char *const label[] = {"word"};
    struct session session = synthetic_session(label, 1, 1, 1, 1);
    canvas_free(draw(&session, 80, 24));
    type(&session, "Down Enter Down Tab . Enter Up Tab Down Right Tab Down Right");
    canvas_free(draw(&session, 80, 24));
    session_end(&session);
}
END_TEST

/* The same state and size give the same cells: nothing is remembered between two drawings. */
START_TEST(drawing_is_pure)
{
    struct session session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    struct canvas *first = draw(&session, 100, 30);
    type(&session, "Down Enter Tab ? ? Shift-Tab Enter Esc");
    struct canvas *second = draw(&session, 100, 30);
    ck_assert_mem_eq(first->cells, second->cells, 3000 * sizeof *first->cells);
    canvas_free(first);
    canvas_free(second);
    session_end(&session);
}
END_TEST

/* Where a word is drawn, a click means that word. */
static void check_hit(const struct canvas *canvas, int y, int x, const char *glyph,
                      enum hit_kind kind, size_t value)
{
    struct hit hit = canvas_hit(canvas, y, x);
    ck_assert_str_eq(canvas_at(canvas, y, x)->text, glyph);
    ck_assert_msg(hit.kind == kind && hit.value == value, "at %d,%d: %d %zu", y, x, (int)hit.kind,
                  hit.value);
}

START_TEST(what_is_drawn_answers_to_clicks)
{
    struct session session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    struct canvas *canvas = draw(&session, 80, 24);
    check_hit(canvas, 0, 14, "H", HIT_VIEW, VIEW_HEAD);
    check_hit(canvas, 0, 21, "N", HIT_VIEW, VIEW_NEURON);
    check_hit(canvas, 1, 8, "■", HIT_HEAD, 0);
    check_hit(canvas, 1, 15, "2", HIT_HEAD, 2);
    check_hit(canvas, 2, 6, "C", HIT_FROM, 0);
    check_hit(canvas, 2, 57, "C", HIT_TO, 0);
    ck_assert_int_eq(canvas_hit(canvas, 2, 30).kind, HIT_NOTHING);
    canvas_free(canvas);
    type(&session, "Shift-Tab Down Right");
    canvas = draw(&session, 80, 24);
    size_t pairs = 0;
    for (int y = 0; y < 24; y++)
        for (int x = 0; x < 80; x++)
            if (strcmp(canvas_at(canvas, y, x)->text, "▸") == 0)
                check_hit(canvas, y, x + 2, "[", HIT_FROM, 0);
            else if (canvas_hit(canvas, y, x).kind == HIT_PAIR)
                pairs++;
    ck_assert_uint_eq(pairs, 13 * 13 * 5); /* cells of 5×1 */
    ck_assert_int_eq(canvas_hit(canvas, -1, 500).kind, HIT_NOTHING);
    canvas_free(canvas);
    session_end(&session);
}
END_TEST

Suite *suite_app_screen(void)
{
    Suite *suite = suite_create("app/screen");
    TCase *tests = tcase_create("screens");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, screen_equals_golden, 0, (int)CASE_COUNT);
    tcase_add_test(tests, screen_while_computing);
    tcase_add_test(tests, screen_marks_a_changed_network);
    tcase_add_test(tests, no_golden_is_stale);
    tcase_add_test(tests, any_size_and_state_is_drawn);
    tcase_add_test(tests, one_token_is_drawn);
    tcase_add_test(tests, drawing_is_pure);
    tcase_add_test(tests, what_is_drawn_answers_to_clicks);
    suite_add_tcase(suite, tests);
    return suite;
}
