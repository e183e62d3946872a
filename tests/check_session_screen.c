/* Whole screens against tests/golden. The weights are synthetic, so that no machine's arithmetic
 * shows in them. */
#include "golden.h"
#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/session/input.h"
#include "headlight/session/screen.h"

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
    {"head-numbers", 80, 24, BRAILLE, "#", 4, 8, 0},
    {"head-threshold", 80, 24, BRAILLE, ") ) )", 4, 8, 0},
    {"head-list-80x24", 80, 24, BRAILLE, "c", 4, 8, 0},
    {"head-list-120x40", 120, 40, BRAILLE, "c # Down Down Enter", 4, 8, 0},
    {"head-mean", 80, 24, BRAILLE, "m", 4, 8, 0},
    {"head-mean-layers", 120, 40, BRAILLE, "m m Down", 4, 8, 0},
    {"head-words", 80, 24, BRAILLE, "w End", 4, 8, 0},
    {"head-hidden", 80, 24, BRAILLE, "H", 4, 8, 0},
    {"head-rescaled", 120, 40, BRAILLE, "H H w", 4, 8, 0},
    {"head-row-shade", 80, 24, BRAILLE, "i b b", 4, 8, 0},
    {"head-finding", 80, 24, BRAILLE, "/ \"fl\"", 4, 8, 0},
    {"head-found", 120, 40, BRAILLE, "/ \"li\" Enter n", 4, 8, 0},
    {"head-long-list", 120, 40, BRAILLE, "c PageDown PageDown PageDown", 4, 8, 60},
    {"present-told-80x24", 80, 24, BRAILLE, "P", 4, 8, 0},
    {"present-80x24", 80, 24, BRAILLE, "P ]", 4, 8, 0},
    {"present-chosen-80x24", 80, 24, BRAILLE, "P Down Down Down", 4, 8, 0},
    {"present-120x40", 120, 40, BRAILLE, "P ]", 4, 8, 0},
    {"present-pinned-120x40", 120, 40, BRAILLE, "P Down Down Enter Down", 4, 8, 0},
    {"present-mono", 80, 24, MONO, "P ]", 4, 8, 0},
    {"present-ascii", 80, 24, ASCII, "P ]", 4, 8, 0},
    {"present-mean", 80, 24, BRAILLE, "P m", 4, 8, 0},
    {"present-long", 80, 24, BRAILLE, "P PageDown PageDown", 4, 8, 60},
    {"present-finding", 80, 24, BRAILLE, "P / \"fl\"", 4, 8, 0},
    {"present-matrix", 80, 24, BRAILLE, "P Shift-Tab Down Right", 4, 8, 0},
    {"head-no-pair-to-rank", 80, 24, BRAILLE, "r", 4, 8, 0},
    {"ranked-80x24", 80, 24, BRAILLE, "Down Down Enter r Down", 16, 8, 0},
    {"ranked-120x40", 120, 40, BRAILLE, "Down Down Enter r", 4, 8, 0},
    {"ranked-ascii", 80, 24, ASCII, "Down Down Enter r", 4, 8, 0},
    {"matrix-mean", 80, 24, BRAILLE, "Shift-Tab m Down Right", 4, 8, 0},
    {"matrix-words", 120, 40, BRAILLE, "Shift-Tab w H", 4, 8, 0},
    {"matrix-list", 120, 40, BRAILLE, "Shift-Tab c Down Down", 4, 8, 0},
    {"matrix-row-shade", 80, 24, BRAILLE, "Shift-Tab b b / \"fl\" Enter", 4, 8, 0},
    {"model-list", 120, 40, BRAILLE, "Tab Tab c", 4, 8, 0},
    {"help-80x24", 80, 24, BRAILLE, "?", 4, 8, 0},
    {"help-120x40", 120, 40, BRAILLE, "Tab Tab ?", 4, 8, 0},
    {"help-ascii", 80, 24, ASCII, "Tab ?", 4, 8, 0},
    {"help-all-80x24", 80, 24, BRAILLE, "? ?", 4, 8, 0},
    {"help-all-120x40", 120, 40, BRAILLE, "? ?", 4, 8, 0},
    {"too-small", 40, 8, BRAILLE, "", 4, 8, 0},
    {"much-too-small", 20, 5, BRAILLE, "", 4, 8, 0},
};

