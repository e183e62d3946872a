/* A survey is opened beside a model of other word pieces, or is made while it is shown. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"
#include "survey_helpers.h"
#include "survey_sample.h"
#include "view_helpers.h"

#include "headlight/app/program.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/survey/evidence.h"
#include "headlight/survey/survey_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct error error;
static struct folder folder;
static struct program program;
static struct canvas *canvas;
static char survey_path[96];

static void begin(void)
{
    folder_make(&folder);
    snprintf(survey_path, sizeof survey_path, "%s/tiny.survey", folder.path);
    assert_ok(survey_write(sample_survey(3, 4, SAMPLE_ALL), survey_path, &error), error);
    program = (struct program){0};
}

static void end(void)
{
    canvas_free(canvas);
    canvas = NULL;
    program_end(&program);
    folder_remove(&folder);
    sample_end();
}

TESTS(.begin = begin, .end = end);

static enum status start(int count, const char *const words[])
{
    char *argv[16] = {(char *)"headlight"};
    for (int i = 0; i < count; i++)
        argv[1 + i] = (char *)words[i];
    if (options_parse(&program.options, 1 + count, argv, &error) != STATUS_OK ||
        program_prepare(&program, &error) != STATUS_OK ||
        program_load(&program, NULL, &error) != STATUS_OK ||
        program_begin_interactive(&program, &error) != STATUS_OK)
        return error.status;
    return program.session.data.trace ? STATUS_OK : request_settle(&program.session, &error);
}

static void type_keys(const char *keys)
{
    assert_ok(input_type(&program.session, keys, &error), error);
}

static void say_nothing(const char *message)
{
    (void)message;
}

static bool shows(const char *text)
{
    canvas_free(canvas);
    canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    assert_ok(screen_draw(&program.session, canvas, &error), error);
    return view_shows(canvas, text);
}

/* Its examples would be of other tokens, so that none is opened. */
TEST(a_model_of_other_word_pieces_is_told)
{
    static const char other[] = "another model's pieces";
    struct survey *survey;
    assert_ok(survey_read(survey_path, &survey, &error), error);
    strcpy(survey->origin.tokenizer, other);
    assert_ok(survey_write(survey, survey_path, &error), error);
    survey_free(survey);
    assert_ok(start(3, (const char *const[]){survey_path, "--model", TINY_FOLDER}), error);
    ck_assert(shows("sample.conllu  2,000 texts"));
    ck_assert_ptr_nonnull(strstr(program.session.message, "tiny-bert tokenizes texts differently "
                                                          "from built-in, the model of this "
                                                          "survey: its examples can't be opened"));
    session_say(&program.session, "%s", "");
    input_key(&program.session, KEY_CODE_ENTER);
    input_key(&program.session, KEY_CODE_ENTER);
    ck_assert_ptr_nonnull(strstr(program.session.message, "its examples can't be opened"));
    ck_assert_int_eq(program.session.state.look.view, VIEW_CORPUS);
}

/* ---- Live ---- */

static const char texts[] = "# sent_id = a\n"
                            "1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_\n"
                            "2\tcat sat\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"
                            "3\ton\t_\tADP\t_\t_\t2\tcase\t_\t_\n\n"
                            "# sent_id = wrong\n"
                            "2\tthe\t_\t_\t_\t_\t2\t_\t_\t_\n\n";

/* 300 sentences, one that can't be read, one that is too long. */
static void write_texts(const char *path)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(texts, file);
    for (int i = 1; i < 300; i++)
        fprintf(file,
                "# sent_id = s%d\n1\tflies\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
                "2\t%s\t_\tNOUN\t_\t_\t1\tobj\t_\t_\n\n",
                i, i % 3 ? "fruit" : "an arrow");
    for (int i = 1; i < 2000; i++)
        fprintf(file, "%d\tthe\t_\t_\t_\t_\t0\troot\t_\t_\n", i);
    fclose(file);
}

