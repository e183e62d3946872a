/* theme.c: the themes' colours by role, and what follows from them: mixing, contrast, legibility.
 * theme_256.c has the ramps for terminals with 256 colours. Everything that depends on colour is
 * decided here, once a picture is drawn: views name roles and levels alone. */
#include "headlight/draw/theme.h"

#include <math.h>
#include <string.h>

/* ---- The themes ---- */

#define HEX(value)                                                                                 \
    {                                                                                              \
        (uint8_t)((value) >> 16), (uint8_t)((value) >> 8 & 0xFF), (uint8_t)((value)&0xFF)          \
    }

/* Hues are alone in telling heads apart, for equal weights must be equally light: within a tone all
 * hues have the same lightness at each level. There are eight, blue, orange, green, rose, violet,
 * yellow, cyan, red, as few models have more heads; the next eight heads have them in a second
 * tone, further from the ground. The colours were searched for by simulated annealing: the least
 * distance of any two is as large as was found for normal vision and, at less than half of it, for
 * protanopia, deuteranopia and tritanopia (Machado et al. 2009, severity 1), which see hues on a
 * single axis. The distance is the straight one in OKLab, where black and white are 1 apart.
 *
 *                 of the first eight   of all       for colour-blind eyes   lightness, of 100
 *      dark             0.095          0.068           0.043    0.031           70    84
 *      light            0.079          0.066           0.036    0.030           53    40
 *
 * "contrast" has those of "dark". All have 4.5:1 to the ground. No two hues fall together among
 * xterm's 256 colours. tests/check_draw_theme.c holds all of this: a new colour must keep to it.
 *
 * In "mono", and on paper in "print", every head has the same grey: equal weights must look equally
 * strong.
 *
 * A row is a role's colour in the themes dark, light, contrast, mono and print, each with the one
 * of the 16 ANSI colours that stands for it, chosen by hand. */
#define COLORS(COLOR)                                                                              \
    COLOR(ROLE_GROUND, 0x121212, 0, 0xFFFFFF, 15, 0x000000, 0, 0x121212, 0, 0xFFFFFF, 15)          \
    COLOR(ROLE_TEXT, 0xDADADA, 7, 0x1C1C1C, 0, 0xFFFFFF, 15, 0xDADADA, 15, 0x1C1C1C, 0)            \
    COLOR(ROLE_FAINT, 0x878787, 8, 0x6C6C6C, 8, 0xB2B2B2, 7, 0x878787, 7, 0x5F5F5F, 8)             \
    COLOR(ROLE_TITLE, 0x5FAFFF, 12, 0x005FAF, 4, 0x87D7FF, 14, 0xEEEEEE, 15, 0x000000, 0)          \
    COLOR(ROLE_STRONG, 0xFFFFFF, 15, 0x000000, 0, 0xFFFFFF, 15, 0xFFFFFF, 15, 0x000000, 0)         \
    COLOR(ROLE_READABLE, 0xFFFFFF, 15, 0x000000, 0, 0xFFFFFF, 15, 0xFFFFFF, 15, 0x000000, 0)       \
    COLOR(ROLE_CURSOR, 0x005F87, 4, 0xAFD7FF, 14, 0x005F87, 4, 0x3A3A3A, 8, 0xD0D0D0, 7)           \
    COLOR(ROLE_PINNED, 0x875F00, 3, 0xFFD787, 11, 0x87005F, 1, 0x585858, 8, 0xB0B0B0, 7)           \
    COLOR(ROLE_WARNING, 0xFFAF5F, 11, 0xAF5F00, 1, 0xFFAF5F, 11, 0xFFFFFF, 15, 0x000000, 0)        \
    COLOR(ROLE_POSITIVE, 0x3D95FF, 12, 0x0B3BD8, 4, 0x3D95FF, 12, 0xDADADA, 15, 0x1C1C1C, 0)       \
    COLOR(ROLE_NEGATIVE, 0xFF8030, 3, 0xF86515, 1, 0xFF8030, 3, 0xDADADA, 15, 0x1C1C1C, 0)         \
    COLOR(ROLE_HUE + 8, 0xB8CAE3, 4, 0x2031B3, 12, 0xB8CAE3, 12, 0xDADADA, 15, 0x1C1C1C, 0)        \
    COLOR(ROLE_HUE + 9, 0xFDB963, 7, 0x773003, 8, 0xFDB963, 7, 0xDADADA, 15, 0x1C1C1C, 0)          \
    COLOR(ROLE_HUE + 10, 0x61EA7D, 2, 0x0A5743, 10, 0x61EA7D, 2, 0xDADADA, 15, 0x1C1C1C, 0)        \
    COLOR(ROLE_HUE + 11, 0xFFB2D4, 5, 0x712C58, 13, 0xFFB2D4, 5, 0xDADADA, 15, 0x1C1C1C, 0)        \
    COLOR(ROLE_HUE + 12, 0xDAC0FC, 15, 0x523081, 5, 0xDAC0FC, 15, 0xDADADA, 15, 0x1C1C1C, 0)       \
    COLOR(ROLE_HUE + 13, 0xD5D41D, 11, 0x444A1B, 8, 0xD5D41D, 11, 0xDADADA, 15, 0x1C1C1C, 0)       \
    COLOR(ROLE_HUE + 14, 0x15DFFF, 6, 0x2F485F, 14, 0x15DFFF, 6, 0xDADADA, 15, 0x1C1C1C, 0)        \
    COLOR(ROLE_HUE + 15, 0xE6BEB8, 9, 0x871536, 9, 0xE6BEB8, 9, 0xDADADA, 15, 0x1C1C1C, 0)