#define CASE_COUNT (sizeof cases / sizeof *cases)

static void type(struct session *session, const char *keys)
{
    struct error error;
    ck_assert_msg(input_type(session, keys, &error) == STATUS_OK, "%s", error.message);
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
    ck_assert_ptr_nonnull(session.data.encoded);
    ck_assert_ptr_nonnull(canvas);
    type(&session, test->keys);
    ck_assert_int_eq(screen_draw(&session, canvas, &error), STATUS_OK);
    ck_assert_msg(golden_equal(canvas, test->name), "%s differs from its golden", test->name);
    canvas_free(canvas);
    session_end(&session);
    free(labels);
}
END_TEST

static struct canvas *draw(struct session *session, int columns, int rows)
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
    session.data.trace = NULL;
    session.busy = REQUEST_PASS;
    session.done = 1;
    session.total = 2;
    struct canvas *canvas = draw(&session, 80, 24);
    ck_assert(golden_equal(canvas, "computing"));
    canvas_free(canvas);
    session_end(&session);
}
END_TEST

START_TEST(screen_while_loading)
{
    struct session session = {.busy = REQUEST_LOAD, .done = 40, .total = 100};
    struct canvas *canvas = draw(&session, 80, 24);
    ck_assert(golden_equal(canvas, "loading"));
    canvas_free(canvas);
}
END_TEST

/* The picture of the last text stays while another one is computed. */
START_TEST(screen_while_computing_anew)
{
    struct session session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    session.busy = REQUEST_PASS;
    session.done = 3;
    session.total = 24;
    struct canvas *canvas = draw(&session, 80, 24);
    ck_assert(golden_equal(canvas, "computing-anew"));
    canvas_free(canvas);
    session_end(&session);
}
END_TEST

#define FORTY "\"a b c d e f g h i j a b c d e f g h i j a b c d e f g h i j a b c d e f g h i j\" "

/* On the tiny model, which is computed in double precision by plain loops: the same everywhere. */
static const struct {
    const char *name;
    int columns, rows;
    const char *keys;
} edits[] = {
    {"edit-80x24", 80, 24, "e \" \xC3\xBC\xE2\x82\xAC flies\""},
    {"edit-120x40", 120, 40, "e Tab Ctrl-U \"the cat\" Left Left"},
    {"edit-over", 80, 24, "e Ctrl-U " FORTY "Tab Ctrl-U " FORTY "Tab"},
    {"edit-too-long", 80, 24, "e Ctrl-U " FORTY "Tab Ctrl-U " FORTY "Tab Enter"},
    {"edit-cancelled", 80, 24, "e \" arrow\" Esc"},
    {"edit-recalled", 80, 24, "e Tab \" cat\" Enter e Ctrl-U \"x\" Up Up"},
    {"network-off", 80, 24, "Down Down Right Right 1 z 3 z Z"},
    {"edit-undone", 80, 24, "e Ctrl-U \"cat\" Enter u u"},
};

#define EDIT_COUNT (sizeof edits / sizeof *edits)

START_TEST(screen_while_editing)
{
    static const struct text texts[] = {{"time flies", 10}, {"like an arrow", 13}};
    const struct interventions none = {0};
    struct checkpoint checkpoint;
    struct session session;
    struct error error;
    ck_assert_int_eq(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, &error), STATUS_OK);
    session_begin(&session, &checkpoint, true, &none);
    ck_assert_int_eq(session_open(&session, texts, 2, &error), STATUS_OK);
    ck_assert_int_eq(session_compute(&session, NULL, &error), STATUS_OK);
    type(&session, edits[_i].keys);
    session.data.milliseconds = 0;
    struct canvas *canvas = draw(&session, edits[_i].columns, edits[_i].rows);
    ck_assert_msg(golden_equal(canvas, edits[_i].name), "%s", edits[_i].name);
    canvas_free(canvas);
    session_end(&session);
    checkpoint_close(&checkpoint);
}
END_TEST

