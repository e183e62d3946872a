#include "colors.h"
#include "suites.h"

#include "headlight/draw/theme.h"

#include <math.h>
#include <string.h>

TEST(levels_run_from_the_ground_to_the_colour)
{
    for (size_t i = 0; theme_at(i); i++)
        for (uint8_t role = 0; role < ROLE_COUNT; role++) {
            struct rgb none = theme_rgb(theme_at(i), (struct ink){role, 0});
            struct rgb full = theme_rgb(theme_at(i), (struct ink){role, STYLE_FULL});
            ck_assert_mem_eq(&none, &theme_at(i)->color[ROLE_GROUND], sizeof none);
            ck_assert_mem_eq(&full, &theme_at(i)->color[role], sizeof full);
        }
}

/* ---- What can be read ---- */

static void assert_contrast(const struct theme *theme, unsigned role, unsigned ground, double least)
{
    double ratio = color_contrast(theme->color[role], theme->color[ground]);
    ck_assert_msg(ratio >= least, "%s: %s on %s has a contrast of %.2f, expected %.1f", theme->name,
                  role_name(role), role_name(ground), ratio, least);
}

/* WCAG 2.1: 1.4.3 and 1.4.6 for words, 1.4.11 for what is drawn. */
TEST(everything_can_be_read)
{
    for (size_t i = 0; theme_at(i); i++) {
        const struct theme *theme = theme_at(i);
        assert_contrast(theme, ROLE_TEXT, ROLE_GROUND, 7);
        assert_contrast(theme, ROLE_STRONG, ROLE_GROUND, 7);
        assert_contrast(theme, ROLE_FAINT, ROLE_GROUND, 4.5);
        assert_contrast(theme, ROLE_TITLE, ROLE_GROUND, 4.5);
        assert_contrast(theme, ROLE_WARNING, ROLE_GROUND, 4.5);
        assert_contrast(theme, ROLE_STRONG, ROLE_CURSOR, 4.5);
        assert_contrast(theme, ROLE_STRONG, ROLE_PINNED, 4.5);
        assert_contrast(theme, ROLE_POSITIVE, ROLE_GROUND, 3);
        assert_contrast(theme, ROLE_NEGATIVE, ROLE_GROUND, 3);
        for (unsigned hue = 0; hue < STYLE_HUES; hue++)
            assert_contrast(theme, ROLE_HUE + hue, ROLE_GROUND, 3);
    }
}

/* On every shade of every head numbers stand out. No two grounds allow more than the root of their
 * own contrast everywhere: 4.33 for white and the dark theme's ground. */
TEST(what_is_readable_can_be_read_on_any_shade)
{
    struct canvas *canvas = canvas_new(STYLE_FULL + 1, STYLE_HUES, (struct traits){0});
    for (size_t i = 0; theme_at(i); i++) {
        canvas_clear(canvas);
        for (int hue = 0; hue < STYLE_HUES; hue++)
            for (int level = 0; level <= STYLE_FULL; level++)
                canvas_text(canvas, hue, level, 1,
                            (struct style){.fore = ink_full(ROLE_READABLE),
                                           .back = ink_head((size_t)hue, (unsigned)level)},
                            "8");
        theme_settle(theme_at(i), canvas);
        for (int cell = 0; cell < canvas->columns * canvas->rows; cell++) {
            struct style style = canvas->cells[cell].style;
            ck_assert(style.fore.role == ROLE_GROUND || style.fore.role == ROLE_STRONG);
            double ratio = color_contrast(theme_rgb(theme_at(i), style.fore),
                                          theme_rgb(theme_at(i), style.back));
            ck_assert_msg(ratio >= 4.3, "%s: a contrast of %.2f on %s, level %d", theme_at(i)->name,
                          ratio, role_name(style.back.role), style.back.level);
        }
    }
    canvas_free(canvas);
}

TEST(high_contrast_is_high)
{
    const struct theme *theme = theme_at(theme_number("contrast"));
    static const enum role words[] = {ROLE_TEXT, ROLE_FAINT, ROLE_TITLE, ROLE_STRONG, ROLE_WARNING};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_contrast(theme, words[i], ROLE_GROUND, 7);
    assert_contrast(theme, ROLE_STRONG, ROLE_CURSOR, 7);
    assert_contrast(theme, ROLE_STRONG, ROLE_PINNED, 7);
    for (unsigned role = ROLE_POSITIVE; role < ROLE_COUNT; role++)
        assert_contrast(theme, role, ROLE_GROUND, 4.5);
}

