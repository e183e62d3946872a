#include "session_helpers.h"
#include "suites.h"

#include "model_helpers.h"

#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"

#include <string.h>

struct session session;

void session_anew(const char *const *labels, size_t tokens, size_t boundary, size_t heads,
                  size_t dimensions)
{
    session_end(&session);
    session = synthetic_session(labels, tokens, boundary, heads, dimensions);
    ck_assert_ptr_nonnull(session.data.encoded);
}

void session_anew_on_pair(size_t heads, size_t dimensions)
{
    session_anew(synthetic_pair, 13, 7, heads, dimensions);
}

void session_anew_on_texts(const struct checkpoint *checkpoint, const struct checkpoint *against,
                           const char *first, const char *second)
{
    const struct interventions none = {0};
    const struct text texts[] = {{first, strlen(first)}, {second, second ? strlen(second) : 0}};
    struct error error;
    session_end(&session);
    session_begin(&session, checkpoint, true, &none);
    session.data.against = against;
    assert_ok(session_open(&session, texts, second ? 2 : 1, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
}

static void begin(void)
{
    session_anew_on_pair(4, 8);
}

void end_session(void)
{
    session_end(&session);
}

const struct fixture session_tests = {.begin = begin, .end = end_session};

void act(enum action action)
{
    ck_assert_uint_eq(session_act(&session, action, 0), SESSION_REDRAW);
}

void type_digit(int digit)
{
    ck_assert_uint_eq(session_act(&session, ACTION_HEAD_DIGIT, digit), SESSION_REDRAW);
}

void click_hit(struct hit hit)
{
    ck_assert_uint_eq(session_click(&session, hit), SESSION_REDRAW);
}

void click(uint16_t place, size_t value)
{
    click_hit(hit_at(place, value));
}

void type(const char *keys)
{
    struct error error;
    assert_ok(input_type(&session, keys, &error), error);
}

void type_and_wait(const char *keys)
{
    struct error error;
    type(keys);
    assert_ok(request_rest(&session, &error), error);
}

struct canvas *drawn_as(int columns, int rows, struct traits traits)
{
    struct error error;
    struct canvas *canvas = canvas_new(columns, rows, traits);
    ck_assert_ptr_nonnull(canvas);
    ck_assert_int_eq(screen_draw(&session, canvas, &error), STATUS_OK);
    return canvas;
}

struct canvas *drawn(int columns, int rows)
{
    return drawn_as(columns, rows, (struct traits){GLYPHS_BRAILLE, false});
}
