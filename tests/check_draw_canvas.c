#include "suites.h"

#include "headlight/draw/bands.h"
#include "headlight/draw/canvas.h"
#include "headlight/draw/column.h"
#include "headlight/draw/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct canvas *make(int columns, int rows, enum glyph_set glyphs)
{
    struct canvas *canvas = canvas_new(columns, rows, (struct traits){glyphs, false});
    ck_assert_ptr_nonnull(canvas);
    return canvas;
}

/* The glyphs of a row as one text. */
static const char *row(const struct canvas *canvas, int y)
{
    static char text[4096];
    text[0] = '\0';
    for (int x = 0; x < canvas->columns; x++)
        strcat(text, canvas_at(canvas, y, x)->text);
    return text;
}

START_TEST(sizes_are_bounded)
{
    struct traits traits = {GLYPHS_BRAILLE, false};
    ck_assert_ptr_null(canvas_new(0, 10, traits));
    ck_assert_ptr_null(canvas_new(10, -1, traits));
    ck_assert_ptr_null(canvas_new(1001, 10, traits));
    canvas_free(NULL);
}
END_TEST

START_TEST(text_is_cut_with_an_ellipsis)
{
    struct canvas *canvas = make(10, 1, GLYPHS_BRAILLE);
    ck_assert_int_eq(canvas_text(canvas, 0, 0, 10, style_of(ROLE_TEXT), "attention-seeking"), 10);
    ck_assert_str_eq(row(canvas, 0), "attention…");
    canvas_clear(canvas);
    ck_assert_int_eq(canvas_text(canvas, 0, 0, 4, style_of(ROLE_TEXT), "日本語"), 4);
    ck_assert_str_eq(row(canvas, 0), "日…       ");
    ck_assert_int_eq(canvas_text(canvas, 0, 0, 0, style_of(ROLE_TEXT), "x"), 0);
    canvas_free(canvas);
}
END_TEST

START_TEST(drawing_outside_is_cut_off)
{
    struct canvas *canvas = make(4, 2, GLYPHS_BRAILLE);
    canvas_text(canvas, -1, 0, 10, style_of(ROLE_TEXT), "above");
    canvas_text(canvas, 2, 0, 10, style_of(ROLE_TEXT), "below");
    canvas_text(canvas, 0, -2, 10, style_of(ROLE_TEXT), "abcdefgh");
    ck_assert_str_eq(row(canvas, 0), "cdef");
    ck_assert_str_eq(row(canvas, 1), "    ");
    canvas_free(canvas);
}
END_TEST

START_TEST(wide_glyphs_are_never_halved)
{
    struct canvas *canvas = make(4, 1, GLYPHS_BRAILLE);
    canvas_text(canvas, 0, 3, 2, style_of(ROLE_TEXT), "日");
    ck_assert_str_eq(row(canvas, 0), "    ");
    canvas_text(canvas, 0, 1, 2, style_of(ROLE_TEXT), "日");
    ck_assert_int_eq(canvas_at(canvas, 0, 2)->width, 0);
    canvas_text(canvas, 0, 2, 1, style_of(ROLE_TEXT), "x");
    ck_assert_str_eq(row(canvas, 0), "  x ");
    canvas_text(canvas, 0, 1, 2, style_of(ROLE_TEXT), "本");
    canvas_text(canvas, 0, 1, 1, style_of(ROLE_TEXT), "y");
    ck_assert_str_eq(row(canvas, 0), " y  ");
    canvas_free(canvas);
}
END_TEST

START_TEST(pen_stops_where_a_piece_found_no_room)
{
    struct canvas *canvas = make(20, 1, GLYPHS_BRAILLE);
    struct pen pen = {canvas, 0, 0, 12};
    pen_print(&pen, style_of(ROLE_TEXT), "%s", "0123456");
    pen_print(&pen, style_of(ROLE_TEXT), "%s", "abcdefgh");
    pen_print(&pen, style_of(ROLE_TEXT), "%s", "z");
    ck_assert_str_eq(row(canvas, 0), "0123456abcd…        ");
    canvas_free(canvas);
}
END_TEST

START_TEST(bars_have_eighths)
{
    struct canvas *canvas = make(3, 3, GLYPHS_BRAILLE);
    canvas_bar(canvas, 0, 0, 3, 11, style_of(ROLE_TEXT));
    ck_assert_str_eq(row(canvas, 0), "█▍ ");
    canvas_bar(canvas, 1, 0, 2, 99, style_of(ROLE_TEXT));
    ck_assert_str_eq(row(canvas, 1), "██ ");
    canvas->traits.glyphs = GLYPHS_ASCII;
    canvas_bar(canvas, 2, 0, 3, 11, style_of(ROLE_TEXT));
    ck_assert_str_eq(row(canvas, 2), "#: ");
    canvas_free(canvas);
}
END_TEST