TEST(mono_is_grey)
{
    for (size_t i = 0; theme_at(i); i++) {
        bool grey = true;
        for (unsigned role = 0; role < ROLE_COUNT; role++) {
            struct rgb color = theme_at(i)->color[role];
            grey = grey && color.red == color.green && color.green == color.blue;
        }
        ck_assert_int_eq(grey, strcmp(theme_at(i)->name, "mono") == 0 ||
                                   strcmp(theme_at(i)->name, "print") == 0);
        ck_assert_int_eq(theme_at(i)->mono, grey);
    }
}

/* ---- What is told apart ---- */

/* Linear RGB as the eye without a kind of cone has it: G. M. Machado, M. M. Oliveira and
 * L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
 * IEEE TVCG 15(6), 2009; severity 1. */
static const struct sight {
    const char *name;
    double matrix[3][3];
} sights[] = {
    {"normal vision", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"protanopia",
     {{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {"deuteranopia",
     {{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {"tritanopia",
     {{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
};
enum { SIGHTS = sizeof sights / sizeof *sights };

static void multiply(const double matrix[3][3], const double from[3], double to[3])
{
    for (int i = 0; i < 3; i++)
        to[i] = matrix[i][0] * from[0] + matrix[i][1] * from[1] + matrix[i][2] * from[2];
}

/* B. Ottosson, "A perceptual color space for image processing", 2020: OKLab of linear sRGB. */
static void oklab(const double light[3], double lab[3])
{
    static const double to_cones[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                          {0.2119034982, 0.6806995451, 0.1073969566},
                                          {0.0883024619, 0.2817188376, 0.6299787005}};
    static const double to_lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                        {1.9779984951, -2.4285922050, 0.4505937099},
                                        {0.0259040371, 0.7827717662, -0.8086757660}};
    double cones[3];
    multiply(to_cones, light, cones);
    for (int i = 0; i < 3; i++)
        cones[i] = cbrt(cones[i]);
    multiply(to_lab, cones, lab);
}

static void seen(const struct sight *sight, struct rgb color, double lab[3])
{
    double light[3] = {color_linear(color.red), color_linear(color.green),
                       color_linear(color.blue)},
           cast[3];
    multiply(sight->matrix, light, cast);
    for (int i = 0; i < 3; i++)
        cast[i] = fmin(fmax(cast[i], 0), 1);
    oklab(cast, lab);
}

/* Straight through OKLab; black and white are 1 apart. */
static double distance(const struct sight *sight, struct rgb a, struct rgb b)
{
    double x[3], y[3];
    seen(sight, a, x);
    seen(sight, b, y);
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                (x[2] - y[2]) * (x[2] - y[2]));
}

static void assert_apart(const struct theme *theme, const struct sight *sight, unsigned a,
                         unsigned b, double least)
{
    double apart = distance(sight, theme->color[a], theme->color[b]);
    ck_assert_msg(apart >= least, "%s, %s: %s and %s are %.4f apart, expected %.4f", theme->name,
                  sight->name, role_name(a), role_name(b), apart, least);
}

/* What the search for the palettes reached, rounded down (assets/colors): for normal vision, and
 * for other eyes, to whom hues of one lightness differ in blue and yellow alone. */
static const struct {
    const char *theme;
    double eight[2], all[2];
} bounds[] = {{"dark", {0.095, 0.043}, {0.068, 0.031}},
              {"light", {0.079, 0.036}, {0.066, 0.030}},
              {"contrast", {0.095, 0.043}, {0.068, 0.031}}};

TEST(hues_are_apart_for_every_eye, .times = COUNT(bounds))
{
    const struct theme *theme = theme_at(theme_number(bounds[_i].theme));
    for (size_t i = 0; i < SIGHTS; i++)
        for (unsigned a = 0; a < STYLE_HUES; a++) {
            assert_apart(theme, &sights[i], ROLE_HUE + a, ROLE_TEXT, bounds[_i].all[i > 0]);
            for (unsigned b = 0; b < a; b++)
                assert_apart(theme, &sights[i], ROLE_HUE + a, ROLE_HUE + b,
                             (a < STYLE_TONE ? bounds[_i].eight : bounds[_i].all)[i > 0]);
        }
}

/* In a figure hues differ in lightness as well. */
TEST(hues_of_figures_are_further_apart)
{
    const struct theme *theme = theme_paper(theme_at(theme_number("light")));
    ck_assert_ptr_eq(theme_paper(theme_at(0)), theme_at(0));
    for (size_t i = 0; i < SIGHTS; i++)
        for (unsigned a = 0; a < STYLE_TONE; a++)
            for (unsigned b = 0; b < a; b++)
                assert_apart(theme, &sights[i], ROLE_HUE + a, ROLE_HUE + b, 0.139);
    for (unsigned hue = 0; hue < STYLE_HUES; hue++)
        assert_contrast(theme, ROLE_HUE + hue, ROLE_GROUND, 3);
}

TEST(metric_is_right)
{
    static const struct rgb white = {255, 255, 255}, black = {0, 0, 0}, red = {255, 0, 0};
    double lab[3];
    ck_assert_double_eq_tol(distance(&sights[0], white, black), 1, 1e-6);
    for (size_t i = 0; i < SIGHTS; i++) { /* greys look the same to all */
        seen(&sights[i], (struct rgb){128, 128, 128}, lab);
        ck_assert_double_eq_tol(lab[0], 0.5999, 1e-3);
        ck_assert_double_eq_tol(hypot(lab[1], lab[2]), 0, 1e-3);
    }
    seen(&sights[0], red, lab); /* CSS Color 4: oklab(0.62796 0.22486 0.12585) */
    ck_assert_double_eq_tol(lab[0], 0.62796, 1e-4);
    ck_assert_double_eq_tol(lab[1], 0.22486, 1e-4);
    ck_assert_double_eq_tol(lab[2], 0.12585, 1e-4);
}

/* So are the strongest strokes, which may have another colour. */
TEST(hues_are_apart_among_256_colours)
{
    for (size_t i = 0; theme_at(i); i++) {
        struct theme_indexes indexes;
        theme_indexes(theme_at(i), &indexes);
        for (unsigned a = ROLE_HUE; a < ROLE_COUNT && !theme_at(i)->mono; a++)
            for (unsigned b = ROLE_HUE; b < a; b++)
                ck_assert_msg(indexes.inks[a][STYLE_FULL] != indexes.inks[b][STYLE_FULL] &&
                                  indexes.strokes[a][STYLE_FULL] != indexes.strokes[b][STYLE_FULL],
                              "%s: %s and %s", theme_at(i)->name, role_name(a), role_name(b));
    }
}

TEST(themes_are_found_by_name)
{
    ck_assert_ptr_eq(theme_at(theme_number("dark")), theme_at(0));
    ck_assert_ptr_eq(theme_at(theme_number("light")), theme_at(1));
    ck_assert_ptr_nonnull(theme_at(theme_number("contrast")));
    ck_assert_ptr_nonnull(theme_at(theme_number("mono")));
    ck_assert_ptr_null(theme_at(theme_number("plaid")));
}

/* ---- Among 256 colours ---- */

/* A colour's brightness, strength and direction (ITU-R BT.601). */
struct tone {
    double luma, chroma, angle;
};

static struct tone tone_of(struct rgb color)
{
    double luma = 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue;
    double blue = 0.564 * (color.blue - luma), red = 0.713 * (color.red - luma);
    return (struct tone){luma, hypot(blue, red), atan2(red, blue)};
}

static double tone_difference(struct tone a, struct tone b)
{
    const double pi = acos(-1);
    double turn = fabs(remainder(a.angle - b.angle, 2 * pi));
    if (a.chroma < 1 || b.chroma < 1) /* a grey counts as the opposite hue */
        turn = pi;
    return pow(a.luma - b.luma, 2) + pow(a.chroma - b.chroma, 2) +
           pow((a.chroma + b.chroma) * turn, 2);
}

/* The most like, hue before brightness, as tests/ramps_256.py finds it: where the themes' colours
 * change, the table has to be printed anew. */
static int nearest_256(struct rgb color)
{
    int best = 16;
    for (int i = 17; i < 256; i++)
        if (tone_difference(tone_of(color), tone_of(color_of_256(i))) <
            tone_difference(tone_of(color), tone_of(color_of_256(best))))
            best = i;
    return best;
}

TEST(greys_stay_grey_among_256)
{
    ck_assert_int_eq(nearest_256((struct rgb){18, 18, 18}), 233);
    ck_assert_int_eq(nearest_256((struct rgb){255, 255, 255}), 231);
    ck_assert_int_eq(nearest_256((struct rgb){0, 0, 0}), 16);
    ck_assert_int_eq(nearest_256((struct rgb){128, 128, 128}), 244);
    ck_assert_int_eq(nearest_256((struct rgb){95, 175, 255}), 75);
    ck_assert_int_eq(nearest_256((struct rgb){0, 95, 135}), 24);
}

/* Sign is told by hue: among 256 colours no positive level is redder than blue, none negative
 * bluer than red. */
TEST(sign_survives_256_colours)
{
    struct theme_indexes indexes;
    for (size_t i = 0; theme_at(i); i++) {
        theme_indexes(theme_at(i), &indexes);
        for (uint8_t level = 0; level <= STYLE_FULL; level++)
            for (uint8_t role = ROLE_POSITIVE; role <= ROLE_NEGATIVE && !theme_at(i)->mono;
                 role++) {
                struct rgb color = color_of_256(indexes.inks[role][level]);
                ck_assert_msg(role == ROLE_POSITIVE ? color.blue >= color.red
                                                    : color.red >= color.blue,
                              "%s level %u", theme_at(i)->name, level);
            }
    }
}

/* What makes two neighbours of a ramp look different. */
#define STEP 2.499

/* Of L*, from the faintest to the strongest; and of OKLab's lightness among the hues of a tone. */
#define ROOM   10
#define SPREAD 20

static bool is_ramp(uint8_t role)
{
    return role == ROLE_POSITIVE || role == ROLE_NEGATIVE || role >= ROLE_HUE;
}

/* Checks that no level steps back, and counts the colours. */
static int colours_of_ramp(const struct theme *theme, uint8_t role)
{
    struct theme_indexes indexes;
    theme_indexes(theme, &indexes);
    int colours = 1, before = indexes.inks[role][0];
    double sign =
        color_luminance(theme->color[role]) < color_luminance(theme->color[ROLE_GROUND]) ? -1 : 1;
    ck_assert_int_eq(before, nearest_256(theme->color[ROLE_GROUND]));
    for (uint8_t level = 1; level <= STYLE_FULL; level++) {
        int index = indexes.inks[role][level];
        double rise =
            sign * (color_lightness(color_of_256(index)) - color_lightness(color_of_256(before)));
        ck_assert_msg(index == before || rise >= (is_ramp(role) ? STEP : 0),
                      "%s, %s: level %u is %d after %d, %.1f further", theme->name, role_name(role),
                      level, index, before, rise);
        colours += index != before;
        before = index;
    }
    ck_assert(is_ramp(role) || before == nearest_256(theme->color[role]));
    return colours;
}

TEST(ramps_have_five_steps_among_256_colours)
{
    for (size_t i = 0; theme_at(i); i++)
        for (uint8_t role = ROLE_GROUND + 1; role < ROLE_COUNT; role++) {
            int colours = colours_of_ramp(theme_at(i), role);
            ck_assert_msg(!is_ramp(role) || colours >= 6, "%s, %s: %d colours", theme_at(i)->name,
                          role_name(role), colours);
        }
}

/* OKLab's chroma, and its hue in radians. */
static double hue_of(struct rgb color, double *angle)
{
    double lab[3];
    seen(&sights[0], color, lab);
    *angle = atan2(lab[2], lab[1]);
    return hypot(lab[1], lab[2]);
}

#define COLOURED 0.04 /* the chroma of what isn't grey */

/* What is of a hue is within 24 degrees of it, or so pale that it is hardly further. */
static void assert_hue(const struct theme *theme, unsigned role, int index)
{
    double full, angle, pure = hue_of(theme->color[role], &full);
    double chroma = hue_of(color_of_256(index), &angle);
    double off = fabs(remainder(angle - full, 2 * acos(-1)));
    ck_assert_msg(pure < COLOURED ? chroma < COLOURED
                                  : chroma >= COLOURED && (off <= 0.419 || off * chroma <= 0.035),
                  "%s, %s: %d has a chroma of %.2f, %.2f off", theme->name, role_name(role), index,
                  chroma, off);
}

/* Behind the ground the first two colours of a ramp may be grey, no other one; and no stroke. */
TEST(ramps_keep_their_hue_among_256_colours)
{
    for (size_t i = 0; theme_at(i); i++) {
        struct theme_indexes indexes;
        theme_indexes(theme_at(i), &indexes);
        for (unsigned role = ROLE_POSITIVE; role < ROLE_COUNT; role++)
            for (unsigned level = 0, step = 0; level <= STYLE_FULL; level++) {
                int ink = indexes.inks[role][level];
                step += level > 0 && ink != indexes.inks[role][level - 1];
                if (step > 2)
                    assert_hue(theme_at(i), role, ink);
                assert_hue(theme_at(i), role, indexes.strokes[role][level]);
            }
    }
}

/* ---- Weight ---- */

enum way { INKS, STROKES, INKS_256, STROKES_256, WAYS };

/* A level of a role as it is shown. */
static struct rgb shown_by(enum way way, const struct theme *theme, uint8_t role, uint8_t level)
{
    struct theme_indexes indexes;
    theme_indexes(theme, &indexes);
    struct canvas *canvas = canvas_new(1, 1, (struct traits){0});
    struct style style = {.fore = {role, level}};
    if (way == STROKES || way == STROKES_256)
        style = style_legible(style.fore);
    canvas_text(canvas, 0, 0, 1, style, "x");
    theme_settle(theme, canvas);
    style = canvas->cells[0].style;
    canvas_free(canvas);
    return way < INKS_256 ? theme_rgb(theme, style.fore)
                          : color_of_256(theme_index_of(&indexes, style, false));
}

/* However many colours there are, a larger weight is never nearer to the ground in lightness, and
 * the largest has a contrast of 4.5:1 where it is a line or one of 256 colours. */
TEST(weight_is_lightness, .times = 5 * WAYS)
{
    const struct theme *theme = theme_at((size_t)_i / WAYS);
    const enum way way = (enum way)(_i % WAYS);
    struct rgb ground = shown_by(way, theme, ROLE_GROUND, 0);
    for (uint8_t role = ROLE_POSITIVE; role < ROLE_COUNT; role++) {
        if (!is_ramp(role))
            continue;
        double before = 0, first = 0;
        for (uint8_t level = 0; level <= STYLE_FULL; level++) {
            double away =
                fabs(color_lightness(shown_by(way, theme, role, level)) - color_lightness(ground));
            ck_assert_msg(away >= before, "%s, %s, way %d: level %u is %.1f from the ground",
                          theme->name, role_name(role), way, level, away);
            first = level == 0 ? away : first;
            before = away;
        }
        struct rgb full = shown_by(way, theme, role, STYLE_FULL);
        ck_assert_msg(way == INKS || color_contrast(full, ground) >= 4.5, "%s, %s, way %d: %.2f",
                      theme->name, role_name(role), way, color_contrast(full, ground));
        ck_assert_msg(before - first >= ROOM, "%s, %s, way %d: %.1f", theme->name, role_name(role),
                      way, before - first);
    }
}

/* OKLab's lightness, of 100. */
static double evenness(struct rgb color)
{
    double lab[3];
    seen(&sights[0], color, lab);
    return 100 * lab[0];
}

/* How far the lightest and the darkest hue of a tone are apart at one level: of what fills an area,
 * of strokes, and, coarsely, among 256 colours. */
TEST(equal_weights_are_equally_light, .times = 5 * 3)
{
    const enum way way = (enum way)(_i % 3);
    const struct theme *theme = theme_at((size_t)_i / 3);
    const double spread = way == INKS_256 ? SPREAD : 2;
    for (int first = ROLE_HUE; first < ROLE_COUNT; first += STYLE_TONE)
        for (uint8_t level = 0; level <= STYLE_FULL; level++) {
            double least = 100, most = 0;
            for (uint8_t role = (uint8_t)first; role < first + STYLE_TONE; role++) {
                double here = evenness(shown_by(way, theme, role, level));
                least = fmin(least, here);
                most = fmax(most, here);
            }
            ck_assert_msg(most - least <= spread, "%s, way %d, level %u: %.1f to %.1f", theme->name,
                          way, level, least, most);
        }
}

TEST(every_role_has_a_name_and_a_letter_of_its_own)
{
    for (unsigned a = 0; a < ROLE_COUNT; a++)
        for (unsigned b = 0; b < a; b++) {
            ck_assert_str_ne(role_name(a), role_name(b));
            ck_assert_int_ne(role_letter(a), role_letter(b));
        }
}

TEST(faint_levels_are_grey_among_16)
{
    const struct theme *dark = theme_at(theme_number("dark"));
    ck_assert_uint_eq(theme_ansi(dark, (struct ink){ROLE_POSITIVE, 2}), 8);
    ck_assert_uint_eq(theme_ansi(dark, (struct ink){ROLE_POSITIVE, 15}), 12);
    ck_assert_uint_eq(theme_ansi(dark, (struct ink){ROLE_POSITIVE, 0}), 0);
}
