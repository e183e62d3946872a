/* The steps view: where its clicks lead, what it keeps from frame to frame, and what a recording
 * lacks; tests/scripts has its screens and keys. */
#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/view/steps_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct checkpoint checkpoint;
static struct session session;
static struct error error;
static struct canvas *canvas;
static struct steps *steps;

static void begin(void)
{
    const struct interventions none = {0};
    const struct text text = text_of_string("the cat sat on the mat.");
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, &text, 1, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session_set_view(&session, VIEW_STEPS);
}

static void end(void)
{
    free(steps);
    canvas_free(canvas);
    steps = NULL;
    canvas = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

/* As it is drawn now, and the numbers that it shows. */
static void draw(int columns, int rows)
{
    struct scene scene = session_scene(&session);
    const struct steps_at at = steps_place(&scene);
    canvas_free(canvas);
    free(steps);
    canvas = view_drawn(draw_steps, &scene, columns, rows);
    assert_ok(steps_new(&at, &steps, &error), error);
}

static void type(const char *keys)
{
    assert_ok(input_type(&session, keys, &error), error);
}

static bool shows(const char *text)
{
    return view_shows(canvas, text);
}

/* The row in which a stage begins, or -1. */
static int row_of(enum stage stage)
{
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++) {
            struct hit hit = canvas_hit(canvas, y, x);
            if (hit.place[0] == HIT(stage) && hit.value[0] == (size_t)stage)
                return y;
        }
    return -1;
}

/* ---- Clicks ---- */

/* Every stripe of a band is the largest of the numbers that it stands for, and leads to it. */
TEST(a_click_leads_to_a_number)
{
    draw(80, 35);
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++) {
            struct hit hit = canvas_hit(canvas, y, x);
            if (hit.place[1] != HIT(number))
                continue;
            session_click(&session, hit);
            ck_assert_uint_eq(session.state.look.stage, hit.value[0]);
            ck_assert_uint_eq(session.state.look.number, hit.value[1]);
            ck_assert_uint_lt(session.state.look.number,
                              steps->stage[session.state.look.stage].count);
        }
    session_click(&session, hit_at(HIT(stage), STAGE_BACK));
    ck_assert_int_eq(session.state.look.stage, STAGE_BACK);
    ck_assert_uint_eq(session.state.look.number, NO_TOKEN);
    session_click(&session, hit_at(HIT(stage), STAGE_BACK));
    ck_assert_uint_ne(session.state.look.number, NO_TOKEN);
    session_click(&session, hit_at(HIT(from), 3));
    ck_assert_uint_eq(session.state.look.from, 3);
}

/* Where a cell has two stripes, it leads to the larger of their numbers. */
TEST(a_cell_leads_to_its_largest_number)
{
    size_t cells = 0;
    draw(60, 35);
    for (int x = 0; x < canvas->columns; x++) {
        struct hit hit = canvas_hit(canvas, row_of(STAGE_INPUT), x);
        const double *numbers = steps->stage[STAGE_INPUT].numbers;
        if (hit.place[1] != HIT(number))
            continue;
        bool second = fabs(numbers[2 * cells + 1]) > fabs(numbers[2 * cells]);
        ck_assert_uint_eq(hit.value[0], STAGE_INPUT);
        ck_assert_uint_eq(hit.value[1], 2 * cells + second);
        cells++;
    }
    ck_assert_uint_eq(cells, 16);
}

/* ---- What is kept from frame to frame ---- */

/* A frame of the whole screen, and the steps of the place that it shows. */
static const struct steps *steps_kept(void)
{
    const struct scene scene = session_scene(&session);
    const struct steps_at at = steps_place(&scene);
    canvas_free(canvas);
    free(steps);
    canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
    assert_ok(steps_new(&at, &steps, &error), error);
    assert_ok(screen_draw(&session, canvas, &error), error);
    ck_assert_ptr_nonnull(session.data.steps);
    return session.data.steps;
}

static void check_kept(void)
{
    const struct steps *kept = steps_kept();
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        const struct step_numbers *now = &steps->stage[stage], *there = &kept->stage[stage];
        ck_assert_uint_eq(there->count, now->count);
        ck_assert_msg(now->count == 0 ||
                          memcmp(there->numbers, now->numbers, now->count * sizeof(double)) == 0,
                      "%s", stage_name(stage));
    }
}

/* A text and a network are computed in place, so that the trace may lie where the last one did. */
TEST(numbers_are_made_anew_for_another_place_text_or_network)
{
    static const char *const keys[] = {"Right",        ">", "]", "z z Esc", "Z", "z a Esc",
                                       "e s Enter Esc"};
    check_kept();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const double context = steps->stage[STAGE_CONTEXT].numbers[0];
        type(keys[i]);
        check_kept();
        ck_assert_msg(steps->stage[STAGE_CONTEXT].numbers[0] != context, "%s", keys[i]);
    }
}

/* Two keys may come before a frame: the second is of the place that the first leads to. */
TEST(a_key_finds_its_numbers_before_they_are_drawn)
{
    static const char *const keys[] = {"Right", ">", "]", "z z Esc"};
    session.state.look.stage = STAGE_CONTEXT;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        type("Esc");
        steps_kept();
        type(keys[i]);
        type("Enter");
        steps_kept();
        ck_assert_uint_eq(session.state.look.number, steps_most_telling(steps, STAGE_CONTEXT));
    }
}

TEST(numbers_are_kept_while_the_cursor_moves)
{
    static const char *const keys[] = {"Down", "Up",   "Enter", "Right",        "Left",
                                       "Down", "Home", "Esc",   "Tab Shift-Tab"};
    const struct steps *kept = steps_kept();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        type(keys[i]);
        ck_assert_ptr_eq(steps_kept(), kept);
    }
}

/* ---- Recordings ---- */

TEST(a_recording_says_what_it_lacks)
{
    session_end(&session);
    session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    session.data.encoded->trace->layer[0].query.data = NULL;
    session_set_view(&session, VIEW_STEPS);
    session.state.look.stage = STAGE_QUERY;
    draw(120, 35);
    ck_assert(shows("this recording has no query"));
    ck_assert(shows("this recording has no query: q of layer 0 can't be shown"));
    ck_assert(shows("this recording has no network"));
    type("Enter");
    ck_assert_str_eq(session.message, "this recording has no query");
    ck_assert_uint_eq(session.state.look.number, NO_TOKEN);
    type("Down Down Down Enter");
    draw(120, 35);
    ck_assert(shows("as recorded; what it follows from is not in the recording"));
}
