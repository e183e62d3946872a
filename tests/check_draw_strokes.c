/* check_draw_strokes.c: lines between tokens, in dots and kept as curves. */
#include "colors.h"
#include "suites.h"

#include "headlight/draw/canvas.h"
#include "headlight/draw/theme.h"

#include <math.h>
#include <string.h>
#include <utf8proc.h>

static struct canvas *make(int columns, int rows, bool curves)
{
    struct canvas *canvas = canvas_new(columns, rows, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    canvas->curves = curves;
    return canvas;
}

static void draw(struct canvas *canvas, struct area area, const struct stroke *strokes,
                 size_t count)
{
    strokes_draw(canvas, area, strokes, count);
    ck_assert_int_eq(canvas->error.status, STATUS_OK);
}

static const char *text_at(const struct canvas *canvas, int y, int x)
{
    return canvas_at(canvas, y, x)->text;
}

/* ---- The curve ---- */

TEST(a_stroke_is_level_at_its_ends_and_straight_between)
{
    double before = 0, slope = 0;
    for (int i = 0; i <= 1000; i++) {
        double way = i / 1000.0, risen = stroke_risen(way);
        ck_assert(risen >= before && risen <= 1);
        ck_assert(fabs(risen + stroke_risen(1 - way) - 1) < 1e-12);
        if (i > 0 && (i <= 50 || i > 950))
            ck_assert(fabs(risen - before) < 1e-12);
        if (i > 190 && i < 810) { /* where the bends are over */
            slope = slope > 0 ? slope : risen - before;
            ck_assert(fabs(risen - before - slope) < 1e-9);
        }
        before = risen;
    }
    ck_assert(before == 1);
}

/* ---- Dots ---- */

TEST(strokes_are_as_thick_as_they_are_wide, .times = 6)
{
    static const struct {
        float width;
        const char *text;
    } cases[] = {{0, "⠒"}, {0.17F, "⠒"}, {0.19F, "⠶"}, {0.31F, "⠶"}, {0.33F, "⠿"}, {0.5F, "⠿"}};
    struct canvas *canvas = make(10, 3, false);
    const struct stroke stroke = {1.5F, 1.5F, cases[_i].width, ink_head(2, 9), false};
    draw(canvas, canvas_area(canvas), &stroke, 1);
    for (int x = 0; x < 10; x++) {
        ck_assert_str_eq(text_at(canvas, 1, x), cases[_i].text);
        ck_assert(canvas_at(canvas, 1, x)->style.stroke);
        ck_assert(ink_equal(canvas_at(canvas, 1, x)->style.fore, stroke.ink));
        ck_assert_str_eq(text_at(canvas, 0, x), " ");
        ck_assert_str_eq(text_at(canvas, 2, x), " ");
    }
    canvas_free(canvas);
}

TEST(lines_are_made_of_blocks_as_well, .times = 7)
{
    static const struct {
        enum line_set lines;
        float at, width;
        const char *text;
    } cases[] = {
        {LINE_QUADRANTS, 1.5F, 0.1F, "▀"},           {LINE_QUADRANTS, 1.76F, 0.1F, "▄"},
        {LINE_QUADRANTS, 1.5F, 0.33F, "█"},          {LINE_SEXTANTS, 1.5F, 0.1F, "\U0001FB0B"},
        {LINE_SEXTANTS, 1.2F, 0.1F, "\U0001FB02"},   {LINE_SEXTANTS, 1.85F, 0.1F, "\U0001FB2D"},
        {LINE_SEXTANTS, 1.85F, 0.33F, "\U0001FB39"},
    };
    struct canvas *canvas = make(10, 3, false);
    const struct stroke stroke = {cases[_i].at, cases[_i].at, cases[_i].width, ink_head(2, 9),
                                  false};
    canvas->lines = cases[_i].lines;
    draw(canvas, canvas_area(canvas), &stroke, 1);
    for (int x = 0; x < 10; x++) {
        ck_assert_str_eq(text_at(canvas, 1, x), cases[_i].text);
        ck_assert(canvas_at(canvas, 1, x)->style.stroke);
        ck_assert_str_eq(text_at(canvas, 0, x), " ");
        ck_assert_str_eq(text_at(canvas, 2, x), " ");
    }
    canvas_free(canvas);
}

/* The parts of a sextant, the upper left one as bit 0: Unicode names them by number, and has them
 * in the order of these bits, but for the halves and the whole, which are older. */
static unsigned sextant_parts(const char *text)
{
    utf8proc_int32_t code, next = 0x1FB00;
    utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &code);
    for (unsigned parts = 1; parts < 63; parts++)
        if (parts != 21 && parts != 42 && next++ == code)
            return parts;
    return code == 0x258C ? 21 : code == 0x2590 ? 42 : code == 0x2588 ? 63 : 0;
}

