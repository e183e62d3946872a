/* check_session_fault_screens.c: memory that runs out while a screen is drawn. */
#include "faults.h"
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"
#include "survey_sample.h"
#include "synthetic.h"

#include "headlight/session/act.h"
#include "headlight/session/screen.h"
#include "headlight/tensor/thread_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG 120

static struct error error;
static struct session session;
static struct canvas *canvas, *expected;

static struct screen {
    const char *keys; /* from the head view of the pair on */
    int columns, rows;
    size_t tokens; /* 13: the pair; LONG: a text whose lines are shared out */
} screen;          /* that is tried */

static void type(const char *keys)
{
    assert_ok(input_type(&session, keys, &error), error);
}

static void begin_session(void)
{
    static const char *labels[LONG];
    for (size_t i = 0; i < LONG; i++)
        labels[i] = i == 0 ? "[CLS]" : i % 60 == 59 ? "[SEP]" : i % 5 == 3 ? "##s" : "time";
    session = screen.tokens == LONG ? synthetic_session(labels, LONG, 60, 8, 8)
                                    : synthetic_session(synthetic_pair, 13, 7, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    sample_end();
    session.data.survey = sample_survey(session.data.layers, session.data.head_count, SAMPLE_ALL);
    session.columns = screen.columns;
    session.rows = screen.rows;
    type(screen.keys);
    pool_set_size(2);
}

static enum status draw(struct error *failure)
{
    return screen_draw(&session, canvas, failure);
}

/* Another session: nothing is kept from the try before. */
static void begin_anew(void)
{
    session_end(&session);
    begin_session();
}

/* What was drawn after a failure is what is drawn without one. */
static void compare(void)
{
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++) {
            const struct cell *a = canvas_at(canvas, y, x), *b = canvas_at(expected, y, x);
            ck_assert_str_eq(a->text, b->text);
            ck_assert(ink_equal(a->style.fore, b->style.fore) &&
                      ink_equal(a->style.back, b->style.back));
        }
}

/* All that allocates nothing still comes out right. */
static bool allocates(void)
{
    faults_begin(&(struct fault){.nth = 1});
    enum status status = draw(&error);
    size_t hits = faults_end();
    ck_assert_int_eq(status != STATUS_OK, hits > 0);
    return hits > 0;
}

TESTS(.slow = true);

ROW_TEST(a_screen_is_drawn_or_refused, "fault_screens", .skipped = !faults_work())
{
    const struct traits traits = {GLYPHS_BRAILLE, false};
    char name[128];
    screen = (struct screen){row[0], atoi(row[1]), atoi(row[2]), (size_t)atoi(row[3])};
    begin_session();
    canvas = canvas_new(screen.columns, screen.rows, traits);
    expected = canvas_new(screen.columns, screen.rows, traits);
    ck_assert(canvas && expected);
    assert_ok(screen_draw(&session, expected, &error), error);
    snprintf(name, sizeof name, "draw %d×%d, %zu tokens, keys \"%s\"", screen.columns, screen.rows,
             screen.tokens, screen.keys);
    begin_anew();
    if (allocates()) {
        faults_try(&(struct trial){.name = name,
                                   .begin = begin_anew,
                                   .act = draw,
                                   .end = compare,
                                   .stride = screen.tokens == LONG ? 1999 : 97});
    } else {
        compare();
    }
    sample_end();
    pool_set_size(0);
    canvas_free(canvas);
    canvas_free(expected);
    session_end(&session);
}
