/* check_app_version.c: what --version says, in a terminal and without one. */
#include "headlight/app/lists.h"

#include "headlight/base/file.h"
#include "headlight/base/watch.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/thread_pool.h"
#include "headlight/terminal/ask.h"

#include "rows.h"
#include "suites.h"
#include "terminal_helpers.h"

#include <dirent.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Without a terminal ---- */

static char *text;

static void begin(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    setenv("TERM", "xterm-256color", 1);
    unsetenv("COLORTERM");
    unsetenv("NO_COLOR");
    text = NULL;
}

static void end(void)
{
    free(text);
}

static const struct fixture tests_tests = {.begin = begin, .end = end};

static void write_text(bool ascii)
{
    size_t length;
    int signal_number = -1;
    free(text);
    FILE *stream = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(stream);
    version_write(stream, ascii, false, &signal_number);
    ck_assert_int_eq(fclose(stream), 0);
    ck_assert_int_eq(signal_number, 0);
}

/* The line of a fact begins with its name and has the part. */
static void assert_fact(const char *name, const char *part)
{
    char start[32];
    snprintf(start, sizeof start, "\n%-9s", name);
    const char *line = strstr(text, start);
    ck_assert_msg(line != NULL, "no %s in\n%s", name, text);
    const char *found = strstr(line + 1, part), *line_end = strchr(line + 1, '\n');
    ck_assert_msg(found && line_end && found < line_end, "%s without \"%s\":%.*s", name, part,
                  line_end ? (int)(line_end - line) : 0, line);
}

TEST(the_first_line_is_name_and_number, .with = &tests_tests)
{
    static const char first[] = "headlight " HEADLIGHT_VERSION "\n";
    write_text(false);
    ck_assert_int_eq(strncmp(text, first, sizeof first - 1), 0);
    assert_fact("kernels", kernels_now()->name);
    assert_fact("bits", kernels_now()->bits);
}

TEST(colours_and_lines_are_those_that_the_program_would_choose, .with = &tests_tests)
{
    write_text(false);
    assert_fact("colours", "256");
    assert_fact("lines", "braille");
    setenv("COLORTERM", "truecolor", 1);
    write_text(false);
    assert_fact("colours", "direct");
    assert_fact("lines", "quadrants");
    setenv("NO_COLOR", "1", 1);
    write_text(false);
    assert_fact("colours", "none");
    setlocale(LC_CTYPE, "C");
    write_text(true);
    assert_fact("lines", "ASCII");
}

TEST(a_terminal_that_cannot_be_used_is_told, .with = &tests_tests)
{
    static const struct {
        const char *term, *shows;
    } terminals[] = {{NULL, "TERM is not set"},
                     {"dumb", "can't place its cursor"},
                     {"nosuch", "is not in the terminfo database"},
                     {"x\033]0;title\a", "\"x^[]0;title^G\" is not in the terminfo database"}};
    for (int i = 0; i < COUNT(terminals); i++) {
        if (terminals[i].term)
            setenv("TERM", terminals[i].term, 1);
        else
            unsetenv("TERM");
        write_text(false);
        assert_fact("terminal", terminals[i].shows);
        for (const char *at = text; *at; at++)
            ck_assert(*at == '\n' || ((unsigned char)*at >= ' ' && *at != 127));
    }
}

/* ---- In a terminal ---- */

#define DA1      "\033[?62;c"
#define SIXEL    "\033[?62;4c"
#define CELL     "\033[6;17;8t"
#define KITTY    "\033_Gi=31;OK\033\\"
#define KEEPS    "\033P1$r38:2:61:107:173m\033\\"
#define QUESTION "\033[c"

static const char *const arguments[] = {"--version", NULL};

/* The row that begins with a name has the part. */
static void assert_row_of(const char *name, const char *part)
{
    bool found = false;
    for (int row = 0; row < 40 && !found; row++) {
        char *line = pty_row(pty, row);
        if (strncmp(line, name, strlen(name)) == 0) {
            ck_assert_msg(strstr(line, part) != NULL, "without \"%s\": %s", part, line);
            found = true;
        }
        free(line);
    }
    ck_assert_msg(found, "no line %s", name);
}

