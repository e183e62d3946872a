/* check_terminal_lines.c: how the program draws lines in a terminal that says what it can show. */
#include "kitty_helpers.h"
#include "suites.h"
#include "terminal_helpers.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define DA1        "\033[?62;c"
#define SIXEL      "\033[?62;4c"
#define CELL       "\033[6;17;8t"
#define KITTY      "\033_Gi=31;OK\033\\"
#define SHARED     "\033_Gi=32;OK\033\\"
#define SENT       "\033_Ga=T,"
#define SENT_WHOLE "\0338\033_Ga=d,d=I" /* the old one is deleted behind it */
#define GONE       "\033_Ga=d,d=I,i=26732,q=2\033\\\033_Ga=d,d=I,i=26733,q=2\033\\"
#define SIXELS     "\033P0;1;0q"

static const char *const direct[] = {"TERM=xterm-256color", "COLORTERM=truecolor", NULL};
static const char *const near[] = {"TERM=xterm-256color", "COLORTERM=truecolor", DIRECT, NULL};

static void start(const char *answers, const char *lines)
{
    const char *arguments[] = {"--lines", lines, NULL};
    pty = pty_start(&(struct pty_setup){
        .arguments = arguments,
        .environment = strstr(answers, SHARED) ? near : direct,
        .typed = answers,
        .before = BEFORE "\n",
    });
    pty_expect(pty, "banana"); /* not before there are lines */
    pty_expect(pty, "q quit");
}

/* Up to the first picture, which comes behind the text: a key typed before it is drawn for. */
static void start_pictured(const char *answers, const char *sent)
{
    start(answers, "auto");
    pty_expect_sent(pty, sent, 1);
}

/* Above it stands what the terminal has echoed of its own answers. */
static void assert_left(void)
{
    ck_assert(!pty_alternate_screen(pty));
    ck_assert(pty_cursor_visible(pty));
    ck_assert(pty_modes_restored(pty));
}

/* Whether a cell between the tokens holds such a sign. */
static bool draws(uint32_t first, uint32_t last)
{
    struct grid *grid = pty_grid(pty);
    bool found = grid_has_between(grid, first, last);
    free(grid);
    return found;
}

static bool draws_braille(void)
{
    return draws(0x2801, 0x28FF);
}

TESTS(.base = &terminal_tests);

TEST(lines_are_the_best_that_the_terminal_shows, .times = 8)
{
    static const struct {
        const char *answers, *lines;
        size_t kitty, sixel;
        bool braille;
    } cases[] = {
        {KITTY CELL DA1, "auto", 1, 0, false},   {KITTY CELL SIXEL, "auto", 1, 0, false},
        {CELL SIXEL, "auto", 0, 1, false},       {CELL SIXEL, "pixels", 0, 1, false},
        {KITTY CELL DA1, "braille", 0, 0, true}, {KITTY CELL DA1, "blocks", 0, 0, false},
        {CELL DA1, "auto", 0, 0, false},         {CELL DA1, "braille", 0, 0, true},
    };
    start(cases[_i].answers, cases[_i].lines);
    pty_expect_sent(pty, SENT, cases[_i].kitty);
    pty_expect_sent(pty, SIXELS, cases[_i].sixel);
    ck_assert_int_eq(draws_braille(), cases[_i].braille);
    bool cells = cases[_i].kitty + cases[_i].sixel == 0;
    ck_assert_int_eq(draws(0x2580, 0x259F) || cases[_i].braille, cells);
    quit();
    assert_left();
}

TEST(a_picture_follows_the_view_and_goes_with_it)
{
    start_pictured(KITTY CELL DA1, SENT);
    pty_type(pty, "a");
    pty_expect(pty, "colour: head");
    pty_expect_sent(pty, SENT, 2);
    pty_type(pty, "?");
    pty_expect(pty, "Keys to know");
    pty_expect_sent(pty, GONE, 1);
    pty_type(pty, "\033");
    pty_expect_gone(pty, "Keys to know");
    pty_expect_sent(pty, SENT, 3);
    quit();
    assert_left();
}

TEST(a_picture_fits_another_size)
{
    start_pictured(KITTY CELL DA1, SENT);
    pty_resize(pty, 80, 24);
    pty_expect(pty, "banana");
    pty_expect_sent(pty, SENT, 2);
    ck_assert(!draws_braille());
    quit();
    assert_left();
}

/* Whatever ends the program, the picture goes before somebody else has the screen. */
TEST(a_picture_is_taken_along, .times = 3)
{
    static const int numbers[] = {SIGTERM, SIGSEGV, SIGABRT};
    start_pictured(KITTY CELL DA1, SENT);
    pty_expect_sent(pty, GONE, 0);
    pty_signal(pty, numbers[_i]);
    assert_killed(numbers[_i]);
    ck_assert_uint_ge(pty_sent(pty, GONE), 1);
    assert_left();
}