/* Down each column of dots the stroke goes on where it was in the one before. */
TEST(a_steep_stroke_of_sextants_is_unbroken)
{
    for (int rows = 2; rows < 40; rows++) {
        struct canvas *canvas = make(5, rows, false);
        const struct stroke stroke = {0.5F, (float)rows - 0.5F, 0.1F, ink_head(0, 9), false};
        int last = 1;
        canvas->lines = LINE_SEXTANTS;
        draw(canvas, canvas_area(canvas), &stroke, 1);
        for (int x = 0; x < 10; x++) {
            int first = -1, end = -1;
            for (int y = 0; y < 3 * rows; y++)
                if (sextant_parts(text_at(canvas, y / 3, x / 2)) >> (2 * (y % 3) + x % 2) & 1) {
                    ck_assert(first < 0 || end == y);
                    first = first < 0 ? y : first;
                    end = y + 1;
                }
            ck_assert_int_ge(first, last - 1);
            ck_assert_int_le(first, last + 1);
            last = end - 1;
        }
        ck_assert_int_eq(last, 3 * rows - 2);
        canvas_free(canvas);
    }
}

TEST(many_lines_are_no_blocks)
{
    struct canvas *canvas = make(10, 4, false);
    struct stroke strokes[5];
    canvas->lines = LINE_SEXTANTS;
    for (int i = 0; i < 5; i++)
        strokes[i] = (struct stroke){0.5F, 0.5F, 0.1F, ink_head(2, 9), false};
    draw(canvas, canvas_area(canvas), strokes, 5);
    ck_assert_str_eq(text_at(canvas, 0, 5), "⠒");
    canvas_clear(canvas);
    draw(canvas, canvas_area(canvas), strokes, 4);
    ck_assert_str_eq(text_at(canvas, 0, 5), "\U0001FB0B");
    canvas_free(canvas);
}

/* Between the ends of a steep stroke every row of cells has a dot. */
TEST(a_steep_stroke_is_unbroken)
{
    for (int up = 0; up < 2; up++) {
        struct canvas *canvas = make(2, 50, false);
        const struct stroke stroke = {up ? 49.5F : 0.5F, up ? 0.5F : 49.5F, 0.1F, ink_head(0, 9),
                                      false};
        draw(canvas, canvas_area(canvas), &stroke, 1);
        for (int y = 1; y < 49; y++)
            ck_assert_msg(strcmp(text_at(canvas, y, 0), " ") != 0 ||
                              strcmp(text_at(canvas, y, 1), " ") != 0,
                          "row %d", y);
        canvas_free(canvas);
    }
}

TEST(a_dashed_stroke_has_gaps)
{
    struct canvas *canvas = make(80, 1, false);
    const struct stroke stroke = {0.5F, 0.5F, 0.1F, ink_head(0, 9), .dashed = true};
    int gaps = 0;
    draw(canvas, canvas_area(canvas), &stroke, 1);
    ck_assert_str_ne(text_at(canvas, 0, 0), " ");
    for (int x = 1; x < 80; x++)
        gaps +=
            strcmp(text_at(canvas, 0, x), " ") == 0 && strcmp(text_at(canvas, 0, x - 1), " ") != 0;
    ck_assert_int_eq(gaps, STROKE_DASHES);
    canvas_free(canvas);
}