START_TEST(screen_marks_a_changed_network)
{
    struct session session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    session.data.changes = "changed: causal unscaled";
    session.data.divisor = 1;
    type(&session, "Tab");
    for (size_t i = 0; i < 13; i++)
        for (size_t j = i + 1; j < 13; j++)
            session.data.encoded->trace->layer[0].scores[i * 13 + j] = -INFINITY;
    struct canvas *canvas = draw(&session, 80, 24);
    ck_assert(golden_equal(canvas, "changed"));
    canvas_free(canvas);
    session_end(&session);
}
END_TEST

/* The model view's other faces. */
static const struct grid_case {
    const char *name;
    int columns, rows;
    struct traits traits;
    enum metric metric;
    bool sorted, lined;
} grid_cases[] = {
    {"model-figure-80x24", 80, 24, BRAILLE, METRIC_PREVIOUS, false, false},
    {"model-sorted-120x40", 120, 40, BRAILLE, METRIC_ENTROPY, true, false},
    {"model-lines-120x40", 120, 40, BRAILLE, METRIC_NONE, false, true},
    {"model-lines-80x24", 80, 24, BRAILLE, METRIC_DISTANCE, false, true},
    {"model-sorted-ascii", 80, 24, ASCII, METRIC_NEXT, true, true},
};

#define GRID_COUNT (sizeof grid_cases / sizeof *grid_cases)

START_TEST(grid_equals_golden)
{
    const struct grid_case *test = &grid_cases[_i];
    struct session session = synthetic_session(synthetic_pair, 13, 7, 8, 8);
    struct canvas *canvas = canvas_new(test->columns, test->rows, test->traits);
    struct error error;
    ck_assert_ptr_nonnull(canvas);
    session.state.look.metric = test->metric;
    session.state.look.sorted = test->sorted;
    session.state.look.lined = test->lined;
    type(&session, "Tab Tab Down Right");
    ck_assert_int_eq(screen_draw(&session, canvas, &error), STATUS_OK);
    ck_assert_msg(golden_equal(canvas, test->name), "%s differs from its golden", test->name);
    canvas_free(canvas);
    session_end(&session);
}
END_TEST

/* The neuron view's values and its list of dimensions. */
static const struct {
    struct golden_case base;
    bool valued, listed;
} neuron_cases[] = {
    {{"neuron-values-80x24", 80, 24, BRAILLE, "Tab Down", 4, 32, 0}, true, false},
    {{"neuron-values-120x40", 120, 40, BRAILLE, "Tab Down Enter . . .", 4, 32, 0}, true, false},
    {{"neuron-all-200x60", 200, 60, BRAILLE, "Tab Down Enter . . .", 4, 32, 0}, false, false},
    {{"neuron-64-80x24", 80, 24, BRAILLE, "Tab Down ] .", 4, 64, 0}, true, false},
    {{"neuron-list-120x40", 120, 40, BRAILLE, "Tab Down ,", 4, 32, 0}, false, true},
};

#define NEURON_COUNT (sizeof neuron_cases / sizeof *neuron_cases)

START_TEST(neuron_view_equals_golden)
{
    const struct golden_case *test = &neuron_cases[_i].base;
    struct session session =
        synthetic_session(synthetic_pair, 13, 7, test->heads, test->dimensions);
    type(&session, test->keys);
    session.state.look.valued = neuron_cases[_i].valued;
    session.state.look.listed = neuron_cases[_i].listed;
    struct canvas *canvas = draw(&session, test->columns, test->rows);
    ck_assert_msg(golden_equal(canvas, test->name), "%s differs from its golden", test->name);
    canvas_free(canvas);
    session_end(&session);
}
END_TEST

