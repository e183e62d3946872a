/* check_app_texts.c: the real program with many texts, between pipes and devices. */
#include "model_helpers.h"
#include "process_helpers.h"
#include "suites.h"

#include "headlight/app/texts_run.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct folder folder;
static struct result result;
static char *path;

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    folder_remove(&folder);
    free(path);
    path = NULL;
}

TESTS(.begin = begin, .end = end);

static void write_texts(const char *name, const char *bytes)
{
    folder_write(&folder, name, bytes, strlen(bytes));
    free(path);
    path = in_folder(&folder, name);
}

/* A sample by hash takes single windows; other texts are drawn as the sample of the file draws
 * them.
 */
TEST(windows_are_drawn_each_by_itself)
{
    const struct corpus_text text = {.hash = 7, .id = "long"};
    struct texts_piece piece = {.text = &text, .windows = 1};
    ck_assert_uint_eq(texts_piece_text(&piece).hash, 7);
    piece.windows = 3;
    ck_assert_uint_eq(texts_piece_text(&piece).hash, 7);
    piece.window = 1;
    const uint64_t second = texts_piece_text(&piece).hash;
    piece.window = 2;
    const uint64_t third = texts_piece_text(&piece).hash;
    ck_assert(second != 7 && third != 7 && second != third);
}

/* A file of texts that is a pipe by now. */
TEST(a_pipe_in_its_place_is_not_waited_for)
{
    char *state = in_folder(&folder, "state.json");
    const char *first[] = {"headlight", "--model",  TINY_FOLDER, NULL, "--state",
                           state,       "--format", "txt",       NULL};
    const char *second[] = {"headlight", "--state", state, "--format", "txt", NULL};
    write_texts("x.txt", "time\ntime flies\n");
    first[3] = path;
    result = run(first, PIPED, STDERR_FILENO);
    assert_exit(&result, 0);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    result = run(second, STDERR_FILENO, PIPED);
    assert_exit(&result, 1);
    ck_assert_ptr_nonnull(strstr(result.text, "x.txt: expected a regular file"));
    free(state);
}

/* ---- In a pipe ------------------------------------------------------------------------------ */

/* Who asks and waits for an answer gets it. */
TEST(each_line_is_written_at_once)
{
    const char *arguments[] = {"headlight", "--model", TINY_FOLDER, "run", "-", NULL};
    int in[2], out[2], status;
    char byte;
    ck_assert_int_eq(pipe(in), 0);
    ck_assert_int_eq(pipe(out), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        exec_program(arguments);
    }
    close(in[0]);
    close(out[1]);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(write(in[1], "{\"a\":\"time\"}\n", 13), 13);
        do
            ck_assert_int_eq(read(out[0], &byte, 1), 1);
        while (byte != '\n');
    }
    close(in[1]);
    ck_assert_int_eq(read(out[0], &byte, 1), 0);
    close(out[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

TEST(a_pipe_that_nobody_reads_ends_it)
{
    int ends[2];
    write_texts("x.txt", "time\na\tb\tc\nflies\n");
    const char *arguments[] = {"headlight", "--model", TINY_FOLDER, "run", path, NULL};
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    result = run(arguments, ends[1], PIPED);
    close(ends[1]);
    assert_exit(&result, 0);
    ck_assert_str_eq(result.text, "");
}

TEST(a_full_device_is_an_error)
{
    const int full = open("/dev/full", O_WRONLY);
    write_texts("x.txt", "time\n");
    const char *arguments[] = {"headlight", "--model", TINY_FOLDER, "run", path, NULL};
    if (full < 0) {
        skip("a full device: there is no /dev/full");
        return;
    }
    assert_output_fails(arguments, full, "cannot be written");
    close(full);
}
