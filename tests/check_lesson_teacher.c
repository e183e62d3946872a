/* The teacher: keys through a lesson, the list, and how far each lesson was got. */
#include "lesson_helpers.h"
#include "suites.h"

#include "headlight/lesson/teacher.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct teacher_state *teacher;
static struct folder folder;
static char *path; /* of a lesson of one's own */
static struct error error;

static void begin(void)
{
    begin_state();
    begin_learner();
    folder_make(&folder);
    folder_write(&folder, "small.md", SMALL_LESSON, strlen(SMALL_LESSON));
    path = in_folder(&folder, "small.md");
    assert_ok(teacher_new(&teacher, &error), error);
    teacher_attend(teacher, &learner);
}

static void end(void)
{
    teacher_free(teacher);
    free(path);
    folder_remove(&folder);
    end_learner();
    end_state();
}

static void type(const char *keys)
{
    assert_ok(input_type(&learner, keys, &error), error);
}

static void begin_small(size_t step)
{
    assert_ok(teacher_open(teacher, path, step, &error), error);
    assert_ok(teacher_begin(teacher, NULL, &error), error);
}

static void check_step(size_t step, const char *title)
{
    ck_assert(learner.panel->open && !learner.panel->away);
    ck_assert_uint_eq(learner.panel->step, step);
    ck_assert_str_eq(learner.panel->title, title);
}

/* By its place in the list, as L's Enter does. */
static void begin_listed(size_t index)
{
    unsigned bits = panel_ask(&learner, TEACH_BEGIN, index);
    if (bits & SESSION_PASS)
        assert_ok(request_settle(&learner, &error), error);
}

static void check_progress(const char *expected)
{
    char *text = kept_progress();
    ck_assert_pstr_eq(text, expected);
    free(text);
}

START_TEST(space_goes_on_and_backspace_back)
{
    begin_small(0);
    check_step(0, "One head");
    type("Space");
    check_step(1, "A token");
    ck_assert_uint_eq(learner.state.look.from, 2);
    type("Space");
    check_step(2, "Changed");
    ck_assert(learner.data.trace->computed.changes.causal);
    type("Backspace");
    check_step(1, "A token");
    ck_assert(!learner.data.trace->computed.changes.causal);
    type("Backspace Backspace");
    check_step(0, "One head");
    ck_assert_str_eq(learner.message, "this is the first step");
}
END_TEST

START_TEST(who_goes_away_is_brought_back)
{
    begin_small(1);
    const struct look shown = learner.state.look;
    type("Down");
    ck_assert(learner.panel->away);
    type("Space");
    check_step(1, "A token");
    ck_assert(look_equal(&shown, &learner.state.look));
    type("e Ctrl-U \"the cat\" Enter");
    ck_assert(learner.panel->away);
    ck_assert_str_eq(learner.data.encoded->texts[0].bytes, "the cat");
    type("Space");
    check_step(1, "A token");
    ck_assert_str_eq(learner.data.encoded->texts[0].bytes, "time flies like an arrow");
    type("Space");
    check_step(2, "Changed");
}
END_TEST

START_TEST(a_lesson_ends_and_is_left)
{
    begin_small(3);
    type("Space");
    ck_assert(!learner.panel->open);
    ck_assert_str_eq(learner.message, "End of the lesson. L: other lessons");
    ck_assert_str_eq(learner.data.encoded->texts[0].bytes, "the cat sat"); /* the picture stays */
    begin_small(1);
    type("L");
    ck_assert(!learner.panel->open);
    ck_assert_str_eq(learner.message, "left at step 2 of 4: L returns to it");
    type("Down");
    ck_assert(!learner.panel->open);
}
END_TEST

/* What is still being computed when the lesson is left doesn't bring it back. */
START_TEST(a_step_that_comes_too_late_is_none)
{
    unsigned bits;
    begin_small(0);
    learner.interactive = true;
    bits = panel_ask(&learner, TEACH_ON, 0);
    bits = panel_ask(&learner, TEACH_ON, 0);
    ck_assert_uint_ne(bits & SESSION_PASS, 0);
    panel_ask(&learner, TEACH_LEAVE, 0);
    assert_ok(request_settle(&learner, &error), error);
    ck_assert(!learner.panel->open);
}
END_TEST

START_TEST(progress_is_kept_while_somebody_is_there)
{
    begin_listed(0);
    check_progress(NULL);
    learner.interactive = true;
    type("Space");
    check_progress("{\"lines\": 2}");
    type("Space");
    check_progress("{\"lines\": 3}");
    type("Backspace L");
    check_progress("{\"lines\": 2}");
    begin_listed(1);
    check_progress("{\"lines\": 2, \"weight\": 1}");
    begin_listed(0);
    check_step(1, learner.panel->title);
    for (size_t steps = learner.panel->steps; steps > 1; steps--)
        type("Space");
    check_progress("{\"lines\": \"done\", \"weight\": 1}");
    ck_assert_str_eq(learner.message, "End of the lesson. L: next lesson");
    begin_listed(0); /* done stays done, and begins anew */
    check_step(0, learner.panel->title);
    check_progress("{\"lines\": \"done\", \"weight\": 1}");
}
END_TEST

START_TEST(a_file_of_ones_own_has_no_progress)
{
    learner.interactive = true;
    begin_small(0);
    type("Space Space");
    check_progress(NULL);
}
END_TEST

static const struct panel_lesson *listed(const char *text)
{
    const struct panel_lesson *lessons = NULL;
    size_t count;
    keep_progress(text);
    teacher_free(teacher);
    assert_ok(teacher_new(&teacher, &error), error);
    teacher_attend(teacher, &learner);
    assert_ok(teacher_list(teacher, &lessons, &count, &error), error);
    return lessons;
}

