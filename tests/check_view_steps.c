/* The steps view: it shows the stages that the lens computes, and its keys lead to every number. */
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

static void open_changed(const char *line, const struct interventions *changes)
{
    const struct text text = {line, strlen(line)};
    session_end(&session);
    session_begin(&session, &checkpoint, true, changes);
    assert_ok(session_open(&session, &text, 1, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session_set_view(&session, VIEW_STEPS);
}

static void begin(void)
{
    const struct interventions none = {0};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    open_changed("the cat sat on the mat.", &none);
}

static void end(void)
{
    steps_free(steps);
    canvas_free(canvas);
    steps = NULL;
    canvas = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
}

TESTS(.begin = begin, .end = end);

static enum status draw_steps(const struct scene *scene, struct canvas *on, struct area area,
                              struct error *failure)
{
    enum status status = steps_view.draw(scene, on, area, failure);
    steps_view.legend(scene, on, area);
    return status;
}

/* As it is drawn now, and the numbers that it shows. */
static void draw_as(int columns, int rows, struct traits traits)
{
    struct scene scene = session_scene(&session);
    const struct steps_at at = steps_place(&scene);
    canvas_free(canvas);
    steps_free(steps);
    canvas = view_drawn_as(draw_steps, &scene, columns, rows, traits);
    assert_ok(steps_new(&at, &steps, &error), error);
}

static void draw(int columns, int rows)
{
    draw_as(columns, rows, (struct traits){GLYPHS_BRAILLE, false});
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
            if (hit.kind == HIT_STAGE && hit.value == (size_t)stage)
                return y;
        }
    return -1;
}

/* Whether the layer has the stage. */
static bool has(enum stage stage)
{
    struct scene scene = session_scene(&session);
    const struct steps_at at = steps_place(&scene);
    return steps_has(&at, stage);
}

static bool has_mark(int y)
{
    return strstr(view_row(canvas, y), "▸") != NULL;
}

/* ---- Stages ---- */

TEST(a_whole_layer_is_on_a_screen, .times = 2)
{
    static const int sizes[][2] = {{120, 35}, {200, 55}};
    for (session.state.look.layer = 0; session.state.look.layer < 3; session.state.look.layer++) {
        int before = -1;
        draw(sizes[_i][0], sizes[_i][1]);
        for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
            if (!has(stage))
                continue;
            int y = row_of(stage);
            ck_assert_msg(y > before, "%s", stage_name(stage));
            ck_assert_ptr_nonnull(strstr(view_row(canvas, y), stage_name(stage)));
            before = y;
        }
        ck_assert(!shows("↑ ") && !shows("↓ "));
    }
    ck_assert_int_eq(row_of(STAGE_EMBEDDING), -1);
}

/* How many stages a row says to be outside, "↑ 3 above"; nothing there leads to a click. */
static size_t said_outside(const char *arrow, const char *where)
{
    size_t count = 0;
    for (int y = 0; y < canvas->rows; y++) {
        const char *at = strstr(view_row(canvas, y), arrow);
        char word[8];
        size_t number;
        if (!at || sscanf(at + strlen(arrow), "%zu %7s", &number, word) != 2 ||
            strcmp(word, where) != 0)
            continue;
        count = number;
        for (int x = 0; x < canvas->columns; x++)
            ck_assert_uint_eq(canvas_hit(canvas, y, x).kind, HIT_NOTHING);
    }
    return count;
}

/* On a small screen the stage under the cursor is there, and those that are not are counted; one of
 * which only a part is shown counts as outside. */
TEST(a_small_screen_follows_the_cursor, .from = 9, .times = 15)
{
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        size_t above = 0, below = 0;
        session.state.look.stage = stage;
        if (!has(stage))
            continue;
        session.state.look.number = stage % 2 ? 0 : NO_TOKEN;
        draw(80, _i);
        int y = row_of(stage);
        ck_assert_msg(y >= 0 && has_mark(y), "%s", stage_name(stage));
        for (enum stage other = 0; other < STAGE_COUNT; other++) {
            above += has(other) && other < stage && row_of(other) < 0;
            below += has(other) && other > stage && row_of(other) < 0;
        }
        size_t said_above = said_outside("↑ ", "above"), said_below = said_outside("↓ ", "below");
        ck_assert_msg(said_above == above || said_above == above + 1, "%s", stage_name(stage));
        ck_assert_msg(said_below == below || said_below == below + 1, "%s", stage_name(stage));
    }
}