START_TEST(no_golden_is_stale)
{
    static const char *const others[] = {"computing", "changed", "loading", "computing-anew"};
    const char *
        names[sizeof others / sizeof *others + CASE_COUNT + EDIT_COUNT + GRID_COUNT + NEURON_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        names[count++] = others[i];
    for (size_t i = 0; i < CASE_COUNT; i++)
        names[count++] = cases[i].name;
    for (size_t i = 0; i < EDIT_COUNT; i++)
        names[count++] = edits[i].name;
    for (size_t i = 0; i < GRID_COUNT; i++)
        names[count++] = grid_cases[i].name;
    for (size_t i = 0; i < NEURON_COUNT; i++)
        names[count++] = neuron_cases[i].base.name;
    ck_assert(golden_none_stale(names, count));
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
                                         "c #",
                                         "m H w b",
                                         "Shift-Tab m m c",
                                         "Tab Tab c o d",
                                         "Tab Tab O",
                                         "Tab V c",
                                         "Down Enter r",
                                         "/ \"a\"",
                                         "P",
                                         "P Down Enter m",
                                         "P Tab",
                                         "P Tab Tab Down",
                                         "P Shift-Tab / \"a\"",
                                         "P Down Enter r",
                                         "?",
                                         "? ?"};
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
    type(&session, "Down Enter Tab ? ? Esc Shift-Tab Enter Esc");
    struct canvas *second = draw(&session, 100, 30);
    ck_assert_mem_eq(first->cells, second->cells, 3000 * sizeof *first->cells);
    canvas_free(first);
    canvas_free(second);
    session_end(&session);
}
END_TEST

