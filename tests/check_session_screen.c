/* Whole screens against tests/golden. The weights are synthetic, so that no machine's arithmetic
 * shows in them. */
#include "golden.h"
#include "lesson_helpers.h"
#include "model_helpers.h"
#include "panel_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "survey_sample.h"

#include "headlight/session/request.h"

#include <math.h>

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
    {"head-chosen", 80, 24, BRAILLE, "Down Down", 4, 8, 0},
    {"head-chosen-one", 80, 24, BRAILLE, "i Down", 4, 8, 0},
    {"head-right", 120, 40, BRAILLE, "x Down", 4, 8, 0},
    {"head-pinned", 120, 40, BRAILLE, "Down Enter Down Down", 4, 8, 0},
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
    {"matrix-80x24", 80, 24, BRAILLE, "Tab Tab Tab", 4, 8, 0},
    {"matrix-120x40", 120, 40, BRAILLE, "Tab Tab Tab Down Right Right", 4, 8, 0},
    {"matrix-long", 80, 24, BRAILLE, "Tab Tab Tab PageDown PageDown PageDown Right", 4, 8, 60},
    {"matrix-mono", 80, 24, MONO, "Tab Tab Tab Down Right", 4, 8, 0},
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
    {"present-chosen-80x24", 80, 24, BRAILLE, "P Down Down", 4, 8, 0},
    {"present-120x40", 120, 40, BRAILLE, "P ]", 4, 8, 0},
    {"present-pinned-120x40", 120, 40, BRAILLE, "P Down Enter Down", 4, 8, 0},
    {"present-mono", 80, 24, MONO, "P ]", 4, 8, 0},
    {"present-ascii", 80, 24, ASCII, "P ]", 4, 8, 0},
    {"present-mean", 80, 24, BRAILLE, "P m", 4, 8, 0},
    {"present-long", 80, 24, BRAILLE, "P PageDown PageDown", 4, 8, 60},
    {"present-finding", 80, 24, BRAILLE, "P / \"fl\"", 4, 8, 0},
    {"present-matrix", 80, 24, BRAILLE, "P Tab Tab Tab Down Right", 4, 8, 0},
    {"head-no-pair-to-rank", 80, 24, BRAILLE, "r", 4, 8, 0},
    {"ranked-80x24", 80, 24, BRAILLE, "Down Enter r Down", 16, 8, 0},
    {"ranked-120x40", 120, 40, BRAILLE, "Down Enter r", 4, 8, 0},
    {"ranked-ascii", 80, 24, ASCII, "Down Enter r", 4, 8, 0},
    {"matrix-mean", 80, 24, BRAILLE, "Tab Tab Tab m Down Right", 4, 8, 0},
    {"matrix-words", 120, 40, BRAILLE, "Tab Tab Tab w H", 4, 8, 0},
    {"matrix-list", 120, 40, BRAILLE, "Tab Tab Tab c Down", 4, 8, 0},
    {"matrix-row-shade", 80, 24, BRAILLE, "Tab Tab Tab b b / \"fl\" Enter", 4, 8, 0},
    {"model-list", 120, 40, BRAILLE, "Tab Tab c", 4, 8, 0},
    {"model-figure-80x24", 80, 24, BRAILLE, "Tab Tab o o o Down Right", 8, 8, 0},
    {"model-labels-80x24", 80, 24, BRAILLE, "Tab Tab o Down Right", 8, 8, 0},
    {"model-labels-120x40", 120, 40, BRAILLE, "Tab Tab o O Down Right", 4, 8, 0},
    {"model-labels-ascii", 80, 24, ASCII, "Tab Tab o Down Right", 12, 8, 0},
    {"model-sorted-120x40", 120, 40, BRAILLE, "Tab Tab o o O Down Right", 8, 8, 0},
    {"model-lines-120x40", 120, 40, BRAILLE, "Tab Tab d Down Right", 8, 8, 0},
    {"model-lines-80x24", 80, 24, BRAILLE, "Tab Tab o o o o o o o o o d Down Right", 8, 8, 0},
    {"model-sorted-ascii", 80, 24, ASCII, "Tab Tab o o o o O d Down Right", 8, 8, 0},
    {"neuron-values-80x24", 80, 24, BRAILLE, "Tab V Down", 4, 32, 0},
    {"neuron-values-120x40", 120, 40, BRAILLE, "Tab V Down Enter . . .", 4, 32, 0},
    {"neuron-all-200x60", 200, 60, BRAILLE, "Tab Down Enter . . .", 4, 32, 0},
    {"neuron-64-80x24", 80, 24, BRAILLE, "Tab V Down ] .", 4, 64, 0},
    {"neuron-list-120x40", 120, 40, BRAILLE, "Tab c Down ,", 4, 32, 0},
    {"palette-80x24", 80, 24, BRAILLE, ": \"ma\" Down", 4, 8, 0},
    {"palette-120x40", 120, 40, BRAILLE, ":", 4, 8, 0},
    {"maps-80x24", 80, 24, BRAILLE, "p Down", 4, 8, 0},
    {"map-rollout-80x24", 80, 24, BRAILLE, "p 4", 4, 8, 0},
    {"map-scores-120x40", 120, 40, BRAILLE, "Tab Tab Tab p 2 Down Right", 4, 8, 0},
    {"map-scores-mono", 80, 24, MONO, "Tab Tab Tab p 2 Down Right", 4, 8, 0},
    {"map-scores-model-120x40", 120, 40, BRAILLE, "Tab Tab p 2 Right Right", 8, 8, 0},
    {"map-plain-present", 80, 24, BRAILLE, "P p 6", 4, 8, 0},
    {"steps-recorded-80x24", 80, 24, BRAILLE, "Tab Tab Tab Tab Tab", 4, 32, 0},
    {"steps-recorded-long", 120, 40, BRAILLE, "Tab Tab Tab Tab Tab > > Enter Down", 4, 32, 60},
    {"steps-recorded-ascii", 80, 24, ASCII, "Tab Tab Tab Tab Tab Right Down Down Enter", 4, 32, 0},
    {"help-80x24", 80, 24, BRAILLE, "?", 4, 8, 0},
    {"help-120x40", 120, 40, BRAILLE, "Tab Tab ?", 4, 8, 0},
    {"help-ascii", 80, 24, ASCII, "Tab ?", 4, 8, 0},
    {"help-all-80x24", 80, 24, BRAILLE, "? ?", 4, 8, 0},
    {"help-all-120x40", 120, 40, BRAILLE, "? ?", 4, 8, 0},
    {"too-small", 40, 8, BRAILLE, "", 4, 8, 0},
    {"much-too-small", 20, 5, BRAILLE, "", 4, 8, 0},
};

