/* check_terminal_leaving.c: the real program in a terminal that is in its way: stuck, too small,
 * gone, not its own, or not what it says it is. The terminal is left as it was, and the exit status
 * says what happened. */
#include "rows.h"
#include "suites.h"
#include "terminal_helpers.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Signals at other times ---- */

/* What is typed, and what is then on the screen. */
static const struct {
    const char *keys, *shown;
    int number;
} busy[] = {
    {"e", "Enter done", SIGTERM},     {"e", "Enter done", SIGSEGV},   {"/ban", "find ban", SIGHUP},
    {"/ban", "find ban", SIGABRT},    {"?", "Keys to know", SIGQUIT}, {"?", "Keys to know", SIGBUS},
    {"g" PTY_DOWN, "▸ time", SIGFPE}, {"\t", "q × k", SIGILL},        {"\t\to", "entropy", SIGINT},
    {"t", "Enter keep", SIGUSR1},     {"m", "Enter keep", SIGXCPU},
};

TESTS(.base = &terminal_tests);

TEST(whatever_is_on_the_screen_goes, .times = COUNT(busy))
{
    start_on_example();
    pty_type(pty, busy[_i].keys);
    pty_expect(pty, busy[_i].shown);
    end_by_signal(busy[_i].number);
}

/* Stopped, the terminal is somebody else's: a program that ends then leaves it alone. A crash may
 * come to one thread while another stops once more, since it goes on in the background. */
static const int quiet[] = {SIGTERM, SIGHUP, SIGSEGV};

TEST(ended_while_suspended, .times = COUNT(quiet))
{
    start_on_example();
    pty_type(pty, "e\032");
    pty_wait_stopped(pty);
    assert_restored();
    size_t escapes = pty_escapes(pty);
    pty_signal(pty, quiet[_i]);
    pty_go_on_to_end(pty);
    assert_killed(quiet[_i]);
    assert_restored();
    ck_assert_uint_eq(pty_escapes(pty), escapes);
}

TEST(continued_in_the_background)
{
    start_on_example();
    struct grid *grid = pty_grid(pty);
    pty_type(pty, "\032");
    for (int turn = 0; turn < 2; turn++) {
        pty_wait_stopped(pty);
        assert_restored();
        pty_signal(pty, SIGCONT);
    }
    pty_wait_stopped(pty);
    assert_restored();
    pty_continue(pty);
    pty_expect_grid(pty, grid);
    free(grid);
    quit_restored();
}

TEST(suspended_again_and_again_in_other_sizes)
{
    start_on_example();
    struct grid *grid = pty_grid(pty);
    for (int turn = 0; turn < 4; turn++) {
        pty_type(pty, "\032");
        pty_wait_stopped(pty);
        ck_assert(pty_modes_restored(pty) && !pty_alternate_screen(pty));
        pty_resize(pty, turn == 3 ? 120 : 60 + 10 * turn, turn == 3 ? 40 : 12 + turn);
        pty_continue(pty);
        pty_expect(pty, "q quit");
    }
    pty_expect_grid(pty, grid);
    free(grid);
    quit_restored();
}

/* ---- A terminal that gives too much ---- */

/* Keys that come faster than they can be taken: what they do is drawn all the same, and signals
 * come in. */
TEST(a_flood_of_keys_is_drawn_in_between)
{
    enum { KEYS = 80000 };
    static char flood[2 * KEYS + 1];
    size_t before, after, frames = 0;
    for (size_t i = 0; i < KEYS; i++)
        memcpy(flood + 2 * i, "x\177", 2);
    start_on_example();
    pty_type(pty, "e");
    pty_expect(pty, "Enter done");
    pty_output(pty, &before);
    pty_type(pty, flood);
    const char *output = pty_output(pty, &after);
    for (const char *at = output + before; (at = strstr(at, "\033[?2026h")); at++)
        frames++;
    ck_assert_uint_gt(frames, 3);
    pty_signal(pty, SIGTERM);
    assert_killed(SIGTERM);
    ck_assert(pty_modes_restored(pty) &&
              !pty_alternate_screen(pty)); /* keys left are the shell's */
}

/* ---- A terminal that takes nothing ---- */

static const int impatient[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT};

/* The program waits in the middle of a frame, then for room to say goodbye. */
TEST(a_stuck_terminal_holds_nothing_up, .times = COUNT(impatient))
{
    start_on_example();
    pty_clog(pty);
    pty_type(pty, "\f");
    pty_wait_read(pty);
    pty_signal(pty, impatient[_i]);
    assert_killed(impatient[_i]);
    pty_listen(pty);
    assert_restored();
}

/* The terminal has seen the beginning of a synchronized update. */
TEST(killed_within_a_frame, .times = COUNT(impatient))
{
    start_on_example_in((struct pty_setup){.columns = 400, .rows = 90});
    pty_type(pty, "\t\t\f");
    pty_stop_in_frame(pty);
    ck_assert(pty_mode(pty, 2026));
    pty_signal(pty, impatient[_i]);
    assert_killed(impatient[_i]);
    pty_listen(pty);
    assert_restored();
}

#define NO_KEY "\033[?62;c" /* a late answer */

/* As of a second Ctrl-C, which comes when the modes have been undone and nobody has read it yet. */
TEST(an_interrupt_throws_no_output_away)
{
    start_on_example();
    pty_type(pty, "\f");
    pty_stop_in_frame(pty);
    pty_type(pty, NO_KEY);
    pty_wait_read(pty); /* and thus the frame has been sent */
    pty_type(pty, "\003");
    assert_killed(SIGINT);
    size_t read, all;
    pty_output(pty, &read);
    pty_listen(pty);
    pty_output(pty, &all);
    ck_assert_uint_gt(all - read, 7000); /* the frame, of which 4095 bytes stay whatever happens */
    assert_restored();
}