/* ---- Lines ---- */

static struct lines *make_lines(int rows, int columns)
{
    struct lines *lines = lines_new(rows, columns);
    ck_assert_ptr_nonnull(lines);
    return lines;
}

/* Puts lines on a canvas, and is done with them. */
static void put_lines(struct lines *lines, struct canvas *canvas, int y, int x)
{
    lines_finish(lines, canvas, y, x);
    lines_free(lines);
}

START_TEST(line_leaves_and_arrives_level)
{
    struct canvas *canvas = make(10, 5, GLYPHS_BRAILLE);
    struct lines *lines = make_lines(5, 10);
    lines_curve(lines, 0, 4, lines_stroke(ink_head(0, 0), 250, false));
    put_lines(lines, canvas, 0, 0);
    ck_assert_str_eq(canvas_at(canvas, 0, 0)->text, "⠒");
    ck_assert_str_eq(canvas_at(canvas, 4, 9)->text, "⠒");
    ck_assert_str_eq(canvas_at(canvas, 4, 0)->text, " ");
    canvas_free(canvas);
}
END_TEST

/* A steep line has no gap: between its ends every row of dots has one. */
START_TEST(steep_line_is_unbroken)
{
    struct canvas *canvas = make(2, 50, GLYPHS_BRAILLE);
    struct lines *lines = make_lines(50, 2);
    lines_curve(lines, 0, 49, (struct stroke){ink_full(ROLE_HUE), 1, 1});
    put_lines(lines, canvas, 0, 0);
    for (int y = 1; y < 49; y++)
        ck_assert_msg(strcmp(row(canvas, y), "  ") != 0, "row %d", y);
    canvas_free(canvas);
}
END_TEST

START_TEST(weight_is_told_three_ways)
{
    struct stroke faint = lines_stroke(ink_head(0, 0), 50, false),
                  half = lines_stroke(ink_head(0, 0), 150, false);
    struct stroke plain = lines_stroke(ink_head(0, 0), 250, false),
                  heavy = lines_stroke(ink_head(0, 0), 400, false);
    struct stroke full = lines_stroke(ink_head(0, 0), 900, false);
    ck_assert_int_eq(faint.every, 3);
    ck_assert_int_eq(half.every, 2);
    ck_assert_int_eq(plain.every, 1);
    ck_assert_int_eq(plain.thickness, 1);
    ck_assert_int_eq(heavy.thickness, 2);
    ck_assert_int_eq(full.thickness, 3);
    ck_assert_int_eq(lines_stroke(ink_head(0, 0), 1000, true).thickness, 2);
    ck_assert_int_eq(lines_stroke(ink_head(0, 0), 400, true).thickness, 1);
    ck_assert_int_eq(full.ink.level, STYLE_FULL);
    for (unsigned weight = 1; weight <= 1000; weight++)
        ck_assert_uint_ge(lines_level(weight), lines_level(weight - 1));
    ck_assert_uint_eq(lines_level(0), 4); /* a quarter of 15, rounded */
}
END_TEST

START_TEST(first_line_owns_the_crossing)
{
    struct canvas *canvas = make(10, 5, GLYPHS_BRAILLE);
    struct lines *lines = make_lines(5, 10);
    lines_curve(lines, 2, 2, lines_stroke(ink_head(3, 0), 900, false));
    lines_curve(lines, 2, 2, lines_stroke(ink_head(1, 0), 250, false));
    put_lines(lines, canvas, 0, 0);
    ck_assert_uint_eq(canvas_at(canvas, 2, 5)->style.fore.role, ROLE_HUE + 3);
    ck_assert_str_eq(canvas_at(canvas, 2, 5)->text, "⠿");
    canvas_free(canvas);
}
END_TEST

START_TEST(lines_leave_what_is_outside_alone)
{
    struct canvas *canvas = make(10, 5, GLYPHS_BRAILLE);
    struct lines *lines = make_lines(3, 4), *none = make_lines(0, 7);
    lines_curve(lines, -100, 200, lines_stroke(ink_head(0, 0), 900, false));
    lines_curve(lines, -1, -1, lines_stroke(ink_head(0, 0), 900, false));
    put_lines(lines, canvas, 1, 2);
    lines_curve(none, 0, 0, lines_stroke(ink_head(0, 0), 900, false));
    put_lines(none, canvas, 0, 0);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 10; x++)
            if (y < 1 || y > 3 || x < 2 || x > 5)
                ck_assert_str_eq(canvas_at(canvas, y, x)->text, " ");
    canvas_free(canvas);
}
END_TEST