static void assert_golden(struct canvas *canvas, const char *name)
{
    ck_assert_msg(golden_equal(canvas, name), "%s differs from its golden", name);
    canvas_free(canvas);
}

/* With labels of all kinds, one of them longer than any column. */
static void session_anew_on_long(const struct golden_case *test)
{
    static const char *const kinds[] = {
        "the", "cat", "##ing", "[UNK]", "naïve", "日本", "über", ".", "attention-seekingly-long"};
    static const char *labels[60];
    ck_assert_uint_le(test->tokens, COUNT(labels));
    for (int i = 0; i < COUNT(labels); i++)
        labels[i] = kinds[i % COUNT(kinds)];
    session_anew(labels, test->tokens, test->tokens, test->heads, test->dimensions);
}

TESTS(.base = &session_tests);

TEST(screen_equals_golden, .times = COUNT(cases))
{
    const struct golden_case *test = &cases[_i];
    if (test->tokens)
        session_anew_on_long(test);
    else
        session_anew_on_pair(test->heads, test->dimensions);
    type(test->keys);
    assert_golden(drawn_as(test->columns, test->rows, test->traits), test->name);
}

/* In a step of a lesson, or with the list of lessons open. */
static const struct {
    const char *name;
    int columns, rows;
    struct traits traits;
    size_t step;
    bool away;
    const char *keys;
} lessons[] = {
    {"lesson-80x24", 80, 24, BRAILLE, 0, false, ""},
    {"lesson-120x40", 120, 40, BRAILLE, 1, false, ""},
    {"lesson-200x60", 200, 60, BRAILLE, 1, false, ""},
    {"lesson-long-80x24", 80, 24, BRAILLE, 1, false, ""},
    {"lesson-short-80x24", 80, 24, BRAILLE, 2, false, ""},
    {"lesson-60x12", 60, 12, BRAILLE, 1, false, ""},
    {"lesson-ascii", 80, 24, ASCII, 0, false, ""},
    {"lesson-mono", 80, 24, MONO, 1, true, "Down"},
    {"lesson-away-80x24", 80, 24, BRAILLE, 1, true, "Right"},
    {"lesson-away-120x40", 120, 40, BRAILLE, 0, true, "Tab"},
    {"lesson-present-80x24", 80, 24, BRAILLE, 1, false, "P"},
    {"lesson-present-120x40", 120, 40, BRAILLE, 1, false, "P Right"},
    {"lesson-present-away", 80, 24, BRAILLE, 0, true, "P Right"},
    {"lesson-finding", 80, 24, BRAILLE, 0, true, "/ \"fl\""},
    {"lessons-80x24", 80, 24, BRAILLE, 0, false, "L L"},
    {"lessons-120x40", 120, 40, BRAILLE, 0, false, "L L Down Down"},
    {"lessons-60x12", 60, 12, ASCII, 0, false, "L L End"},
};

