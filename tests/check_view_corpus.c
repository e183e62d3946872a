/* The corpus view: what is on screen are the numbers of the survey, keys and clicks lead where its
 * hints say, and an example opens with its pair. */
#include "golden.h"
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "survey_sample.h"
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
    assert_ok(trace_new(&config, 13, NULL, 0, &trace, &error), error);
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
    static const char *const keys[] = {"", "o", "O", "c", "r", "Enter", "x x x x x", "o c O O"};
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

TEST(numbers_are_those_of_the_survey)
{
    char text[80];
    begin(6, 8, SAMPLE_ALL);
    draw(200, 60);
    const struct evidence_mean mean = evidence_mean(session.data.survey, SURVEY_ENTROPY, 0, 0);
    snprintf(text, sizeof text, "entropy    %.3f ±%.3f", mean.value, mean.half);
    ck_assert(view_shows(canvas, text));
    type("r");
    draw(200, 60);
    for (size_t i = 0; i < survey_count(session.data.survey, ROW_RELATION); i++) {
        const struct evidence_relation best = evidence_best_head(session.data.survey, i);
        snprintf(text, sizeof text, "%.2f", best.share.value);
        bool found = false;
        for (int y = 0; y < canvas->rows; y++) {
            const char *at = strstr(view_row(canvas, y), best.name);
            found |= at && strstr(at, text + 1);
        }
        ck_assert(found);
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

/* ---- Keys ---- */

TEST(keys_choose_what_is_shown_and_escape_leads_back)
{
    const struct corpus_look *look = &session.state.look.corpus;
    begin(6, 8, SAMPLE_ALL);
    type("Down Right");
    ck_assert_uint_eq(session.state.look.layer, 1);
    ck_assert_uint_eq(session.state.look.head, 1);
    type("o o");
    ck_assert_uint_eq(look->figure, 1 + SURVEY_NEXT);
    type("O");
    ck_assert_int_eq(look->shown, CORPUS_SORTED);
    type("c O");
    ck_assert_int_eq(look->shown, CORPUS_SCATTER);
    ck_assert_uint_eq(look->axis, SURVEY_DISTANCE + 1);
    type("r");
    ck_assert_int_eq(look->shown, CORPUS_RELATIONS);
    type("Enter Down");
    ck_assert_uint_eq(look->example, 1);
    type("Esc");
    ck_assert_uint_eq(look->example, NO_TOKEN);
    type("Esc x");
    ck_assert_int_eq(look->shown, CORPUS_HEADS);
    ck_assert_int_eq(look->card, CARD_RELATIONS);
    ck_assert_str_eq(session.message, "");
}

/* Whatever the cursor goes to is a head that is there. */
TEST(moves_reach_heads_in_order)
{
    const struct survey *survey;
    begin(6, 8, SAMPLE_ALL);
    survey = session.data.survey;
    type("o O Home");
    double before = 2;
    for (int i = 0; i < 48; i++) {
        const struct look *look = &session.state.look;
        const double value = evidence_mean(survey, SURVEY_PREVIOUS, look->layer, look->head).value;
        ck_assert(value < before + 1e-5);
        before = value;
        type("Down");
    }
    type("Esc c");
    const double from =
        evidence_mean(survey, SURVEY_PREVIOUS, session.state.look.layer, session.state.look.head)
            .value;
    type("Right");
    ck_assert(
        evidence_mean(survey, SURVEY_PREVIOUS, session.state.look.layer, session.state.look.head)
            .value > from);
}

TEST(relations_put_the_cursor_on_their_best_head)
{
    begin(6, 8, SAMPLE_ALL);
    type("r");
    for (size_t i = 0; i < survey_count(session.data.survey, ROW_RELATION); i++) {
        const struct look *look = &session.state.look;
        const struct evidence_relation best =
            evidence_best_head(session.data.survey, look->corpus.relation);
        ck_assert_uint_eq(look->layer, best.layer);
        ck_assert_uint_eq(look->head, best.head);
        type("Down");
    }
    ck_assert_str_eq(session.message, "Down: already at the end");
}

TEST(clicks_go_there_and_a_second_one_goes_on)
{
    begin(6, 8, SAMPLE_ALL);
    click(HIT_THUMBNAIL, 2 * 8 + 5);
    ck_assert_uint_eq(session.state.look.layer, 2);
    ck_assert_uint_eq(session.state.look.head, 5);
    click(HIT_THUMBNAIL, 2 * 8 + 5);
    ck_assert_uint_eq(session.state.look.corpus.example, 0);
    click(HIT_EXAMPLE, 3);
    ck_assert_uint_eq(session.state.look.corpus.example, 3);
    click(HIT_CARD, CARD_SPEECH);
    ck_assert_int_eq(session.state.look.corpus.card, CARD_SPEECH);
    click(HIT_RELATION, 4);
    ck_assert_uint_eq(session.state.look.corpus.relation, 4);
}

TEST(its_keys_are_in_its_help)
{
    begin(6, 8, SAMPLE_ALL);
    type("?");
    draw(120, 40);
    ck_assert(view_shows(canvas, "scatter"));
    ck_assert(view_shows(canvas, "relations"));
    ck_assert(view_shows(canvas, "figure"));
}

/* ---- Examples ---- */

TEST(an_example_opens_with_its_pair_and_escape_comes_back)
{
    const struct survey_example *examples[EVIDENCE_EXAMPLES];
    begin_live();
    type("Down Enter Down");
    evidence_examples(session.data.survey, 1, 0, examples, NULL);
    const char *words = examples[1]->text->key.names[1].bytes;
    type("Enter");
    const struct look *look = &session.state.look;
    ck_assert_int_eq(look->view, VIEW_HEAD);
    ck_assert_str_eq(session.data.encoded->texts[0].bytes, words);
    ck_assert_uint_eq(look->layer, 1);
    ck_assert_uint_eq(look->heads, head_mask_of(0));
    ck_assert_uint_ne(look->from, NO_TOKEN);
    ck_assert_uint_ne(look->to, NO_TOKEN);
    const struct token *tokens = session.data.encoded->encoding->tokens;
    size_t blanks = 0;
    for (size_t i = 0; i < tokens[look->from].span.start; i++)
        blanks += words[i] == ' ';
    ck_assert_uint_eq(blanks, (size_t)examples[1]->from);
    ck_assert_ptr_nonnull(strstr(session.message, "it is of another model"));
    type("Down Esc");
    ck_assert_int_eq(look->view, VIEW_CORPUS);
    ck_assert_uint_eq(look->corpus.example, 1);
    ck_assert_uint_eq(look->layer, 1);
}

/* Of a FORM with a blank in it, and of a second text. */
TEST(an_example_is_of_the_words_that_the_file_gives, .times = 2)
{
    static const struct {
        const char *name, *bytes;
    } corpora[] = {{"forms.conllu", "1\tfruit flies\t_\t_\t_\t_\t0\t_\t_\t_\n"
                                    "2\tlike the\t_\t_\t_\t_\t0\t_\t_\t_\n"
                                    "3\tcat\t_\t_\t_\t_\t0\t_\t_\t_\n"
                                    "4\tsat\t_\t_\t_\t_\t0\t_\t_\t_\n"},
                   {"pairs.txt", "fruit\tflies like the cat sat\n"}};
    static const size_t words[2][8] = {{0, 0, 1, 1, 2, 3}, {0, 1, 2, 3, 4, 5}}; /* of tokens */
    begin_live();
    session.data.survey = NULL;
    assert_ok(corpus_from_memory(corpora[_i].name, text_of_string(corpora[_i].bytes),
                                 &session.data.corpus, &error),
              error);
    type("Down Enter Enter");
    const struct survey *survey = session.data.surveyed;
    const struct survey_example *example = &survey->examples[survey->heads * SURVEY_EXAMPLES];
    const struct look *look = &session.state.look;
    const struct encoded *encoded = session.data.encoded;
    ck_assert_int_eq(look->view, VIEW_HEAD);
    ck_assert_str_eq(encoded->texts[0].bytes, _i ? "fruit" : "fruit flies like the cat sat");
    size_t plain[8], count = 0;
    for (size_t t = 0; t < encoded->encoding->count; t++)
        if (!encoded->encoding->tokens[t].added && count < 6)
            plain[count++] = t;
    ck_assert_uint_eq(count, 6);
    ck_assert_uint_ne(look->from, NO_TOKEN);
    for (size_t i = 0; i < count; i++) {
        if (plain[i] == look->from)
            ck_assert_int_eq((int64_t)words[_i][i], example->from);
        if (plain[i] == look->to)
            ck_assert_int_eq((int64_t)words[_i][i], example->to);
    }
    ck_assert_ptr_null(strstr(session.message, "of another model"));
    corpus_close(session.data.corpus);
    session.data.corpus = NULL;
}

/* The small corpus is surveyed before keys are pressed on it. */
TEST(keys_of_a_script_wait_for_the_survey)
{
    begin_live();
    session.data.survey = NULL;
    type("Enter Down");
    ck_assert_ptr_nonnull(session.data.surveyed);
    ck_assert_uint_eq(session.state.look.corpus.example, 1);
    type("Enter Esc");
    ck_assert_int_eq(session.state.look.view, VIEW_CORPUS);
    ck_assert_uint_eq(session.state.look.corpus.example, 1);
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
        *survey_of_head(survey_figure(session.data.surveyed, SURVEY_SELF), one_three);
    type("Esc z z Esc");
    ck_assert_uint_ne(session.state.source.changes.off[0], 0);
    type("Down Up");
    ck_assert_str_eq(session.data.surveyed->origin.options, "off 0.0");
    ck_assert_int_ne(*survey_of_head(survey_figure(session.data.surveyed, SURVEY_SELF), one_three),
                     before);
    draw(100, 30);
    ck_assert(view_shows(canvas, "  off 0.0  model tiny-bert"));
    type("z z Esc Down Up");
    ck_assert_str_eq(session.data.surveyed->origin.options, "");
    ck_assert_int_eq(*survey_of_head(survey_figure(session.data.surveyed, SURVEY_SELF), one_three),
                     before);
    assert_ok(interventions_hide(&session.state.source.changes, 1, &error), error);
    assert_ok(session_compute(&session, NULL, &error), error);
    type("Down Up");
    ck_assert_int_eq(*survey_of_head(survey_figure(session.data.surveyed, SURVEY_SELF), one_three),
                     before);
    draw(100, 30);
    ck_assert(view_shows(canvas, "  no token hidden, cut or masked"));
}

TEST(escape_leads_back_only_from_the_view_that_was_opened)
{
    begin_live();
    type("Enter Enter Tab Esc");
    ck_assert_int_eq(session.state.look.view, VIEW_NEURON);
}

TEST(without_the_model_it_says_which_is_lacking)
{
    begin(6, 8, SAMPLE_ALL);
    session.checkpoint = NULL;
    strcpy(session.data.lacking, "tiny is not here");
    type("Enter Enter");
    ck_assert_str_eq(session.message, "tiny is not here");
    ck_assert_int_eq(session.state.look.view, VIEW_CORPUS);
    session.checkpoint = session.data.checkpoint;
}

/* ---- In words and rows ---- */

TEST(relations_are_said_in_words)
{
    begin(6, 8, SAMPLE_ALL);
    type("r");
    session.state.look.corpus.relation = 11; /* obj */
    draw(80, 24);
    ck_assert_str_eq(survey_name(session.data.survey, ROW_RELATION, 11), "obj");
    ck_assert(view_shows(canvas, "obj: an object and its verb"));
    session.state.look.corpus.relation = 0; /* of a subtype as of its relation */
    draw(120, 40);
    ck_assert(view_shows(canvas, "acl:relcl: the verb of a clause and the noun that it describes"));
}

TEST(the_sentence_is_of_the_head_or_the_relation)
{
    char text[512];
    begin(6, 8, SAMPLE_ALL);
    type("r");
    const struct scene scene = session_scene(&session);
    const struct evidence_relation best =
        evidence_best_head(scene.data.survey, scene.look.corpus.relation);
    ck_assert(view_sentence(&scene, false, text, sizeof text));
    ck_assert_ptr_nonnull(strstr(text, best.name));
}

/* The first row is the best one, whatever was chosen; and a head "finds" what always the same place
 * does not. */
TEST(relations_open_on_the_best_and_are_found_or_not)
{
    char text[512];
    size_t found = 0;
    begin(6, 8, SAMPLE_ALL);
    const struct survey *survey = session.data.survey;
    struct evidence_relation *best = evidence_relations(survey, NO_HEAD, NO_HEAD, &error);
    ck_assert_ptr_nonnull(best);
    session.state.look.corpus.shown = CORPUS_RELATIONS; /* by its option: nothing is chosen */
    const struct scene before = session_scene(&session);
    ck_assert_str_eq(corpus_chosen_relation(&before).name, best[0].name);
    session.state.look.corpus.shown = CORPUS_HEADS;
    type("r Down Down r r");
    ck_assert_uint_eq(session.state.look.corpus.relation, best[0].index);
    for (size_t i = 0; i < survey_count(survey, ROW_RELATION); i++, type("Down")) {
        const struct scene scene = session_scene(&session);
        ck_assert(view_sentence(&scene, false, text, sizeof text));
        ck_assert_int_eq(strstr(text, " finds ") != NULL, best[i].gain > 0);
        ck_assert_int_eq(strstr(text, "is no better than always \"") != NULL, !(best[i].gain > 0));
        found += best[i].gain > 0;
    }
    ck_assert(found > 0 && found < survey_count(survey, ROW_RELATION));
    free(best);
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
    struct table table = {.stream = shown.stream, .write = csv_write_field};
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
    assert_ok(draw_corpus(&scene, figure, (struct area){0, 0, 40, 80}, &error), error);
    ck_assert(view_shows(figure, "obj"));
    for (int i = 0; i < 40 * 80; i++)
        ck_assert_int_ne(canvas_at(figure, i / 80, i % 80)->style.back.role, ROLE_CURSOR);
    canvas_free(figure);
}
