/* Lesson progress: when it is written, what is read of it, and files that are none. */
#include "lesson_helpers.h"
#include "suites.h"

#include "headlight/base/file.h"
#include "headlight/lesson/progress.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct player player;
static struct folder folder;
static struct error error;

static void begin(void)
{
    begin_state();
    begin_learner();
    folder_make(&folder);
    folder_write(&folder, "other", "text", 4);
    assert_ok(player_begin(&player, &error), error);
    player_attend(&player, &learner);
}

static void end(void)
{
    player_end(&player);
    folder_remove(&folder);
    end_learner();
    end_state();
}

TESTS(.begin = begin, .end = end);

static void type(const char *keys)
{
    assert_ok(input_type(&learner, keys, &error), error);
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
    ck_assert_uint_eq(learner.panel->step, 1);
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
    ck_assert_uint_eq(learner.panel->step, 0);
    check_progress("lines done\n");
}

TEST(a_file_of_ones_own_has_no_progress)
{
    learner.interactive = true;
    play(&player, SMALL_LESSON);
    assert_ok(player_show(&player, 0, &error), error);
    type("Space Space");
    check_progress(NULL);
}

static const struct panel_lesson *listed(const char *text)
{
    keep_progress(text);
    player_end(&player);
    assert_ok(player_begin(&player, &error), error);
    player_attend(&player, &learner);
    return player.list;
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
 * Processes of their own, each with a player that has read the file before the others changed it.
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
        lessons[i] = (struct panel_lesson){.name = names[i], .steps = CHANGES};
    progress_read(lessons, PROGRAMS);
    for (size_t i = 0; i < PROGRAMS; i++)
        ck_assert_uint_eq(lessons[i].left_at, CHANGES);
}

/* Neither a pipe, which nobody reads, nor what a link leads to, is written to. */
TEST(what_is_no_file_of_its_own_is_left_alone, .times = 2)
{
    listed("");
    char *own = progress_path(), *other = in_folder(&folder, "other");
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
    char *own = in_folder(&folder, "other");
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
