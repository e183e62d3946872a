/* check_terminal_ask.c: what a terminal says of itself is understood, and is never taken for keys.
 */
#include "headlight/base/format.h"
#include "headlight/terminal/ask.h"

#include "headlight/base/watch.h"
#include "headlight/terminal/curses_parts.h"

#include "kitty_helpers.h"
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"
#include "terminal_helpers.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- Answers ---- */

/* What is known by an answer. */
static const char *told(const struct ask_answer *answer)
{
    static char text[120];
    text[0] = '\0';
    format_add(text, sizeof text, "%s%s%s%s%s", answer->complete ? " complete" : "",
               answer->direct ? " direct" : "", answer->sixel ? " sixel" : "",
               answer->kitty ? " kitty" : "", answer->shared ? " shared" : "");
    if (answer->ground_known)
        format_add(text, sizeof text, " ground %d,%d,%d", answer->ground.red, answer->ground.green,
                   answer->ground.blue);
    if (answer->cell_width || answer->cell_height)
        format_add(text, sizeof text, " cell %dx%d", answer->cell_width, answer->cell_height);
    if (answer->sixel_width || answer->sixel_height)
        format_add(text, sizeof text, " pictures %dx%d", answer->sixel_width, answer->sixel_height);
    return *text ? text + 1 : "nothing";
}

/* Byte by byte: a part, until it is whole; and what follows makes no difference. */
static const struct fixture parsing_tests = {0};

ROW_TEST(answer_is_understood, "ask_answers", .with = &parsing_tests)
{
    const char *bytes = row[0];
    size_t length = strlen(bytes);
    char longer[128];
    for (size_t part = 1; part < length; part++) {
        struct ask_answer answer = {.complete = false};
        ck_assert_msg(ask_parse(bytes, part, &answer) == ASK_PART, "%zu of %s", part, bytes + 1);
        ck_assert_str_eq(told(&answer), "nothing");
    }
    static const char *const behind[] = {"", "x", "\033", "\033[?1;2c", "\a"};
    for (int i = 0; i < COUNT(behind); i++) {
        struct ask_answer answer = {.complete = false};
        int total = snprintf(longer, sizeof longer, "%s%s", bytes, behind[i]);
        ck_assert_uint_eq(ask_parse(longer, (size_t)total, &answer), length);
        ck_assert_str_eq(told(&answer), row[1]);
    }
}

ROW_TEST(keys_are_no_answers, "ask_keys", .with = &parsing_tests)
{
    struct ask_answer answer = {.complete = false};
    ck_assert_uint_eq(ask_parse(row[0], strlen(row[0]), &answer), 0);
    ck_assert_str_eq(told(&answer), "nothing");
}

/* A string that doesn't end is given up, however it goes on. */
TEST(endless_answer_is_none, .times = 5, .with = &parsing_tests)
{
    static const char *const beginnings[] = {"\033_G", "\033]11;", "\033[?", "\033[6;", "\033P1$r"};
    char bytes[2 * ASK_LONGEST];
    struct ask_answer answer = {.complete = false};
    size_t length = strlen(beginnings[_i]);
    memcpy(bytes, beginnings[_i], length);
    memset(bytes + length, '1', sizeof bytes - length);
    for (; length < ASK_LONGEST; length++)
        ck_assert_uint_eq(ask_parse(bytes, length, &answer), ASK_PART);
    for (; length <= sizeof bytes; length++)
        ck_assert_uint_eq(ask_parse(bytes, length, &answer), 0);
}

/* The i-th of them, from memory, as they are wanted often; NULL behind the last. */
static const char *answer_at(int i)
{
    static char kept[64][64];
    const int count = *kept[0] ? 0 : rows_count("ask_answers");
    for (int j = 0; j < count; j++)
        snprintf(kept[j], sizeof kept[j], "%s", *row_at("ask_answers", j));
    return *kept[i] ? kept[i] : NULL;
}