/* These have others in a figure. */
#define HUES(COLOR)                                                                                \
    COLOR(ROLE_HUE + 0, 0x7A96FF, 12, 0x3852F8, 4, 0x7A96FF, 12, 0xDADADA, 15, 0x1C1C1C, 0)        \
    COLOR(ROLE_HUE + 1, 0xE88002, 3, 0x995700, 9, 0xE88002, 3, 0xDADADA, 15, 0x1C1C1C, 0)          \
    COLOR(ROLE_HUE + 2, 0x6CAF8E, 10, 0x2E7A5D, 2, 0x6CAF8E, 10, 0xDADADA, 15, 0x1C1C1C, 0)        \
    COLOR(ROLE_HUE + 3, 0xD87AB1, 9, 0xA4458B, 13, 0xD87AB1, 9, 0xDADADA, 15, 0x1C1C1C, 0)         \
    COLOR(ROLE_HUE + 4, 0xCD72EB, 13, 0x8F40B6, 5, 0xCD72EB, 13, 0xDADADA, 15, 0x1C1C1C, 0)        \
    COLOR(ROLE_HUE + 5, 0xAF9F4A, 11, 0x736A46, 3, 0xAF9F4A, 11, 0xDADADA, 15, 0x1C1C1C, 0)        \
    COLOR(ROLE_HUE + 6, 0x08B1CC, 14, 0x057A9B, 6, 0x08B1CC, 14, 0xDADADA, 15, 0x1C1C1C, 0)        \
    COLOR(ROLE_HUE + 7, 0xFB6479, 1, 0xBC3A3E, 1, 0xFB6479, 7, 0xDADADA, 15, 0x1C1C1C, 0)

/* Of a row the columns of one theme: each leaves out those before it. */
#define DARK(role, value, number, ...)     .color[role] = HEX(value), .ansi[role] = (number),
#define LIGHT(role, value, number, ...)    DARK(role, __VA_ARGS__)
#define CONTRAST(role, value, number, ...) LIGHT(role, __VA_ARGS__)
#define MONO(role, value, number, ...)     CONTRAST(role, __VA_ARGS__)
#define PRINT(role, value, number, ...)    MONO(role, __VA_ARGS__, 0)

