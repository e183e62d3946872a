/* check_terminal_entry.c: direct colour where a terminal's entry hasn't it, and what is sent: what
 * has changed. */
#include "curses_helpers.h"
#include "suites.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

TESTS(.base = &curses_tests);

TEST(direct_color_needs_no_entry_of_its_own, .times = COUNT(plain))
{
    setenv("COLORTERM", "truecolor", 1);
    if (!open_terminal(plain[_i], NULL))
        return;
    ck_assert_int_eq(curses_kind(curses)->depth, DEPTH_DIRECT);
    for (size_t i = 0; theme_at(i); i++) {
        draw_places(theme_at(i));
        assert_glyphs(GLYPHS_BRAILLE);
        assert_all_colors(theme_at(i), 1 << 24);
    }
}

/* ---- What is sent ---- */

static void open_depth(const char *colorterm)
{
    setenv("COLORTERM", colorterm, 1);
    ck_assert(open_terminal("xterm-256color", NULL));
}

/* What it takes to draw a canvas after another. */
static const char *sent_for(const struct canvas *canvas)
{
    static char bytes[1 << 16];
    off_t before = lseek(fileno(curses_output), 0, SEEK_END);
    curses_draw(curses, canvas, theme_at(0), false);
    ssize_t length = pread(fileno(curses_output), bytes, sizeof bytes - 1, before);
    ck_assert_int_ge(length, 0);
    bytes[length] = '\0';
    return bytes;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

static const char *const depths[] = {"", "truecolor"};

/* One of a cell's two colours, too, and neither where bold ends. */
TEST(color_is_sent_where_it_changes, .times = COUNT(depths))
{
    open_depth(depths[_i]);
    struct canvas *canvas = canvas_new(60, 12, curses_kind(curses)->traits);
    ck_assert(canvas);
    curses_draw(curses, canvas, theme_at(0), false);
    for (int x = 0; x < 10; x += 2) {
        canvas_text(canvas, 0, x, 1, style_bold(ROLE_WARNING), "a");
        canvas_text(canvas, 0, x + 1, 1, style_of(ROLE_TEXT), "b");
    }
    const char *sent = sent_for(canvas);
    ck_assert_msg(count_of(sent, "\033[38;") == 10, "%s", sent);
    ck_assert_msg(count_of(sent, "\033[48;") == 1, "%s", sent);
    ck_assert_msg(count_of(sent, "\033[22m") == 5, "%s", sent);
    canvas_free(canvas);
}

/* Half blocks of one colour each are blanks on that ground. */
TEST(ink_that_is_not_seen_is_not_sent, .times = COUNT(depths))
{
    open_depth(depths[_i]);
    struct canvas *canvas = canvas_new(60, 12, curses_kind(curses)->traits);
    ck_assert(canvas);
    curses_draw(curses, canvas, theme_at(0), false);
    for (int x = 0; x < 10; x++) {
        struct ink ink = {x % 2 ? ROLE_NEGATIVE : ROLE_POSITIVE, 8};
        canvas_text(canvas, 0, x, 1, (struct style){.fore = ink, .back = ink}, x < 5 ? "▌" : "▀");
    }
    const char *sent = sent_for(canvas);
    ck_assert_msg(count_of(sent, "\033[38;") == 0, "%s", sent);
    ck_assert_msg(count_of(sent, "\033[48;") == 10 && !strstr(sent, "▌"), "%s", sent);
    canvas_text(canvas, 0, 4, 1,
                (struct style){.fore = {ROLE_GROUND, 0}, .back = {ROLE_POSITIVE, 8}}, "▌");
    sent = sent_for(canvas);
    ck_assert_msg(count_of(sent, "\033[38;") == 1 && strstr(sent, "▌"), "%s", sent);
    canvas_free(canvas);
}

/* Whoever comes between, or after, finds the terminal's own colours, and changes none of ours. */
TEST(frames_begin_and_end_without_colors, .times = COUNT(depths))
{
    open_depth(depths[_i]);
    for (int frame = 0; frame < 2; frame++) {
        struct canvas *canvas = canvas_new(60, 12, curses_kind(curses)->traits);
        ck_assert(canvas);
        canvas_print(canvas, 0, 0, 60, style_bold(ROLE_WARNING), "%d", frame);
        const char *sent = sent_for(canvas), *reset = strstr(sent, "\033[39;49m"),
                   *color = strstr(sent, "\033[38;"), *text = strchr(color, '0' + frame);
        ck_assert_msg(reset && color && reset < color, "%s", sent);
        ck_assert_msg(text && strstr(text, "\033[39;49m"), "%s", sent);
        ck_assert_msg(!strstr(strstr(text, "\033[39;49m"), "\033[38;"), "%s", sent);
        canvas_free(canvas);
    }
}