/* Where a word is drawn, a click means that word. */
static void check_hit(const struct canvas *canvas, int y, int x, const char *glyph, unsigned kind,
                      size_t value)
{
    struct hit hit = canvas_hit(canvas, y, x);
    ck_assert_str_eq(canvas_at(canvas, y, x)->text, glyph);
    ck_assert_msg(hit.kind == kind && hit.value == value, "at %d,%d: %u %zu", y, x, hit.kind,
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
    check_hit(canvas, 5, 6, "C", HIT_FROM, 0);
    check_hit(canvas, 5, 71, "C", HIT_TO, 0);
    ck_assert_int_eq(canvas_hit(canvas, 5, 30).kind, HIT_NOTHING);
    canvas_free(canvas);
    type(&session, "Shift-Tab Down Right");
    canvas = draw(&session, 80, 24);
    size_t pairs = 0;
    for (int y = 0; y < 24; y++)
        for (int x = 0; x < 80; x++)
            if (strcmp(canvas_at(canvas, y, x)->text, "▸") == 0)
                check_hit(canvas, y, x + 2, "[", HIT_FROM, 0);
            else if (canvas_hit(canvas, y, x).kind == HIT_CELL)
                pairs++;
    ck_assert_uint_eq(pairs, 13 * 13 * 5); /* cells of 5×1 */
    ck_assert_int_eq(canvas_hit(canvas, -1, 500).kind, HIT_NOTHING);
    canvas_free(canvas);
    session_end(&session);
}
END_TEST

/* Where there are more heads than room, those around the cursor are shown, between arrows. */
static void check_head_bar(const struct canvas *canvas, size_t current, size_t heads)
{
    size_t first = heads, last = 0;
    char number[24], found[24] = "";
    bool left = false, right = false;
    for (int x = 0; x < canvas->columns; x++) {
        const struct cell *cell = canvas_at(canvas, 1, x);
        struct hit hit = canvas_hit(canvas, 1, x);
        left |= strcmp(cell->text, "‹") == 0;
        right |= strcmp(cell->text, "›") == 0;
        if (hit.kind != HIT_HEAD)
            continue;
        first = hit.value < first ? hit.value : first;
        last = hit.value > last ? hit.value : last;
        if (hit.value == current && cell->style.back.role == ROLE_CURSOR)
            strcat(found, cell->text);
    }
    snprintf(number, sizeof number, "%zu", current);
    ck_assert_str_eq(found, number);
    ck_assert_msg(left == (first > 0) && right == (last + 1 < heads), "head %zu: %zu to %zu",
                  current, first, last);
}

START_TEST(the_current_head_is_always_in_the_bar)
{
    static const char *const states[] = {"", "w H H b m", "Tab", "Tab Tab Tab"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        struct session session = synthetic_session(synthetic_pair, 13, 7, 40, 2);
        type(&session, states[i]);
        for (session.state.look.head = 0; session.state.look.head < 40; session.state.look.head++)
            for (int columns = 80; columns <= 200; columns += 40) {
                struct canvas *canvas = draw(&session, columns, 24);
                check_head_bar(canvas, session.state.look.head, 40);
                canvas_free(canvas);
            }
        session_end(&session);
    }
}
END_TEST

/* What a filter hides is said in every view that has one, on the narrowest screen too. */
START_TEST(the_filter_is_told)
{
    static const char *const views[] = {"", "Tab Tab", "Shift-Tab"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        for (int columns = SCREEN_COLUMNS_MIN; columns <= 120; columns += 20) {
            struct session session = synthetic_session(synthetic_pair, 13, 7, 12, 2);
            type(&session, views[i]);
            struct canvas *canvas = draw(&session, columns, 24);
            ck_assert_ptr_null(strstr(view_text(canvas, 1, 0, columns), "only"));
            canvas_free(canvas);
            type(&session, "f f");
            canvas = draw(&session, columns, 24);
            const char *line = view_text(canvas, 1, 0, columns);
            ck_assert_msg(strstr(line, " only A→B ") != NULL, "%d columns: %s", columns, line);
            canvas_free(canvas);
            session_end(&session);
        }
}
END_TEST

/* A mean is no head's: nothing has a head's hue, the heads in the bar neither. */
START_TEST(a_mean_has_no_heads_colour)
{
    static const char *const states[] = {"", "m", "m m", "Shift-Tab", "Shift-Tab m"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        struct session session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
        bool mean = strchr(states[i], 'm'), hue = false;
        type(&session, states[i]);
        struct canvas *canvas = draw(&session, 80, 24);
        for (int cell = 0; cell < 80 * 24; cell++)
            hue |= canvas->cells[cell].style.fore.role >= ROLE_HUE ||
                   canvas->cells[cell].style.back.role >= ROLE_HUE;
        ck_assert_msg(hue != mean, "\"%s\"", states[i]);
        canvas_free(canvas);
        session_end(&session);
    }
}
END_TEST

/* The hint of Enter says what Enter does then. */
START_TEST(enter_is_announced)
{
    static const struct {
        const char *keys, *hint;
    } states[] = {{"", "Enter choose"},
                  {"Down", "Enter pin"},
                  {"Down Enter", "Enter unpin"},
                  {"Down Enter r", "Enter show alone"},
                  {"Tab", "Enter keys"},
                  {"Tab Tab", "Enter open"},
                  {"Shift-Tab", "Enter choose"},
                  {"Shift-Tab Down", "Enter heaviest"},
                  {"Shift-Tab Down Right", "Enter unpin"}};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        struct session session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
        type(&session, states[i].keys);
        struct canvas *canvas = draw(&session, 80, 24);
        const char *footer = view_text(canvas, 23, 0, 80);
        ck_assert_msg(strstr(footer, states[i].hint) != NULL, "%s: no \"%s\" in \"%s\"",
                      states[i].keys, states[i].hint, footer);
        ck_assert_ptr_nonnull(strstr(footer, "q quit"));
        canvas_free(canvas);
        session_end(&session);
    }
}
END_TEST

/* On the narrowest screen, whatever stands beside it. */
START_TEST(the_weight_of_a_pair_is_always_whole)
{
    static const char *const labels[] = {"attention-seekingly-and-unnecessarily-long",
                                         "disproportionately-and-needlessly-wide"};
    static const char *const states[] = {"",         "Down", "Down Enter #", "Shift-Tab Down Right",
                                         "Tab Down", "m m"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        struct session session = synthetic_session(labels, 2, 2, 2, 2);
        char weight[24];
        struct edge edge;
        type(&session, states[i]);
        ck_assert(scene_current_edge(scene_of(&session), &edge));
        snprintf(weight, sizeof weight, " %u.%03u", edge.weight / 1000, edge.weight % 1000);
        struct canvas *canvas = draw(&session, 60, 24);
        const char *line = view_text(canvas, 22, 0, 60);
        ck_assert_msg(strstr(line, weight) != NULL, "%s: no \"%s\" in \"%s\"", states[i], weight,
                      line);
        canvas_free(canvas);
        session_end(&session);
    }
}
END_TEST

/* However long the tokens are; the line may shorten them instead. */
START_TEST(the_head_of_a_pair_is_always_named)
{
    static const char *const labels[] = {"attention-seekingly-and-unnecessarily-long",
                                         "disproportionately-and-needlessly-wide"};
    static const struct {
        const char *keys, *place;
    } states[] = {{"", "layer 0 head"},
                  {"i Down Enter Down", "layer 0 head 0"},
                  {"Right i ] + +", "layer 1 head 1"},
                  {"m m", "mean of 2 heads, all layers"},
                  {"Shift-Tab", "layer 0 head 0"},
                  {"Shift-Tab ] Down Right", "layer 0 head 1"},
                  {"Tab Down Enter", "layer 0 head 0"}};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        for (int columns = 80; columns <= 120; columns += 20) {
            struct session session = synthetic_session(labels, 2, 2, 2, 2);
            type(&session, states[i].keys);
            struct canvas *canvas = draw(&session, columns, 24);
            const char *line = view_text(canvas, 22, 0, columns);
            ck_assert_msg(strstr(line, states[i].place) != NULL, "%s: no \"%s\" in \"%s\"",
                          states[i].keys, states[i].place, line);
            canvas_free(canvas);
            session_end(&session);
        }
}
END_TEST

/* Of a pinned pair the line tells its weights in all heads, or ends in "…" before the counts. */
START_TEST(heads_without_room_are_not_dropped_silently)
{
    char last[16];
    for (size_t heads = 2; heads <= 16; heads++) {
        struct session session = synthetic_session(synthetic_pair, 13, 7, heads, 2);
        type(&session, "Down Enter Down");
        struct canvas *canvas = draw(&session, 80, 24);
        const char *line = view_text(canvas, 22, 0, 80);
        struct edge edge;
        ck_assert(scene_current_edge(scene_of(&session), &edge));
        size_t other = edge.head == heads - 1 ? heads - 2 : heads - 1;
        snprintf(last, sizeof last, "  %zu 0.", other);
        ck_assert_msg((strstr(line, last) != NULL) != (strstr(line, " …") != NULL), "%zu: \"%s\"",
                      heads, line);
        canvas_free(canvas);
        session_end(&session);
    }
}
END_TEST

Suite *suite_session_screen(void)
{
    Suite *suite = suite_create("session/screen");
    TCase *tests = tcase_create("screens"), *slow = slow_case("sizes and states");
    tcase_set_timeout(slow, 120);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, screen_equals_golden, 0, (int)CASE_COUNT);
    tcase_add_test(tests, screen_while_computing);
    tcase_add_test(tests, screen_while_loading);
    tcase_add_test(tests, screen_while_computing_anew);
    tcase_add_loop_test(tests, screen_while_editing, 0, (int)EDIT_COUNT);
    tcase_add_test(tests, screen_marks_a_changed_network);
    tcase_add_loop_test(tests, grid_equals_golden, 0, (int)GRID_COUNT);
    tcase_add_loop_test(tests, neuron_view_equals_golden, 0, (int)NEURON_COUNT);
    tcase_add_test(tests, no_golden_is_stale);
    tcase_add_test(slow, any_size_and_state_is_drawn);
    tcase_add_test(tests, one_token_is_drawn);
    tcase_add_test(tests, drawing_is_pure);
    tcase_add_test(tests, what_is_drawn_answers_to_clicks);
    tcase_add_test(tests, the_current_head_is_always_in_the_bar);
    tcase_add_test(tests, the_filter_is_told);
    tcase_add_test(tests, a_mean_has_no_heads_colour);
    tcase_add_test(tests, enter_is_announced);
    tcase_add_test(tests, the_weight_of_a_pair_is_always_whole);
    tcase_add_test(tests, the_head_of_a_pair_is_always_named);
    tcase_add_test(tests, heads_without_room_are_not_dropped_silently);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, slow);
    return suite;
}
