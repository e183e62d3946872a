/* check_terminal_curses.c: the ladder of colours without a terminal. A screen of each kind is
 * opened on /dev/null, drawn on, and read back from what curses believes to be on it. */
#include "headlight/draw/strokes.h"
#include "headlight/terminal/curses.h"
#include "headlight/terminal/restore.h"
#include "suites.h"

#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include <curses.h>

#include <term.h> /* takes common words for its macros */
#undef columns
#undef lines

/* The kinds of terminal. `base` entries are part of every ncurses (ncurses-base); without one of
 * the others there is nothing to test. */
struct kind {
    const char *term;
    enum depth depth;
    int colors; /* that a number may name; 0 in mono */
    enum glyph_set glyphs;
    bool base;
};

static const struct kind kinds[] = {
    {"xterm-256color", DEPTH_256, 256, GLYPHS_BRAILLE, true},
    {"screen-256color", DEPTH_256, 256, GLYPHS_BRAILLE, true},
    {"tmux-256color", DEPTH_256, 256, GLYPHS_BRAILLE, true},
    {"xterm", DEPTH_16, 8, GLYPHS_BRAILLE, true},
    {"linux", DEPTH_16, 8, GLYPHS_BLOCKS, true},
    {"xterm-16color", DEPTH_16, 16, GLYPHS_BRAILLE, false},
    {"vt100", DEPTH_MONO, 0, GLYPHS_BRAILLE, true},
    {"xterm-direct", DEPTH_DIRECT, 1 << 24, GLYPHS_BRAILLE, false},
};

static struct curses *curses;
static FILE *output, *input;
static struct error error;

static void open_streams(void)
{
    output = fopen("/dev/null", "w");
    input = fopen("/dev/null", "r");
    ck_assert(output && input);
    ck_assert_str_eq(nl_langinfo(CODESET), "UTF-8");
    unsetenv("COLORTERM");
    unsetenv("NO_COLOR");
    setenv("COLUMNS", "60", 1);
    setenv("LINES", "12", 1);
}

static void close_streams(void)
{
    curses_close(curses);
    curses = NULL;
    fclose(output);
    fclose(input);
}

/* False, and said, when this machine lacks the entry and may. */
static bool open_kind(const struct kind *kind, const struct curses_wish *wish)
{
    static const struct curses_wish none;
    enum status status =
        curses_open(&curses, kind->term, output, input, wish ? wish : &none, &error);
    if (status != STATUS_OK && !kind->base) {
        skip(error.message);
        return false;
    }
    ck_assert_msg(status == STATUS_OK, "%s: %s", kind->term, error.message);
    return true;
}

/* ---- What is on the screen ---- */

struct shown {
    wchar_t text[CCHARW_MAX + 1];
    attr_t attributes;
    int fore, back; /* -1: the terminal's own */
};

static struct shown shown_at(int y, int x)
{
    struct shown shown = {.text = L""};
    cchar_t cell;
    short small;
    int pair = 0;
    ck_assert_int_eq(mvwin_wch(curscr, y, x, &cell), OK);
    ck_assert_int_eq(getcchar(&cell, shown.text, &shown.attributes, &small, &pair), OK);
    if (pair == 0)
        shown.fore = shown.back = -1;
    else
        ck_assert_int_eq(extended_pair_content(pair, &shown.fore, &shown.back), OK);
    shown.attributes &= A_BOLD | A_DIM | A_REVERSE | A_UNDERLINE | A_BLINK;
    return shown;
}

/* One style per place. */
enum place { PLACE_TEXT, PLACE_FAINT, PLACE_BOLD, PLACE_MARKED, PLACE_BAND, PLACE_LINE, PLACES };

static const struct {
    int y, x;
    const char *text; /* NULL: drawn another way */
} places[PLACES] = {
    [PLACE_TEXT] = {0, 0, "flies"},  [PLACE_FAINT] = {1, 0, "faint"}, [PLACE_BOLD] = {2, 0, "é漢b"},
    [PLACE_MARKED] = {3, 0, "here"}, [PLACE_BAND] = {4, 3, "▒"},      [PLACE_LINE] = {6, 1, NULL},
};

static struct style style_at(enum place place)
{
    struct style style = style_of(ROLE_TEXT);
    if (place == PLACE_FAINT)
        style = style_of(ROLE_FAINT);
    else if (place == PLACE_BOLD)
        style = style_bold(ROLE_STRONG); /* black in the light theme */
    else if (place == PLACE_MARKED)
        style.back = ink_full(ROLE_CURSOR);
    else if (place == PLACE_BAND)
        style = (struct style){.fore = {ROLE_NEGATIVE, 9}, .back = {ROLE_GROUND, 0}};
    else if (place == PLACE_LINE)
        style = (struct style){.fore = ink_head(5, 13), .stroke = true, .strength = 13};
    return style;
}

