/* check_terminal_curses.c: the ladder of colours without a terminal. A screen of each kind is
 * opened on /dev/null, drawn on, and read back from what curses believes to be on it. */
#include "curses_helpers.h"
#include "faults.h"
#include "headlight/terminal/restore.h"
#include "headlight/view/actions.h"
#include "rows.h"
#include "suites.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

struct kind {
    const char *term;
    enum depth depth;
    int colors; /* that a number may name; 0 in mono */
    enum glyph_set glyphs;
};

static const struct kind kinds[] = {
    {"xterm-256color", DEPTH_256, 256, GLYPHS_BRAILLE},
    {"screen-256color", DEPTH_256, 256, GLYPHS_BRAILLE},
    {"tmux-256color", DEPTH_256, 256, GLYPHS_BRAILLE},
    {"xterm", DEPTH_16, 8, GLYPHS_BRAILLE},
    {"linux", DEPTH_16, 8, GLYPHS_BLOCKS},
    {"xterm-16color", DEPTH_16, 16, GLYPHS_BRAILLE},
    {"vt100", DEPTH_MONO, 0, GLYPHS_BRAILLE},
    {"vt220", DEPTH_MONO, 0, GLYPHS_BRAILLE},
    {"xterm-direct", DEPTH_DIRECT, 1 << 24, GLYPHS_BRAILLE},
};

static struct error error;

/* ---- The matrix ---- */

TESTS(.base = &curses_tests);

TEST(kind_of_terminal_shows_what_it_can, .times = COUNT(kinds))
{
    const struct kind *kind = &kinds[_i];
    int columns, rows;
    if (!open_terminal(kind->term, NULL))
        return;
    ck_assert_int_eq(curses_kind(curses)->depth, kind->depth);
    ck_assert_int_eq(curses_kind(curses)->traits.glyphs, kind->glyphs);
    ck_assert_int_eq(curses_kind(curses)->traits.mono, kind->depth == DEPTH_MONO);
    columns = curses_kind(curses)->columns;
    rows = curses_kind(curses)->rows;
    ck_assert_int_eq(columns, 60);
    ck_assert_int_eq(rows, 12);
    for (int round = 0; round < 2; round++) /* each theme after the other */
        for (size_t i = 0; theme_at(i); i++) {
            draw_places(theme_at(i));
            assert_glyphs(kind->glyphs);
            assert_all_colors(theme_at(i), kind->colors);
        }
}

#define WISH(depth)                                                                                \
    {                                                                                              \
        .color = (enum color_wish)(depth) + 1                                                      \
    }

static const struct {
    const char *term;
    struct curses_wish wish;
    const char *no_color, *colorterm; /* NULL: not set */
    enum depth depth;
    int colors;
} wishes[] = {
    {"xterm-256color", WISH(DEPTH_16), NULL, NULL, DEPTH_16, 256},
    {"xterm-256color", WISH(DEPTH_MONO), NULL, NULL, DEPTH_MONO, 0},
    {"xterm-256color", WISH(DEPTH_256), "1", NULL, DEPTH_256, 256},
    {"xterm-256color", {0}, "1", NULL, DEPTH_MONO, 0},
    {"xterm-256color", {0}, "1", "truecolor", DEPTH_MONO, 0},
    {"xterm-256color", {0}, "", NULL, DEPTH_256, 256},
    {"xterm-256color", {0}, NULL, "yes", DEPTH_256, 256},
    {"xterm", WISH(DEPTH_256), NULL, NULL, DEPTH_16, 8},
    {"vt100", WISH(DEPTH_16), NULL, NULL, DEPTH_MONO, 0},
    {"linux", {0}, NULL, "truecolor", DEPTH_16, 8},
    {"xterm-direct", WISH(DEPTH_256), NULL, NULL, DEPTH_16, 8},
    {"xterm-direct", WISH(DEPTH_16), NULL, NULL, DEPTH_16, 8},
    {"xterm-direct", WISH(DEPTH_MONO), NULL, NULL, DEPTH_MONO, 0},
    {"xterm-direct", {0}, "1", NULL, DEPTH_MONO, 0},
};

static void set_if_given(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
}

TEST(wish_is_followed_where_it_can_be, .times = COUNT(wishes))
{
    set_if_given("NO_COLOR", wishes[_i].no_color);
    set_if_given("COLORTERM", wishes[_i].colorterm);
    if (!open_terminal(wishes[_i].term, &wishes[_i].wish))
        return;
    ck_assert_int_eq(curses_kind(curses)->depth, wishes[_i].depth);
    ck_assert_int_eq(curses_kind(curses)->traits.mono, wishes[_i].depth == DEPTH_MONO);
    draw_places(theme_at(0));
    assert_all_colors(theme_at(0), wishes[_i].colors);
}

