/* check_terminal_direct.c: direct colour on a terminal whose entry hasn't it: its colours are
 * changed in memory, and nothing else of it. */
#include "curses_helpers.h"
#include "suites.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include <term.h> /* takes common words for its macros */
#undef columns
#undef lines

static struct error error;

static const char *const plain[] = {
    "xterm-256color",
    "tmux-256color",
    "screen-256color",
    "rxvt-unicode-256color",
    "xterm",
    "xterm-kitty",
    "alacritty",
    "foot",
    "konsole-256color",
};

/* curses doesn't free an entry that it is given in the environment, but under another name than the
 * one it looks for. */
static void allow_leaks(void)
{
#ifdef __SANITIZE_ADDRESS__
    __lsan_disable();
#endif
}

/* Makes the sister "STEM-direct" an entry that says nothing, which no terminal can be opened by. It
 * stands in the environment, in the compiled form of term(5): magic number, five sizes, the name.
 */
static const char *hide_sister(const char *term)
{
    static char value[256];
    char sister[64];
    int size = snprintf(sister, sizeof sister, "%.*s-direct", (int)strcspn(term, "-"), term) + 1;
    int length = snprintf(value, sizeof value, "hex:1A01%02X00%016d", size, 0);
    for (int i = 0; i < size; i++)
        length +=
            snprintf(value + length, sizeof value - (size_t)length, "%02X", (unsigned)sister[i]);
    allow_leaks();
    setenv("TERMINFO", value, 1);
    ck_assert_int_ne(curses_check_terminal(sister, fileno(curses_output), &error), STATUS_OK);
    ck_assert_ptr_nonnull(strstr(error.message, "can't place its cursor"));
    return value;
}

START_TEST(direct_color_needs_no_entry_of_its_own)
{
    const char *hidden = hide_sister(plain[_i]);
    setenv("COLORTERM", "truecolor", 1);
    if (!open_terminal(plain[_i], NULL))
        return;
    ck_assert_str_eq(getenv("TERMINFO"), hidden);
    ck_assert_int_eq(curses_depth(curses), DEPTH_DIRECT);
    ck_assert_str_eq(termname(), plain[_i]);
    for (size_t i = 0; theme_at(i); i++) {
        draw_places(theme_at(i));
        assert_glyphs(GLYPHS_BRAILLE);
        assert_all_colors(theme_at(i), 1 << 24);
    }
}
END_TEST

/* What a terminal's entry says beside its colours. */
struct entry {
    char *strings[512];
    int flags[64], numbers[64], extended;
    char *key; /* an extended string */
};

static char *copy_of(const char *name)
{
    char own[16];
    snprintf(own, sizeof own, "%s", name);
    const char *text = tigetstr(own);
    if (text == NULL || text == (char *)-1)
        return NULL;
    return strdup(text);
}

static bool is_of_colour(const char *name)
{
    static const char *const names[] = {"setaf", "setab", "initc", "initp",  "oc",
                                        "setf",  "setb",  "ccc",   "colors", "pairs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void read_entry(struct entry *entry)
{
    char xt[] = "XT", own[16];
    *entry = (struct entry){.extended = tigetflag(xt), .key = copy_of("kUP5")};
    for (size_t i = 0; strnames[i]; i++)
        if (!is_of_colour(strnames[i]))
            entry->strings[i] = copy_of(strnames[i]);
    for (size_t i = 0; numnames[i]; i++)
        if (!is_of_colour(numnames[i])) {
            snprintf(own, sizeof own, "%s", numnames[i]);
            entry->numbers[i] = tigetnum(own);
        }
    for (size_t i = 0; boolnames[i]; i++)
        if (!is_of_colour(boolnames[i])) {
            snprintf(own, sizeof own, "%s", boolnames[i]);
            entry->flags[i] = tigetflag(own);
        }
}

static void free_entry(struct entry *entry)
{
    for (size_t i = 0; strnames[i]; i++)
        free(entry->strings[i]);
    free(entry->key);
}

static void assert_same_text(const char *name, const char *actual, const char *expected)
{
    ck_assert_msg(actual && expected ? strcmp(actual, expected) == 0 : actual == expected,
                  "%s: %s, expected %s", name, actual, expected);
}

START_TEST(direct_color_leaves_the_rest_of_the_entry)
{
    struct entry before, after;
    if (!open_terminal(plain[_i], NULL))
        return;
    read_entry(&before);
    curses_close(curses);
    hide_sister(plain[_i]);
    setenv("COLORTERM", "truecolor", 1);
    ck_assert(open_terminal(plain[_i], NULL));
    ck_assert_int_eq(curses_depth(curses), DEPTH_DIRECT);
    read_entry(&after);
    for (size_t i = 0; strnames[i]; i++)
        assert_same_text(strnames[i], after.strings[i], before.strings[i]);
    ck_assert_mem_eq(after.numbers, before.numbers, sizeof after.numbers);
    ck_assert_mem_eq(after.flags, before.flags, sizeof after.flags);
    ck_assert_int_eq(after.extended, before.extended);
    assert_same_text("kUP5", after.key, before.key);
    free_entry(&before);
    free_entry(&after);
}
END_TEST

Suite *suite_terminal_direct(void)
{
    Suite *suite = suite_create("terminal/direct");
    TCase *tests = curses_case("entries");
    tcase_add_loop_test(tests, direct_color_needs_no_entry_of_its_own, 0, COUNT(plain));
    tcase_add_loop_test(tests, direct_color_leaves_the_rest_of_the_entry, 0, COUNT(plain));
    suite_add_tcase(suite, tests);
    return suite;
}
