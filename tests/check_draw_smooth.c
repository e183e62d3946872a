/* check_draw_smooth.c: strokes as half blocks, each as bright as it is covered. */
#include "suites.h"

#include "headlight/draw/canvas.h"

#include <string.h>

static struct error error;

static struct canvas *draw(struct traits traits, bool curves, struct stroke stroke)
{
    struct canvas *canvas = canvas_new(20, 6, traits);
    ck_assert_ptr_nonnull(canvas);
    canvas->curves = curves;
    struct area area = {1, 2, 4, 16};
    ck_assert_int_eq(smooth_draw(canvas, area, &stroke, 1, &error), STATUS_OK);
    return canvas;
}

static const struct traits braille = {GLYPHS_BRAILLE, false}, mono = {GLYPHS_BRAILLE, true};

static struct stroke level_stroke(float row, float width, unsigned level)
{
    return (struct stroke){row, row, width, ink_head(3, level)};
}

static void check_cell(const struct canvas *canvas, int y, const char *text, unsigned fore,
                       unsigned back)
{
    for (int x = 2; x < 18; x++) {
        const struct cell *cell = canvas_at(canvas, y, x);
        ck_assert_str_eq(cell->text, text);
        ck_assert_uint_eq(cell->style.fore.level, fore);
        ck_assert_uint_eq(cell->style.back.level, back);
        ck_assert(fore == 0 || cell->style.fore.role == ROLE_HUE + 3);
        ck_assert(!cell->style.stroke); /* no edge is made brighter than it is */
    }
}

/* Two strokes in rows one below the other leave a dark half between them. */
TEST(a_stroke_of_half_a_row_is_one_bright_half)
{
    struct canvas *canvas = draw(braille, false, level_stroke(1.5F, 0.5F, STYLE_FULL));
    check_cell(canvas, 2, "▀", STYLE_FULL, 0);
    for (int y = 3; y < 6; y++)
        ck_assert_str_eq(canvas_at(canvas, y, 5)->text, " ");
    canvas_free(canvas);
}

TEST(what_is_covered_in_part_is_as_much_fainter)
{
    struct canvas *canvas = draw(braille, false, level_stroke(1.5F, 0.25F, STYLE_FULL));
    check_cell(canvas, 2, "▀", 8, 0);
    canvas_free(canvas);
    canvas = draw(braille, false, level_stroke(1.5F, 1, 10)); /* neither moved nor fainter */
    check_cell(canvas, 2, "█", 10, 10);
    canvas_free(canvas);
    canvas = draw(braille, false, level_stroke(1.5F, 1.5F, STYLE_FULL));
    check_cell(canvas, 1, "▄", 8, 0);
    check_cell(canvas, 2, "█", STYLE_FULL, STYLE_FULL);
    check_cell(canvas, 3, "▀", 8, 0);
    canvas_free(canvas);
}

/* Without levels a half is there or not, however faint the stroke. */
TEST(without_levels_a_half_shows_where_half_of_it_is_covered)
{
    struct canvas *canvas = draw(mono, false, level_stroke(1.5F, 1.4F, 3));
    check_cell(canvas, 2, "█", STYLE_FULL, STYLE_FULL);
    ck_assert_str_eq(canvas_at(canvas, 1, 5)->text, " ");
    canvas_free(canvas);
}

TEST(nothing_leaves_its_field)
{
    struct canvas *canvas =
        draw(braille, false, (struct stroke){-1, 9, 2, ink_head(0, STYLE_FULL)});
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 20; x++)
            if (y < 1 || y > 4 || x < 2 || x > 17)
                ck_assert_str_eq(canvas_at(canvas, y, x)->text, " ");
    ck_assert_str_ne(canvas_at(canvas, 2, 9)->text, " ");
    canvas_free(canvas);
}

TEST(elsewhere_strokes_are_what_they_always_are)
{
    struct canvas *canvas =
        draw((struct traits){GLYPHS_ASCII, false}, false, level_stroke(1.5F, 0.5F, STYLE_FULL));
    ck_assert_str_eq(canvas_at(canvas, 2, 5)->text, "%");
    canvas_free(canvas);
    canvas = draw(braille, true, level_stroke(1.5F, 0.5F, STYLE_FULL));
    ck_assert_uint_eq(canvas->field_count, 1);
    ck_assert_str_eq(canvas_at(canvas, 2, 5)->text, "⠿");
    canvas_free(canvas);
}

TEST(no_room_and_no_strokes_draw_nothing)
{
    struct canvas *canvas = canvas_new(5, 5, braille);
    struct stroke stroke = level_stroke(0.5F, 0.5F, STYLE_FULL);
    ck_assert_ptr_nonnull(canvas);
    ck_assert_int_eq(smooth_draw(canvas, (struct area){0, 0, 0, 5}, &stroke, 1, &error), STATUS_OK);
    ck_assert_int_eq(smooth_draw(canvas, (struct area){0, 0, 5, -1}, &stroke, 1, &error),
                     STATUS_OK);
    ck_assert_int_eq(smooth_draw(canvas, (struct area){0, 0, 5, 5}, NULL, 0, &error), STATUS_OK);
    for (int i = 0; i < 25; i++)
        ck_assert_str_eq(canvas->cells[i].text, " ");
    canvas_free(canvas);
}
