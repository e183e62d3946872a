/* check_app_terminal.c: the real program in a pseudo-terminal: what keys, mouse, pastes and sizes
 * do. */
#include "model_helpers.h"
#include "suites.h"
#include "terminal_helpers.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

TESTS(.base = &terminal_tests);

TEST(example_pair_is_shown_at_start)
{
    start_on_example();
    assert_row_has(0, "  headlight ");
    assert_row_has(0, "layer ‹0› of");
    assert_row_has(39, "q quit");
    pty_expect(pty, "[CLS]");
    pty_expect(pty, "arrow");
    pty_expect(pty, "strongest");
    ck_assert(pty_alternate_screen(pty));
    ck_assert(!pty_cursor_visible(pty));
    ck_assert(!pty_modes_restored(pty));
}

TEST(keys_move_and_change_the_view)
{
    start_on_example();
    pty_type(pty, "g" PTY_DOWN PTY_DOWN);
    pty_expect(pty, "▸ flies");
    pty_expect(pty, "  flies₁ → ");
    pty_expect_gone(pty, "strongest");
    pty_type(pty, PTY_UP);
    pty_expect(pty, "▸ time");
    pty_type(pty, PTY_RIGHT);
    pty_expect(pty, "layer ‹1› of");
    pty_type(pty, PTY_LEFT);
    pty_expect(pty, "layer ‹0› of");
    pty_type(pty, "3");
    pty_expect(pty, "□2 ■3 □4");
    pty_type(pty, "3");
    pty_expect(pty, "■2 ■3 ■4");
    pty_type(pty, "\t");
    pty_expect(pty, "q × k");
    pty_type(pty, "\033[Z");
    pty_expect_gone(pty, "q × k");
}

TEST(help_comes_and_goes)
{
    start_on_example();
    struct grid *grid = pty_grid(pty);
    pty_type(pty, "?");
    pty_expect(pty, "Keys to know");
    pty_expect(pty, "token above");
    pty_type(pty, "\033");
    pty_expect_grid(pty, grid);
    free(grid);
}

TEST(resizing_draws_anew)
{
    start_on_example();
    struct grid *grid = pty_grid(pty);
    pty_resize(pty, 80, 24);
    pty_expect(pty, "banana");
    pty_expect(pty, "q quit");
    assert_row_has(23, "q quit");
    pty_resize(pty, 20, 5);
    pty_expect(pty, "needs 60×12");
    pty_resize(pty, 1, 1);
    pty_expect(pty, "…");
    pty_resize(pty, 1100, 30);
    pty_expect(pty, "q quit");
    pty_resize(pty, 120, 40);
    pty_expect_grid(pty, grid);
    free(grid);
}

TEST(letters_are_read_as_utf8_where_the_locale_has_only_ascii)
{
    const char *environment[] = {"LC_ALL=C", NULL};
    start_on_example_in((struct pty_setup){.environment = environment});
    pty_type(pty, "e\025the caf\303\251");
    pty_expect(pty, "the caf\\u{e9}");
    pty_type(pty, "\r");
    pty_expect(pty, "cafe");
}

TEST(small_terminal_is_told_so_at_start)
{
    pty = pty_start(&(struct pty_setup){.columns = 20, .rows = 5});
    pty_expect(pty, "needs 60×12");
    pty_resize(pty, 60, 12);
    pty_expect(pty, "[CLS]");
    quit();
}

TEST(piped_text_leaves_the_keyboard_to_the_terminal)
{
    const char *arguments[] = {"-", NULL};
    pty = pty_start(&(struct pty_setup){
        .arguments = arguments, .input = "the cat sat\nthe dog ran\n", .before = BEFORE "\n"});
    pty_expect(pty, "cat");
    pty_expect(pty, "dog");
    pty_type(pty, PTY_DOWN);
    pty_expect(pty, "▸ the");
    quit_restored();
}

