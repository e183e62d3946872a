/* The teacher: keys through a lesson, the list, and lesson progress. */
#include "lesson_helpers.h"
#include "suites.h"

#include "headlight/base/file.h"
#include "headlight/lesson/progress.h"
#include "headlight/lesson/teacher.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

TESTS(.begin = begin, .end = end);

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

TEST(space_goes_on_and_backspace_back)
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

TEST(who_goes_away_is_brought_back)
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

TEST(a_lesson_ends_and_is_left)
{
    begin_small(3);
    type("Space");
    ck_assert(learner.panel->open && learner.panel->over && !learner.panel->away);
    ck_assert_str_eq(learner.panel->title, "A small lesson");
    ck_assert_str_eq(learner.panel->text, "Learn what a test needs.");
    ck_assert_str_eq(learner.data.encoded->texts[0].bytes, "the cat sat"); /* the picture stays */
    const struct look before = learner.state.look;
    for (int i = 0; i < 3; i++) { /* there is no lesson behind a file's */
        type("Space");
        ck_assert(learner.panel->open && learner.panel->over);
        ck_assert_str_eq(learner.message, "The last lesson ends here: L leaves it");
        ck_assert(look_equal(&learner.state.look, &before));
    }
    type("L");
    ck_assert(!learner.panel->open);
    begin_small(1);
    type("L");
    ck_assert(!learner.panel->open);
    ck_assert_str_eq(learner.message, "left at step 2 of 4: L returns to it");
    type("Down");
    ck_assert(!learner.panel->open);
}

/* The network is as it was trained, what was learnt is said, Backspace goes back to the last step
 * with its change, and Space begins the next lesson. */
TEST(after_the_end_comes_the_next_lesson)
{
    const struct panel_lesson *listed;
    size_t count, index = lessons_find("order");
    assert_ok(teacher_list(teacher, &listed, &count, &error), error);
    assert_ok(teacher_open(teacher, "order", listed[index].steps - 1, &error), error);
    assert_ok(teacher_begin(teacher, NULL, &error), error);
    ck_assert(interventions_any(&learner.data.trace->computed.changes));
    type("Space");
    ck_assert(learner.panel->over && !learner.panel->away);
    ck_assert(!interventions_any(&learner.data.trace->computed.changes));
    ck_assert_ptr_nonnull(strstr(learner.panel->text, "Attention can't count"));
    ck_assert_str_eq(learner.panel->next, listed[index + 1].title);
    ck_assert_str_eq(learner.message, ""); /* which would hide that */
    type("Backspace");
    ck_assert(!learner.panel->over && learner.panel->step + 1 == listed[index].steps);
    ck_assert(interventions_any(&learner.data.trace->computed.changes));
    type("Space Space");
    ck_assert_str_eq(learner.panel->lesson, listed[index + 1].title);
    ck_assert(learner.panel->open && learner.panel->step == 0);
}

/* u undoes what was tried in a step, but doesn't leave it; once the lesson is left it does. */
TEST(undo_stays_in_the_step)
{
    static const struct {
        const char *keys, *message;
        size_t step;
        bool away, open;
    } undone[] = {
        {"u", "nothing to undo in this step", 0, false, true},
        {"Space u", "nothing to undo in this step", 1, false, true},
        {"Space z m Esc", "", 1, true, true},
        {"Space z m Esc u", "undo: causal off", 1, false, true},
        {"Space z m Esc u u", "nothing to undo in this step", 1, false, true},
        {"Space e \" on\" Enter u", "undo: text", 1, false, true},
        {"Space e \" on\" Enter Space u", "undo: text", 1, true, true},
        {"Space z m Esc Backspace u", "nothing to undo in this step", 0, false, true},
        {"Space Backspace U", "nothing to redo in this step", 0, false, true},
    };
    for (int i = 0; i < COUNT(undone); i++) {
        begin_small(0);
        type(undone[i].keys);
        ck_assert_msg(strcmp(learner.message, undone[i].message) == 0, "%s: %s", undone[i].keys,
                      learner.message);
        ck_assert_msg(learner.panel->step == undone[i].step, "%s: %zu", undone[i].keys,
                      learner.panel->step);
        ck_assert_msg(learner.panel->away == undone[i].away, "%s: away", undone[i].keys);
        ck_assert(learner.panel->open == undone[i].open);
    }
    begin_small(0);
    type("e \" on\" Enter L u");
    ck_assert(!learner.panel->open);
    ck_assert_str_eq(learner.message, "undo: text");
}

/* What is still being computed when the lesson is left doesn't bring it back. */
TEST(a_step_that_comes_too_late_is_none)
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

TEST(progress_is_kept_while_somebody_is_there)
{
    begin_listed(0);
    check_progress(NULL);
    learner.interactive = true;
    type("Space");
    check_progress("lines 2\n");
    type("Space");
    check_progress("lines 2\nlines 3\n");
    type("Backspace L");
    check_progress("lines 2\nlines 3\nlines 2\n");
    begin_listed(1);
    check_progress("lines 2\nlines 3\nlines 2\nweight 1\n");
    begin_listed(0);
    check_step(1, learner.panel->title);
    keep_progress("");
    for (size_t steps = learner.panel->steps; steps > 2; steps--)
        type("Space");
    char *text = kept_progress();
    ck_assert_ptr_null(strstr(text, "done"));
    free(text);
    keep_progress("");
    type("Space");
    check_progress("lines done\n");
    ck_assert(learner.panel->over);
    begin_listed(0); /* done stays done, and begins anew */
    check_step(0, learner.panel->title);
    check_progress("lines done\n");
}

TEST(a_file_of_ones_own_has_no_progress)
{
    learner.interactive = true;
    begin_small(0);
    type("Space Space");
    check_progress(NULL);
}

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

