#include "terminal_helpers.h"

#include "suites.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

struct pty *pty;

void close_terminal(void)
{
    pty_free(pty);
    pty = NULL;
}

/* The last thing drawn on every screen is the footer; the tokens are there once the forward pass is
 * over. */
void start_on_example_in(struct pty_setup setup)
{
    setup.before = BEFORE "\n";
    pty = pty_start(&setup);
    pty_expect(pty, "banana");
    pty_expect(pty, "q quit");
}

void start_on_example(void)
{
    static const char *const arguments[] = {"--set", "heads=all", NULL};
    start_on_example_in((struct pty_setup){.arguments = arguments, .answers = true});
}

void assert_row(int row, const char *text)
{
    char *actual = pty_row(pty, row);
    ck_assert_str_eq(actual, text);
    free(actual);
}

void assert_row_has(int row, const char *text)
{
    char *actual = pty_row(pty, row);
    ck_assert_msg(strstr(actual, text) != NULL, "row %d, without \"%s\": %s", row, text, actual);
    free(actual);
}

static void assert_end(bool killed, int number)
{
    int status = pty_wait_end(pty);
    int found = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (WIFSIGNALED(status) == killed && found == number)
        return;
    pty_print(pty);
    ck_abort_msg("ended with %s %d", WIFSIGNALED(status) ? "signal" : "exit status", found);
}

void assert_exited(int code)
{
    assert_end(false, code);
}

void assert_killed(int number)
{
    assert_end(true, number);
}

static void assert_modes_off(void)
{
    static const int modes[] = {1, 1000, 1002, 1003, 1006, 1049, 2004, 2026};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        ck_assert_msg(!pty_mode(pty, modes[i]), "mode %d is on", modes[i]);
}

void assert_restored(void)
{
    if (pty_alternate_screen(pty) || !pty_cursor_visible(pty) || !pty_modes_restored(pty))
        pty_print(pty);
    ck_assert(!pty_alternate_screen(pty));
    ck_assert(pty_cursor_visible(pty));
    ck_assert(pty_modes_restored(pty));
    assert_modes_off();
    assert_row(0, BEFORE);
    for (int row = 1; row < 24; row++)
        assert_row(row, "");
}

void quit(void)
{
    pty_type(pty, "q");
    assert_exited(0);
}

void quit_restored(void)
{
    quit();
    assert_restored();
}

void end_by_signal(int number)
{
    pty_signal(pty, number);
    assert_killed(number);
    assert_restored();
}

const struct fixture terminal_tests = {.end = close_terminal, .slow = true};
