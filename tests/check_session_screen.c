/* Whole screens against tests/golden. The weights are synthetic, so that no machine's arithmetic
 * shows in them. */
#include "golden.h"
#include "lesson_helpers.h"
#include "model_helpers.h"
#include "panel_helpers.h"
#include "rows.h"
#include "session_helpers.h"
#include "suites.h"
#include "survey_sample.h"

#include "headlight/session/request.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct traits traits_named(const char *signs)
{
    return (struct traits){.glyphs = strcmp(signs, "ascii") == 0    ? GLYPHS_ASCII
                                     : strcmp(signs, "blocks") == 0 ? GLYPHS_BLOCKS
                                                                    : GLYPHS_BRAILLE,
                           .mono = strcmp(signs, "mono") == 0};
}

static void assert_golden(struct canvas *canvas, const char *name)
{
    ck_assert_msg(golden_equal(canvas, name), "%s differs from its golden", name);
    canvas_free(canvas);
}

/* With labels of all kinds, one of them longer than any column. */
static void session_anew_on_long(size_t tokens, size_t heads, size_t dimensions)
{
    static const char *const kinds[] = {
        "the", "cat", "##ing", "[UNK]", "naïve", "日本", "über", ".", "attention-seekingly-long"};
    static const char *labels[60];
    ck_assert_uint_le(tokens, COUNT(labels));
    for (int i = 0; i < COUNT(labels); i++)
        labels[i] = kinds[i % COUNT(kinds)];
    session_anew(labels, tokens, tokens, heads, dimensions);
}

TESTS(.base = &session_tests);

static size_t size_named(const char *number)
{
    return (size_t)atoi(number);
}

ROW_TEST(screen_equals_golden, "screens")
{
    const size_t tokens = size_named(row[7]);
    if (tokens)
        session_anew_on_long(tokens, size_named(row[5]), size_named(row[6]));
    else
        session_anew_on_pair(size_named(row[5]), size_named(row[6]));
    type(row[4]);
    assert_golden(drawn_as(atoi(row[1]), atoi(row[2]), traits_named(row[3])), row[0]);
}

/* In a step of a lesson, or with the list of lessons open. */
ROW_TEST(screen_of_a_lesson, "screens_lessons")
{
    session_anew_on_pair(4, 8);
    fake_begin(&session, size_named(row[4]));
    fake.panel.away = strcmp(row[5], "yes") == 0;
    type(row[6]);
    assert_golden(drawn_as(atoi(row[1]), atoi(row[2]), traits_named(row[3])), row[0]);
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

/* On tiny models, which are computed in double precision by plain loops: the same everywhere. */
ROW_TEST(screen_of_a_model, "screens_models")
{
    static const struct text texts[] = {{"time flies", 10}, {"like an arrow", 13}};
    const struct interventions none = {0};
    struct checkpoint checkpoint;
    struct error error;
    session_end(&session);
    assert_ok(checkpoint_open(&checkpoint, row[4], NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, texts, 2, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    type(row[3]);
    if (view_at(session.state.look.view)->compares || view_at(session.state.look.view)->speaks)
        assert_ok(request_rest(&session, &error), error);
    session.data.encoded->milliseconds = 0;
    assert_golden(drawn(atoi(row[1]), atoi(row[2])), row[0]);
    session_end(&session);
    checkpoint_close(&checkpoint);
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
    static const char *const files[] = {"screens", "screens_lessons", "screens_models"};
    const char *names[300] = {"computing",   "changed",      "loading",
                              "found-80x24", "found-120x40", "computing-anew"};
    size_t count = 6;
    for (int i = 0; i < LESSON_GOLDENS; i++)
        names[count++] = lesson_goldens[i].name;
    for (int i = 0; i < CORPUS_GOLDENS; i++)
        names[count++] = corpus_goldens[i].name;
    const size_t borrowed = count;
    for (int file = 0; file < COUNT(files); file++)
        for (int i = 0; i < rows_count(files[file]); i++) {
            ck_assert_uint_lt(count, sizeof names / sizeof *names);
            names[count++] = strdup(*row_at(files[file], i));
        }
    ck_assert(golden_none_stale(names, count));
    while (count > borrowed)
        free((char *)(uintptr_t)names[--count]);
}