TEST(keys_go_through_stages_layers_and_tokens)
{
    struct look *look = &session.state.look;
    ck_assert_int_eq(look->stage, STAGE_SCORES);
    type("Down");
    ck_assert_int_eq(look->stage, STAGE_WEIGHTS);
    type("End Down Down");
    ck_assert_int_eq(look->stage, STAGE_OUTPUT);
    type("Home");
    ck_assert_int_eq(look->stage, STAGE_EMBEDDING);
    type("Up");
    ck_assert_int_eq(look->stage, STAGE_EMBEDDING);
    type("Right"); /* where there is no embedding */
    ck_assert_uint_eq(look->layer, 1);
    draw(120, 35);
    ck_assert(has_mark(row_of(STAGE_INPUT)));
    type("Up");
    ck_assert_int_eq(look->stage, STAGE_INPUT);
    type("Down");
    ck_assert_int_eq(look->stage, STAGE_QUERY);
    const size_t from = look->from;
    type("> > <");
    ck_assert_uint_eq(look->from, from + 1);
    type(".");
    ck_assert_uint_ne(look->number, NO_TOKEN);
    const size_t number = look->number;
    type(". . ,");
    ck_assert_uint_eq(look->number, number + 1);
    type("Esc");
    ck_assert_uint_eq(look->to, NO_TOKEN);
    type("]");
    ck_assert_uint_eq(look->head, 1);
}

/* ---- Numbers ---- */

TEST(numbers_are_walked_by_place_and_by_size)
{
    struct look *look = &session.state.look;
    session.state.look.stage = STAGE_QUERY;
    draw(120, 35);
    const struct step_numbers *of = &steps->stage[STAGE_QUERY];
    type("Enter");
    for (size_t i = 0; i < of->count; i++)
        ck_assert_double_le(fabs(of->numbers[i]), fabs(of->numbers[look->number]));
    bool seen[64] = {false};
    for (size_t i = 0; i < of->count; i++, type("Down")) {
        ck_assert_msg(!seen[look->number], "number %zu twice", look->number);
        seen[look->number] = true;
    }
    size_t smallest = look->number;
    type("Down");
    ck_assert_uint_eq(look->number, smallest);
    type("Up Down");
    ck_assert_uint_eq(look->number, smallest);
    type("Home Right Right");
    ck_assert_uint_eq(look->number, 2);
    type("Left Left Left");
    ck_assert_uint_eq(look->number, of->count - 1);
    type("Right");
    ck_assert_uint_eq(look->number, 0);
    ck_assert_int_eq(look->stage, STAGE_QUERY);
    ck_assert_uint_eq(look->layer, 0);
    type("Esc");
    ck_assert_uint_eq(look->number, NO_TOKEN);
    type("Right");
    ck_assert_uint_eq(look->layer, 1);
}

/* Which line says what the number is, and that it is that. */
TEST(the_arithmetic_ends_in_the_number, .times = 2)
{
    static const int widths[] = {80, 120};
    char name[32], value[40];
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        const bool named = steps_shown(stage)->listed;
        if (!has(stage))
            continue;
        session.state.look.stage = stage;
        session.state.look.number = 1;
        draw(widths[_i], 35);
        const double number = steps->stage[stage].numbers[1];
        snprintf(name, sizeof name, "%s[1] = ", stage_name(stage));
        snprintf(value, sizeof value, " = %s", steps_number(number).text);
        if (stage == STAGE_WEIGHTS || stage == STAGE_ANSWER)
            snprintf(value, sizeof value, " = %.3f", number);
        ck_assert_msg(named || shows(name), "%s", name);
        ck_assert_msg(shows(value), "%s:%s", stage_name(stage), value);
    }
}

/* Each token's score and weight, and what each head adds, with its name. */
TEST(names_stand_beside_their_numbers)
{
    const size_t from = session.state.look.from;
    char text[600];
    draw(120, 35);
    for (size_t to = 0; to < session.data.tokens; to++) {
        struct scene scene = session_scene(&session);
        const char *name = scene_name(&scene, SIDE_RIGHT, to, false).text;
        snprintf(text, sizeof text, "%s %+.2f", name,
                 (double)trace_score(session.data.trace, 0, 0, from, to));
        ck_assert_msg(shows(text), "%s", text);
        snprintf(text, sizeof text, "%s %.3f", name,
                 (double)trace_weight(session.data.trace, 0, 0, from, to));
        ck_assert_msg(shows(text), "%s", text);
    }
    for (size_t head = 0; head < 4; head++) {
        snprintf(text, sizeof text, "%zu %.2f", head, steps->stage[STAGE_ADDED].numbers[head]);
        ck_assert_msg(shows(text), "%s", text);
    }
}

