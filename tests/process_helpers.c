#include "process_helpers.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void exec_program(const char *const *arguments)
{
    const char *program = getenv("HEADLIGHT_PROGRAM");
    signal(SIGPIPE, SIG_DFL);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    execv(program ? program : "build/headlight", (char *const *)arguments);
    _exit(127);
}

static void read_all(int from, struct result *output)
{
    size_t length = 0;
    ssize_t got;
    char rest[4096];
    while (length < sizeof output->text - 1 &&
           (got = read(from, output->text + length, sizeof output->text - 1 - length)) > 0)
        length += (size_t)got;
    while (read(from, rest, sizeof rest) > 0)
        continue;
}

struct result run_reading(const char *const *arguments, int in, int out, int error)
{
    struct result output = {0};
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(in, STDIN_FILENO);
        dup2(out == PIPED ? ends[1] : out, STDOUT_FILENO);
        dup2(error == PIPED ? ends[1] : error, STDERR_FILENO);
        exec_program(arguments);
    }
    close(ends[1]);
    read_all(ends[0], &output);
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &output.status, 0), child);
    return output;
}

struct result run(const char *const *arguments, int out, int error)
{
    int nothing = open("/dev/null", O_RDONLY);
    struct result output = run_reading(arguments, nothing, out, error);
    close(nothing);
    return output;
}

void assert_exit(const struct result *output, int code)
{
    ck_assert_msg(WIFEXITED(output->status), "ended by signal %d", WTERMSIG(output->status));
    ck_assert_msg(WEXITSTATUS(output->status) == code, "exit status %d: %s",
                  WEXITSTATUS(output->status), output->text);
}

void assert_output_fails(const char *const *arguments, int out, const char *part)
{
    struct result output = run(arguments, out, PIPED);
    assert_exit(&output, 1);
    ck_assert_int_eq(strncmp(output.text, "headlight: ", 11), 0);
    ck_assert_ptr_eq(strchr(output.text, '\n'), output.text + strlen(output.text) - 1);
    ck_assert_msg(strstr(output.text, part) != NULL, "%s", output.text);
}