TEST(screen_of_a_lesson, .times = COUNT(lessons))
{
    session_anew_on_pair(4, 8);
    fake_begin(&session, lessons[_i].step);
    fake.panel.away = lessons[_i].away;
    type(lessons[_i].keys);
    assert_golden(drawn_as(lessons[_i].columns, lessons[_i].rows, lessons[_i].traits),
                  lessons[_i].name);
}

TEST(screen_while_computing)
{
    session.data.trace = NULL;
    session.busy = REQUEST_PASS;
    session.done = 1;
    session.total = 2;
    assert_golden(drawn(80, 24), "computing");
}

TEST(screen_while_loading)
{
    session_end(&session);
    session = (struct session){.busy = REQUEST_LOAD, .done = 40, .total = 100};
    assert_golden(drawn(80, 24), "loading");
}

/* The picture of the last text stays while another one is computed. */
TEST(screen_while_computing_anew)
{
    session.busy = REQUEST_PASS;
    session.done = 3;
    session.total = 24;
    assert_golden(drawn(80, 24), "computing-anew");
}

#define FORTY   "\"a b c d e f g h i j a b c d e f g h i j a b c d e f g h i j a b c d e f g h i j\" "
#define FAMILY  "tests/vectors/families/"
#define HEADS   "tests/vectors/heads/"
#define COMPARE "Tab Tab Tab Tab Tab Tab "

/* On tiny models, which are computed in double precision by plain loops: the same everywhere. */
static const struct pressed_case {
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
    {"network-off", 80, 24, "Down Right Right 1 z z Esc 3 z z m Esc"},
    {"network-menu", 80, 24, "Down Enter Down z d h"},
    {"network-menu-60x12", 60, 12, "z u"},
    {"edit-undone", 80, 24, "e Ctrl-U \"cat\" Enter u u"},
    {"words-80x24", 80, 24, "Tab Tab Tab Tab Right"},
    {"words-120x40", 120, 40, "Tab Tab Tab Tab M Down"},
    {"words-answers", 80, 24, "Tab Tab Tab Tab M Enter Down"},
    {"steps-80x24", 80, 24, "Tab Tab Tab Tab Tab >"},
    {"steps-120x40", 120, 40, "Tab Tab Tab Tab Tab > Right"},
    {"steps-200x60", 200, 60, "Tab Tab Tab Tab Tab > Home Down"},
    {"steps-number-80x24", 80, 24, "Tab Tab Tab Tab Tab End Enter Right"},
    {"steps-number-120x40", 120, 40, "Tab Tab Tab Tab Tab Up Up Up Enter Down"},
    {"steps-60x12", 60, 12, "Tab Tab Tab Tab Tab Up"},
    {"steps-answer-120x40", 120, 40, "Tab Tab Tab Tab Tab > Right Right End"},
    {"steps-answer-80x24", 80, 24, "Tab Tab Tab Tab Tab > Right Right End Up Enter Down"},
    {"words-pair", 200, 60, "Tab Tab Tab Tab e Tab \"the cat\" Enter Right Down"},
    {"compare-80x24", 80, 24, COMPARE "e Ctrl-U \"the cat\" Tab Ctrl-U \"a cat sat\" Enter ["},
    {"compare-120x40", 120, 40, COMPARE "e Tab \" flies\" Enter } Enter"},
    {"compare-changed", 120, 40, COMPARE "1 z z Esc } ]"},
    {"compare-word", 80, 24, COMPARE "e Ctrl-U \"the dog bites the man\" Tab Ctrl-U Enter"},
    {"compare-nothing", 120, 40, COMPARE "e Ctrl-U \"the cat\" Tab Ctrl-U Enter"},
};

