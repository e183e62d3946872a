#include "suites.h"

#include "headlight/view/theme.h"

#include <math.h>

/* WCAG 2's relative luminance and contrast ratio. */
static double luminance(struct rgb color)
{
    const double parts[] = {color.red / 255.0, color.green / 255.0, color.blue / 255.0};
    const double shares[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += shares[i] *
               (parts[i] <= 0.03928 ? parts[i] / 12.92 : pow((parts[i] + 0.055) / 1.055, 2.4));
    return sum;
}

static double contrast(struct rgb a, struct rgb b)
{
    double x = luminance(a), y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

START_TEST(levels_run_from_the_ground_to_the_colour)
{
    for (size_t i = 0; theme_at(i); i++)
        for (uint8_t role = 0; role < ROLE_COUNT; role++) {
            struct rgb none = theme_rgb(theme_at(i), (struct ink){role, 0});
            struct rgb full = theme_rgb(theme_at(i), (struct ink){role, STYLE_FULL});
            ck_assert_mem_eq(&none, &theme_at(i)->color[ROLE_GROUND], sizeof none);
            ck_assert_mem_eq(&full, &theme_at(i)->color[role], sizeof full);
        }
}
END_TEST

/* What must be read has a contrast of 4.5 to the ground it stands on, hues at least 3 (WCAG 2.1,
 * 1.4.3 and 1.4.11). */
START_TEST(everything_can_be_read)
{
    static const enum role words[] = {ROLE_TEXT, ROLE_FAINT, ROLE_TITLE, ROLE_STRONG, ROLE_WARNING};
    for (size_t i = 0; theme_at(i); i++) {
        const struct rgb *color = theme_at(i)->color;
        for (size_t j = 0; j < sizeof words / sizeof *words; j++)
            ck_assert_double_ge(contrast(color[words[j]], color[ROLE_GROUND]), 4.5);
        ck_assert_double_ge(contrast(color[ROLE_STRONG], color[ROLE_CURSOR]), 4.5);
        ck_assert_double_ge(contrast(color[ROLE_STRONG], color[ROLE_PINNED]), 4.5);
        for (int hue = 0; hue < STYLE_HUES; hue++)
            ck_assert_msg(contrast(color[ROLE_HUE + hue], color[ROLE_GROUND]) >= 3, "%s hue %d",
                          theme_at(i)->name, hue);
    }
}
END_TEST

START_TEST(themes_are_found_by_name)
{
    ck_assert_ptr_eq(theme_find("dark"), theme_at(0));
    ck_assert_ptr_eq(theme_find("light"), theme_at(1));
    ck_assert_ptr_null(theme_find("plaid"));
}
END_TEST

START_TEST(greys_stay_grey_among_256)
{
    ck_assert_uint_eq(theme_256((struct rgb){18, 18, 18}), 233);
    ck_assert_uint_eq(theme_256((struct rgb){255, 255, 255}), 231);
    ck_assert_uint_eq(theme_256((struct rgb){0, 0, 0}), 16);
    ck_assert_uint_eq(theme_256((struct rgb){128, 128, 128}), 244);
    ck_assert_uint_eq(theme_256((struct rgb){95, 175, 255}), 75);
    ck_assert_uint_eq(theme_256((struct rgb){0, 95, 135}), 24);
}
END_TEST

/* Sign is told by hue: among 256 colours no positive level is redder than blue, none negative
 * bluer than red. */
START_TEST(sign_survives_256_colours)
{
    static const int steps[] = {0, 95, 135, 175, 215, 255};
    for (size_t i = 0; theme_at(i); i++)
        for (uint8_t level = 0; level <= STYLE_FULL; level++)
            for (uint8_t role = ROLE_POSITIVE; role <= ROLE_NEGATIVE; role++) {
                int index = theme_256(theme_rgb(theme_at(i), (struct ink){role, level}));
                if (index >= 232)
                    continue;
                int red = steps[(index - 16) / 36], blue = steps[(index - 16) % 6];
                ck_assert_msg(role == ROLE_POSITIVE ? blue >= red : red >= blue, "%s level %u",
                              theme_at(i)->name, level);
            }
}
END_TEST

START_TEST(every_role_has_a_name_and_a_letter_of_its_own)
{
    for (unsigned a = 0; a < ROLE_COUNT; a++)
        for (unsigned b = 0; b < a; b++) {
            ck_assert_str_ne(role_name(a), role_name(b));
            ck_assert_int_ne(role_letter(a), role_letter(b));
        }
}
END_TEST

START_TEST(faint_levels_are_grey_among_16)
{
    const struct theme *dark = theme_find("dark");
    ck_assert_uint_eq(theme_ansi(dark, (struct ink){ROLE_POSITIVE, 2}), 8);
    ck_assert_uint_eq(theme_ansi(dark, (struct ink){ROLE_POSITIVE, 15}), 12);
    ck_assert_uint_eq(theme_ansi(dark, (struct ink){ROLE_POSITIVE, 0}), 0);
}
END_TEST

Suite *suite_view_theme(void)
{
    Suite *suite = suite_create("view/theme");
    TCase *tests = tcase_create("theme");
    tcase_add_test(tests, levels_run_from_the_ground_to_the_colour);
    tcase_add_test(tests, everything_can_be_read);
    tcase_add_test(tests, themes_are_found_by_name);
    tcase_add_test(tests, greys_stay_grey_among_256);
    tcase_add_test(tests, sign_survives_256_colours);
    tcase_add_test(tests, every_role_has_a_name_and_a_letter_of_its_own);
    tcase_add_test(tests, faint_levels_are_grey_among_16);
    suite_add_tcase(suite, tests);
    return suite;
}