/* And what was shared with a terminal that has not read it. */
TEST(nothing_shared_is_left_behind, .times = 4, .skipped = !kitty_can_share())
{
    static const int numbers[] = {0, SIGTERM, SIGSEGV, SIGABRT};
    size_t length, names = 0;
    start_pictured(KITTY SHARED CELL DA1, SENT);
    pty_type(pty, "}");
    pty_expect_sent(pty, SENT, 2);
    if (numbers[_i] == 0) {
        quit();
    } else {
        pty_signal(pty, numbers[_i]);
        assert_killed(numbers[_i]);
    }
    const char *output = pty_output(pty, &length), *name;
    while (*(name = kitty_shared_name(&output)) != '\0') {
        ck_assert_msg(!kitty_is_shared(name), "%s is left", name);
        names++;
    }
    ck_assert_uint_eq(names, 3); /* of the question and two pictures */
    assert_left();
}

/* What a terminal was asked by, but has not read, is taken away once it has answered. */
TEST(what_is_not_read_is_gone_at_once, .skipped = !kitty_can_share())
{
    size_t length;
    pty = pty_start(
        &(struct pty_setup){.environment = near, .typed = KITTY CELL DA1, .before = BEFORE "\n"});
    pty_expect(pty, "banana");
    pty_expect_sent(pty, SENT, 1);
    const char *output = pty_output(pty, &length), *name = kitty_shared_name(&output);
    ck_assert_str_ne(name, "");
    ck_assert(!kitty_is_shared(name));
    ck_assert_uint_eq(pty_sent(pty, "t=s,f=24,s="), 0);
    quit();
}

/* Of 126 words: with the special tokens 128 or a few more. */
static const char *long_sentence(void)
{
    static const char *const words[] = {"the", "old", "man", "saw", "a", "bird", "in", "tree"};
    static char text[1024];
    text[0] = '\0';
    for (size_t i = 0; i < 126; i++) {
        strcat(text, words[i * i % 61 % 8]);
        strcat(text, i < 125 ? " " : "");
    }
    return text;
}

/* On a screen of 120 by 40 cells of 10 by 20 pixels. Far away, of all heads and tokens. */
TEST(a_key_sends_little, .times = 3, .skipped = !kitty_can_share())
{
    static const char *const far[] = {"TERM=xterm-256color", "COLORTERM=truecolor",
                                      "SSH_TTY=/dev/pts/0", NULL};
    static const struct {
        const char *const *environment;
        const char *answers, *heads, *keys;
        size_t most;
    } cases[] = {
        {near, KITTY "\033[6;20;10t" DA1, NULL, "jj}]]}j", 40000},
        {near, KITTY SHARED "\033[6;20;10t" DA1, NULL, "jj}]]}j", 4000},
        {far, KITTY "\033[6;20;10t" DA1, "heads=all", "}}}}", 40000},
    };
    size_t before, after;
    pty = pty_start(&(struct pty_setup){
        .arguments = (const char *[]){long_sentence(), cases[_i].heads ? "--set" : NULL,
                                      cases[_i].heads, NULL},
        .environment = cases[_i].environment,
        .typed = cases[_i].answers,
        .before = BEFORE "\n",
    });
    pty_expect(pty, "q quit");
    pty_expect_sent(pty, SENT_WHOLE, 1);
    for (size_t i = 0; cases[_i].keys[i]; i++) {
        const char key[] = {cases[_i].keys[i], '\0'};
        pty_output(pty, &before);
        pty_type(pty, key);
        pty_expect_sent(pty, SENT_WHOLE, 2 + i);
        pty_output(pty, &after);
        ck_assert_msg(after - before < cases[_i].most, "key %zu (%s) sends %zu bytes", i, key,
                      after - before);
    }
    quit();
}

TEST(a_stopped_program_shows_none_and_its_own_again, .times = 2)
{
    start_pictured(_i ? CELL SIXEL : KITTY CELL DA1, _i ? SIXELS : SENT);
    pty_type(pty, "\032");
    pty_wait_stopped(pty);
    assert_left();
    pty_expect_sent(pty, GONE, !_i);
    pty_expect_sent(pty, _i ? SIXELS : SENT, 1);
    pty_continue(pty);
    pty_expect(pty, "q quit");
    pty_expect_sent(pty, _i ? SIXELS : SENT, 2);
    quit();
}

TEST(pixels_that_nobody_shows_are_refused)
{
    const char *arguments[] = {"--lines", "pixels", NULL};
    pty = pty_start(&(struct pty_setup){
        .arguments = arguments, .environment = direct, .typed = CELL DA1, .before = BEFORE "\n"});
    assert_exited(1);
    pty_expect(pty, "--lines pixels: expected a terminal that says that it shows pictures");
    assert_left();
}