/* Mouse reports in xterm's SGR form: button, column, row from 1; M pressed, m released. */
TEST(clicks_and_wheel_move)
{
    start_on_example();
    pty_type(pty, "\033[<0;23;1M\033[<0;23;1m"); /* the tab of the neuron view */
    pty_expect(pty, "q × k");
    pty_type(pty, "\033[<65;40;10M"); /* the wheel, downwards */
    pty_expect(pty, "▸      a ");
    pty_type(pty, "\033[<0;16;1M\033[<0;16;1m");
    pty_expect(pty, "lines");
    quit_restored();
}

/* In xterm's form, and in the older one, in which a position is any byte from a blank on. */
static const struct {
    const char *term, *half;
} halves[] = {
    {"TERM=xterm-256color", "\033[<0;5"},
    {"TERM=xterm-256color", "\033[<"},
    {"TERM=screen-256color", "\033[M "},
};

/* A line over a bad connection. */
TEST(half_a_mouse_report_stops_no_key, .times = COUNT(halves))
{
    const char *environment[] = {halves[_i].term, NULL};
    start_on_example_in((struct pty_setup){.environment = environment, .answers = true});
    pty_type(pty, halves[_i].half);
    pty_wait_read(pty);
    pty_type(pty, PTY_DOWN);
    pty_expect(pty, "▸ like");
    pty_type(pty, halves[_i].half);
    pty_wait_read(pty);
    pty_resize(pty, 100, 30);
    pty_expect(pty, "q quit");
    pty_type(pty, "\033q");
    ck_assert_int_eq(pty_wait_end(pty), 0);
}

/* A key and a click that come together: the click is on the picture that the key made, not on the
 * one before it, which had more tokens and others in that row. */
TEST(a_click_right_behind_a_key_means_the_new_picture)
{
    const char *arguments[] = {"unbelievable headlights flabbergasted", NULL};
    int row, column;
    char keys[80];
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .before = BEFORE "\n"});
    pty_expect(pty, "##asted");
    pty_expect(pty, "q quit");
    pty_type(pty, "w");
    pty_expect_gone(pty, "##asted");
    struct grid *words = pty_grid(pty);
    ck_assert(grid_find(words, "headlights", &row, &column));
    ck_assert_int_gt(row, 0);
    free(words);
    pty_type(pty, "w");
    pty_expect(pty, "##asted");
    snprintf(keys, sizeof keys, "w\033[<0;%d;%dM\033[<0;%d;%dm", column + 1, row + 1, column + 1,
             row + 1);
    pty_type(pty, keys);
    pty_expect(pty, "▸ headlights");
    quit_restored();
}

TEST(a_text_is_edited_in_place)
{
    start_on_example();
    struct grid *grid = pty_grid(pty);
    pty_type(pty, "e\t\025"); /* Tab: the second sentence; Ctrl-U */
    pty_expect_gone(pty, "banana");
    pty_type(pty, "the dog");
    pty_expect(pty, "dog");
    pty_expect(pty, "B the dog");
    pty_type(pty, "\033b\177\033[3~"); /* Alt-b, Backspace, Delete */
    pty_expect(pty, "B theog");
    pty_type(pty, "\r");
    pty_expect_gone(pty, "Enter done");
    pty_expect(pty, "q quit");
    pty_type(pty, "u");
    pty_expect(pty, "banana");
    pty_type(pty, "U");
    pty_expect_gone(pty, "banana");
    pty_type(pty, "uexyz");
    pty_expect(pty, "A time flies like an arrowxyz");
    pty_type(pty, "\033");
    pty_expect_gone(pty, "Esc cancel");
    pty_expect_picture(pty, grid);
    free(grid);
    quit_restored();
}

/* Between the marks of mode 2004, which is on only while text is typed. */
TEST(pasted_text_is_text)
{
    start_on_example();
    pty_type(pty, "\033[200~q\033[201~"); /* no command: headlight is still there */
    pty_expect(pty, "press e first");
    pty_type(pty, "e\025\033[200~the cat\r\n\033[31msat q\033[201~");
    pty_expect(pty, "A the cat [31msat q");
    pty_type(pty, "\025\033[200~un\xC3");
    pty_type(pty, "\xA9 chat\n\033[201~");
    pty_expect(pty, "A un\xC3\xA9 chat");
    pty_type(pty, " n\xC3"); /* a letter in two parts */
    pty_expect(pty, "A un\xC3\xA9 chat n");
    pty_type(pty, "\xA9");
    pty_expect(pty, "A un\xC3\xA9 chat n\xC3\xA9");
    pty_type(pty, "\r");
    pty_expect_gone(pty, "Enter done");
    quit_restored();
}

