/* check_draw_strokes.c: lines between tokens, in dots and kept as curves. */
#include "colors.h"
#include "suites.h"

#include "headlight/draw/strokes.h"
#include "headlight/draw/theme.h"

#include <math.h>
#include <string.h>

static struct error error;

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
    ck_assert_int_eq(strokes_draw(canvas, area, strokes, count, &error), STATUS_OK);
}

static const char *text_at(const struct canvas *canvas, int y, int x)
{
    return canvas_at(canvas, y, x)->text;
}

/* ---- The curve ---- */

START_TEST(a_stroke_is_level_at_its_ends_and_straight_between)
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
END_TEST

/* ---- Dots ---- */

START_TEST(strokes_are_as_thick_as_they_are_wide)
{
    static const struct {
        float width;
        const char *text;
    } cases[] = {{0, "⠒"}, {0.17F, "⠒"}, {0.19F, "⠶"}, {0.31F, "⠶"}, {0.33F, "⠿"}, {0.5F, "⠿"}};
    struct canvas *canvas = make(10, 3, false);
    const struct stroke stroke = {1.5F, 1.5F, cases[_i].width, ink_head(2, 9)};
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
END_TEST

/* Between the ends of a steep stroke every row of cells has a dot. */
START_TEST(a_steep_stroke_is_unbroken)
{
    for (int up = 0; up < 2; up++) {
        struct canvas *canvas = make(2, 50, false);
        const struct stroke stroke = {up ? 49.5F : 0.5F, up ? 0.5F : 49.5F, 0.1F, ink_head(0, 9)};
        draw(canvas, canvas_area(canvas), &stroke, 1);
        for (int y = 1; y < 49; y++)
            ck_assert_msg(strcmp(text_at(canvas, y, 0), " ") != 0 ||
                              strcmp(text_at(canvas, y, 1), " ") != 0,
                          "row %d", y);
        canvas_free(canvas);
    }
}
END_TEST

START_TEST(the_last_stroke_owns_the_crossing)
{
    struct canvas *canvas = make(10, 5, false);
    const struct stroke strokes[] = {{2.5F, 2.5F, 0.1F, ink_head(1, 3)},
                                     {2.5F, 2.5F, 0.4F, ink_head(3, 15)}};
    draw(canvas, canvas_area(canvas), strokes, 2);
    ck_assert_uint_eq(canvas_at(canvas, 2, 5)->style.fore.role, ROLE_HUE + 3);
    ck_assert_str_eq(text_at(canvas, 2, 5), "⠿");
    canvas_free(canvas);
}
END_TEST

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

START_TEST(cut_strokes_are_pieces_of_whole_ones)
{
    static const int rows[] = {-199, -40, -9, -2, -1, 0, 1, 4, 5, 6, 40, 199};
    static const int widths[] = {1, 2, 9, 40};
    static const float thick[] = {0.1F, 0.2F, 0.4F};
    const int count = sizeof rows / sizeof *rows;
    for (int i = 0; i < count * count * 3; i++)
        check_window(widths[_i], (struct stroke){(float)rows[i / 3 / count] + 0.5F,
                                                 (float)rows[i / 3 % count] + 0.5F, thick[i % 3],
                                                 ink_head(1, 9)});
}
END_TEST

START_TEST(an_area_without_cells_has_no_strokes)
{
    struct canvas *canvas = make(4, 4, true);
    const struct stroke stroke = {0.5F, 0.5F, 0.4F, ink_head(0, 9)};
    draw(canvas, (struct area){0, 0, 0, 4}, &stroke, 1);
    draw(canvas, (struct area){0, 0, 4, -1}, &stroke, 1);
    draw(canvas, canvas_area(canvas), &stroke, 0);
    ck_assert_uint_eq(canvas->field_count, 0);
    ck_assert_str_eq(text_at(canvas, 0, 0), " ");
    canvas_free(canvas);
}
END_TEST

/* ---- Curves ---- */

START_TEST(curves_are_kept_beside_the_dots)
{
    struct canvas *canvas = make(10, 5, true);
    const struct stroke strokes[] = {{0.5F, 4.5F, 0.1F, ink_head(1, 3)},
                                     {2.5F, 2.5F, 0.4F, ink_head(3, 15)}};
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
END_TEST

/* ---- What can be seen ---- */

/* In every theme the faintest stroke of every hue has 3:1, in "contrast" 4.5:1, and a heavier one
 * no less than a lighter one. */
START_TEST(the_faintest_stroke_can_be_seen)
{
    for (size_t number = 0; theme_at(number); number++) {
        const struct theme *theme = theme_at(number);
        double least = strcmp(theme->name, "contrast") == 0 ? 4.5 : 3, before = 0;
        for (unsigned hue = 0; hue < STYLE_HUES; hue++, before = 0)
            for (unsigned level = 0; level <= STYLE_FULL; level++) {
                struct canvas *canvas = make(1, 1, true);
                const struct stroke stroke = {0.5F, 0.5F, 0.1F, ink_head(hue, level)};
                draw(canvas, canvas_area(canvas), &stroke, 1);
                theme_settle(theme, canvas);
                struct ink ink = canvas_at(canvas, 0, 0)->style.fore;
                double here = color_contrast(theme_rgb(theme, ink), theme->color[ROLE_GROUND]);
                ck_assert_msg(here >= least && here >= before, "%s, hue %u, level %u: %g",
                              theme->name, hue, level, here);
                ck_assert(ink_equal(ink, canvas->fields[0].strokes[0].ink));
                before = here;
                canvas_free(canvas);
            }
    }
}
END_TEST

Suite *suite_draw_strokes(void)
{
    Suite *suite = suite_create("draw/strokes");
    TCase *tests = tcase_create("strokes"), *slow = slow_case("cut strokes");
    tcase_add_test(tests, a_stroke_is_level_at_its_ends_and_straight_between);
    tcase_add_loop_test(tests, strokes_are_as_thick_as_they_are_wide, 0, 6);
    tcase_add_test(tests, a_steep_stroke_is_unbroken);
    tcase_add_test(tests, the_last_stroke_owns_the_crossing);
    tcase_add_test(tests, an_area_without_cells_has_no_strokes);
    tcase_add_test(tests, curves_are_kept_beside_the_dots);
    tcase_add_test(tests, the_faintest_stroke_can_be_seen);
    tcase_add_loop_test(slow, cut_strokes_are_pieces_of_whole_ones, 0, 4);
    tcase_set_timeout(slow, 120);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, slow);
    return suite;
}
