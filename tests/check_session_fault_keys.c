/* check_session_fault_keys.c: memory that runs out while a key is obeyed: the footer says so, and
 * the session can be drawn, and goes on from there. */
#include "faults.h"
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"

#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct checkpoint checkpoint;
static struct session session;
static struct canvas *canvas, *expected;

struct press {
    const char *before, *key;
    const char *again; /* what is pressed after a failure once a text is wanted; "-": the key */
    const char *then;  /* what is pressed before the screen is looked at */
};

static struct press press;
static const char *key; /* to be pressed next */

static void type(const char *keys)
{
    assert_ok(input_type(&session, keys, &error), error);
}

static void open_session(void)
{
    static const struct text texts[] = {{"the cat sat", 11}, {"on the mat", 10}};
    const struct interventions none = {0};
    session_begin(&session, &checkpoint, true, &none);
    session.columns = 100;
    session.rows = 30;
    assert_ok(session_open(&session, texts, 2, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session.data.encoded->milliseconds = 0;
    type(press.before);
}

static void close_session(void)
{
    session_end(&session);
}

static void draw(struct canvas *on)
{
    session.data.encoded->milliseconds = 0;
    session.message[0] = '\0';
    assert_ok(screen_draw(&session, on, &error), error);
}

/* What the footer says is this test's error. */
static enum status obey(struct error *failure)
{
    if (input_type(&session, key, failure) != STATUS_OK)
        return failure->status;
    if (strstr(session.message, "not enough memory"))
        return error_set(failure, STATUS_MEMORY, "%s", session.message);
    return STATUS_OK;
}

/* It can be drawn as it is; then the key is pressed again, or what leads to the same screen. */
static void draw_failed(void)
{
    draw(canvas);
    if (strcmp(press.again, "-") != 0 && session.overlay.kind != OVERLAY_EDIT)
        key = press.again;
}

/* A history with a gap is better than none, and the tokens of an edited text are counted again
 * when they are drawn. What is on screen after it is compared all the same. */
static bool shows_all(void)
{
    return true;
}

static void compare_and_close(void)
{
    type(press.then);
    draw(canvas);
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++)
            ck_assert_msg(strcmp(canvas_at(canvas, y, x)->text, canvas_at(expected, y, x)->text) ==
                              0,
                          "%s: \"%s\" and \"%s\" at %d,%d", key, canvas_at(canvas, y, x)->text,
                          canvas_at(expected, y, x)->text, y, x);
    close_session();
}

static void begin_try(void)
{
    key = press.key;
    open_session();
}

ROW_TEST(a_key_is_obeyed_or_refused, "fault_keys", .skipped = !faults_work())
{
    const struct traits traits = {GLYPHS_BRAILLE, false};
    char name[128];
    press = (struct press){row[0], row[1], row[2], row[3]};
    canvas = canvas_new(100, 30, traits);
    expected = canvas_new(100, 30, traits);
    ck_assert(canvas && expected);
    begin_try();
    assert_ok(obey(&error), error);
    type(press.then);
    draw(expected);
    close_session();
    snprintf(name, sizeof name, "press \"%s\" after \"%s\"", press.key, press.before);
    faults_try(&(struct trial){.name = name,
                               .begin = begin_try,
                               .act = obey,
                               .end = compare_and_close,
                               .check_failed = draw_failed,
                               .tolerates = shows_all});
    canvas_free(canvas);
    canvas_free(expected);
}

static void begin(void)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
}

static void end(void)
{
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end, .slow = true);