static unsigned random_number(unsigned *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

/* Of bytes that answers are made of. */
static size_t random_bytes(char *bytes, unsigned *state)
{
    static const char alphabet[] = "\033\033[?];_G\\\a0123456789cStyirgb:/=OK$ \x80\xff";
    size_t length = 1 + random_number(state) % 40, used = 0;
    unsigned count = 0;
    while (answer_at((int)count))
        count++;
    while (used < length) {
        const char *piece = answer_at((int)(random_number(state) % count));
        size_t size = strlen(piece), from = random_number(state) % size;
        if (random_number(state) % 2 == 0)
            bytes[used++] = alphabet[random_number(state) % (sizeof alphabet - 1)];
        else
            for (size_t i = random_number(state) % 2 ? 0 : from; i < size && used < length; i++)
                bytes[used++] = piece[i];
    }
    return length;
}

/* Whatever comes: with fewer bytes than an answer has it is a part, with more the same answer; what
 * is no answer stays none. */
TEST(verdict_on_garbage_never_changes, .with = &parsing_tests)
{
    unsigned state = 1, whole = 0;
    for (int round = 0; round < 100000; round++) {
        char bytes[64];
        size_t length = random_bytes(bytes, &state), verdict = ASK_PART;
        for (size_t part = 1; part <= length; part++) {
            struct ask_answer answer = {.complete = false};
            char *exact = malloc(part); /* so that a sanitizer sees what is read past the end */
            ck_assert_ptr_nonnull(exact);
            memcpy(exact, bytes, part);
            size_t now = ask_parse(exact, part, &answer);
            free(exact);
            if (verdict == ASK_PART)
                ck_assert(now == ASK_PART || now == 0 || now == part);
            else
                ck_assert_uint_eq(now, verdict);
            verdict = now;
        }
        whole += verdict != ASK_PART && verdict > 0;
    }
    ck_assert_uint_gt(whole, 1000);
}

TEST(ground_is_known_by_answer_or_variable, .with = &parsing_tests)
{
    static const struct {
        const char *colorfgbg;
        int ground; /* 0: not known, or black and white as 1 and 2 */
    } variables[] = {{NULL, 0},           {"", 0},
                     {"15;0", 1},         {"0;15", 2},
                     {"0;default;15", 2}, {"15;default;0", 1},
                     {"12;8", 1},         {"0;7", 2},
                     {"0;11", 2},         {"15;6", 1},
                     {"0;default", 0},    {"0;", 0},
                     {"15", 0},           {"0;16", 0},
                     {"0;-7", 0},         {"0;7x", 0},
                     {"0; 7", 0},         {"0;99999999999999999999", 0}};
    struct ask_answer silent = {.complete = true},
                      blue = {.ground_known = true, .ground = {1, 2, 3}};
    struct rgb ground;
    for (int i = 0; i < COUNT(variables); i++) {
        bool known = ask_ground(&silent, variables[i].colorfgbg, &ground);
        ck_assert_msg(known == (variables[i].ground > 0), "%s", variables[i].colorfgbg);
        if (known)
            ck_assert_int_eq(ground.green, variables[i].ground == 2 ? 255 : 0);
        ck_assert(ask_ground(&blue, variables[i].colorfgbg, &ground));
        ck_assert_int_eq(ground.blue, 3);
    }
}

/* ---- The program ---- */

#define WHITE "\033]11;rgb:ffff/ffff/ffff\033\\"
#define DA1   "\033[?62;c"

#define ASKED "\033[c"

#define FRAME_END    "\033[?2026l"
#define ASKED_GROUND "\033]11;?"
#define ASKED_CELL   "\033[16t"
#define ASKED_KITTY  "\033_Gi=31"
#define ASKED_SHARED "\033_Gi=32"
#define ASKED_COLOR  "\033P$qm"

/* Whose questions nobody answers. */
static void start_unanswered(void)
{
    static const char *const arguments[] = {"--set", "heads=all", NULL};
    start_on_example_in((struct pty_setup){.arguments = arguments});
}

/* Among the answers, before and behind them, whole and in part, keys are keys, in their order. */
static const struct {
    const char *typed, *later;
} typed_ahead[] = {
    {"\t\t" DA1, ""},
    {"\t" DA1 "\t", ""},
    {DA1 "\t\t", ""},
    {"\t" WHITE "\t" DA1, ""},
    {WHITE "\t\033[6;17;8t\t\033_Gi=31;OK\033\\" DA1, ""},
    {"\t\t", ""}, /* nothing is answered */
    {"\t\t\033]11;rgb:", "ffff/ffff/ffff\033\\"},
    {"\t\033[3~\t" DA1, ""}, /* a key that has no meaning here */
};

TESTS(.base = &terminal_tests);

TEST(keys_typed_before_the_answers_are_kept, .times = COUNT(typed_ahead))
{
    pty = pty_start(&(struct pty_setup){.before = BEFORE "\n", .typed = typed_ahead[_i].typed});
    pty_expect(pty, "q quit");
    pty_expect(pty, "Enter open");
    pty_type(pty, typed_ahead[_i].later);
    quit();
}

/* Whether an answer that came in parts since then may have been given up: the machine stood still
 * for as long as that takes. */
static bool took_too_long(double begin)
{
    if (clock_milliseconds() - begin < ANSWER_PATIENCE / 2.0)
        return false;
    skip("a late answer, as this machine stood still for longer than one is waited for");
    return true;
}

/* One program is told each third of the answers. */
#define PROGRAMS 3

/* An answer in two parts, wherever it is cut behind its Esc; false where it came too slowly. */
static bool answer_in_parts(const char *bytes)
{
    bool slow = false;
    for (size_t cut = 2; cut <= strlen(bytes) && !slow; cut++) {
        double begin = clock_milliseconds();
        pty_type_bytes(pty, bytes, cut);
        pty_wait_read(pty);
        pty_type(pty, bytes + cut);
        slow = took_too_long(begin);
    }
    return !slow;
}

TEST(late_answers_are_no_keys, .times = PROGRAMS)
{
    start_unanswered();
    struct grid *grid = pty_grid(pty);
    for (int i = _i; i < rows_count("ask_answers"); i += PROGRAMS)
        if (!answer_in_parts(answer_at(i))) {
            free(grid);
            return;
        }
    pty_type(pty, "?");
    pty_expect(pty, "Keys to know");
    pty_type(pty, "\033");
    pty_expect_grid(pty, grid);
    free(grid);
    quit_restored();
}

/* For longer than it is waited for, and other things happen meanwhile. */
TEST(the_rest_of_an_answer_after_a_long_stop_is_no_key)
{
    start_unanswered();
    struct grid *grid = pty_grid(pty);
    pty_type(pty, "\033[?62;");
    pty_wait_read(pty);
    for (double end = clock_milliseconds() + ANSWER_PATIENCE + 100; clock_milliseconds() < end;)
        pty_glance(pty);
    pty_signal(pty, SIGSTOP);
    pty_wait_stopped(pty);
    pty_continue(pty);
    pty_expect_grid(pty, grid);
    pty_type(pty, "c");
    pty_type(pty, "?");
    pty_expect(pty, "Keys to know");
    pty_type(pty, "\033");
    pty_expect_grid(pty, grid);
    free(grid);
    quit_restored();
}

/* Its Esc is a key by then: it closes the help. */
TEST(late_answers_without_their_escape_are_no_keys, .times = PROGRAMS)
{
    start_unanswered();
    struct grid *grid = pty_grid(pty);
    for (int i = _i; i < rows_count("ask_answers"); i += PROGRAMS) {
        pty_type(pty, "?");
        pty_expect(pty, "Keys to know");
        pty_type(pty, "\033");
        pty_expect_grid(pty, grid);
        pty_type(pty, answer_at(i) + 1);
        pty_type(pty, "?");
        pty_expect(pty, "Keys to know");
        pty_type(pty, "q");
        pty_expect_grid(pty, grid);
    }
    free(grid);
    quit();
}

/* An Esc that was a key has nothing to do with the answer that comes soon after. */
TEST(an_answer_behind_escape_is_no_key, .times = 3)
{
    static const char *const late[] = {"\033[?62;c", "\033]11;rgb:12/12/12\033\\", "\033[6;17;8t"};
    start_unanswered();
    struct grid *grid = pty_grid(pty);
    pty_type(pty, "?");
    pty_expect(pty, "Keys to know");
    pty_type(pty, "\033");
    pty_expect_grid(pty, grid);
    pty_type(pty, late[_i]);
    pty_type(pty, "?");
    pty_expect(pty, "Keys to know");
    pty_type(pty, "q");
    pty_expect_grid(pty, grid);
    free(grid);
    quit();
}

/* What begins like an answer and goes on otherwise is keys. */
TEST(keys_that_look_like_answers_are_keys, .times = 5)
{
    static const char *const keys[] = {"\033_\t", "\033]\t", "\033]1\t", "\033_G\t", "\033[\t"};
    start_unanswered();
    pty_type(pty, keys[_i]);
    pty_expect(pty, "q × k");
    quit();
}

/* libgpm, which curses opens on a console, never frees what it asked for. */
#define NO_LEAKS "ASAN_OPTIONS=detect_leaks=0"

TEST(only_what_takes_questions_is_asked, .times = 9)
{
    static const struct {
        const char *environment[3];
        bool asked;
    } terminals[] = {
        {{"TERM=xterm-256color"}, true},   {{"TERM=xterm"}, true},
        {{"TERM=screen-256color"}, true},  {{"TERM=tmux-256color"}, true},
        {{"TERM=linux", NO_LEAKS}, false}, {{"TERM=vt100"}, false},
        {{"TERM=vt220"}, false},           {{"TERM=ansi"}, false},
        {{"TERM=xterm-mono"}, true},
    };
    start_on_example_in((struct pty_setup){.environment = terminals[_i].environment});
    ck_assert_uint_eq(pty_sent(pty, ASKED), terminals[_i].asked);
    quit();
}

/* What options or a multiplexer have settled. */
TEST(what_is_settled_is_not_asked, .times = 15)
{
    static const struct {
        const char *arguments[8], *environment[6];
        bool ground, cell, kitty, shared, color;
    } settled[] = {
        {{NULL}, {DIRECT}, true, true, true, true, true},
        {{"--theme", "dark"}, {DIRECT}, false, true, true, true, true},
        {{"--lines", "braille"}, {DIRECT}, true, false, false, false, true},
        {{"--lines", "blocks", "--theme", "light"}, {DIRECT}, false, false, false, false, true},
        {{"--lines", "blocks", "--theme", "light", "--color", "256"},
         {DIRECT},
         false,
         false,
         false,
         false,
         false},
        {{"--color", "direct"}, {DIRECT}, true, true, true, true, false},
        {{NULL}, {DIRECT, "COLORTERM=truecolor"}, true, true, true, true, false},
        {{NULL}, {DIRECT, "NO_COLOR=1"}, true, true, true, true, false},
        {{NULL}, {DIRECT, "TERM=xterm"}, true, true, true, true, true},
        {{NULL}, {DIRECT, "TERM=xterm-16color"}, true, true, true, true, false},
        {{NULL}, {DIRECT, "TERM=tmux-256color"}, true, true, false, false, false},
        {{NULL}, {DIRECT, "SSH_TTY=/dev/pts/0"}, true, true, true, false, true},
        {{NULL}, {"SSH_CONNECTION=::1 1 ::1 22"}, true, true, true, false, true},
        {{NULL}, {DIRECT, "TMUX=/tmp/tmux-0/default,1,0"}, true, true, true, false, false},
        {{NULL}, {DIRECT, "STY=1.pts-0.here"}, true, true, true, false, false},
    };
    start_on_example_in((struct pty_setup){.arguments = settled[_i].arguments,
                                           .environment = settled[_i].environment});
    const bool any = settled[_i].ground || settled[_i].cell || settled[_i].color;
    ck_assert_uint_eq(pty_sent(pty, ASKED_GROUND), settled[_i].ground);
    ck_assert_uint_eq(pty_sent(pty, ASKED_CELL), settled[_i].cell);
    ck_assert_uint_eq(pty_sent(pty, ASKED_KITTY), settled[_i].kitty);
    ck_assert_uint_eq(pty_sent(pty, ASKED_SHARED), settled[_i].shared && kitty_can_share());
    ck_assert_uint_eq(pty_sent(pty, ASKED_COLOR), settled[_i].color);
    ck_assert_uint_eq(pty_sent(pty, ASKED), any);
    quit();
}

/* ---- The theme that suits the ground ---- */

#define BLACK "\033]11;rgb:0000/0000/0000\033\\"

static const struct {
    const char *typed, *environment[2], *arguments[4], *theme;
} grounds[] = {
    {.typed = DA1, .theme = "dark"},
    {.typed = WHITE DA1, .theme = "light"},
    {.typed = "\033]11;rgb:fdfd/f6f6/e3e3\a" DA1, .theme = "light"},
    {.typed = BLACK DA1, .theme = "dark"},
    {.typed = DA1, .environment = {"COLORFGBG=0;15"}, .theme = "light"},
    {.typed = BLACK DA1, .environment = {"COLORFGBG=0;15"}, .theme = "dark"},
    {.typed = WHITE DA1, .environment = {"COLORFGBG=15;0"}, .theme = "light"},
    {.typed = WHITE DA1, .arguments = {"--theme", "dark"}, .theme = "dark"},
    {.typed = BLACK DA1, .arguments = {"--theme", "light"}, .theme = "light"},
    {.typed = WHITE DA1 "t\r", .theme = "contrast"}, /* the next is "contrast" */
};

/* By the corner that is always blank. */
static void assert_theme(const char *name)
{
    struct theme_indexes indexes;
    theme_indexes(theme_at(theme_number(name)), &indexes);
    struct grid *grid = pty_grid(pty);
    VTermColor back = grid->cells[grid->rows * grid->columns - 1].bg;
    ck_assert(VTERM_COLOR_IS_INDEXED(&back));
    ck_assert_int_eq(back.indexed.idx, indexes.inks[ROLE_GROUND][0]);
    free(grid);
}

TEST(first_theme_suits_the_ground, .times = COUNT(grounds))
{
    start_on_example_in((struct pty_setup){.typed = grounds[_i].typed,
                                           .environment = grounds[_i].environment,
                                           .arguments = grounds[_i].arguments});
    assert_theme(grounds[_i].theme);
    quit();
}

/* Late answers change what is on the screen already: once, when the last of them has come. */
TEST(late_answers_choose_the_theme)
{
    start_unanswered();
    assert_theme("dark");
    size_t frames = pty_sent(pty, FRAME_END);
    pty_type(pty, WHITE);
    pty_wait_read(pty);
    pty_type(pty, DA1);
    pty_expect_sent(pty, FRAME_END, frames + 1);
    assert_theme("light");
    pty_type(pty, WHITE DA1); /* nothing is chosen twice */
    pty_type(pty, "t");
    pty_expect_sent(pty, FRAME_END, frames + 2);
    assert_theme("contrast");
    quit_restored();
}

/* A theme that a key chose meanwhile stays. */
TEST(late_answers_leave_a_chosen_theme)
{
    start_unanswered();
    size_t frames = pty_sent(pty, FRAME_END);
    pty_type(pty, "tt");
    pty_expect_sent(pty, FRAME_END, frames + 1);
    assert_theme("contrast");
    pty_type(pty, WHITE DA1 "?");
    pty_expect(pty, "Keys to know");
    assert_theme("contrast");
    pty_type(pty, "q");
    quit_restored();
}

/* Lines of braille become a picture where the terminal shows some. */
TEST(late_answers_choose_the_lines)
{
    start_unanswered();
    ck_assert_uint_eq(pty_sent(pty, "\033_Ga=T"), 0);
    pty_type(pty, "\033_Gi=31;OK\033\\\033[6;20;10t" DA1);
    pty_expect_sent(pty, "\033_Ga=T", 1);
    quit_restored();
}

#define KEEPS     "\033P1$r0;38:2::61:107:173m\033\\"
#define IN_DIRECT "\033[48;2;18;18;18m" /* the dark theme's ground */

/* In time: no frame has the palette's colours. */
TEST(first_frame_has_direct_colour_where_the_terminal_says_so, .times = 2)
{
    static const char *const terms[] = {"TERM=xterm-256color", "TERM=xterm"};
    start_on_example_in(
        (struct pty_setup){.typed = KEEPS DA1, .environment = (const char *[]){terms[_i], NULL}});
    ck_assert_uint_gt(pty_sent(pty, IN_DIRECT), 0);
    ck_assert_uint_eq(pty_sent(pty, "\033[48;5;233m"), 0);
    quit_restored();
}

/* Too late: with the one frame that late answers cause. */
TEST(late_answers_choose_direct_colour)
{
    start_unanswered();
    size_t frames = pty_sent(pty, FRAME_END);
    ck_assert_uint_eq(pty_sent(pty, IN_DIRECT), 0);
    pty_type(pty, KEEPS DA1);
    pty_expect_sent(pty, FRAME_END, frames + 1);
    ck_assert_uint_gt(pty_sent(pty, IN_DIRECT), 0);
    quit_restored();
}

/* Who answered may be a terminal around the one that was spoken to. */
TEST(a_settled_depth_stays, .times = 2)
{
    static const char *const settled[][2] = {{"NO_COLOR=1"}, {"TERM=xterm-16color"}};
    start_on_example_in((struct pty_setup){.typed = KEEPS DA1, .environment = settled[_i]});
    ck_assert_uint_eq(pty_sent(pty, IN_DIRECT), 0);
    quit();
}

/* Who leaves before the answers come waits for them: they would be the shell's input. */
TEST(answers_after_the_end_are_taken)
{
    double begin = clock_milliseconds();
    start_on_example_in(
        (struct pty_setup){.environment = (const char *[]){"SSH_TTY=/dev/tty", NULL}});
    pty_type(pty, "q");
    pty_expect_gone(pty, "q quit");
    pty_type(pty, WHITE DA1);
    if (clock_milliseconds() - begin > ASK_LONG_PATIENCE / 2.0) {
        skip("an answer after the end, as this machine is too slow for it to come in time");
        return;
    }
    pty_wait_read(pty);
    ck_assert_int_eq(pty_wait_end(pty), 0);
    assert_restored();
}

#define SAVED                                                                                      \
    "{\"headlight\": \"0.1.0\", \"model\": null, \"texts\": [\"fruit flies like a banana\"],"      \
    " \"settings\": {\"theme\": \"dark\"}}"

TEST(saved_theme_wins_over_the_ground)
{
    struct folder folder;
    folder_make(&folder);
    folder_write(&folder, "saved.json", SAVED, strlen(SAVED));
    start_on_example_in(
        (struct pty_setup){.folder = folder.path,
                           .arguments = (const char *[]){"--state", "saved.json", NULL},
                           .typed = WHITE DA1});
    assert_theme("dark");
    quit();
    folder_remove(&folder);
}