static struct survey *saved_survey(const char *path)
{
    struct program other = {.say = say_nothing};
    const char *const words[] = {"headlight", "survey", path,       "--model",
                                 TINY_FOLDER, "-o",     survey_path};
    struct survey *survey;
    unlink(survey_path);
    assert_ok(options_parse(&other.options, COUNT(words), (char **)words, &error), error);
    assert_ok(program_prepare(&other, &error), error);
    assert_ok(program_load(&other, NULL, &error), error);
    assert_ok(survey_run(&other, &error), error);
    program_end(&other);
    assert_ok(survey_read(survey_path, &survey, &error), error);
    return survey;
}

static void start_live(char path[110])
{
    snprintf(path, 110, "%s/some.conllu", folder.path);
    write_texts(path);
    assert_ok(start(5, (const char *const[]){path, "--model", TINY_FOLDER, "--view", "corpus"}),
              error);
}

TEST(texts_are_surveyed_as_by_survey)
{
    char path[110];
    start_live(path);
    assert_ok(request_rest(&program.session, &error), error);
    const struct survey *live = program.session.data.surveyed;
    struct survey *saved = saved_survey(path);
    ck_assert(live->whole);
    ck_assert_int_eq(survey_total(live, SURVEY_TEXTS), 300);
    ck_assert_int_eq(survey_total(live, SURVEY_REFUSED), 1);
    ck_assert_int_eq(survey_total(live, SURVEY_TOO_LONG), 1);
    char *here = survey_as_json(live), *there = survey_as_json(saved);
    ck_assert_str_eq(here, there);
    free(here);
    free(there);
    survey_free(saved);
    ck_assert(shows("some.conllu  300 texts"));
}

/* A bit at a time, which is shown; in other views, too. */
TEST(a_survey_is_seen_while_it_is_made)
{
    char path[110], text[40];
    struct request request;
    int64_t before = 0;
    start_live(path);
    struct session *live = &program.session;
    live->interactive = true;
    for (size_t bits = 0;; bits++) {
        assert_ok(request_besides(live, &request, &error), error);
        if (request.kind == REQUEST_NONE && bits > 0)
            break;
        ck_assert_int_eq(request.kind, REQUEST_SURVEY);
        assert_ok(request_run(&request, NULL, &error), error);
        assert_ok(request_take(live, &request, 0, &error), error);
        const struct survey *survey = live->data.surveyed;
        ck_assert_int_gt(survey_passed(survey), before);
        before = survey_passed(survey);
        if (bits > 0)
            continue;
        ck_assert(!survey->whole);
        snprintf(text, sizeof text, "some.conllu  %lld of 30", (long long)before);
        ck_assert(shows(text));
        session_set_view(live, VIEW_HEAD);
    }
    ck_assert_int_eq(before, 302);
    ck_assert(live->data.surveyed->whole);
}

/* Esc leads back as ever, and stops the survey only where there is nothing to lead back from. */
TEST(escape_stops_a_survey_last)
{
    char path[110];
    struct request request;
    start_live(path);
    struct session *live = &program.session;
    live->interactive = true;
    assert_ok(request_besides(live, &request, &error), error);
    assert_ok(request_run(&request, NULL, &error), error);
    assert_ok(request_take(live, &request, 0, &error), error);
    live->busy = REQUEST_SURVEY;
    ck_assert_uint_eq(session_act(live, ACTION_CLEAR, 0) & SESSION_CANCEL, SESSION_CANCEL);
    type_keys("r");
    ck_assert_uint_eq(session_act(live, ACTION_CLEAR, 0) & SESSION_CANCEL, 0);
    ck_assert_int_eq(live->state.look.corpus.shown, CORPUS_HEADS);
    session_set_view(live, VIEW_HEAD);
    ck_assert_uint_eq(session_act(live, ACTION_CLEAR, 0) & SESSION_CANCEL, 0);
}
