/* check_app_hostile.c: nothing that a text, a name or a message says in the terminal's own language
 * reaches the terminal. */
#include "suites.h"
#include "terminal_helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HOSTILE                                                                                    \
    "\033]0;owned\007 \033[31;5mred \033[2J\033[?1049l\033[?25h \033c \x9b"                        \
    "31m \xc2\x9b"                                                                                 \
    "7m \xc2\x9d"                                                                                  \
    "0;owned\xc2\x9c \016 \b\b\b \r\n \x7f \xe2\x80\xae \xe2\x81\xa6 \xef\xbb\xbf end"

static const char *const hostile[][4] = {
    {HOSTILE, NULL},
    {"--raw-text", HOSTILE, NULL},
    {"--ascii", "the end", HOSTILE, NULL},
};

/* No glyph is a control character, and no attribute is one that headlight never sets. */
static void assert_harmless(void)
{
    struct grid *grid = pty_grid(pty);
    for (int i = 0; i < grid->rows * grid->columns; i++) {
        const VTermScreenCell *cell = &grid->cells[i];
        uint32_t point = cell->chars[0];
        bool control = (point > 0 && point < 0x20) || (point >= 0x7F && point < 0xA0);
        ck_assert_msg(!control, "U+%04X in cell %d", point, i);
        ck_assert(!cell->attrs.blink && !cell->attrs.reverse && !cell->attrs.underline);
    }
    free(grid);
    ck_assert(!pty_titled(pty));
    ck_assert(pty_alternate_screen(pty));
    ck_assert(!pty_cursor_visible(pty));
}

TESTS(.base = &terminal_tests);

TEST(text_cannot_reach_the_terminal, .times = COUNT(hostile))
{
    pty = pty_start(&(struct pty_setup){.arguments = hostile[_i], .before = BEFORE "\n"});
    pty_expect(pty, "end");
    pty_expect(pty, "q quit");
    assert_row_has(0, "  headlight ");
    assert_harmless();
    pty_type(pty, "\t");
    pty_expect(pty, _i == 2 ? "q x k" : "q × k");
    assert_harmless();
    quit_restored();
}

/* The model's name is that of its folder. */
TEST(folder_name_cannot_reach_the_terminal)
{
    char folder[] = "/tmp/headlight-XXXXXX", path[64], target[4096];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_ptr_nonnull(realpath("assets/model", target));
    snprintf(path, sizeof path, "%s/\033]0;owned\a\033[5m", folder);
    ck_assert_int_eq(symlink(target, path), 0);
    const char *arguments[] = {"--model", path, "an end", NULL};
    /* wide enough for the name beside those of the views */
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .columns = 160, .rows = 40});
    pty_expect(pty, "end");
    pty_expect(pty, "^[]0;owned^G^[[5m");
    assert_harmless();
    unlink(path);
    rmdir(folder);
}

TEST(message_cannot_reach_the_terminal)
{
    const char *arguments[] = {"--select", "\033]0;owned\007\033[31m",
                               "--theme",  "dark",
                               "--color",  "256",
                               "--lines",  "braille",
                               "an end",   NULL}; /* nothing is asked */
    pty = pty_start(&(struct pty_setup){.arguments = arguments});
    assert_exited(2);
    ck_assert_uint_eq(pty_escapes(pty), 0);
    pty_expect(pty, "^[]0;owned^G^[[31m");
}

TEST(a_binary_trace_never_reaches_the_terminal)
{
    const char *arguments[] = {"--trace", "-", NULL};
    pty = pty_start(
        &(struct pty_setup){.columns = 200, .arguments = arguments, .before = BEFORE "\n"});
    assert_exited(2);
    assert_row_has(1, "a trace is binary");
    ck_assert_uint_eq(pty_escapes(pty), 0);
}