static const struct {
    const char *folder;
    struct pressed_case test;
} family_cases[] = {
    {FAMILY "gpt2", {"words-next-80x24", 80, 24, "Tab Tab Tab Tab Right Right"}},
    {FAMILY "gpt2", {"words-next-120x40", 120, 40, "Tab Tab Tab Tab Down Enter Down"}},
    {FAMILY "electra-discriminator", {"words-replaced-80x24", 80, 24, "Tab Tab Tab Tab Right"}},
    {FAMILY "electra-discriminator",
     {"words-replaced-120x40", 120, 40, "Tab Tab Tab Tab 1 z z Esc M"}},
    {FAMILY "albert", {"words-order-120x40", 120, 40, "Tab Tab Tab Tab 1 z z Esc"}},
    {HEADS "seq-roberta", {"answers-classes-80x24", 80, 24, "Tab Tab Tab Tab"}},
    {HEADS "seq-bert-multilabel",
     {"answers-labels-120x40", 120, 40, "Tab Tab Tab Tab 1 z z Esc M Down Enter Down"}},
    {HEADS "seq-bert-regression", {"answers-score-80x24", 80, 24, "Tab Tab Tab Tab"}},
    {HEADS "ner-electra", {"answers-tags-80x24", 80, 24, "Tab Tab Tab Tab Right"}},
    {HEADS "ner-bert", {"answers-tags-120x40", 120, 40, "Tab Tab Tab Tab 1 z z Esc M Down"}},
    {HEADS "qa-bert", {"answers-span-80x24", 80, 24, "Tab Tab Tab Tab"}},
    {HEADS "qa-bert", {"answers-span-120x40", 120, 40, "Tab Tab Tab Tab 1 z z Esc M"}},
    {HEADS "seq-roberta", {"answers-present-120x40", 120, 40, "Tab Tab Tab Tab P"}},
    {FAMILY "minilm", {"answers-similarity-80x24", 80, 24, "Tab Tab Tab Tab"}},
    {HEADS "st-roberta-dense", {"answers-similarity-120x40", 120, 40, "Tab Tab Tab Tab"}},
    {HEADS "seq-bert", {"answers-without-80x24", 80, 24, "Tab Tab Tab Tab O"}},
    {HEADS "seq-bert", {"answers-pairs-80x24", 80, 24, "Tab Tab Tab Tab O Right"}},
    {HEADS "ner-bert", {"answers-without-120x40", 120, 40, "Tab Tab Tab Tab O O"}},
};

static void assert_golden_after(const struct pressed_case *test, const char *folder)
{
    static const struct text texts[] = {{"time flies", 10}, {"like an arrow", 13}};
    const struct interventions none = {0};
    struct checkpoint checkpoint;
    struct error error;
    session_end(&session);
    assert_ok(checkpoint_open(&checkpoint, folder, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, texts, 2, &error), error);
    assert_ok(session_compute(&session, NULL, &error), error);
    type(test->keys);
    if (view_at(session.state.look.view)->compares || view_at(session.state.look.view)->speaks)
        assert_ok(request_rest(&session, &error), error);
    session.data.milliseconds = 0;
    assert_golden(drawn(test->columns, test->rows), test->name);
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TEST(screen_while_editing, .times = COUNT(edits))
{
    assert_golden_after(&edits[_i], TINY_FOLDER);
}

TEST(screen_of_other_families, .times = COUNT(family_cases))
{
    assert_golden_after(&family_cases[_i].test, family_cases[_i].folder);
}

TEST(screen_marks_a_changed_network)
{
    session.data.changes = "changed: causal unscaled";
    session.data.divisor = 1;
    type("Tab");
    for (size_t i = 0; i < 13; i++)
        for (size_t j = i + 1; j < 13; j++)
            session.data.encoded->trace->layer[0].scores[i * 13 + j] = -INFINITY;
    assert_golden(drawn(80, 24), "changed");
}

TEST(no_golden_is_stale)
{
    const char *names[6 + COUNT(cases) + COUNT(edits) + COUNT(family_cases) + COUNT(lessons) +
                      LESSON_GOLDENS + CORPUS_GOLDENS] = {
        "computing", "changed", "loading", "found-80x24", "found-120x40", "computing-anew"};
    size_t count = 6;
    for (int i = 0; i < COUNT(cases); i++)
        names[count++] = cases[i].name;
    for (int i = 0; i < COUNT(edits); i++)
        names[count++] = edits[i].name;
    for (int i = 0; i < COUNT(family_cases); i++)
        names[count++] = family_cases[i].test.name;
    for (int i = 0; i < COUNT(lessons); i++)
        names[count++] = lessons[i].name;
    for (int i = 0; i < LESSON_GOLDENS; i++)
        names[count++] = lesson_goldens[i].name;
    for (int i = 0; i < CORPUS_GOLDENS; i++)
        names[count++] = corpus_goldens[i].name;
    ck_assert(golden_none_stale(names, count));
}
