/* process_helpers.h: the real program without a terminal, for tests of what it reads and writes.
 * Every function fails the running test when it cannot do it. */
#pragma once

/* In place of a descriptor: a pipe that run() reads. */
#define PIPED (-1)

struct result {
    int status;         /* as waitpid tells it */
    char text[1 << 17]; /* of what was piped, as much as there is room for; the rest is dropped */
};

/* The program with those arguments, the first of which is its name: what it wrote, after its end.
 * Standard input is empty, or `in`. */
struct result run(const char *const *arguments, int out, int error);
struct result run_reading(const char *const *arguments, int in, int out, int error);

/* Becomes the program: for children that want something else before. */
_Noreturn void exec_program(const char *const *arguments);

void assert_exit(const struct result *output, int code);

/* Writes to `out`, which can't be done: one line with `part` in it, exit status 1. */
void assert_output_fails(const char *const *arguments, int out, const char *part);