static void assert_left(void)
{
    assert_exited(0);
    ck_assert(pty_modes_restored(pty));
    ck_assert(pty_cursor_visible(pty));
    ck_assert(!pty_alternate_screen(pty));
}

TESTS(.base = &terminal_tests);

ROW_TEST(a_terminal_says_what_it_shows, "version_screens")
{
    pty = pty_start(
        &(struct pty_setup){.arguments = arguments, .environment = row + 4, .typed = row[0]});
    assert_left();
    assert_row_of("colours ", row[1]);
    assert_row_of("lines ", row[2]);
    assert_row_of("terminal ", row[3]);
}

/* Answers that come when they are asked for leave no trace. */
TEST(no_answer_is_echoed)
{
    double start = clock_milliseconds();
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .before = BEFORE "\n"});
    pty_expect_sent(pty, QUESTION, 1);
    pty_type(pty, KITTY CELL SIXEL);
    assert_left();
    if (clock_milliseconds() - start > ASK_LONG_PATIENCE) {
        skip("an answer in time, as this machine stood still for longer than one is waited for");
        return;
    }
    assert_row(0, BEFORE);
    assert_row(1, "headlight " HEADLIGHT_VERSION);
    assert_row_of("lines ", "pixels, by kitty's protocol");
    ck_assert_uint_eq(pty_sent(pty, "[?62"), 0);
    ck_assert_uint_eq(pty_sent(pty, "8t"), 0);
}

TEST(a_silent_terminal_is_not_waited_for_long)
{
    pty = pty_start(&(struct pty_setup){.arguments = arguments});
    assert_left();
    assert_row_of("lines ", "braille");
}

/* What was typed for the next program stays there, and nothing is asked. */
TEST(lines_typed_ahead_are_left_alone)
{
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .typed = "next\n"});
    assert_left();
    ck_assert_uint_eq(pty_sent(pty, QUESTION), 0);
    assert_row_of("lines ", "braille");
}

TEST(an_interrupt_leaves_the_terminal_as_it_was)
{
    pty = pty_start(&(struct pty_setup){.arguments = arguments});
    pty_expect_sent(pty, QUESTION, 1);
    pty_signal(pty, SIGINT);
    assert_killed(SIGINT);
    ck_assert(pty_modes_restored(pty));
}

/* ---- The number ---- */

/* In no file of the folder. */
static void assert_no_number(const char *folder, const char *end_of_name)
{
    struct error error;
    DIR *stream = opendir(folder);
    ck_assert_ptr_nonnull(stream);
    for (struct dirent *entry; (entry = readdir(stream));) {
        size_t length = strlen(entry->d_name), tail = strlen(end_of_name), size;
        char *path = path_join(folder, entry->d_name), *found;
        bool wanted = length > tail && strcmp(entry->d_name + length - tail, end_of_name) == 0;
        if (wanted) {
            ck_assert_int_eq(file_read(path, (size_t)1 << 24, &found, &size, &error), STATUS_OK);
            ck_assert_msg(!strstr(found, HEADLIGHT_VERSION), "%s has the number", path);
            free(found);
        }
        free(path);
    }
    closedir(stream);
}

/* So that the next one is one edit, in the Makefile. */
TEST(the_number_stands_in_one_place, .with = &tests_tests)
{
    static const char *const floors[] = {"base", "tensor", "text",    "model",  "lens",     "draw",
                                         "view", "lesson", "session", "export", "terminal", "app"};
    char folder[64], define[] = "\nVERSION := " HEADLIGHT_VERSION "\n", *makefile;
    struct error error;
    size_t length;
    for (int i = 0; i < COUNT(floors); i++) {
        snprintf(folder, sizeof folder, "src/%s", floors[i]);
        assert_no_number(folder, ".c");
        snprintf(folder, sizeof folder, "include/headlight/%s", floors[i]);
        assert_no_number(folder, ".h");
    }
    assert_no_number(".", ".md");
    assert_no_number("tests", ".mk");
    ck_assert_int_eq(file_read("Makefile", (size_t)1 << 24, &makefile, &length, &error), STATUS_OK);
    char *at = strstr(makefile, define);
    ck_assert_ptr_nonnull(at);
    ck_assert_ptr_null(strstr(at + sizeof define - 2, HEADLIGHT_VERSION));
    free(makefile);
}