static const struct theme themes[] = {
    {.name = "dark", .least_contrast = 3, COLORS(DARK) HUES(DARK)},
    {.name = "light", .least_contrast = 3, COLORS(LIGHT) HUES(LIGHT)},
    {.name = "contrast", .least_contrast = 4.5, COLORS(CONTRAST) HUES(CONTRAST)},
    {.name = "mono", .least_contrast = 3, .mono = true, COLORS(MONO) HUES(MONO)},
    {.name = "print", .least_contrast = 3, .mono = true, COLORS(PRINT) HUES(PRINT)},
};

/* In a figure a line tells its weight by width alone, so that hues may differ in lightness as well:
 * on white any two are 0.139 apart for every eye, against 0.036. */
static const struct theme light_paper = {
    .name = "light",
    .least_contrast = 3,
    COLORS(LIGHT).color[ROLE_HUE + 0] = HEX(0x1509FF),
    .color[ROLE_HUE + 1] = HEX(0xE87500),
    .color[ROLE_HUE + 2] = HEX(0x679F96),
    .color[ROLE_HUE + 3] = HEX(0x830050),
    .color[ROLE_HUE + 4] = HEX(0xBF71FC),
    .color[ROLE_HUE + 5] = HEX(0xC31802),
    .color[ROLE_HUE + 6] = HEX(0x88599E),
    .color[ROLE_HUE + 7] = HEX(0x5C04A6),
};

const struct theme *theme_paper(const struct theme *theme)
{
    return strcmp(theme->name, light_paper.name) == 0 ? &light_paper : theme;
}

const struct theme *theme_at(size_t index)
{
    return index < LENGTH(themes) ? &themes[index] : NULL;
}

unsigned theme_number(const char *name)
{
    unsigned number = 0;
    while (theme_at(number) && strcmp(theme_at(number)->name, name) != 0)
        number++;
    return number;
}

/* Linear in the components of sRGB, not in light; rounded to the nearest. */
static uint8_t mix(uint8_t from, uint8_t to, unsigned level)
{
    return (uint8_t)((from * (STYLE_FULL - level) + to * level + STYLE_FULL / 2) / STYLE_FULL);
}

struct rgb theme_rgb(const struct theme *theme, struct ink ink)
{
    bool beyond = ink.level > STYLE_FULL;
    unsigned level = beyond ? ink.level - STYLE_FULL : ink.level;
    struct rgb from = theme->color[beyond ? ink.role : ROLE_GROUND];
    struct rgb to = theme->color[beyond ? ROLE_STRONG : ink.role];
    return (struct rgb){mix(from.red, to.red, level), mix(from.green, to.green, level),
                        mix(from.blue, to.blue, level)};
}

/* ---- Contrast ---- */

