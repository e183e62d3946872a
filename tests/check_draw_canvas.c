#include "suites.h"

#include "headlight/draw/canvas.h"
#include "headlight/draw/heat.h"
#include "headlight/view/grid.h"

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

TEST(sizes_are_bounded)
{
    struct traits traits = {GLYPHS_BRAILLE, false};
    ck_assert_ptr_null(canvas_new(0, 10, traits));
    ck_assert_ptr_null(canvas_new(10, -1, traits));
    ck_assert_ptr_null(canvas_new(1001, 10, traits));
    canvas_free(NULL);
}

TEST(text_is_cut_with_an_ellipsis)
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

TEST(drawing_outside_is_cut_off)
{
    struct canvas *canvas = make(4, 2, GLYPHS_BRAILLE);
    canvas_text(canvas, -1, 0, 10, style_of(ROLE_TEXT), "above");
    canvas_text(canvas, 2, 0, 10, style_of(ROLE_TEXT), "below");
    canvas_text(canvas, 0, -2, 10, style_of(ROLE_TEXT), "abcdefgh");
    ck_assert_str_eq(row(canvas, 0), "cdef");
    ck_assert_str_eq(row(canvas, 1), "    ");
    canvas_free(canvas);
}

TEST(wide_glyphs_are_never_halved)
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

TEST(pen_stops_where_a_piece_found_no_room)
{
    struct canvas *canvas = make(20, 1, GLYPHS_BRAILLE);
    struct pen pen = {canvas, 0, 0, 12};
    pen_print(&pen, style_of(ROLE_TEXT), "%s", "0123456");
    pen_print(&pen, style_of(ROLE_TEXT), "%s", "abcdefgh");
    pen_print(&pen, style_of(ROLE_TEXT), "%s", "z");
    ck_assert_str_eq(row(canvas, 0), "0123456abcd…        ");
    canvas_free(canvas);
}

TEST(bars_have_eighths)
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

/* ---- Bands ---- */

TEST(band_scale_is_tanh_or_largest)
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

TEST(band_has_two_dimensions_a_cell)
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

/* ---- Columns ---- */

TEST(few_tokens_are_spread)
{
    struct grid_axis column = grid_column((struct token_range){2, 7}, 20, 4, 2);
    ck_assert_int_eq(column.size, 4);
    ck_assert_int_eq(grid_at(&column, 6), 16);
    column = grid_column((struct token_range){0, 20}, 20, 4, 0);
    ck_assert_int_eq(column.size, 1);
    ck_assert(grid_shows(&column, 19));
}

/* At an even pitch, in the middle, one blank row more between the sentences: or none of it. */
TEST(sentences_stand_in_the_middle)
{
    for (int rows = 13; rows < 70; rows++) {
        struct grid_axis column = grid_column_centred((struct token_range){3, 16}, 9, rows, 4, 3);
        int first = grid_at(&column, 3), last = grid_at(&column, 15);
        int pitch = grid_at(&column, 4) - first;
        for (size_t token = 4; token < 16; token++)
            ck_assert_int_eq(grid_at(&column, token) - grid_at(&column, token - 1),
                             pitch + (token == 9 && rows > 13));
        ck_assert_int_ge(first, 0);
        ck_assert_int_le(abs(first - (rows - 1 - last)), 1);
        ck_assert(pitch == 4 || rows - 1 - last + first < 12);
        ck_assert(grid_shows(&column, 15));
    }
}

TEST(many_tokens_scroll_with_the_cursor)
{
    for (size_t cursor = 0; cursor < 100; cursor++) {
        struct grid_axis column = grid_column((struct token_range){0, 100}, 20, 4, cursor);
        ck_assert(grid_shows(&column, cursor));
        ck_assert_uint_le(column.shown.first, 80);
    }
    struct grid_axis column = grid_column((struct token_range){0, 100}, 20, 4, 50);
    ck_assert_int_eq(grid_at(&column, 50), 10);
    ck_assert_int_eq(grid_at(&column, 0), -40);
    ck_assert(!grid_shows(&column, 0));
}