TEST(the_last_stroke_owns_the_crossing)
{
    struct canvas *canvas = make(10, 5, false);
    const struct stroke strokes[] = {{2.5F, 2.5F, 0.1F, ink_head(1, 3), false},
                                     {2.5F, 2.5F, 0.4F, ink_head(3, 15), false}};
    draw(canvas, canvas_area(canvas), strokes, 2);
    ck_assert_uint_eq(canvas_at(canvas, 2, 5)->style.fore.role, ROLE_HUE + 3);
    ck_assert_str_eq(text_at(canvas, 2, 5), "⠿");
    canvas_free(canvas);
}

#define WINDOW 5   /* rows that are shown */
#define BEYOND 200 /* rows above them and below them */

/* A stroke in a window is a piece of the same stroke with nothing of it out of sight. */
static void check_window(int columns, struct stroke stroke)
{
    struct canvas *seen = make(columns + 4, WINDOW + 2, false);
    struct canvas *whole = make(columns, WINDOW + 2 * BEYOND, false);
    draw(seen, (struct area){1, 2, WINDOW, columns}, &stroke, 1);
    stroke.from += BEYOND;
    stroke.to += BEYOND;
    draw(whole, canvas_area(whole), &stroke, 1);
    for (int y = 0; y < WINDOW + 2; y++)
        for (int x = 0; x < columns + 4; x++) {
            bool inside = y > 0 && y <= WINDOW && x > 1 && x < columns + 2;
            ck_assert_str_eq(text_at(seen, y, x),
                             inside ? text_at(whole, y - 1 + BEYOND, x - 2) : " ");
        }
    canvas_free(whole);
    canvas_free(seen);
}

static const struct fixture slow_tests = {.slow = true};

TEST(cut_strokes_are_pieces_of_whole_ones, .times = 4, .with = &slow_tests)
{
    static const int rows[] = {-199, -40, -9, -2, -1, 0, 1, 4, 5, 6, 40, 199};
    static const int widths[] = {1, 2, 9, 40};
    static const float thick[] = {0.1F, 0.2F, 0.4F};
    const int count = sizeof rows / sizeof *rows;
    for (int i = 0; i < count * count * 3; i++)
        check_window(widths[_i], (struct stroke){(float)rows[i / 3 / count] + 0.5F,
                                                 (float)rows[i / 3 % count] + 0.5F, thick[i % 3],
                                                 ink_head(1, 9), false});
}

TEST(an_area_without_cells_has_no_strokes)
{
    struct canvas *canvas = make(4, 4, true);
    const struct stroke stroke = {0.5F, 0.5F, 0.4F, ink_head(0, 9), false};
    draw(canvas, (struct area){0, 0, 0, 4}, &stroke, 1);
    draw(canvas, (struct area){0, 0, 4, -1}, &stroke, 1);
    draw(canvas, canvas_area(canvas), &stroke, 0);
    ck_assert_uint_eq(canvas->field_count, 0);
    ck_assert_str_eq(text_at(canvas, 0, 0), " ");
    canvas_free(canvas);
}

/* ---- Curves ---- */

TEST(curves_are_kept_beside_the_dots)
{
    struct canvas *canvas = make(10, 5, true);
    const struct stroke strokes[] = {{0.5F, 4.5F, 0.1F, ink_head(1, 3), false},
                                     {2.5F, 2.5F, 0.4F, ink_head(3, 15), false}};
    draw(canvas, (struct area){0, 1, 5, 8}, strokes, 2);
    draw(canvas, canvas_area(canvas), strokes, 1);
    ck_assert_uint_eq(canvas->field_count, 2);
    ck_assert_uint_eq(canvas->fields[0].count, 2);
    ck_assert_int_eq(canvas->fields[0].area.columns, 8);
    ck_assert_mem_eq(canvas->fields[0].strokes, strokes, sizeof strokes);
    ck_assert_str_eq(text_at(canvas, 2, 1), "⠿");
    canvas_clear(canvas);
    ck_assert_uint_eq(canvas->field_count, 0);
    canvas_free(canvas);
}

