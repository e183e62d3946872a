/* terminal_helpers.h: what tests of the program in a pseudo-terminal share. */
#pragma once

#include "e2e/pty.h"

#include <check.h>

/* The environment of a terminal that nothing is between. */
#define DIRECT "SSH_CONNECTION", "TMUX", "STY"

/* Stands on the main screen before the program starts, and must stand there after it. */
#define BEFORE "what stood here before"

/* The terminal of the running test; close_terminal is its tear-down. */
extern struct pty *pty;
void close_terminal(void);

/* The example pair, with its picture, below the line BEFORE; in a terminal that is set up so. */
void start_on_example(void);
void start_on_example_in(struct pty_setup setup);

void assert_row(int row, const char *text);
void assert_row_has(int row, const char *text);

/* Waits for the program's end. */
void assert_exited(int code);
void assert_killed(int number);

/* The main screen with nothing added; cursor, modes and line discipline as before. */
void assert_restored(void);

/* With q, or with a signal to the program; and then, but for quit, assert_restored. */
void quit(void);
void quit_restored(void);
void end_by_signal(int number);

/* Tests of the program in a terminal, which is closed after each. */
extern const struct fixture terminal_tests;