/* Direct colour by COLORTERM or by wish, for a terminal whose own entry hasn't it. */
TEST(direct_color_is_taken_where_it_is_told_of, .times = 3)
{
    static const struct curses_wish wished = {.color = COLOR_DIRECT};
    setenv("COLORTERM", _i == 0 ? "truecolor" : _i == 1 ? "24bit" : "", 1);
    ck_assert(open_terminal(kinds[0].term, _i == 2 ? &wished : NULL));
    ck_assert_int_eq(curses_kind(curses)->depth, DEPTH_DIRECT);
    draw_places(theme_at(0));
    assert_all_colors(theme_at(0), 1 << 24);
}

/* ---- What is drawn ---- */

TEST(ascii_can_be_wished, .times = COUNT(kinds) - 1)
{
    static const struct curses_wish ascii = {.ascii = true};
    if (!open_terminal(kinds[_i].term, &ascii))
        return;
    ck_assert_int_eq(curses_kind(curses)->traits.glyphs, GLYPHS_ASCII);
    draw_places(theme_at(0));
    assert_glyphs(GLYPHS_ASCII);
}

/* Ink is not seen on a blank: a change of it is not worth sending. Where the terminal's entry is
 * derived, a blank has ink 0, which is never sent; else it keeps the ink before it, but at a row's
 * end blanks stay plain to be erased. */
TEST(blanks_have_no_ink_of_their_own, .times = COUNT(kinds))
{
    if (!open_terminal(kinds[_i].term, NULL))
        return;
    struct canvas *canvas = canvas_new(60, 12, curses_kind(curses)->traits);
    ck_assert(canvas);
    canvas_text(canvas, 0, 0, 9, style_of(ROLE_WARNING), "a");
    canvas_text(canvas, 0, 3, 9, style_of(ROLE_WARNING), "b");
    canvas_fill(canvas, (struct area){1, 1, 1, 2}, (struct style){.back = ink_full(ROLE_CURSOR)});
    canvas_text(canvas, 1, 3, 9, style_of(ROLE_WARNING), "b");
    curses_draw(curses, canvas, theme_at(0), false);
    struct shown sign = shown_at(0, 0), between = shown_at(0, 2), after = shown_at(0, 4),
                 filled = shown_at(1, 1), never = shown_at(5, 0);
    ck_assert_int_eq(between.fore, kinds[_i].depth == DEPTH_256 ? 0 : sign.fore);
    ck_assert_int_eq(between.back, sign.back);
    ck_assert_int_eq(after.fore, never.fore);
    ck_assert_int_eq(after.back, never.back);
    ck_assert(filled.back != sign.back || filled.attributes & A_REVERSE);
    canvas_free(canvas);
}

/* Both halves of a block are areas: with 8 colours, too, equal ones look equal. */
TEST(halves_of_a_block_are_as_faint, .times = 2)
{
    const struct ink faint = {ROLE_HUE, 2};
    const struct theme *theme = theme_at((size_t)_i);
    ck_assert(open_terminal("xterm", NULL));
    struct canvas *canvas = canvas_new(60, 12, curses_kind(curses)->traits);
    ck_assert(canvas && theme);
    canvas_text(canvas, 1, 1, 1, (struct style){.fore = faint, .back = faint}, "▀");
    curses_draw(curses, canvas, theme, false);
    struct shown shown = shown_at(1, 1);
    ck_assert_int_eq(shown.fore, shown.back);
    canvas_free(canvas);
}

TEST(canvas_of_another_size_is_cut)
{
    ck_assert(open_terminal(kinds[0].term, NULL));
    ck_assert_int_eq(resizeterm(6, 20), OK);
    draw_places(theme_at(0));
    assert_glyph(0, 0, L"f");
    ck_assert_int_eq(resizeterm(20, 100), OK);
    draw_places(theme_at(0));
    assert_glyphs(GLYPHS_BRAILLE);
    assert_glyph(19, 99, L" ");
}

TEST(input_at_its_end_gives_no_key)
{
    ck_assert(open_terminal(kinds[0].term, NULL));
    ck_assert_int_eq(curses_read(curses).event, CURSES_NOTHING);
}