/* A line end in a paste that is not marked would be Enter, and a q after it the end. */
static const char *const marking[][2] = {
    {"TERM=screen", NULL}, {"TERM=tmux-256color", NULL}, {"TERM=xterm", NULL}};

TEST(pasted_text_is_marked_inside_of_other_programs_too, .times = COUNT(marking))
{
    start_on_example_in((struct pty_setup){.environment = marking[_i]});
    ck_assert(!pty_mode(pty, 2004));
    pty_type(pty, "e");
    pty_expect(pty, "Enter done");
    ck_assert(pty_mode(pty, 2004));
    pty_type(pty, "\025\033[200~the cat\nq sat\033[201~");
    pty_expect(pty, "A the cat q sat");
    end_by_signal(SIGTERM);
}

TEST(tokens_are_found_and_heads_ranked)
{
    start_on_example();
    pty_type(pty, "/bana");
    pty_expect(pty, "find bana");
    pty_expect(pty, "▸ banana");
    pty_type(pty, "\r");
    pty_expect_gone(pty, "Esc forget");
    pty_type(pty, "\r"); /* pins it */
    pty_expect(pty, "which heads");
    pty_type(pty, "r");
    pty_expect(pty, "sorted by pair");
    pty_type(pty, PTY_DOWN "\r");
    pty_expect_gone(pty, "sorted by pair");
    pty_expect(pty, "banana → ");
}

/* Motion without a button is told only where mode 1003 is on. */
TEST(the_mouse_shows_a_token_in_passing)
{
    start_on_example();
    struct grid *grid = pty_grid(pty);
    int row, column;
    char report[40];
    ck_assert(grid_find(grid, "arrow", &row, &column));
    snprintf(report, sizeof report, "\033[<35;%d;%dM", column + 2, row + 1);
    pty_type(pty, report);
    pty_expect(pty, "  arrow → ");
    pty_type(pty, "\033[<35;60;1M");
    pty_expect_grid(pty, grid);
    free(grid);
}

TEST(a_screen_is_saved)
{
    char folder[] = "/tmp/headlight-XXXXXX", here[4096], line[512] = "";
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_ptr_nonnull(mkdtemp(folder));
    start_on_example_in((struct pty_setup){.folder = folder});
    pty_type(pty, "s");
    pty_expect(pty, "saved as headlight-1.svg");
    pty_type(pty, "sS");
    pty_expect(pty, "state saved as headlight-1.json");
    pty_type(pty, "W");
    pty_expect(pty, "saved as headlight-1.html");
    quit();
    ck_assert_int_eq(chdir(folder), 0);
    FILE *file = fopen("headlight-2.svg", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_ptr_nonnull(strstr(line, "<svg"));
    fclose(file);
    ck_assert_int_eq(unlink("headlight-1.svg") + unlink("headlight-2.svg") +
                         unlink("headlight-1.json") + unlink("headlight-1.html"),
                     0);
    ck_assert_int_eq(chdir(here), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* ulimit -f: the system would end the program with SIGXFSZ. */
TEST(a_screen_that_may_not_be_so_large_is_a_message)
{
    if (counts_lines()) {
        skip("limits on the size of files, which would cut what counts lines");
        return;
    }
    struct folder folder;
    folder_make(&folder);
    struct rlimit before, small;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){8000, before.rlim_max}; /* enough for the test itself */
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    start_on_example_in((struct pty_setup){.folder = folder.path});
    pty_type(pty, "s");
    pty_expect(pty, "cannot be written: File too large");
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    quit_restored();
    folder_remove(&folder);
}