/* ---- What can be seen ---- */

/* One stroke, as a theme shows it; cells that were settled for another theme don't matter. */
static struct style shown(const struct theme *theme, struct ink ink)
{
    struct canvas *canvas = make(1, 1, true);
    const struct stroke stroke = {0.5F, 0.5F, 0.1F, ink, false};
    draw(canvas, canvas_area(canvas), &stroke, 1);
    theme_settle(theme, canvas);
    struct style style = canvas_at(canvas, 0, 0)->style;
    ck_assert(ink_equal(style.fore, canvas->fields[0].strokes[0].ink));
    theme_settle(theme_at(0), canvas);
    theme_settle(theme, canvas);
    ck_assert(ink_equal(style.fore, canvas_at(canvas, 0, 0)->style.fore));
    canvas_free(canvas);
    return style;
}

static double least_contrast(const struct theme *theme)
{
    return strcmp(theme->name, "contrast") == 0 ? 4.5 : 3;
}

/* In every theme the faintest stroke of every hue has 3:1, in "contrast" 4.5:1, and a heavier one
 * no less than a lighter one. */
TEST(the_faintest_stroke_can_be_seen)
{
    for (size_t number = 0; theme_at(number); number++) {
        const struct theme *theme = theme_at(number);
        double least = least_contrast(theme), before = 0;
        for (unsigned hue = 0; hue < STYLE_HUES; hue++, before = 0)
            for (unsigned level = 0; level <= STYLE_FULL; level++) {
                struct ink ink = shown(theme, ink_head(hue, level)).fore;
                double here = color_contrast(theme_rgb(theme, ink), theme->color[ROLE_GROUND]);
                ck_assert_msg(here >= least && here >= before, "%s, hue %u, level %u: %g",
                              theme->name, hue, level, here);
                before = here;
            }
    }
}

/* What makes two colours look different, of L*. */
#define APART 2.499

/* How many colours a role's strengths take. */
static int colors_of_strokes(const struct theme *theme, const struct theme_indexes *indexes,
                             uint8_t role)
{
    struct rgb ground = color_of_256(indexes->inks[ROLE_GROUND][0]), before = ground;
    int colors = 0;
    for (uint8_t level = 0; level <= STYLE_FULL; level++) {
        struct style style = shown(theme, (struct ink){role, level});
        struct rgb color = color_of_256(theme_index_of(indexes, style, false));
        double here = color_contrast(color, ground);
        double apart = fabs(color_lightness(color) - color_lightness(before));
        bool same = memcmp(&color, &before, sizeof color) == 0;
        ck_assert_msg(here >= least_contrast(theme) && here >= color_contrast(before, ground) &&
                          (same || apart >= APART),
                      "%s, %s, level %u: a contrast of %.2f, %.1f from the level before",
                      theme->name, role_name(role), level, here, apart);
        colors += !same;
        before = color;
    }
    return colors;
}

/* The same among 256 colours, in three steps or more: these have few colours of one hue. The mean
 * of heads has the colour of text, and a head that is off is faint. */
TEST(strokes_can_be_seen_among_256_colours)
{
    for (size_t number = 0; theme_at(number); number++) {
        const struct theme *theme = theme_at(number);
        struct theme_indexes indexes;
        theme_indexes(theme, &indexes);
        for (uint8_t role = ROLE_TEXT; role < ROLE_COUNT; role++) {
            if (role > ROLE_FAINT && role < ROLE_HUE)
                continue;
            int colors = colors_of_strokes(theme, &indexes, role);
            ck_assert_msg(colors >= 3, "%s, %s: %d colours", theme->name, role_name(role), colors);
        }
    }
}