static void give_input(const char *bytes)
{
    fclose(curses_input);
    curses_input = tmpfile();
    ck_assert(curses_input && fputs(bytes, curses_input) >= 0);
    rewind(curses_input);
}

/* The caps of a VT220 say Find, Select and Help; screen's and a VT100's entry lack some. */

ROW_TEST(function_key_goes_by_its_place_on_the_keyboard, "function_keys")
{
    struct curses_input input;
    give_input(row[1]);
    if (!open_terminal(row[0], NULL))
        return;
    input = curses_read(curses);
    ck_assert_int_eq(input.event, CURSES_KEY);
    ck_assert_uint_eq(input.key,
                      *row[2] == '-' ? (uint32_t)KEY_CODE_NONE : key_named(row[2], strlen(row[2])));
    ck_assert_int_eq(curses_read(curses).event, CURSES_NOTHING);
}

/* Reports in SGR's form and in X10's; those that mean nothing, or can't be reports, and the key
 * behind them. */
static const struct {
    const char *term, *bytes;
    struct curses_input input;
} reports[] = {
#define SGR "xterm-256color"
#define X10 "screen-256color"
    {SGR, "\033[<0;5;7M", {CURSES_CLICK, 0, 6, 4, NULL, 0}},
    {SGR, "\033[<20;5;7M", {CURSES_CLICK, 0, 6, 4, NULL, 0}}, /* with Shift and Ctrl */
    {SGR, "\033[<32;500;7M", {CURSES_HOVER, 0, 6, 499, NULL, 0}},
    {SGR, "\033[<35;5;7M", {CURSES_HOVER, 0, 6, 4, NULL, 0}},
    {SGR, "\033[<64;5;7M", {CURSES_KEY, KEY_CODE_UP, 0, 0, NULL, 0}},
    {SGR, "\033[<69;5;7M", {CURSES_KEY, KEY_CODE_DOWN, 0, 0, NULL, 0}},
    {SGR, "\033[<0;5;7m\033[<2;5;7M\033[<2;5;7m\033[<66;5;7Mx", {CURSES_KEY, 'x', 0, 0, NULL, 0}},
    {SGR, "\033[<0;5x", {CURSES_KEY, 'x', 0, 0, NULL, 0}},
    {SGR, "\033[<0;5;7;x", {CURSES_KEY, ';', 0, 0, NULL, 0}},
    {SGR, "\033[<0;123456789;7M", {CURSES_KEY, '7', 0, 0, NULL, 0}},
    {SGR, "\033[<\033OA", {CURSES_KEY, KEY_CODE_UP, 0, 0, NULL, 0}},
    {SGR, "\033[<0\033[<0;5;7M", {CURSES_CLICK, 0, 6, 4, NULL, 0}},
    {X10, "\033[M %'", {CURSES_CLICK, 0, 6, 4, NULL, 0}},
    {X10, "\033[M \177m", {CURSES_CLICK, 0, 76, 94, NULL, 0}},
    {X10, "\033[M \377!", {CURSES_CLICK, 0, 0, 222, NULL, 0}},
    {X10, "\033[Ma%'", {CURSES_KEY, KEY_CODE_DOWN, 0, 0, NULL, 0}},
    {X10, "\033[M#%'\033[M\"%'x", {CURSES_KEY, 'x', 0, 0, NULL, 0}},
    {X10, "\033[M %\033OA", {CURSES_KEY, KEY_CODE_UP, 0, 0, NULL, 0}},
};

TEST(mouse_reports_are_read, .times = COUNT(reports))
{
    const struct curses_input *expected = &reports[_i].input;
    struct curses_input input;
    give_input(reports[_i].bytes);
    if (!open_terminal(reports[_i].term, NULL))
        return;
    meta(NULL, TRUE); /* bytes have eight bits, as on a terminal that says so */
    do
        input = curses_read(curses);
    while (input.event == CURSES_PASSED);
    ck_assert_int_eq(input.event, expected->event);
    ck_assert_uint_eq(input.key, expected->key);
    ck_assert_int_eq(input.y, expected->y);
    ck_assert_int_eq(input.x, expected->x);
}

