/* --open with a survey: its model beside it, or what stands in for that; and what a saved state
 * brings back of it. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "survey_sample.h"
#include "view_helpers.h"

#include "headlight/app/program.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/survey/evidence.h"
#include "headlight/survey/survey_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct error error;
static struct folder folder;
static struct program program;
static struct canvas *canvas;
static char survey_path[96], state_path[96];

static void begin(void)
{
    folder_make(&folder);
    snprintf(survey_path, sizeof survey_path, "%s/tiny.survey", folder.path);
    snprintf(state_path, sizeof state_path, "%s/state.json", folder.path);
    assert_ok(survey_write(sample_survey(3, 4, SAMPLE_ALL), survey_path, &error), error);
    program = (struct program){.session = {.precision = PRECISION_AUTO}};
}

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    program_end(&program);
    folder_remove(&folder);
    sample_end();
}

static enum status start(int count, const char *const words[])
{
    char *argv[16] = {(char *)"headlight"};
    for (int i = 0; i < count; i++)
        argv[1 + i] = (char *)words[i];
    if (options_parse(&program.options, NULL, 1 + count, argv, &error) != STATUS_OK ||
        program_prepare(&program, &error) != STATUS_OK ||
        program_load(&program, NULL, &error) != STATUS_OK ||
        program_begin_interactive(&program, &error) != STATUS_OK)
        return error.status;
    return program.session.data.trace ? STATUS_OK : request_settle(&program.session, &error);
}

static bool shows(const char *text)
{
    canvas_free(canvas);
    canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    assert_ok(screen_draw(&program.session, canvas, &error), error);
    return view_shows(canvas, text);
}

START_TEST(it_opens_with_its_model_on_the_head_with_most_to_say)
{
    const struct look *look = &program.session.state.look;
    size_t layer = 0, head = 0;
    assert_ok(start(4, (const char *const[]){"--open", survey_path, "--model", TINY_FOLDER}),
              error);
    evidence_first_head(program.survey, &layer, &head);
    ck_assert_int_eq(look->view, VIEW_CORPUS);
    ck_assert_uint_eq(look->layer, layer);
    ck_assert_uint_eq(look->head, head);
    ck_assert_ptr_nonnull(program.session.checkpoint);
    ck_assert_str_eq(program.session.data.encoded->texts[0].bytes, program_first_example(&program));
    ck_assert(shows("sample.conllu  2,000 texts"));
}
END_TEST

/* The sample says that it is of the built-in model, which has other layers. */
START_TEST(without_its_model_it_is_shown_all_the_same)
{
    assert_ok(start(2, (const char *const[]){"--open", survey_path}), error);
    ck_assert_ptr_null(program.session.checkpoint);
    ck_assert_str_eq(program.session.message, program.lacking);
    ck_assert(shows("model built-in, not here"));
    input_key(&program.session, KEY_CODE_ENTER);
    input_key(&program.session, KEY_CODE_ENTER);
    ck_assert_str_eq(program.session.message,
                     "built-in, the model of this survey, is not here: --model FOLDER opens it");
    input_key(&program.session, KEY_CODE_TAB);
    ck_assert(shows("(the model is not here)"));
}
END_TEST

START_TEST(a_model_of_another_shape_is_refused)
{
    ck_assert_int_eq(start(4, (const char *const[]){"--open", survey_path, "--model", "built-in"}),
                     STATUS_MISMATCH);
    ck_assert_str_eq(error.message, "built-in: expected 3 layers of 4 heads, as the survey of "
                                    "built-in has them, found 8 of 8");
}
END_TEST

START_TEST(a_sentence_and_a_view_may_be_given)
{
    assert_ok(start(7, (const char *const[]){"--open", survey_path, "--model", TINY_FOLDER,
                                             "--view", "head", "the cat sat"}),
              error);
    ck_assert_int_eq(program.session.state.look.view, VIEW_HEAD);
    ck_assert_str_eq(program.session.data.encoded->texts[0].bytes, "the cat sat");
}
END_TEST

START_TEST(a_state_brings_the_survey_back)
{
    const struct look *look = &program.session.state.look;
    assert_ok(start(6, (const char *const[]){"--open", survey_path, "--model", TINY_FOLDER,
                                             "--state", state_path}),
              error);
    assert_ok(input_type(&program.session, "Down r Down Down x", &error), error);
    const struct look before = *look;
    assert_ok(state_file_write(&program.session, state_path, &error), error);
    program_end(&program);
    program = (struct program){.session = {.precision = PRECISION_AUTO}};
    assert_ok(start(2, (const char *const[]){"--state", state_path}), error);
    ck_assert_ptr_nonnull(program.session.data.survey);
    ck_assert_ptr_nonnull(program.session.checkpoint);
    ck_assert(look_equal(&before, look));
}
END_TEST

START_TEST(a_damaged_survey_is_refused)
{
    FILE *file = fopen(survey_path, "r+");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, -9, SEEK_END), 0);
    ck_assert_int_eq(ftruncate(fileno(file), ftell(file)), 0);
    fclose(file);
    ck_assert_int_ne(start(2, (const char *const[]){"--open", survey_path}), STATUS_OK);
}
END_TEST

Suite *suite_app_open_survey(void)
{
    Suite *suite = suite_create("app_open_survey");
    TCase *tests = tcase_create("open");
    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, it_opens_with_its_model_on_the_head_with_most_to_say);
    tcase_add_test(tests, without_its_model_it_is_shown_all_the_same);
    tcase_add_test(tests, a_model_of_another_shape_is_refused);
    tcase_add_test(tests, a_sentence_and_a_view_may_be_given);
    tcase_add_test(tests, a_state_brings_the_survey_back);
    tcase_add_test(tests, a_damaged_survey_is_refused);
    return suite;
}