#define WINDOW 5   /* rows that are shown */
#define BEYOND 200 /* rows above them and below them */

/* The same line with nothing of it out of sight. */
static void check_window(int columns, int from, int to, struct stroke stroke)
{
    struct canvas *seen = make(columns, WINDOW, GLYPHS_BRAILLE);
    struct canvas *whole = make(columns, WINDOW + 2 * BEYOND, GLYPHS_BRAILLE);
    struct lines *window = make_lines(WINDOW, columns);
    struct lines *world = make_lines(WINDOW + 2 * BEYOND, columns);
    lines_curve_dots(window, from, to, stroke);
    lines_curve_dots(world, from + 4 * BEYOND, to + 4 * BEYOND, stroke);
    put_lines(window, seen, 0, 0);
    put_lines(world, whole, 0, 0);
    for (int y = 0; y < WINDOW; y++)
        for (int x = 0; x < columns; x++) {
            const char *one = canvas_at(seen, y, x)->text;
            const char *other = canvas_at(whole, y + BEYOND, x)->text;
            if (strcmp(one, other) != 0)
                ck_abort_msg("from %d to %d, %d thick, each %d: %s, not %s, at %d,%d", from, to,
                             stroke.thickness, stroke.every, one, other, y, x);
        }
    canvas_free(whole);
    canvas_free(seen);
}

/* Lines through the window, into it, past it and along its edges, of all strokes. */
START_TEST(cut_lines_are_pieces_of_whole_ones)
{
    static const int rows[] = {-790, -75, -9, -3, -2, -1, 0,   1,  7,
                               18,   19,  20, 21, 22, 40, 130, 790};
    const int count = sizeof rows / sizeof *rows;
    static const int widths[] = {1, 2, 9, 40};
    for (int i = 0; i < count * count; i++)
        for (int kind = 0; kind < 9; kind++)
            check_window(widths[_i], rows[i / count], rows[i % count],
                         (struct stroke){ink_head(1, 9), 1 + kind % 3, 1 + kind / 3});
}
END_TEST

/* A heavier stroke has all dots of a lighter one that is as dense, or of any if it has no gaps:
 * what the head view leaves out is not missed. */
START_TEST(heavy_strokes_have_all_dots_of_light_ones)
{
    static const unsigned shades[] = {1, 99, 100, 199, 200, 299, 300, 599, 600, 1000};
    const size_t count = sizeof shades / sizeof *shades;
    for (size_t i = 0; i < count * count * 2; i++) {
        struct canvas *alone = make(30, 20, GLYPHS_BRAILLE), *both = make(30, 20, GLYPHS_BRAILLE);
        struct lines *one = make_lines(20, 30), *two = make_lines(20, 30);
        struct stroke light = lines_stroke(ink_head(0, 0), shades[i / 2 / count], i % 2);
        struct stroke heavy = lines_stroke(ink_head(0, 0), shades[i / 2 % count], i % 2);
        lines_curve(one, 2, 17, heavy);
        lines_curve(two, 2, 17, heavy);
        if (i / 2 / count <= i / 2 % count && (heavy.every == 1 || heavy.every == light.every))
            lines_curve(two, 2, 17, light);
        put_lines(one, alone, 0, 0);
        put_lines(two, both, 0, 0);
        for (int cell = 0; cell < 20 * 30; cell++)
            ck_assert_str_eq(alone->cells[cell].text, both->cells[cell].text);
        canvas_free(alone);
        canvas_free(both);
    }
}
END_TEST

/* ---- Bands ---- */

START_TEST(band_scale_is_tanh_or_largest)
{
    struct band_scale fixed = {.dim = 1}, largest = {.largest = 2, .dim = 1};
    for (int i = -80; i <= 80; i++) {
        float value = (float)i / 8;
        struct ink ink = bands_ink(value, fixed);
        ck_assert_uint_eq(ink.level, (unsigned)lround(15 * tanh(fabs((double)value) / 4)));
        ck_assert_uint_eq(ink.role, value < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE);
    }
    ck_assert_uint_eq(bands_ink(-2, largest).level, 15);
    ck_assert_uint_eq(bands_ink(1, largest).level, 8);
    ck_assert_uint_eq(bands_ink(100, largest).level, 15);
    ck_assert_uint_eq(bands_ink(NAN, fixed).level, 15);
}
END_TEST