/* Curses finds nothing once, wherever in the answer, as when its next byte is just coming. */
TEST(answer_that_comes_between_two_looks_is_no_key, .times = sizeof "\033[?62;c" - 1)
{
    const struct fault fault = {.kind = FAULT_KEY, .nth = (size_t)_i + 1};
    struct curses_input input;
    if (!faults_work())
        return;
    give_input("\033[?62;cq");
    ck_assert(open_terminal(kinds[0].term, NULL));
    faults_begin(&fault);
    do
        input = curses_read(curses);
    while (input.event == CURSES_NOTHING || input.key == KEY_CODE_ESCAPE);
    ck_assert_uint_eq(faults_end(), 1);
    ck_assert_int_eq(input.event, CURSES_KEY);
    ck_assert_uint_eq(input.key, 'q');
}

/* What is written while keys are read would not end when the program is asked to. */
TEST(reading_writes_nothing)
{
    fclose(curses_output);
    curses_output = tmpfile();
    ck_assert(curses_output && open_terminal(kinds[0].term, NULL));
    draw_places(theme_at(0));
    off_t written = lseek(fileno(curses_output), 0, SEEK_END);
    ck_assert_int_eq(resizeterm(20, 100), OK);
    ck_assert_int_eq(curses_read(curses).event, CURSES_RESIZED);
    ck_assert_int_eq(curses_read(curses).event, CURSES_NOTHING);
    ck_assert_int_eq(lseek(fileno(curses_output), 0, SEEK_END), written);
}

/* Where there is no other screen to go back to, the shell's prompt comes where the hints were. */
TEST(last_line_is_cleared_at_the_end, .times = 3)
{
    static const char *const terms[] = {"vt220", "screen-256color", "vt100"};
    char end[8] = "";
    fclose(curses_output);
    curses_output = tmpfile();
    ck_assert(curses_output);
    if (!open_terminal(terms[_i], NULL))
        return;
    draw_places(theme_at(0));
    curses_close(curses);
    curses = NULL;
    ck_assert_int_gt(lseek(fileno(curses_output), -3, SEEK_END), 0);
    ck_assert_int_eq(read(fileno(curses_output), end, sizeof end), 3);
    ck_assert_str_eq(end, "\033[K");
}

/* The terminal may have been given back by then. */
TEST(nothing_is_written_once_it_is_to_end)
{
    fclose(curses_output);
    curses_output = tmpfile();
    ck_assert(curses_output && open_terminal(kinds[0].term, NULL));
    restore_arm(-1);
    raise(SIGTERM);
    restore_wait(-1, -1, 20000);
    ck_assert_int_eq(restore_signal(), SIGTERM);
    off_t written = lseek(fileno(curses_output), 0, SEEK_END);
    curses_set_paste(curses, true);
    draw_places(theme_at(0));
    ck_assert_int_eq(lseek(fileno(curses_output), 0, SEEK_END), written);
    restore_disarm();
}

/* ---- Refusals ---- */

static const struct {
    const char *term, *message;
} refused[] = {
    {"no-such-terminal", "\"no-such-terminal\" is not in"},
    {"dumb", "\"dumb\" can't place its cursor"},
    {"", "TERM is not set"},
    {NULL, "TERM is not set"},
};

TEST(unusable_terminal_is_refused, .times = COUNT(refused))
{
    static const struct curses_wish none;
    unsetenv("TERM");
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    enum status status = curses_open(&curses, refused[_i].term, file, curses_input, &none, &error);
    ck_assert_int_eq(status, STATUS_UNSUPPORTED);
    ck_assert_ptr_null(curses);
    ck_assert_msg(strstr(error.message, refused[_i].message) != NULL, "%s", error.message);
    ck_assert_int_eq(lseek(fileno(file), 0, SEEK_END), 0);
    fclose(file);
}

/* Another thread may be reading it by then. */
TEST(opening_leaves_the_environment_alone)
{
    const struct winsize size = {.ws_row = 30, .ws_col = 100};
    int columns, rows, master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    fclose(curses_output);
    curses_output = fopen(ptsname(master), "r+");
    ck_assert_ptr_nonnull(curses_output);
    ck_assert_int_eq(ioctl(fileno(curses_output), TIOCSWINSZ, &size), 0);
    ck_assert(open_terminal("xterm", NULL));
    ck_assert_str_eq(getenv("LINES"), "12");
    ck_assert_str_eq(getenv("COLUMNS"), "60");
    columns = curses_kind(curses)->columns;
    rows = curses_kind(curses)->rows;
    ck_assert_int_eq(columns, 100);
    ck_assert_int_eq(rows, 30);
    curses_prepare_size(curses_output);
    ck_assert_str_eq(getenv("LINES"), "30");
    ck_assert_str_eq(getenv("COLUMNS"), "100");
    curses_close(curses);
    curses = NULL;
    close(master);
}