START_TEST(progress_is_read)
{
    const struct panel_lesson *list = listed("{\"weight\": \"done\", \"lines\": 3, \"jobs\": 999}");
    ck_assert_uint_eq(list[0].left_at, 3);
    ck_assert(!list[0].done);
    ck_assert(list[1].done);
    ck_assert_uint_eq(list[lessons_find("jobs")].left_at, list[lessons_find("jobs")].steps);
    begin_listed(0);
    ck_assert_uint_eq(learner.panel->step, 2);
}
END_TEST

/* All of them only for the list. */
START_TEST(lessons_are_read_when_they_are_asked_for)
{
    const struct panel_lesson *list = learner.teacher->lessons;
    ck_assert_ptr_null(list[0].title);
    assert_ok(teacher_open(teacher, "weight", 0, &error), error);
    ck_assert_ptr_null(list[0].title);
    ck_assert_str_eq(list[1].title, teacher_lesson(teacher)->title);
    type("L");
    ck_assert(learner.lessons);
    for (size_t i = 0; i < learner.teacher->lesson_count; i++)
        ck_assert(list[i].title && list[i].minutes > 0 && list[i].steps > 0);
}
END_TEST

START_TEST(broken_progress_is_none)
{
    static const char *const broken[] = {"",
                                         "{",
                                         "[1]",
                                         "{\"lines\": -1}",
                                         "{\"lines\": 0}",
                                         "{\"lines\": 1.5}",
                                         "{\"lines\": true}",
                                         "{\"lines\": \"dome\"}",
                                         "{\"lines\": {\"a\": 1}}",
                                         "\xff\xfe"};
    for (int i = 0; i < COUNT(broken); i++) {
        const struct panel_lesson *list = listed(broken[i]);
        ck_assert_msg(list[0].left_at == 0 && !list[0].done, "%s", broken[i]);
    }
    begin_listed(0);
    learner.interactive = true;
    type("Space");
    check_progress("{\"lines\": 2}"); /* and it is whole again */
}
END_TEST

/* A folder in the file's place, a file in the folder's, or no place at all. */
START_TEST(progress_that_can_not_be_written_stops_nothing)
{
    char *own = in_folder(&folder, "small.md");
    setenv("XDG_STATE_HOME", own, 1);
    free(own);
    begin_listed(0);
    learner.interactive = true;
    type("Space");
    ck_assert_uint_eq(learner.panel->step, 1);
    ck_assert_str_eq(learner.message, "");
    ck_assert(!progress_first_time());
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    ck_assert_ptr_null(progress_path());
    type("Space");
    ck_assert_uint_eq(learner.panel->step, 2);
    ck_assert(!progress_first_time());
    setenv("XDG_STATE_HOME", folder.path, 1); /* for the tear-down */
}
END_TEST

START_TEST(the_file_stands_where_such_files_stand)
{
    char *found;
    setenv("HOME", "/home/x", 1);
    setenv("XDG_STATE_HOME", "/state", 1);
    found = progress_path();
    ck_assert_str_eq(found, "/state/headlight/lessons.json");
    free(found);
    setenv("XDG_STATE_HOME", "state", 1); /* not absolute: ignored */
    found = progress_path();
    ck_assert_str_eq(found, "/home/x/.local/state/headlight/lessons.json");
    free(found);
    setenv("XDG_STATE_HOME", folder.path, 1);
}
END_TEST

START_TEST(the_first_time_is_once)
{
    ck_assert(progress_first_time());
    check_progress("{}");
    ck_assert(!progress_first_time());
}
END_TEST

START_TEST(lessons_and_steps_that_there_are_not)
{
    assert_fails(teacher_open(teacher, "no-such-lesson", 0, &error), STATUS_USAGE, "lines", error);
    assert_fails(teacher_open(teacher, path, 4, &error), STATUS_USAGE,
                 "--step: expected 1 to 4, found 5", error);
    ck_assert_ptr_null(teacher_lesson(teacher));
}
END_TEST

/* A lesson needs a model, and one that is there. */
START_TEST(without_a_model_there_is_no_lesson)
{
    struct session *none = calloc(1, sizeof *none);
    teacher_attend(teacher, none);
    panel_ask(none, TEACH_BEGIN, 0);
    ck_assert_str_eq(none->message, "the model is still being loaded");
    ck_assert(!none->panel->open);
    free(none);
}
END_TEST

Suite *suite_lesson_teacher(void)
{
    Suite *suite = suite_create("lesson/teacher");
    TCase *tests = tcase_create("teacher");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, lessons_are_read_when_they_are_asked_for);
    tcase_add_test(tests, space_goes_on_and_backspace_back);
    tcase_add_test(tests, who_goes_away_is_brought_back);
    tcase_add_test(tests, a_lesson_ends_and_is_left);
    tcase_add_test(tests, a_step_that_comes_too_late_is_none);
    tcase_add_test(tests, progress_is_kept_while_somebody_is_there);
    tcase_add_test(tests, a_file_of_ones_own_has_no_progress);
    tcase_add_test(tests, progress_is_read);
    tcase_add_test(tests, broken_progress_is_none);
    tcase_add_test(tests, progress_that_can_not_be_written_stops_nothing);
    tcase_add_test(tests, the_file_stands_where_such_files_stand);
    tcase_add_test(tests, the_first_time_is_once);
    tcase_add_test(tests, lessons_and_steps_that_there_are_not);
    tcase_add_test(tests, without_a_model_there_is_no_lesson);
    suite_add_tcase(suite, tests);
    return suite;
}