START_TEST(band_has_two_dimensions_a_cell)
{
    const float values[] = {4, -4, 0, 4, -4};
    struct canvas *canvas = make(6, 2, GLYPHS_BRAILLE);
    struct band_scale scale = {.largest = 4, .dim = 1};
    bands_draw(canvas, 0, 1, 2, values, 5, 2, scale);
    ck_assert_str_eq(row(canvas, 0), " ▌▌▌  ");
    ck_assert_str_eq(row(canvas, 1), " ▌▌▌  ");
    struct style style = canvas_at(canvas, 0, 1)->style;
    ck_assert_uint_eq(style.fore.role, ROLE_POSITIVE);
    ck_assert_uint_eq(style.back.role, ROLE_NEGATIVE);
    ck_assert_uint_eq(canvas_at(canvas, 0, 3)->style.back.level, 0);
    ck_assert_int_eq(bands_columns(5, 2), 3);
    ck_assert_int_eq(bands_columns(5, 1), 5);
    canvas_free(canvas);
}
END_TEST

/* ---- Columns ---- */

START_TEST(few_tokens_are_spread)
{
    struct column column = column_place((struct token_range){2, 7}, 20, 4, 2);
    ck_assert_int_eq(column.step, 4);
    ck_assert_int_eq(column_row(&column, 6), 16);
    column = column_place((struct token_range){0, 20}, 20, 4, 0);
    ck_assert_int_eq(column.step, 1);
    ck_assert(column_shows(&column, 19));
}
END_TEST

/* Where some tokens get a second row, order, ends and height are kept. */
START_TEST(between_one_row_and_two_the_height_is_used)
{
    for (int rows = 13; rows < 25; rows++) {
        struct column column = column_place((struct token_range){3, 16}, rows, 4, 3);
        ck_assert_int_eq(column_row(&column, 3), 0);
        ck_assert_int_eq(column_row(&column, 15), rows - 1);
        for (size_t token = 4; token < 16; token++) {
            int step = column_row(&column, token) - column_row(&column, token - 1);
            ck_assert(step == 1 || step == 2);
        }
    }
}
END_TEST

START_TEST(many_tokens_scroll_with_the_cursor)
{
    for (size_t cursor = 0; cursor < 100; cursor++) {
        struct column column = column_place((struct token_range){0, 100}, 20, 4, cursor);
        ck_assert(column_shows(&column, cursor));
        ck_assert_uint_le(column.scroll, 80);
    }
    struct column column = column_place((struct token_range){0, 100}, 20, 4, 50);
    ck_assert_int_eq(column_row(&column, 50), 10);
    ck_assert_int_eq(column_row(&column, 0), -40);
    ck_assert(!column_shows(&column, 0));
}
END_TEST

Suite *suite_draw_canvas(void)
{
    Suite *suite = suite_create("draw/canvas");
    TCase *tests = tcase_create("canvas"), *slow = slow_case("cut lines");
    tcase_set_timeout(slow, 120);
    tcase_add_test(tests, sizes_are_bounded);
    tcase_add_test(tests, text_is_cut_with_an_ellipsis);
    tcase_add_test(tests, drawing_outside_is_cut_off);
    tcase_add_test(tests, wide_glyphs_are_never_halved);
    tcase_add_test(tests, pen_stops_where_a_piece_found_no_room);
    tcase_add_test(tests, bars_have_eighths);
    tcase_add_test(tests, line_leaves_and_arrives_level);
    tcase_add_test(tests, steep_line_is_unbroken);
    tcase_add_test(tests, weight_is_told_three_ways);
    tcase_add_test(tests, first_line_owns_the_crossing);
    tcase_add_test(tests, lines_leave_what_is_outside_alone);
    tcase_add_test(tests, heavy_strokes_have_all_dots_of_light_ones);
    tcase_add_loop_test(slow, cut_lines_are_pieces_of_whole_ones, 0, 4);
    tcase_add_test(tests, band_scale_is_tanh_or_largest);
    tcase_add_test(tests, band_has_two_dimensions_a_cell);
    tcase_add_test(tests, few_tokens_are_spread);
    tcase_add_test(tests, between_one_row_and_two_the_height_is_used);
    tcase_add_test(tests, many_tokens_scroll_with_the_cursor);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, slow);
    return suite;
}