/* Every stripe of a band is the largest of the numbers that it stands for, and leads to it. */
TEST(a_click_leads_to_a_number)
{
    draw(80, 35);
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++) {
            struct hit hit = canvas_hit(canvas, y, x);
            if (hit.kind != HIT_NUMBER)
                continue;
            session_click(&session, hit);
            ck_assert_uint_eq(session.state.look.stage, hit.value % STAGE_COUNT);
            ck_assert_uint_eq(session.state.look.number, hit.value / STAGE_COUNT);
            ck_assert_uint_lt(session.state.look.number,
                              steps->stage[session.state.look.stage].count);
        }
    session_click(&session, (struct hit){HIT_STAGE, STAGE_BACK});
    ck_assert_int_eq(session.state.look.stage, STAGE_BACK);
    ck_assert_uint_eq(session.state.look.number, NO_TOKEN);
    session_click(&session, (struct hit){HIT_STAGE, STAGE_BACK});
    ck_assert_uint_ne(session.state.look.number, NO_TOKEN);
    session_click(&session, (struct hit){HIT_FROM, 3});
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
        if (hit.kind != HIT_NUMBER)
            continue;
        bool second = fabs(numbers[2 * cells + 1]) > fabs(numbers[2 * cells]);
        ck_assert_uint_eq(hit.value, (2 * cells + second) * STAGE_COUNT + STAGE_INPUT);
        cells++;
    }
    ck_assert_uint_eq(cells, 16);
}

/* A number that another layer, text or model has not is another one there. */
TEST(a_number_stays_within_its_stage)
{
    const struct interventions none = {0};
    session.state.look.stage = STAGE_SCORES;
    session.state.look.number = session.data.tokens - 1;
    const struct look look = session.state.look;
    open_changed("the cat", &none);
    session.state.look = look;
    ck_assert(session_show(&session, &look));
    draw(80, 24);
    ck_assert(shows("score "));
    type("Left");
    ck_assert_uint_eq(session.state.look.number, session.data.tokens - 2);
}

/* ---- What is kept from frame to frame ---- */

/* A frame of the whole screen, and the steps of the place that it shows. */
static const struct steps *steps_kept(void)
{
    const struct scene scene = session_scene(&session);
    const struct steps_at at = steps_place(&scene);
    canvas_free(canvas);
    steps_free(steps);
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
    static const char *const keys[] = {"Right",        ">", "]", "z z Esc", "Z", "z u Esc",
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
        ck_assert_uint_eq(session.state.look.number, steps_telling(steps, STAGE_CONTEXT));
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

/* ---- What is changed in the network ---- */

static void expect_changed(const struct interventions *changes, const char *formula,
                           enum stage stage, const char *arithmetic)
{
    open_changed("the cat sat", changes);
    session.state.look.stage = stage;
    session.state.look.number = 3;
    draw(120, 35);
    ck_assert_msg(shows(formula), "%s", formula);
    ck_assert_msg(shows(arithmetic), "%s", arithmetic);
}

TEST(changes_of_the_network_are_told)
{
    struct interventions off = {.off = {1}}, uniform = {.uniform = {1}}, hidden = {0};
    assert_ok(interventions_hide(&hidden, 3, &error), error);
    expect_changed(&(struct interventions){.unscaled = true}, "q·k ", STAGE_SCORES,
                   "Σ q[d]·k[d] = ");
    expect_changed(&(struct interventions){.temperature = 0.5}, "q·k/1.41", STAGE_SCORES, "/ 1.41");
    expect_changed(&(struct interventions){.causal = true}, "q·k/√8", STAGE_SCORES,
                   "comes later: the mask is causal");
    expect_changed(&hidden, "masked", STAGE_SCORES, "is hidden from all");
    expect_changed(&off, "head 0 is off: 0", STAGE_CONTEXT, "head 0 is switched off");
    expect_changed(&uniform, "made equal: 1/5", STAGE_WEIGHTS, " = 1 / 5 = 0.200");
    expect_changed(&(struct interventions){.positions = POSITIONS_SINUSOIDAL},
                   "word + sinusoid + segment", STAGE_EMBEDDING, "position ");
    expect_changed(&(struct interventions){.positions = POSITIONS_NONE, .no_segments = true},
                   "word  ", STAGE_EMBEDDING, "embedding[3] = word = ");
}

/* ---- Recordings ---- */

TEST(a_recording_says_what_it_lacks)
{
    session_end(&session);
    session = synthetic_session(synthetic_pair, 13, 7, 4, 8);
    session_set_view(&session, VIEW_STEPS);
    session.data.encoded->trace->layer[0].query.data = NULL;
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

TEST(nothing_is_drawn_outside)
{
    struct scene scene = session_scene(&session);
    for (int columns = 60; columns <= 200; columns += 7)
        for (int rows = 9; rows <= 60; rows += 3) {
            scene.look.stage = (enum stage)(columns % STAGE_COUNT);
            scene.look.number = rows % 2 ? 1 : NO_TOKEN;
            view_check_inside(draw_steps, &scene, columns, rows, 0);
        }
    view_check_inside_as(draw_steps, &scene, 80, 20, (struct traits){GLYPHS_ASCII, true});
}

/* Headlight's own signs have stand-ins. */
TEST(ascii_has_no_escapes)
{
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        session.state.look.stage = stage;
        session.state.look.number = 1;
        draw_as(120, 35, (struct traits){GLYPHS_ASCII, true});
        ck_assert_msg(!shows("\\u"), "%s", stage_name(stage));
    }
}
