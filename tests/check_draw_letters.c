/* check_draw_letters.c: text in letters as high as four rows. */
#include "suites.h"
#include "view_helpers.h"

#include "headlight/draw/canvas.h"

#include <stdlib.h>
#include <string.h>

static struct canvas *canvas;

static void begin(void)
{
    canvas = canvas_new(80, 20, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
}

static void end(void)
{
    canvas_free(canvas);
}

TESTS(.begin = begin, .end = end);

static void check_rows(const char *const *rows, int count)
{
    for (int y = 0; y < count; y++)
        ck_assert_str_eq(view_text(canvas, y, 0, 80), rows[y]);
}

TEST(a_line_of_letters_is_four_rows_high)
{
    static const char *const rows[] = {
        " █▀ █ ▀           ▄▀▄   █▀▀ ▄▀▄", "▀█▀ █ █ ▄▀▄ ▄▀▀   █ █   █▄  ▀▄▀",
        " █  █ █ █▀▀  ▀▄   █ █     █ █ █", " ▀  ▀ ▀  ▀▀ ▀▀     ▀  ▀ ▀▀   ▀", ""};
    int columns = letters_columns("flies 0.58");
    ck_assert_int_eq(columns, 31);
    ck_assert_int_eq(letters_draw(canvas, 0, 0, 1, style_of(ROLE_STRONG), "flies 0.58"), 32);
    check_rows(rows, 5);
    ck_assert_int_eq(canvas_at(canvas, 1, 1)->style.fore.role, ROLE_STRONG);
}

TEST(scale_makes_each_block_larger)
{
    letters_draw(canvas, 0, 0, 4, style_of(ROLE_TEXT), "-i");
    ck_assert_str_eq(view_text(canvas, 0, 16, 10), "████");
    ck_assert_str_eq(view_text(canvas, 8, 0, 30), "████████████    ████");
    ck_assert_str_eq(view_text(canvas, 10, 0, 30), "                ████");
}

TEST(every_letter_of_ascii_has_a_shape_of_its_own)
{
    char shapes[127][200], letter[2] = "";
    for (char code = '!'; code < 127; code++) {
        letter[0] = code;
        canvas_clear(canvas);
        ck_assert_msg(letters_columns(letter) > 0, "%c", code);
        ck_assert_int_eq(letters_draw(canvas, 0, 0, 1, style_of(ROLE_TEXT), letter),
                         letters_columns(letter) + 1);
        char *shape = shapes[(int)code];
        *shape = '\0';
        for (int y = 0; y < LETTERS_ROWS; y++) {
            strcat(strcat(shape, view_text(canvas, y, 0, 10)), "|");
        }
        ck_assert_str_ne(shape, "||||");
        for (char other = '!'; other < code; other++)
            ck_assert_msg(strcmp(shape, shapes[(int)other]) != 0, "%c and %c", other, code);
    }
    ck_assert_int_gt(letters_columns("→…₀₁₂₃₄₅₆₇₈₉ "), 0);
}

TEST(what_has_no_shape_is_not_written_in_letters)
{
    ck_assert_int_eq(letters_columns("na\xC3\xAFve"), 0);
    ck_assert_int_eq(letters_columns("\xE6\x97\xA5"), 0);
    ck_assert_int_eq(letters_columns(""), 0);
    char long_text[600] = "";
    memset(long_text, 'm', sizeof long_text - 1);
    ck_assert_int_eq(letters_columns(long_text), 0);
    ck_assert_int_eq(letters_columns("\xFF"), 0);
    ck_assert_int_gt(letters_columns("\x1B"), 0); /* comes as ^[ */
}

TEST(letters_beyond_the_canvas_are_cut)
{
    letters_draw(canvas, -2, -3, 1, style_of(ROLE_TEXT), "HH");
    letters_draw(canvas, 18, 78, 3, style_of(ROLE_TEXT), "HH");
    ck_assert_str_eq(view_text(canvas, 0, 0, 80), " █ █");
    ck_assert_str_eq(view_text(canvas, 19, 78, 2), "██");
}
