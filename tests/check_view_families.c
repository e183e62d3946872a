/* The steps view and the neuron view of models other than BERT: what they say is what the family
 * computes, and what they show adds up. */
#include "family_helpers.h"
#include "recorded.h"
#include "rows.h"
#include "suites.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/lens/dimensions.h"
#include "headlight/model/checkpoint.h"
#include "headlight/model/forward.h"
#include "headlight/view/neuron_sheet.h"
#include "headlight/view/steps_sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct checkpoint checkpoint;
static struct session session;
static struct trace *trace;
static cJSON *cases;
static const char *labels[100];
static struct canvas *canvas;
static struct steps *steps;
static struct error error;

/* The first text of a family, as if it had been typed. */
static void open_family(const char *family)
{
    size_t count = 0;
    const cJSON *token;
    checkpoint = (struct checkpoint){.model = family_open(family)};
    cases = family_cases(family);
    cJSON_ArrayForEach(token, json_member(cases->child, "tokens")) labels[count++] =
        token->valuestring;
    trace = recorded_prepare(checkpoint.model, cases->child, true);
    ck_assert_uint_eq(count, trace->tokens);
    ck_assert_int_eq(forward_run(checkpoint.model, NULL, NULL, trace, &error), STATUS_OK);
    session = synthetic_of_trace(trace, labels, count);
    session.data.checkpoint = &checkpoint;
    session.state.look.from = 3;
}

static void end(void)
{
    free(steps);
    canvas_free(canvas);
    session_end(&session);
    checkpoint_close(&checkpoint);
    cJSON_Delete(cases);
    steps = NULL;
    canvas = NULL;
    cases = NULL;
}

TESTS(.end = end);

static void draw_as(draw_view *draw, int columns, int rows, struct traits traits)
{
    const struct scene *scene = scene_of(&session);
    const struct steps_at at = steps_place(scene);
    canvas_free(canvas);
    free(steps);
    canvas = view_drawn_as(draw, scene, columns, rows, traits);
    ck_assert_int_eq(steps_new(&at, &steps, &error), STATUS_OK);
}

static void draw(draw_view *view, int columns, int rows)
{
    draw_as(view, columns, rows, (struct traits){GLYPHS_BRAILLE, false});
}

static void expect(const char *text)
{
    if (view_shows(canvas, text))
        return;
    for (int y = 0; y < canvas->rows; y++)
        puts(view_row(canvas, y));
    ck_abort_msg("no \"%s\"", text);
}

/* ---- Steps ---- */

ROW_TEST(formulas_are_the_familys, "steps_formulas")
{
    open_family(row[0]);
    session.state.look.layer = (size_t)atoi(row[1]);
    draw(draw_steps, 120, 60);
    for (size_t i = 2; row[i]; i++)
        expect(row[i]);
}

/* The number that the arithmetic ends in, as the view writes it. */
static void expect_result(enum stage stage)
{
    char text[80];
    const double number = steps->stage[stage].numbers[1];
    if (!steps_shown[stage].listed) {
        snprintf(text, sizeof text, "%s[1] = ", stage_name(stage));
        expect(text);
    }
    if (stage == STAGE_WEIGHTS || stage == STAGE_ANSWER)
        snprintf(text, sizeof text, " = %.3f", number);
    else
        snprintf(text, sizeof text, " = %s", steps_number(number).text);
    expect(text);
}

TEST(each_familys_arithmetic_ends_in_the_number, .times = FAMILIES)
{
    open_family(family_names[_i]);
    session.state.look.number = 1;
    for (size_t layer = 0; layer < 2; layer++)
        for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
            session.state.look.layer = layer;
            session.state.look.stage = stage;
            const struct steps_at at = steps_place(scene_of(&session));
            if (!steps_has(&at, stage))
                continue;
            draw(draw_steps, 120, 50);
            if (stage != STAGE_INPUT || layer == 0)
                expect_result(stage);
            draw_as(draw_steps, 80, 24, (struct traits){GLYPHS_ASCII, true});
            ck_assert_msg(!view_shows(canvas, "\\u"), "%s", stage_name(stage));
        }
}

TEST(what_is_not_seen_has_its_reason, .times = 2)
{
    open_family(_i == 0 ? "gpt2" : "modernbert");
    session.state.look.stage = STAGE_SCORES;
    session.state.look.layer = 1;
    session.state.look.number = 9; /* six tokens behind the one that attends */
    draw(draw_steps, 120, 40);
    expect(_i == 0 ? "comes later: the mask is causal"
                   : "is out of reach: this layer sees only what is near, at most 4 tokens away");
}

/* Without the network the tensors tell which family's a layer is. */
TEST(a_recordings_form_is_that_of_its_tensors, .times = 4)
{
    static const char *const families[] = {"modernbert", "gpt2", "deberta-v2-conv", "mpnet"};
    static const char *const formulas[][3] = {
        {"raw_q       normed·W_q + b", "q           raw_q turned by its place",
         "attention   x + heads "},
        {"normed      LayerNorm(x) ", "q           normed·W_q + b",
         "output      attention + back "},
        {"joined      LayerNorm(attention+ba", "output      LayerNorm(joined+conv)",
         "scores      q·k/√24 + distance "},
        {"attention   LayerNorm(x+heads)", "output      LayerNorm(attention+ba",
         "scores      q·k/√8 + distance "}};
    struct arithmetic arithmetic;
    open_family(families[_i]);
    session.data.checkpoint = NULL;
    draw(draw_steps, 120, 60);
    for (size_t i = 0; i < 3; i++)
        expect(formulas[_i][i]);
    steps_arithmetic(steps, STAGE_SCORES, 1, &arithmetic);
    ck_assert_int_eq(arithmetic.kind, ARITHMETIC_SUM);
    ck_assert_double_eq_tol(arithmetic.result, (double)trace_score(trace, 0, 0, 3, 1), 2e-5);
}

TEST(nothing_is_drawn_outside, .times = FAMILIES)
{
    open_family(family_names[_i]);
    for (int columns = 60; columns <= 200; columns += 28)
        for (int rows = 9; rows <= 60; rows += 10) {
            struct scene scene = *scene_of(&session);
            scene.look.stage = (enum stage)(columns % STAGE_COUNT);
            scene.look.number = rows % 20 == 9 ? 1 : NO_TOKEN;
            scene.look.to = 1;
            scene.look.listed = rows % 20 == 9;
            view_check_inside(draw_steps, &scene, columns, rows, 0);
            view_check_inside(draw_neuron, &scene, columns, rows, 0);
        }
}