static void draw(const struct theme *theme)
{
    struct canvas *canvas = canvas_new(60, 12, curses_traits(curses));
    const struct stroke stroke = {1.5F, 1.5F, 0.4F, ink_head(5, 13)};
    ck_assert(canvas);
    for (enum place place = 0; place < PLACES; place++)
        if (places[place].text)
            canvas_text(canvas, places[place].y, places[place].x, 20, style_at(place),
                        places[place].text);
    ck_assert_int_eq(strokes_draw(canvas, (struct area){5, 0, 3, 40}, &stroke, 1, &error),
                     STATUS_OK);
    curses_draw(curses, canvas, theme, false);
    canvas_free(canvas);
}

/* The colour number that the terminal is told; for 8 colours see fore_of_8. */
static int color_number(const struct theme *theme, struct style style, bool back)
{
    struct theme_indexes indexes;
    struct ink ink = back ? style.back : style.fore;
    struct rgb rgb = theme_rgb(theme, ink);
    int direct = rgb.red << 16 | rgb.green << 8 | rgb.blue;
    switch (curses_depth(curses)) {
    case DEPTH_DIRECT:
        return direct < 256 ? direct | 256 : direct;
    case DEPTH_256:
        theme_indexes(theme, &indexes);
        return theme_index_of(&indexes, style, back);
    case DEPTH_16:
        return back && ink.level == 0 ? -1 : theme_ansi(theme, ink);
    case DEPTH_MONO:
        break;
    }
    return -1;
}

/* The bright half of 16 colours on a terminal that has 8: bold, but what is faint must not shine.
 */
static int fore_of_8(int color, attr_t *attributes)
{
    if (color < 8)
        return color;
    if (color == 8)
        return 7;
    *attributes |= A_BOLD;
    return color - 8;
}

static void assert_colors(const struct theme *theme, enum place place, int colors)
{
    struct shown shown = shown_at(places[place].y, places[place].x);
    struct style style = style_at(place);
    attr_t attributes = style.bold ? A_BOLD : A_NORMAL;
    int fore = color_number(theme, style, false);
    int back = color_number(theme, style, true);
    if (colors == 8) {
        fore = fore_of_8(fore, &attributes);
        back = back >= 8 ? back - 8 : back;
    }
    ck_assert_msg(shown.fore == fore, "place %d: foreground %d, expected %d", place, shown.fore,
                  fore);
    ck_assert_msg(shown.back == back, "place %d: background %d, expected %d", place, shown.back,
                  back);
    ck_assert_msg(shown.attributes == attributes, "place %d: attributes %#lx, expected %#lx", place,
                  (unsigned long)shown.attributes, (unsigned long)attributes);
}

static void assert_all_colors(const struct theme *theme, int colors)
{
    for (enum place place = 0; place < PLACES; place++)
        assert_colors(theme, place, colors);
}

static void assert_mono(void)
{
    static const attr_t attributes[PLACES] = {
        [PLACE_FAINT] = A_DIM,
        [PLACE_BOLD] = A_BOLD,
        [PLACE_MARKED] = A_REVERSE,
        [PLACE_LINE] = A_BOLD,
    };
    for (enum place place = 0; place < PLACES; place++) {
        struct shown shown = shown_at(places[place].y, places[place].x);
        ck_assert_int_eq(shown.fore, -1);
        ck_assert_int_eq(shown.back, -1);
        ck_assert_msg(shown.attributes == attributes[place], "place %d: attributes %#lx", place,
                      (unsigned long)shown.attributes);
    }
}

static void assert_glyph(int y, int x, const wchar_t *text)
{
    struct shown shown = shown_at(y, x);
    ck_assert_msg(wcscmp(shown.text, text) == 0, "row %d, column %d: U+%04X, expected U+%04X", y, x,
                  (unsigned)shown.text[0], (unsigned)text[0]);
}

static void assert_glyphs(enum glyph_set glyphs)
{
    bool ascii = glyphs == GLYPHS_ASCII;
    assert_glyph(0, 0, L"f");
    assert_glyph(0, 4, L"s");
    assert_glyph(0, 5, L" ");
    if (!ascii) {
        assert_glyph(2, 0, L"é");
        assert_glyph(2, 1, L"漢");
        assert_glyph(2, 3, L"b");
        assert_glyph(4, 3, L"▒");
    }
    assert_glyph(6, 1, glyphs == GLYPHS_BRAILLE ? L"⠿" : glyphs == GLYPHS_BLOCKS ? L"█" : L"%");
}

