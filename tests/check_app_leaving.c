/* check_app_leaving.c: the real program gives the terminal back as it was, whatever ends or stops
 * it; and one that it can't use it leaves alone. */
#include "suites.h"
#include "terminal_helpers.h"

#include <signal.h>
#include <stdlib.h>

TESTS(.base = &terminal_tests);

TEST(quitting_restores_the_terminal)
{
    start_on_example();
    quit_restored();
}

static const int deadly[] = {
    SIGINT,    SIGTERM, SIGHUP,  SIGQUIT,   SIGUSR1, SIGUSR2, SIGXCPU, SIGPROF, SIGIO,
    SIGTRAP,   SIGSYS,  SIGABRT, SIGVTALRM, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGALRM,
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
#ifdef SIGPWR
    SIGPWR,
#endif
};

TEST(signal_restores_the_terminal, .times = COUNT(deadly))
{
    start_on_example();
    end_by_signal(deadly[_i]);
}

#ifdef SIGRTMIN
TEST(real_time_signal_restores_the_terminal, .times = 2)
{
    int number = _i == 0 ? SIGRTMIN : SIGRTMAX; /* known only when running */
    start_on_example();
    end_by_signal(number);
}
#endif

static const struct {
    const char *key;
    int number;
} typed[] = {{"\003", SIGINT}, {"\034", SIGQUIT}};

TEST(typed_interrupt_restores_the_terminal, .times = COUNT(typed))
{
    start_on_example();
    pty_type(pty, typed[_i].key);
    assert_killed(typed[_i].number);
    assert_restored();
}

TEST(suspending_gives_the_terminal_back_meanwhile)
{
    start_on_example();
    pty_type(pty, "g" PTY_DOWN);
    pty_expect(pty, "▸ time");
    struct grid *grid = pty_grid(pty);
    for (int turn = 0; turn < 2; turn++) {
        pty_type(pty, "\032");
        pty_wait_stopped(pty);
        assert_restored();
        pty_continue(pty);
        pty_expect_grid(pty, grid);
        ck_assert(pty_alternate_screen(pty));
        ck_assert(!pty_cursor_visible(pty));
    }
    free(grid);
    quit_restored();
}

/* SIGSTOP can't be caught: the shell finds the terminal as the program had it. */
TEST(stopped_without_being_asked_it_paints_anew)
{
    start_on_example();
    pty_type(pty, "g" PTY_DOWN);
    pty_expect(pty, "▸ time");
    struct grid *grid = pty_grid(pty);
    for (int turn = 0; turn < 2; turn++) {
        pty_signal(pty, SIGSTOP);
        pty_wait_stopped(pty);
        pty_take_terminal(pty, "\033[?1003l\033[?25h\033[H[1]+  Stopped");
        pty_expect(pty, "Stopped");
        pty_continue(pty);
        pty_expect_grid(pty, grid);
        ck_assert(pty_alternate_screen(pty));
        ck_assert(pty_mode(pty, 1003));
        ck_assert(!pty_cursor_visible(pty));
        ck_assert(!pty_modes_restored(pty));
    }
    free(grid);
    pty_type(pty, "q"); /* without Enter */
    assert_exited(0);
    assert_restored();
}

/* In a shell's modes a line may be without a character, which is no end of a terminal's input. */
TEST(modes_of_somebody_else_are_no_end)
{
    start_on_example();
    struct grid *grid = pty_grid(pty);
    pty_take_terminal(pty, "\033[H[1]+  Stopped");
    pty_expect(pty, "Stopped");
    pty_type(pty, "\004");
    pty_glance(pty);
    pty_signal(pty, SIGCONT);
    pty_expect_grid(pty, grid);
    free(grid);
    pty_type(pty, "q");
    assert_exited(0);
    assert_restored();
}

/* Mode 2004 is left while the shell has the terminal. */
TEST(suspended_while_editing)
{
    start_on_example();
    pty_type(pty, "ex");
    pty_expect(pty, "arrowx");
    pty_expect(pty, "##x "); /* the pass is over */
    struct grid *grid = pty_grid(pty);
    pty_type(pty, "\032");
    pty_wait_stopped(pty);
    assert_restored();
    pty_continue(pty);
    pty_expect_grid(pty, grid);
    free(grid);
    pty_type(pty, "\033[200~ yz\033[201~");
    pty_expect(pty, "arrowx yz");
    pty_type(pty, "\003");
    assert_killed(SIGINT);
    assert_restored();
}

TEST(resized_while_suspended)
{
    start_on_example();
    pty_type(pty, "\032");
    pty_wait_stopped(pty);
    pty_resize(pty, 80, 24);
    pty_continue(pty);
    pty_expect(pty, "q quit");
    assert_row_has(23, "q quit");
    ck_assert(pty_alternate_screen(pty));
}

TEST(end_of_input_ends_the_program)
{
    start_on_example();
    pty_hang_up(pty);
    assert_exited(0);
}

/* A character cut in two and bytes that are none must not be taken for the end of the input. */
TEST(broken_characters_are_no_end)
{
    start_on_example();
    pty_type(pty, "\xC3");
    pty_expect(pty, "q quit");
    pty_type(pty, "\xA9");
    pty_expect(pty, "does nothing here");
    pty_type(pty, "\xFF\xFF\x80");
    pty_type(pty, "g" PTY_DOWN);
    pty_expect(pty, "▸ time");
    quit();
}

/* ---- Terminals that can't be used ---- */

static const struct {
    const char *environment[2];
    const char *message;
} refused[] = {
    {{"TERM", NULL}, "headlight: TERM is not set"},
    {{"TERM=", NULL}, "headlight: TERM is not set"},
    {{"TERM=unknown", NULL}, "headlight: the terminal \"unknown\" "},
    {{"TERM=\033]0;title\a", NULL}, "headlight: the terminal \"^[]0;title^G\" is not in"},
};

TEST(unusable_terminal_is_left_alone, .times = COUNT(refused))
{
    pty = pty_start(&(struct pty_setup){
        .columns = 200, .environment = refused[_i].environment, .before = BEFORE "\n"});
    assert_exited(1);
    assert_row_has(1, refused[_i].message);
    assert_row(0, BEFORE);
    assert_row(2, "");
    ck_assert_uint_eq(pty_escapes(pty), 0);
    ck_assert(pty_modes_restored(pty));
}

/* It can print lines, and so can those that read them aloud. */
TEST(a_terminal_that_only_prints_gets_a_list)
{
    static const char *const environment[] = {"TERM=dumb", NULL};
    pty = pty_start(&(struct pty_setup){.environment = environment, .before = BEFORE "\n"});
    assert_exited(0);
    assert_row_has(1, "head 3.1 of built-in");
    assert_row(3, "time → time 0.992");
    ck_assert_uint_eq(pty_escapes(pty), 0);
    ck_assert(pty_modes_restored(pty));
}