/* It is stuck while the program says goodbye. */
TEST(a_stuck_terminal_is_left)
{
    start_on_example();
    pty_clog(pty);
    pty_type(pty, "q");
    pty_wait_read(pty);
    pty_signal(pty, SIGTERM);
    assert_killed(SIGTERM);
    pty_listen(pty);
    assert_restored();
}

TEST(output_that_was_stopped_goes_on)
{
    start_on_example();
    pty_type(pty, "g" PTY_DOWN PTY_DOWN);
    pty_expect(pty, "▸ flies");
    struct grid *grid = pty_grid(pty);
    pty_clog(pty);
    pty_type(pty, "\f" PTY_UP);
    pty_wait_read(pty);
    pty_type(pty, PTY_DOWN);
    pty_listen(pty);
    pty_expect_grid(pty, grid);
    free(grid);
    quit_restored();
}

/* Ctrl-S; and Ctrl-Q after it. */
TEST(stopped_by_hand, .times = 2)
{
    start_on_example();
    pty_type(pty, "\023");
    pty_type(pty, _i == 0 ? "\f" : "q");
    pty_wait_read(pty);
    end_by_signal(SIGTERM);
}

/* ---- Sizes ---- */

/* Back in the first size, the first picture is there; the main screen went with its old size. */
static void assert_unharmed(struct grid *grid)
{
    pty_resize(pty, 120, 40);
    pty_expect_grid(pty, grid);
    free(grid);
    quit();
    ck_assert(pty_modes_restored(pty) && !pty_alternate_screen(pty));
}

TEST(a_storm_of_sizes_ends_in_the_last_one)
{
    start_on_example();
    struct grid *grid = pty_grid(pty);
    for (int i = 0; i < 100; i++) {
        pty_resize(pty, 1 + i * 7919 % 500, 1 + i * 104729 % 200);
        pty_glance(pty);
    }
    assert_unharmed(grid);
}

/* Whose numbers curses can't hold, or whose cells no memory. */
static const struct {
    int columns, rows;
    const char *shown;
} vast[] = {{3, 40000, "…"}, {65535, 3, "needs 60×12"}};

TEST(a_size_that_no_screen_has_is_cut, .times = COUNT(vast))
{
    start_on_example();
    struct grid *grid = pty_grid(pty);
    pty_resize(pty, vast[_i].columns, vast[_i].rows);
    pty_expect(pty, vast[_i].shown);
    assert_unharmed(grid);
}

TEST(a_size_that_no_screen_has_is_cut_at_the_start, .times = COUNT(vast))
{
    pty = pty_start(&(struct pty_setup){.columns = vast[_i].columns, .rows = vast[_i].rows});
    pty_expect(pty, vast[_i].shown);
    pty_resize(pty, 120, 40);
    pty_expect(pty, "banana");
    pty_expect(pty, "q quit");
    quit();
}

/* ---- A terminal that is gone ---- */

static const struct {
    const char *keys, *shown;
    bool clogged;
} hung_up[] = {{"e", "Enter done", false}, {"?", "Keys to know", false}, {"\f", "q quit", true}};

TEST(hung_up_at_any_time, .times = COUNT(hung_up))
{
    start_on_example();
    if (hung_up[_i].clogged)
        pty_clog(pty);
    pty_type(pty, hung_up[_i].keys);
    if (!hung_up[_i].clogged)
        pty_expect(pty, hung_up[_i].shown);
    pty_hang_up(pty);
    assert_exited(0);
}

/* ---- Environments ---- */

/* With an alternate screen, what stood before is back afterwards. On the Linux console curses asks
 * libgpm for a mouse, which doesn't free the console's name. The footer stands in the last row: the
 * size is the terminal's. */
ROW_TEST(odd_environments_do_no_harm, "environments")
{
    start_on_example_in((struct pty_setup){.environment = row + 1});
    assert_row_has(39, "q quit");
    pty_resize(pty, 100, 30);
    pty_expect(pty, "q quit");
    assert_row_has(29, "q quit");
    quit();
    if (strcmp(row[0], "yes") == 0)
        assert_row(0, BEFORE);
    ck_assert(pty_modes_restored(pty) && pty_cursor_visible(pty) && !pty_alternate_screen(pty));
}

/* ---- Streams ---- */

TEST(without_standard_input_or_error, .times = 3)
{
    static const char *const closed[] = {"0", "2", "02"};
    start_on_example_in((struct pty_setup){.closed = closed[_i]});
    quit_restored();
}

TEST(without_standard_output)
{
    pty = pty_start(&(struct pty_setup){.closed = "1", .before = BEFORE "\n"});
    assert_exited(1);
    assert_row_has(1, "headlight: standard output: cannot be written");
    ck_assert_uint_eq(pty_escapes(pty), 0);
}

TEST(without_a_controlling_terminal, .times = 2)
{
    bool keyboard = _i == 0;
    pty = pty_start(&(struct pty_setup){
        .columns = 200, .detached = true, .closed = keyboard ? NULL : "0", .before = BEFORE "\n"});
    if (!keyboard) {
        assert_exited(1);
        assert_row_has(1, "headlight: no keyboard: standard input is no terminal");
        ck_assert_uint_eq(pty_escapes(pty), 0);
        return;
    }
    pty_expect(pty, "q quit");
    quit_restored();
}