/* ---- The matrix ---- */

START_TEST(kind_of_terminal_shows_what_it_can)
{
    const struct kind *kind = &kinds[_i];
    int columns, rows;
    if (!open_kind(kind, NULL))
        return;
    ck_assert_int_eq(curses_depth(curses), kind->depth);
    ck_assert_int_eq(curses_traits(curses).glyphs, kind->glyphs);
    ck_assert_int_eq(curses_traits(curses).mono, kind->depth == DEPTH_MONO);
    curses_size(curses, &columns, &rows);
    ck_assert_int_eq(columns, 60);
    ck_assert_int_eq(rows, 12);
    for (int round = 0; round < 2; round++) /* each theme after the other */
        for (size_t i = 0; theme_at(i); i++) {
            draw(theme_at(i));
            assert_glyphs(kind->glyphs);
            if (kind->depth == DEPTH_MONO)
                assert_mono();
            else
                assert_all_colors(theme_at(i), kind->colors);
        }
}
END_TEST

static const struct {
    struct kind kind;
    struct curses_wish wish;
    const char *no_color, *colorterm; /* NULL: not set */
    enum depth depth;
    int colors;
} wishes[] = {
    {{.term = "xterm-256color", .base = true},
     {true, DEPTH_16, false, false},
     NULL,
     NULL,
     DEPTH_16,
     256},
    {{.term = "xterm-256color", .base = true},
     {true, DEPTH_MONO, false, false},
     NULL,
     NULL,
     DEPTH_MONO,
     0},
    {{.term = "xterm-256color", .base = true},
     {true, DEPTH_256, false, false},
     "1",
     NULL,
     DEPTH_256,
     256},
    {{.term = "xterm-256color", .base = true}, {0}, "1", NULL, DEPTH_MONO, 0},
    {{.term = "xterm-256color", .base = true}, {0}, "1", "truecolor", DEPTH_MONO, 0},
    {{.term = "xterm-256color", .base = true}, {0}, "", NULL, DEPTH_256, 256},
    {{.term = "xterm-256color", .base = true}, {0}, NULL, "yes", DEPTH_256, 256},
    {{.term = "xterm", .base = true}, {true, DEPTH_256, false, false}, NULL, NULL, DEPTH_16, 8},
    {{.term = "vt100", .base = true}, {true, DEPTH_16, false, false}, NULL, NULL, DEPTH_MONO, 0},
    {{.term = "linux", .base = true}, {0}, NULL, "truecolor", DEPTH_16, 8},
    {{.term = "xterm-direct"}, {true, DEPTH_256, false, false}, NULL, NULL, DEPTH_16, 8},
    {{.term = "xterm-direct"}, {true, DEPTH_16, false, false}, NULL, NULL, DEPTH_16, 8},
    {{.term = "xterm-direct"}, {true, DEPTH_MONO, false, false}, NULL, NULL, DEPTH_MONO, 0},
    {{.term = "xterm-direct"}, {0}, "1", NULL, DEPTH_MONO, 0},
};

static void set_or_unset(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
}

START_TEST(wish_is_followed_where_it_can_be)
{
    set_or_unset("NO_COLOR", wishes[_i].no_color);
    set_or_unset("COLORTERM", wishes[_i].colorterm);
    if (!open_kind(&wishes[_i].kind, &wishes[_i].wish))
        return;
    ck_assert_int_eq(curses_depth(curses), wishes[_i].depth);
    ck_assert_int_eq(curses_traits(curses).mono, wishes[_i].depth == DEPTH_MONO);
    draw(theme_at(0));
    if (wishes[_i].depth == DEPTH_MONO)
        assert_mono();
    else
        assert_all_colors(theme_at(0), wishes[_i].colors);
}
END_TEST

/* Direct colour by COLORTERM or by wish, for a terminal whose own entry hasn't it. */
START_TEST(direct_color_is_taken_where_it_is_told_of)
{
    static const struct curses_wish wished = {.color_chosen = true, .color = DEPTH_DIRECT};
    setenv("COLORTERM", _i == 0 ? "truecolor" : _i == 1 ? "24bit" : "", 1);
    ck_assert(open_kind(&kinds[0], _i == 2 ? &wished : NULL));
    ck_assert_int_eq(curses_depth(curses), DEPTH_DIRECT);
    draw(theme_at(0));
    assert_all_colors(theme_at(0), 1 << 24);
}
END_TEST

