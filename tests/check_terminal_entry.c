/* check_terminal_entry.c: the entry that is derived from a terminal's own: direct colour where that
 * hasn't it, colours that are sent only where they change, and nothing else that is different. */
#include "curses_helpers.h"
#include "suites.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <term.h> /* takes common words for its macros */
#undef columns
#undef lines

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
    unsetenv("TERMINFO");
    setenv("COLORTERM", "truecolor", 1);
    if (!open_terminal(plain[_i], NULL))
        return;
    ck_assert_ptr_null(getenv("TERMINFO"));
    ck_assert_int_eq(curses_kind(curses)->depth, DEPTH_DIRECT);
    ck_assert_str_eq(termname(), plain[_i]);
    for (size_t i = 0; theme_at(i); i++) {
        draw_places(theme_at(i));
        assert_glyphs(GLYPHS_BRAILLE);
        assert_all_colors(theme_at(i), 1 << 24);
    }
}

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
    static const char *const names[] = {"setaf", "setab", "initc", "initp", "oc",     "op",   "sgr",
                                        "sgr0",  "setf",  "setb",  "ccc",   "colors", "pairs"};
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

TEST(direct_color_leaves_the_rest_of_the_entry, .times = COUNT(plain))
{
    static const struct curses_wish fewer = {.color = COLOR_16};
    struct entry before, after;
    if (!open_terminal(plain[_i], &fewer))
        return;
    read_entry(&before);
    curses_close(curses);
    setenv("COLORTERM", "truecolor", 1);
    ck_assert(open_terminal(plain[_i], NULL));
    ck_assert_int_eq(curses_kind(curses)->depth, DEPTH_DIRECT);
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

/* ---- What is sent ---- */

/* From now on into a file. */
static void open_file(const char *colorterm)
{
    fclose(curses_output);
    curses_output = tmpfile();
    ck_assert_ptr_nonnull(curses_output);
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

#define AT_END 1 /* curses ends a frame with colours 7 and 0, not bold */

/* curses itself would send a cell's two colours wherever one of them changes, and both again where
 * bold ends. */
TEST(color_is_sent_where_it_changes, .times = COUNT(depths))
{
    open_file(depths[_i]);
    struct canvas *canvas = canvas_new(60, 12, curses_kind(curses)->traits);
    ck_assert(canvas);
    curses_draw(curses, canvas, theme_at(0), false);
    for (int x = 0; x < 10; x += 2) {
        canvas_text(canvas, 0, x, 1, style_bold(ROLE_WARNING), "a");
        canvas_text(canvas, 0, x + 1, 1, style_of(ROLE_TEXT), "b");
    }
    const char *sent = sent_for(canvas);
    ck_assert_msg(count_of(sent, "\033[38;") == 10 + AT_END, "%s", sent);
    ck_assert_msg(count_of(sent, "\033[48;") == 1 + AT_END, "%s", sent);
    ck_assert_msg(count_of(sent, "\033[22m") == 5 + AT_END, "%s", sent);
    canvas_free(canvas);
}

/* Half blocks of one colour each are blanks on that ground. */
TEST(ink_that_is_not_seen_is_not_sent, .times = COUNT(depths))
{
    open_file(depths[_i]);
    struct canvas *canvas = canvas_new(60, 12, curses_kind(curses)->traits);
    ck_assert(canvas);
    curses_draw(curses, canvas, theme_at(0), false);
    for (int x = 0; x < 10; x++) {
        struct ink ink = {x % 2 ? ROLE_NEGATIVE : ROLE_POSITIVE, 8};
        canvas_text(canvas, 0, x, 1, (struct style){.fore = ink, .back = ink}, x < 5 ? "▌" : "▀");
    }
    const char *sent = sent_for(canvas);
    ck_assert_msg(count_of(sent, "\033[38;") == 0, "%s", sent);
    ck_assert_msg(count_of(sent, "\033[48;") == 10 + AT_END && !strstr(sent, "▌"), "%s", sent);
    canvas_text(canvas, 0, 4, 1,
                (struct style){.fore = {ROLE_GROUND, 0}, .back = {ROLE_POSITIVE, 8}}, "▌");
    sent = sent_for(canvas);
    ck_assert_msg(count_of(sent, "\033[38;") == 1 + AT_END && strstr(sent, "▌"), "%s", sent);
    canvas_free(canvas);
}

/* The terminal may have other colours by then: those that were set last are set again. */
TEST(colors_are_sent_anew_after_another_program, .times = COUNT(depths))
{
    char fore[32], back[32];
    open_file(depths[_i]);
    struct canvas *canvas = canvas_new(60, 12, curses_kind(curses)->traits);
    ck_assert(canvas);
    for (int y = 0; y < 12; y++)
        canvas_text(canvas, y, 0, 60, style_of(ROLE_TEXT),
                    "123456789 123456789 123456789 123456789 123456789 123456789 ");
    curses_draw(curses, canvas, theme_at(0), false);
    snprintf(fore, sizeof fore, "\033[38;%s", _i == 0 ? "5;" : "2;");
    snprintf(back, sizeof back, "\033[48;%s", _i == 0 ? "5;" : "2;");
    endwin(); /* which fails, since the input is no terminal */
    ck_assert(isendwin());
    const char *sent = sent_for(canvas), *text = strstr(sent, "1234");
    ck_assert_msg(text && strstr(sent, fore) && strstr(sent, fore) < text, "%s", sent);
    ck_assert_msg(text && strstr(sent, back) && strstr(sent, back) < text, "%s", sent);
    canvas_free(canvas);
}

TEST(leaving_resets_the_colors, .times = COUNT(depths))
{
    open_file(depths[_i]);
    draw_places(theme_at(0));
    off_t before = lseek(fileno(curses_output), 0, SEEK_END);
    curses_close(curses);
    curses = NULL;
    char bytes[4096] = "";
    ck_assert_int_gt(pread(fileno(curses_output), bytes, sizeof bytes - 1, before), 0);
    const char *reset = strstr(bytes, "\033[0m");
    ck_assert_msg(reset && !strstr(reset, "\033[38;") && !strstr(reset, "\033[48;"), "%s", bytes);
}
