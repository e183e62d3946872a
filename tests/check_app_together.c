/* check_app_together.c: two real programs that write the same files, by turns and at once. What is
 * there afterwards is what one of them writes alone, never a mix and never a half. */
#include "model_helpers.h"
#include "process_helpers.h"
#include "suites.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LESSON                                                                                     \
    "# A lesson\n\nLearn it.\n\n1 minute\n\n## A head\n\n`--layer 0 \"the cat sat\"`\n\nOne.\n\n"  \
    "## All\n\n`--view matrix`\n\nAll.\n"

static struct folder folder;  /* of what is written; */
static struct folder course;  /* a handout in it */
static struct folder lessons; /* of the lesson */
static struct error error;

static void begin(void)
{
    folder_make(&folder);
    folder_make(&lessons);
    folder_write(&lessons, "small.md", LESSON, strlen(LESSON));
    course = folder_below(&folder, "course");
}

static void end(void)
{
    if (access(course.path, F_OK) == 0)
        folder_remove(&course);
    folder_remove(&folder);
    folder_remove(&lessons);
}

TESTS(.begin = begin, .end = end, .slow = true);

static pid_t spawn(const char *const *arguments)
{
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        exec_program(arguments);
    return child;
}

static void assert_ends(pid_t child)
{
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

static char *read_from(const struct folder *from, const char *name)
{
    char *path = in_folder(from, name), *text;
    size_t length;
    assert_ok(file_read(path, (size_t)1 << 24, &text, &length, &error), error);
    free(path);
    return text;
}

/* ---- A state and an export ---- */

/* Files of very different lengths. */
static const char *const texts[] = {"time flies", "the cat sat on the mat and slept"};
static const char *const outputs[] = {"state", "json", "csv"};

static pid_t spawn_writer(int which)
{
    char *state = in_folder(&folder, "state"), *json = in_folder(&folder, "json"),
         *csv = in_folder(&folder, "csv");
    const char *arguments[] = {"headlight", "--state", state,        "--json", json,
                               "--csv",     csv,       texts[which], NULL};
    pid_t child = spawn(arguments);
    free(state);
    free(json);
    free(csv);
    return child;
}

static void remove_outputs(void)
{
    for (int i = 0; i < COUNT(outputs); i++) {
        char *path = in_folder(&folder, outputs[i]);
        ck_assert_int_eq(unlink(path), 0);
        free(path);
    }
}

/* By itself, or after the other one. */
#define WAYS 4

static bool is_one_of(const char *text, char *const written[WAYS][COUNT(outputs)], int output)
{
    for (int way = 0; way < WAYS; way++)
        if (strcmp(text, written[way][output]) == 0)
            return true;
    return false;
}

/* Whoever comes second may find a state: it is opened, but the text goes before what it says. */
TEST(a_file_is_that_of_one_of_two_programs)
{
    char *written[WAYS][COUNT(outputs)];
    for (int way = 0; way < WAYS; way++) {
        if (way >= 2)
            assert_ends(spawn_writer(1 - way % 2));
        assert_ends(spawn_writer(way % 2));
        for (int i = 0; i < COUNT(outputs); i++)
            written[way][i] = read_from(&folder, outputs[i]);
        remove_outputs();
    }
    for (int round = 0; round < FEWER(8); round++) {
        pid_t first = spawn_writer(round % 2), second = spawn_writer((round + 1) % 2);
        assert_ends(first);
        assert_ends(second);
        ck_assert_int_eq(folder_count(&folder), COUNT(outputs));
        for (int i = 0; i < COUNT(outputs); i++) {
            char *text = read_from(&folder, outputs[i]);
            ck_assert_msg(is_one_of(text, written, i), "%s is neither's: %.200s", outputs[i], text);
            free(text);
        }
        remove_outputs();
    }
    for (int i = 0; i < WAYS * COUNT(outputs); i++)
        free(written[i / COUNT(outputs)][i % COUNT(outputs)]);
}

/* ---- A handout ---- */

#define PAGE "index.html"

static const char *const sizes[] = {"100x30", "90x28"};

static pid_t spawn_handout(int which)
{
    char *lesson = in_folder(&lessons, "small.md");
    const char *arguments[] = {"headlight",  "--model",   TINY_FOLDER, "--lesson",   lesson,
                               "--snapshot", course.path, "--size",    sizes[which], NULL};
    pid_t child = spawn(arguments);
    free(lesson);
    return child;
}

/* The width of its page's pictures, which is that of each of them. */
static const char *width_of_handout(void)
{
    static const char *const widths[] = {"width=\"1000\"", "width=\"900\""};
    char *page = read_from(&course, PAGE), name[32];
    const char *width = strstr(page, widths[0]) ? widths[0] : widths[1];
    int pictures = folder_count(&course) - 1;
    ck_assert_int_eq(pictures, 2);
    for (int i = 1; i <= pictures; i++) {
        snprintf(name, sizeof name, "step-%d.svg", i);
        char *picture = read_from(&course, name);
        ck_assert_msg(strstr(picture, width) && strstr(picture, "</svg>"), "%s is another's", name);
        free(picture);
    }
    ck_assert_ptr_nonnull(strstr(page, "</html>"));
    free(page);
    return width;
}

/* The folder is made by the first of them, and is there for the next. */
TEST(a_handout_is_that_of_one_of_two_programs)
{
    for (int round = 0; round < FEWER(3); round++) {
        pid_t first = spawn_handout(0), second = spawn_handout(1);
        assert_ends(first);
        assert_ends(second);
        width_of_handout();
        assert_ends(spawn_handout(round % 2));
        ck_assert_ptr_nonnull(strstr(width_of_handout(), round % 2 == 0 ? "1000" : "900"));
        ck_assert_int_eq(folder_count(&folder), 1);
        folder_remove(&course);
    }
}

/* ---- A handout that is ended ---- */

TEST(a_signal_leaves_nothing_of_a_handout)
{
    int status;
    const char *arguments[] = {"headlight", "--lesson", "lines", "--snapshot", course.path, NULL};
    pid_t child = spawn(arguments);
    while (folder_count(&folder) == 0) {
        ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0);
        sched_yield();
    }
    ck_assert_int_eq(kill(child, SIGTERM), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        ck_assert_int_eq(folder_count(&folder), 0);
    else
        ck_assert_int_eq(status, 0); /* it was quicker */
}