/* ---- Direct colour without an entry that has it ---- */

static const struct kind plain[] = {
    {.term = "xterm-256color", .base = true},
    {.term = "tmux-256color", .base = true},
    {.term = "screen-256color", .base = true},
    {.term = "rxvt-unicode-256color", .base = true},
    {.term = "xterm", .base = true},
    {.term = "xterm-kitty"},
    {.term = "alacritty"},
    {.term = "foot"},
    {.term = "konsole-256color"},
};

START_TEST(direct_color_needs_no_entry_of_its_own)
{
    unsetenv("TERMINFO");
    setenv("COLORTERM", "truecolor", 1);
    if (!open_kind(&plain[_i], NULL))
        return;
    ck_assert_ptr_null(getenv("TERMINFO"));
    ck_assert_int_eq(curses_depth(curses), DEPTH_DIRECT);
    ck_assert_str_eq(termname(), plain[_i].term);
    for (size_t i = 0; theme_at(i); i++) {
        draw(theme_at(i));
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

START_TEST(direct_color_leaves_the_rest_of_the_entry)
{
    static const struct curses_wish fewer = {.color_chosen = true, .color = DEPTH_16};
    struct entry before, after;
    if (!open_kind(&plain[_i], &fewer))
        return;
    read_entry(&before);
    curses_close(curses);
    setenv("COLORTERM", "truecolor", 1);
    ck_assert(open_kind(&plain[_i], NULL));
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

START_TEST(ascii_can_be_wished)
{
    static const struct curses_wish ascii = {.ascii = true};
    if (!open_kind(&kinds[_i], &ascii))
        return;
    ck_assert_int_eq(curses_traits(curses).glyphs, GLYPHS_ASCII);
    draw(theme_at(0));
    assert_glyphs(GLYPHS_ASCII);
}
END_TEST

/* Ink is not seen on a blank: a change of it is not worth sending. Where the terminal's entry is
 * derived, a blank has ink 0, which is never sent; else it keeps the ink before it, but at a row's
 * end blanks stay plain to be erased. */
START_TEST(blanks_have_no_ink_of_their_own)
{
    if (!open_kind(&kinds[_i], NULL))
        return;
    struct canvas *canvas = canvas_new(60, 12, curses_traits(curses));
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
END_TEST

/* ---- What is sent ---- */

/* From now on into a file. */
static void open_file(const char *colorterm)
{
    fclose(output);
    output = tmpfile();
    ck_assert_ptr_nonnull(output);
    setenv("COLORTERM", colorterm, 1);
    ck_assert(open_kind(&kinds[0], NULL));
}

/* What it takes to draw a canvas after another. */
static const char *sent_for(const struct canvas *canvas)
{
    static char bytes[1 << 16];
    off_t before = lseek(fileno(output), 0, SEEK_END);
    curses_draw(curses, canvas, theme_at(0), false);
    ssize_t length = pread(fileno(output), bytes, sizeof bytes - 1, before);
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
START_TEST(color_is_sent_where_it_changes)
{
    open_file(depths[_i]);
    struct canvas *canvas = canvas_new(60, 12, curses_traits(curses));
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
END_TEST

/* Half blocks of one colour each are blanks on that ground. */
START_TEST(ink_that_is_not_seen_is_not_sent)
{
    open_file(depths[_i]);
    struct canvas *canvas = canvas_new(60, 12, curses_traits(curses));
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
END_TEST

/* The terminal may have other colours by then: those that were set last are set again. */
START_TEST(colors_are_sent_anew_after_another_program)
{
    char fore[32], back[32];
    open_file(depths[_i]);
    struct canvas *canvas = canvas_new(60, 12, curses_traits(curses));
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
END_TEST

START_TEST(leaving_resets_the_colors)
{
    open_file(depths[_i]);
    draw(theme_at(0));
    off_t before = lseek(fileno(output), 0, SEEK_END);
    curses_close(curses);
    curses = NULL;
    char bytes[4096] = "";
    ck_assert_int_gt(pread(fileno(output), bytes, sizeof bytes - 1, before), 0);
    const char *reset = strstr(bytes, "\033[0m");
    ck_assert_msg(reset && !strstr(reset, "\033[38;") && !strstr(reset, "\033[48;"), "%s", bytes);
}
END_TEST

START_TEST(canvas_of_another_size_is_cut)
{
    ck_assert(open_kind(&kinds[0], NULL));
    ck_assert_int_eq(resizeterm(6, 20), OK);
    draw(theme_at(0));
    assert_glyph(0, 0, L"f");
    ck_assert_int_eq(resizeterm(20, 100), OK);
    draw(theme_at(0));
    assert_glyphs(GLYPHS_BRAILLE);
    assert_glyph(19, 99, L" ");
}
END_TEST

START_TEST(input_at_its_end_gives_no_key)
{
    ck_assert(open_kind(&kinds[0], NULL));
    ck_assert_int_eq(curses_read(curses).event, CURSES_NOTHING);
}
END_TEST

/* What is written while keys are read would not end when the program is asked to. */
START_TEST(reading_writes_nothing)
{
    fclose(output);
    output = tmpfile();
    ck_assert(output && open_kind(&kinds[0], NULL));
    draw(theme_at(0));
    off_t written = lseek(fileno(output), 0, SEEK_END);
    ck_assert_int_eq(resizeterm(20, 100), OK);
    ck_assert_int_eq(curses_read(curses).event, CURSES_RESIZED);
    ck_assert_int_eq(curses_read(curses).event, CURSES_NOTHING);
    ck_assert_int_eq(lseek(fileno(output), 0, SEEK_END), written);
}
END_TEST

/* The terminal may have been given back by then. */
START_TEST(nothing_is_written_once_it_is_to_end)
{
    static const struct timespec deadline = {.tv_sec = 20};
    fclose(output);
    output = tmpfile();
    ck_assert(output && open_kind(&kinds[0], NULL));
    restore_arm(-1);
    raise(SIGTERM);
    pselect(0, NULL, NULL, NULL, &deadline, restore_wait_mask());
    ck_assert_int_eq(restore_signal(), SIGTERM);
    off_t written = lseek(fileno(output), 0, SEEK_END);
    curses_set_paste(curses, true);
    draw(theme_at(0));
    ck_assert_int_eq(lseek(fileno(output), 0, SEEK_END), written);
    restore_disarm();
}
END_TEST

/* ---- Refusals ---- */

static const struct {
    const char *term, *message;
} refused[] = {
    {"no-such-terminal", "\"no-such-terminal\" is not in"},
    {"dumb", "\"dumb\" can't place its cursor"},
    {"", "TERM is not set"},
    {NULL, "TERM is not set"},
};

START_TEST(unusable_terminal_is_refused)
{
    static const struct curses_wish none;
    unsetenv("TERM");
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    enum status status = curses_open(&curses, refused[_i].term, file, input, &none, &error);
    ck_assert_int_eq(status, STATUS_UNSUPPORTED);
    ck_assert_ptr_null(curses);
    ck_assert_msg(strstr(error.message, refused[_i].message) != NULL, "%s", error.message);
    ck_assert_int_eq(lseek(fileno(file), 0, SEEK_END), 0);
    fclose(file);
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

Suite *suite_terminal_curses(void)
{
    Suite *suite = suite_create("terminal/curses");
    TCase *tcase = tcase_create("curses");
    tcase_add_checked_fixture(tcase, open_streams, close_streams);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, kind_of_terminal_shows_what_it_can, 0, COUNT(kinds));
    tcase_add_loop_test(tcase, wish_is_followed_where_it_can_be, 0, COUNT(wishes));
    tcase_add_loop_test(tcase, direct_color_is_taken_where_it_is_told_of, 0, 3);
    tcase_add_loop_test(tcase, direct_color_needs_no_entry_of_its_own, 0, COUNT(plain));
    tcase_add_loop_test(tcase, direct_color_leaves_the_rest_of_the_entry, 0, COUNT(plain));
    tcase_add_loop_test(tcase, ascii_can_be_wished, 0, COUNT(kinds) - 1);
    tcase_add_loop_test(tcase, blanks_have_no_ink_of_their_own, 0, COUNT(kinds));
    tcase_add_loop_test(tcase, color_is_sent_where_it_changes, 0, COUNT(depths));
    tcase_add_loop_test(tcase, ink_that_is_not_seen_is_not_sent, 0, COUNT(depths));
    tcase_add_loop_test(tcase, colors_are_sent_anew_after_another_program, 0, COUNT(depths));
    tcase_add_loop_test(tcase, leaving_resets_the_colors, 0, COUNT(depths));
    tcase_add_test(tcase, canvas_of_another_size_is_cut);
    tcase_add_test(tcase, input_at_its_end_gives_no_key);
    tcase_add_test(tcase, reading_writes_nothing);
    tcase_add_test(tcase, nothing_is_written_once_it_is_to_end);
    tcase_add_loop_test(tcase, unusable_terminal_is_refused, 0, COUNT(refused));
    suite_add_tcase(suite, tcase);
    return suite;
}
