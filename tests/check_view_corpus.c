/* The corpus view: its screens, of any size, and its table; tests/scripts has its keys. */
#include "golden.h"
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "survey_sample.h"
#include "synthetic.h"
#include "view_helpers.h"

#include "headlight/export/export.h"
#include "headlight/model/trace_new.h"
#include "headlight/session/request.h"
#include "headlight/survey/survey_file.h"
#include "headlight/text/csv.h"
#include "headlight/view/corpus.h"

#include <stdlib.h>
#include <string.h>

static struct checkpoint checkpoint;
static struct canvas *canvas;
static struct error error;

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    session_end(&session);
    checkpoint_close(&checkpoint);
    sample_end();
}

TESTS(.end = end);

/* A session with a survey, on numbers that no model made. */
static void begin(size_t layers, size_t heads, enum sample with)
{
    const struct config config = {.vocabulary = 10,
                                  .hidden = heads,
                                  .layers = layers,
                                  .heads = heads,
                                  .feed_forward = 1,
                                  .positions = 20,
                                  .segments = 2};
    struct trace *trace;
    assert_ok(trace_blank(&config, 13, NULL, 0, &trace, &error), error);
    session = synthetic_of_trace(trace, synthetic_pair, 7);
    session.data.survey = sample_survey(layers, heads, with);
    session_set_view(&session, VIEW_CORPUS);
}

/* On the tiny model, whose survey is made up. */
static void begin_live(void)
{
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "the cat sat", NULL);
    session.data.survey = sample_survey(3, 4, SAMPLE_ALL);
    session_set_view(&session, VIEW_CORPUS);
}

static void draw(int columns, int rows)
{
    canvas_free(canvas);
    canvas = drawn(columns, rows);
}

/* ---- On screen ---- */

TEST(screens, .times = CORPUS_GOLDENS)
{
    const struct corpus_golden *golden = &corpus_goldens[_i];
    begin(6, 8, golden->with);
    type(golden->keys);
    canvas = drawn_as(golden->columns, golden->rows, golden->traits);
    ck_assert(golden_equal(canvas, golden->name));
}

/* Sizes from the smallest to a large one, in all its pictures. */
TEST(nothing_is_drawn_outside, .times = 8)
{
    static const char *const keys[] = {
        "", "o", "O", "c", "r", "Enter", ": \"corpus-card speech\" Enter", "o c O O"};
    static const int sizes[][2] = {{60, 8}, {60, 20}, {80, 19}, {99, 40}, {120, 33}, {240, 60}};
    for (enum sample with = SAMPLE_ALL; with <= SAMPLE_NOTHING; with++) {
        begin(12, 16, with);
        type(keys[_i]);
        const struct scene scene = session_scene(&session);
        for (int i = 0; i < COUNT(sizes); i++) {
            view_check_inside(draw_corpus, &scene, sizes[i][0], sizes[i][1], 0);
            view_check_inside_as(draw_corpus, &scene, sizes[i][0], sizes[i][1],
                                 (struct traits){GLYPHS_ASCII, true});
        }
        session_end(&session);
    }
}

TEST(without_a_survey_it_says_how_one_is_made)
{
    begin(6, 8, SAMPLE_ALL);
    session.data.survey = NULL;
    draw(80, 24);
    ck_assert(view_shows(canvas, "headlight survey dev.conllu -o dev.survey"));
    ck_assert(view_shows(canvas, "headlight dev.survey"));
    input_key(&session, 'o');
    ck_assert(!view_sentence(&(struct scene){session.state.look, &corpus_view, session.data}, false,
                             (char[64]){0}, 64));
}

/* Heads that are off are off in all texts, and a survey so far is made anew; a token of the text
 * shown is hidden in that alone. */
