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
static struct folder lessons; /* of the lesson */
static struct error error;

static void begin(void)
{
    folder_make(&folder);
    folder_make(&lessons);
    folder_write(&lessons, "small.md", LESSON, strlen(LESSON));
}

static void end(void)
{
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