/* From a component of sRGB to linear light, 0 to 1 (WCAG 2.1, relative luminance). */
static double linear(uint8_t component)
{
    double value = component / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* Relative luminance, 0 to 1 (WCAG 2.1). */
static double luminance_of(struct rgb color)
{
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

static double luminance_at(const struct theme *theme, enum role role, unsigned level)
{
    return luminance_of(theme_rgb(theme, (struct ink){(uint8_t)role, (uint8_t)level}));
}

/* The contrast ratio of two luminances, 1 to 21, in either order (WCAG 2.1). */
static double contrast_of(double a, double b)
{
    return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

unsigned theme_on_ground(struct rgb ground)
{
    const double behind = luminance_of(ground);
    return contrast_of(0, behind) > contrast_of(1, behind) ? theme_number("light") : 0;
}

/* CIE 1976 L*, 0 to 100. */
static double lightness_of(double luminance)
{
    return luminance > 216.0 / 24389 ? 116 * cbrt(luminance) - 16 : luminance * 24389 / 27;
}

/* Of L*, from the faintest stroke to the strongest: less is not seen as weight. */
#define STROKE_ROOM 16

/* What is known of a theme's inks, 1 + … since nothing is known of most. */
struct known {
    uint8_t readable[ROLE_COUNT][STYLE_FULL + 1];
    uint8_t least[ROLE_COUNT], most[ROLE_COUNT];
};

/* Strength 0 is the least level that can be seen, STYLE_FULL the strongest, and the steps between
 * them are even. The hues of a tone share their levels, those of the hue that needs most: so equal
 * weights are equally light. */
static void settle_stroke(const struct theme *theme, struct known *known, struct ink *ink,
                          unsigned strength)
{
    if (known->least[ink->role] == 0) {
        const bool hue = ink->role >= ROLE_HUE;
        const uint8_t first =
            hue ? (uint8_t)(ink->role - (ink->role - ROLE_HUE) % STYLE_TONE) : ink->role;
        const uint8_t end = (uint8_t)(first + (hue ? STYLE_TONE : 1));
        const double ground = luminance_at(theme, ROLE_GROUND, 0);
        uint8_t least = 0, most = STYLE_FULL;
        for (uint8_t i = first; i < end; i++) /* until all have the least contrast to the ground */
            while (least < STYLE_FULL &&
                   contrast_of(luminance_at(theme, i, least), ground) < theme->least_contrast)
                least++;
        for (uint8_t i = first; i < end; i++) /* and the strongest are far enough from those */
            while (most < STYLE_MOST &&
                   fabs(lightness_of(luminance_at(theme, i, most)) -
                        lightness_of(luminance_at(theme, i, least))) < STROKE_ROOM)
                most++;
        memset(known->least + first, 1 + least, (size_t)(end - first));
        memset(known->most + first, most, (size_t)(end - first));
    }
    unsigned least = known->least[ink->role] - 1u, most = known->most[ink->role];
    ink->level = (uint8_t)(least + ((most - least) * strength + STYLE_FULL / 2) / STYLE_FULL);
}

void theme_settle(const struct theme *theme, struct canvas *canvas)
{
    struct known known = {0};
    const double ground = luminance_at(theme, ROLE_GROUND, 0),
                 strong = luminance_at(theme, ROLE_STRONG, STYLE_FULL);
    for (int i = 0; i < canvas->columns * canvas->rows; i++) {
        struct style *style = &canvas->cells[i].style;
        if (style->fore.role == ROLE_READABLE) { /* worked out once for each ground that occurs */
            uint8_t *role = &known.readable[style->back.role][style->back.level];
            const double behind =
                *role > 0 ? 0 : luminance_at(theme, style->back.role, style->back.level);
            if (*role == 0)
                *role =
                    1 + (contrast_of(ground, behind) > contrast_of(strong, behind) ? ROLE_GROUND
                                                                                   : ROLE_STRONG);
            style->fore = ink_full((enum role)(*role - 1));
        }
        if (style->stroke)
            settle_stroke(theme, &known, &style->fore, style->strength);
    }
    for (size_t i = 0; i < canvas->field_count; i++)
        for (size_t j = 0; j < canvas->fields[i].count; j++) {
            struct ink *ink = &canvas->fields[i].strokes[j].ink;
            settle_stroke(theme, &known, ink, ink->level);
        }
}

/* ---- 16 colours ---- */

/* Sixteen colours leave three levels: the ground, faint, and the role's own colour. */
uint8_t theme_ansi(const struct theme *theme, struct ink ink)
{
    if (ink.level == 0)
        return theme->ansi[ROLE_GROUND];
    if (ink.level < 5)
        return theme->ansi[ROLE_FAINT];
    return theme->ansi[ink.role];
}

/* ---- Inks ---- */

/* 0.25 + 0.75·min(1, w/0.8) of full brightness. */
unsigned style_level(unsigned thousandths)
{
    unsigned capped = thousandths < 800 ? thousandths : 800;
    return (STYLE_FULL * (800 + 3 * capped) + 1600) / 3200;
}