TEST(progress_is_read)
{
    const struct panel_lesson *list = listed("lines 7\nweight done\nlines 3\njobs 999\nweight 2\n");
    ck_assert_uint_eq(list[0].left_at, 3);
    ck_assert(!list[0].done);
    ck_assert(list[1].done);
    ck_assert_uint_eq(list[lessons_find("jobs")].left_at, list[lessons_find("jobs")].steps);
    begin_listed(0);
    ck_assert_uint_eq(learner.panel->step, 2);
}

/* All of them only for the list. */
TEST(lessons_are_read_when_they_are_asked_for)
{
    const struct panel_lesson *list = learner.teacher->lessons;
    ck_assert_ptr_null(list[0].title);
    assert_ok(teacher_open(teacher, "weight", 0, &error), error);
    ck_assert_ptr_null(list[0].title);
    ck_assert_str_eq(list[1].title, teacher_lesson(teacher)->title);
    type("L");
    ck_assert(learner.list);
    for (size_t i = 0; i < learner.teacher->lesson_count; i++)
        ck_assert(list[i].title && list[i].minutes > 0 && list[i].steps > 0);
}

TEST(what_is_no_progress_is_passed_over)
{
    static const char *const broken[] = {
        "",           "lines",      "lines 2",  "lines -1\n",   "lines 0\n",  "lines 1.5\n",
        " lines 1\n", "lines  1\n", "lines1\n", "lines dome\n", "\xff\xfe\n", "{\"lines\": 3}\n"};
    for (int i = 0; i < COUNT(broken); i++) {
        const struct panel_lesson *list = listed(broken[i]);
        ck_assert_msg(list[0].left_at == 0 && !list[0].done, "%s", broken[i]);
    }
}

/* ---- Several programs ----
 *
 * Processes of their own, each with a teacher that has read the file before the others changed it.
 */

/* Takes a child's end, which must be a good one. */
static void await(pid_t child)
{
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a process ended with %#x",
                  status);
}

static pid_t begin_process(void)
{
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    return child;
}

#define PROGRAMS 4
#define CHANGES  20

TEST(programs_at_once_lose_nothing)
{
    pid_t children[PROGRAMS];
    static const char *const names[PROGRAMS] = {"lines", "weight", "scale", "jobs"};
    keep_progress("other 1\n");
    for (size_t i = 0; i < PROGRAMS; i++) {
        children[i] = begin_process();
        for (size_t step = 1; children[i] == 0 && step <= CHANGES; step++) {
            const struct panel_lesson lesson = {.name = names[i], .left_at = step};
            if (progress_write(&lesson, &error) != STATUS_OK)
                _exit(1);
        }
        if (children[i] == 0)
            _exit(0);
    }
    for (size_t i = 0; i < PROGRAMS; i++)
        await(children[i]);
    char *text = kept_progress();
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    ck_assert_uint_eq(lines, 1 + PROGRAMS * CHANGES);
    free(text);
    struct panel_lesson lessons[PROGRAMS];
    for (size_t i = 0; i < PROGRAMS; i++)
        lessons[i] = (struct panel_lesson){.name = names[i]};
    progress_read(lessons, PROGRAMS);
    for (size_t i = 0; i < PROGRAMS; i++)
        ck_assert_uint_eq(lessons[i].left_at, CHANGES);
}

/* Neither a pipe, which nobody reads, nor what a link leads to, is written to. */
TEST(what_is_no_file_of_its_own_is_left_alone, .times = 2)
{
    listed("");
    char *own = progress_path(), *other = in_folder(&folder, "small.md");
    struct stat before, after;
    ck_assert_int_eq(stat(other, &before), 0);
    ck_assert_int_eq(unlink(own), 0);
    ck_assert_int_eq(_i ? mkfifo(own, 0600) : symlink(other, own), 0);
    learner.interactive = true;
    begin_listed(0);
    ck_assert_uint_eq(learner.panel->step, 0);
    ck_assert_int_eq(stat(other, &after), 0);
    ck_assert_int_eq(after.st_size, before.st_size);
    free(own);
    free(other);
}

/* A folder in the file's place, a file in the folder's, or no place at all. */
TEST(progress_that_can_not_be_written_stops_nothing)
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

TEST(the_file_stands_where_such_files_stand)
{
    char *found;
    setenv("HOME", "/home/x", 1);
    setenv("XDG_STATE_HOME", "/state", 1);
    found = progress_path();
    ck_assert_str_eq(found, "/state/headlight/lessons");
    free(found);
    setenv("XDG_STATE_HOME", "state", 1); /* not absolute: ignored */
    found = progress_path();
    ck_assert_str_eq(found, "/home/x/.local/state/headlight/lessons");
    free(found);
    setenv("XDG_STATE_HOME", folder.path, 1);
}

TEST(the_first_time_is_once)
{
    ck_assert(progress_first_time());
    check_progress("");
    ck_assert(!progress_first_time());
}

TEST(lessons_and_steps_that_there_are_not)
{
    assert_fails(teacher_open(teacher, "no-such-lesson", 0, &error), STATUS_USAGE, "lines", error);
    assert_fails(teacher_open(teacher, path, 4, &error), STATUS_USAGE,
                 "--step: expected 1 to 4, found 5", error);
    ck_assert_ptr_null(teacher_lesson(teacher));
}

/* A lesson needs a model, and one that is there. */
TEST(without_a_model_there_is_no_lesson)
{
    struct session *none = calloc(1, sizeof *none);
    teacher_attend(teacher, none);
    panel_ask(none, TEACH_BEGIN, 0);
    ck_assert_str_eq(none->message, "the model is still being loaded");
    ck_assert(!none->panel->open);
    free(none);
}
