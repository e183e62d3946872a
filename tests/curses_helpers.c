#include "curses_helpers.h"

#include "headlight/draw/canvas.h"
#include "suites.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <term.h> /* takes common words for its macros */
#undef columns
#undef lines

struct curses *curses;
FILE *curses_output, *curses_input;
static struct error error;

static void open_streams(void)
{
    curses_output = fopen("/dev/null", "w");
    curses_input = fopen("/dev/null", "r");
    ck_assert(curses_output && curses_input);
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
    fclose(curses_output);
    fclose(curses_input);
}

const struct fixture curses_tests = {.begin = open_streams, .end = close_streams};

/* Part of every ncurses (ncurses-base). */
static bool is_everywhere(const char *term)
{
    static const char *const terms[] = {
        "xterm", "xterm-256color", "screen-256color", "tmux-256color", "rxvt-unicode-256color",
        "linux", "vt100",
    };
    for (int i = 0; i < COUNT(terms); i++)
        if (strcmp(term, terms[i]) == 0)
            return true;
    return false;
}

bool open_terminal(const char *term, const struct curses_wish *wish)
{
    static const struct curses_wish none;
    enum status status =
        curses_open(&curses, term, curses_output, curses_input, wish ? wish : &none, &error);
    if (status != STATUS_OK && !is_everywhere(term)) {
        skip(error.message);
        return false;
    }
    ck_assert_msg(status == STATUS_OK, "%s: %s", term, error.message);
    return true;
}

/* ---- What is on the screen ---- */

struct shown shown_at(int y, int x)
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

void draw_places(const struct theme *theme)
{
    struct canvas *canvas = canvas_new(60, 12, curses_kind(curses)->traits);
    const struct stroke stroke = {1.5F, 1.5F, 0.4F, ink_head(5, 13), false};
    ck_assert(canvas);
    for (enum place place = 0; place < PLACES; place++)
        if (places[place].text)
            canvas_text(canvas, places[place].y, places[place].x, 20, style_at(place),
                        places[place].text);
    strokes_draw(canvas, (struct area){5, 0, 3, 40}, &stroke, 1);
    ck_assert_int_eq(canvas->error.status, STATUS_OK);
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
    switch (curses_kind(curses)->depth) {
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

/* The bright half of 16 colours on a terminal that has 8: bold, but what is faint must not shine on
 * a dark ground, nor be white on a light one. */
static int fore_of_8(int color, bool light, attr_t *attributes)
{
    if (color < 8)
        return color;
    if (color == 8)
        return light ? 0 : 7;
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
        fore = fore_of_8(fore, theme_ansi(theme, ink_full(ROLE_GROUND)) == 15, &attributes);
        back = back >= 8 ? back - 8 : back;
    }
    ck_assert_msg(shown.fore == fore, "place %d: foreground %d, expected %d", place, shown.fore,
                  fore);
    ck_assert_msg(shown.back == back, "place %d: background %d, expected %d", place, shown.back,
                  back);
    ck_assert_msg(shown.attributes == attributes, "place %d: attributes %#lx, expected %#lx", place,
                  (unsigned long)shown.attributes, (unsigned long)attributes);
}

/* An attribute that the terminal lacks would cost bytes that change nothing. */
static void assert_mono(void)
{
    char dim[] = "dim";
    const attr_t attributes[PLACES] = {
        [PLACE_FAINT] = tigetstr(dim) ? A_DIM : A_NORMAL,
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

void assert_all_colors(const struct theme *theme, int colors)
{
    if (colors == 0) {
        assert_mono();
        return;
    }
    for (enum place place = 0; place < PLACES; place++)
        assert_colors(theme, place, colors);
}

void assert_glyph(int y, int x, const wchar_t *text)
{
    struct shown shown = shown_at(y, x);
    ck_assert_msg(wcscmp(shown.text, text) == 0, "row %d, column %d: U+%04X, expected U+%04X", y, x,
                  (unsigned)shown.text[0], (unsigned)text[0]);
}

void assert_glyphs(enum glyph_set glyphs)
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