TEST(a_changed_network_is_surveyed_as_it_is)
{
    const size_t one_three = 1 * 4 + 3;
    begin_live();
    session.data.survey = NULL;
    type("Enter");
    const int64_t before =
        *survey_of_head(survey_figure(session.data.surveyed, METRIC_SELF), one_three);
    type("Esc z z Esc");
    ck_assert(session.state.source.changes.off[0] != 0);
    type("Down Up");
    ck_assert_str_eq(session.data.surveyed->origin.options, "off 0.0");
    ck_assert_int_ne(*survey_of_head(survey_figure(session.data.surveyed, METRIC_SELF), one_three),
                     before);
    draw(100, 30);
    ck_assert(view_shows(canvas, "  off 0.0  model tiny-bert"));
    type("z z Esc Down Up");
    ck_assert_str_eq(session.data.surveyed->origin.options, "");
    ck_assert_int_eq(*survey_of_head(survey_figure(session.data.surveyed, METRIC_SELF), one_three),
                     before);
    assert_ok(interventions_hide(&session.state.source.changes, 1, &error), error);
    assert_ok(request_settle(&session, &error), error);
    type("Down Up");
    ck_assert_int_eq(*survey_of_head(survey_figure(session.data.surveyed, METRIC_SELF), one_three),
                     before);
    draw(100, 30);
    ck_assert(view_shows(canvas, "  no token hidden, cut or masked"));
}

/* Rows of the survey: figures and labels of every head, or of each relation its best head's and
 * what guessing finds. */
TEST(its_table_has_the_surveys_rows, .times = 2)
{
    struct buffer all, shown;
    begin(6, 8, SAMPLE_ALL);
    const struct survey *survey = session.data.survey;
    ck_assert(buffer_open(&all) && buffer_open(&shown));
    survey_write_csv(survey, all.stream);
    session.state.look.corpus.shown = _i ? CORPUS_RELATIONS : CORPUS_HEADS;
    const struct scene scene = session_scene(&session);
    struct table table = {.csv = csv_writer(shown.stream)};
    assert_ok(corpus_table(&scene, &table, &error), error);
    char *whole = buffer_close(&all), *text = buffer_close(&shown);
    size_t rows = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        rows += strncmp(line, "figure,", 7) == 0 || strncmp(line, "guessed,", 8) == 0;
        ck_assert_msg(strstr(whole, line), "%s", line);
    }
    ck_assert_uint_eq(rows, _i ? survey_count(survey, ROW_RELATION)
                               : survey->layers * survey->heads * survey_count(survey, ROW_FIGURE));
    free(whole);
    free(text);
}

/* Nobody chose the row of a figure's cursor. */
TEST(a_figure_of_relations_has_no_cursor)
{
    struct canvas *figure = canvas_new(80, 40, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(figure);
    begin(6, 8, SAMPLE_ALL);
    type("r");
    figure->bare = true;
    const struct scene scene = session_scene(&session);
    view_draw(&scene, figure, (struct area){0, 0, 40, 80});
    assert_ok(figure->error.status, figure->error);
    ck_assert(view_shows(figure, "obj"));
    for (int i = 0; i < 40 * 80; i++)
        ck_assert_int_ne(canvas_at(figure, i / 80, i % 80)->style.back.role, ROLE_CURSOR);
    canvas_free(figure);
}

/* What every pair has: more of it there can't be. */
TEST(an_interval_up_to_all_or_nothing_has_one_side)
{
    static const struct {
        struct evidence_number mean;
        const char *text;
    } halves[] = {{{1, 0.125, 0.875, 1, 0, 27}, "≥0.875"},
                  {{0.97, 0.125, 0.845, 1, 0, 27}, "≥0.845"},
                  {{0.5, 0.125, 0.375, 0.625, 0, 27}, "±0.125"},
                  {{0.02, 0.125, 0, 0.145, 0, 27}, "≤0.145"},
                  {{3, 0.125, 2.875, 3.125, 0, 27}, "±0.125"}};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        ck_assert_str_eq(corpus_half(&halves[i].mean, true).text, halves[i].text);
}
