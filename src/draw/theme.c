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

/* The hues were searched for by simulated annealing: the least distance of any two, and of any to
 * the text, is as large as was found, for four kinds of vision at once (normal, protanopia,
 * deuteranopia, tritanopia; Machado et al. 2009, severity 1). The distance is the straight one in
 * OKLab, where black and white are 1 apart. Lightness carries much of it.
 *
 *                  of the first eight   of all, and to the text   contrast to the ground
 *      dark              0.101                  0.076                  4.5 and more
 *      light             0.104                  0.083                  3 and more
 *      contrast          0.112                  0.087                  4.5 and more
 *
 * The first eight weigh more because few models have more heads, and keep to their names: blue,
 * orange, green, rose, violet, yellow, cyan, brown. 8 to 11 are the four that stay furthest apart
 * from those and from each other, for models with twelve heads. On the light ground the first eight
 * but orange and cyan have 4.5 as well; no brighter orange could. Strokes get it by STROKE_ROOM. No
 * two hues fall together among xterm's 256 colours. tests/check_draw_theme.c holds all of this: a
 * new colour must keep to it.
 *
 * In "mono" every head has the same grey: equal weights must look equally strong.
 *
 * A row is a role's colour in the themes dark, light, contrast and mono, each with the one of the
 * 16 ANSI colours that stands for it, chosen by hand. */
#define COLORS(COLOR)                                                                              \
    COLOR(ROLE_GROUND, 0x121212, 0, 0xFFFFFF, 15, 0x000000, 0, 0x121212, 0)                        \
    COLOR(ROLE_TEXT, 0xDADADA, 7, 0x1C1C1C, 0, 0xFFFFFF, 15, 0xDADADA, 15)                         \
    COLOR(ROLE_FAINT, 0x878787, 8, 0x6C6C6C, 8, 0xB2B2B2, 7, 0x878787, 7)                          \
    COLOR(ROLE_TITLE, 0x5FAFFF, 12, 0x005FAF, 4, 0x87D7FF, 14, 0xEEEEEE, 15)                       \
    COLOR(ROLE_STRONG, 0xFFFFFF, 15, 0x000000, 0, 0xFFFFFF, 15, 0xFFFFFF, 15)                      \
    COLOR(ROLE_READABLE, 0xFFFFFF, 15, 0x000000, 0, 0xFFFFFF, 15, 0xFFFFFF, 15)                    \
    COLOR(ROLE_CURSOR, 0x005F87, 4, 0xAFD7FF, 14, 0x005F87, 4, 0x3A3A3A, 8)                        \
    COLOR(ROLE_PINNED, 0x875F00, 3, 0xFFD787, 11, 0x87005F, 1, 0x585858, 8)                        \
    COLOR(ROLE_WARNING, 0xFFAF5F, 11, 0xAF5F00, 1, 0xFFAF5F, 11, 0xFFFFFF, 15)                     \
    COLOR(ROLE_POSITIVE, 0x3D95FF, 12, 0x0B3BD8, 4, 0x3D95FF, 12, 0xDADADA, 15)                    \
    COLOR(ROLE_NEGATIVE, 0xFF8030, 3, 0xF86515, 1, 0xFF8030, 3, 0xDADADA, 15)                      \
    COLOR(ROLE_HUE + 0, 0x007BFF, 12, 0x0000FC, 4, 0x0077FF, 12, 0xDADADA, 15)                     \
    COLOR(ROLE_HUE + 1, 0xFF8B02, 3, 0xD5811D, 9, 0xFF8E00, 3, 0xDADADA, 15)                       \
    COLOR(ROLE_HUE + 2, 0x4EC378, 10, 0x005A32, 2, 0x45C784, 10, 0xDADADA, 15)                     \
    COLOR(ROLE_HUE + 3, 0xF70493, 9, 0xCE3C7C, 1, 0xEF0389, 9, 0xDADADA, 15)                       \
    COLOR(ROLE_HUE + 4, 0x9E92ED, 13, 0x6500AB, 5, 0xA696FF, 13, 0xDADADA, 15)                     \
    COLOR(ROLE_HUE + 5, 0xF8FF59, 11, 0x756F12, 3, 0xFFEF00, 11, 0xDADADA, 15)                     \
    COLOR(ROLE_HUE + 6, 0x07D5FD, 14, 0x009DC6, 6, 0x00DFFE, 14, 0xDADADA, 15)                     \
    COLOR(ROLE_HUE + 7, 0xA47325, 1, 0x442801, 8, 0x9D6A1C, 7, 0xDADADA, 15)                       \
    COLOR(ROLE_HUE + 8, 0x7A7BA3, 4, 0x2C0280, 4, 0xBCFFB2, 10, 0xDADADA, 15)                      \
    COLOR(ROLE_HUE + 9, 0x9FD89B, 2, 0x66004C, 5, 0xC424CF, 5, 0xDADADA, 15)                       \
    COLOR(ROLE_HUE + 10, 0xD129DB, 5, 0xA241AE, 13, 0xB8D8BB, 15, 0xDADADA, 15)                    \
    COLOR(ROLE_HUE + 11, 0xC69DBF, 7, 0x276AE5, 12, 0x397F7C, 6, 0xDADADA, 15)                     \
    COLOR(ROLE_HUE + 12, 0xCDFFFF, 15, 0xB08E76, 8, 0xBE814D, 3, 0xDADADA, 15)                     \
    COLOR(ROLE_HUE + 13, 0xF8C800, 11, 0xFF46BE, 13, 0xF2C848, 11, 0xDADADA, 15)                   \
    COLOR(ROLE_HUE + 14, 0x85FF9F, 10, 0x977EFF, 12, 0xA580C3, 13, 0xDADADA, 15)                   \
    COLOR(ROLE_HUE + 15, 0x368B68, 6, 0xA8156E, 1, 0xC99BC7, 15, 0xDADADA, 15)

#define DARK(role, dark, d, light, l, contrast, c, mono, m)                                        \
    .color[role] = HEX(dark), .ansi[role] = d,
#define LIGHT(role, dark, d, light, l, contrast, c, mono, m)                                       \
    .color[role] = HEX(light), .ansi[role] = l,
#define CONTRAST(role, dark, d, light, l, contrast, c, mono, m)                                    \
    .color[role] = HEX(contrast), .ansi[role] = c,
#define MONO(role, dark, d, light, l, contrast, c, mono, m)                                        \
    .color[role] = HEX(mono), .ansi[role] = m,

static const struct theme themes[] = {
    {.name = "dark", .least_contrast = 3, COLORS(DARK)},
    {.name = "light", .least_contrast = 3, COLORS(LIGHT)},
    {.name = "contrast", .least_contrast = 4.5, COLORS(CONTRAST)},
    {.name = "mono", .least_contrast = 3, .mono = true, COLORS(MONO)},
};

const struct theme *theme_at(size_t index)
{
    return index < sizeof themes / sizeof *themes ? &themes[index] : NULL;
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

/* The contrast ratio of two luminances, 1 to 21, in either order (WCAG 2.1). */
static double contrast_of(double a, double b)
{
    return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

unsigned theme_on_ground(struct rgb ground)
{
    double behind = luminance_of(ground);
    return contrast_of(0, behind) > contrast_of(1, behind) ? theme_number("light") : 0;
}

/* The ground's colour or the strong one, whichever has the larger contrast to what lies behind it.
 */
static uint8_t readable_role(const struct theme *theme, struct ink back)
{
    double behind = luminance_of(theme_rgb(theme, back));
    double ground = luminance_of(theme->color[ROLE_GROUND]);
    double strong = luminance_of(theme->color[ROLE_STRONG]);
    return contrast_of(ground, behind) > contrast_of(strong, behind) ? ROLE_GROUND : ROLE_STRONG;
}

/* The least level at which a role has the theme's least contrast to the ground. */
static uint8_t least_level(const struct theme *theme, uint8_t role)
{
    double ground = luminance_of(theme->color[ROLE_GROUND]);
    uint8_t level = 0;
    while (level < STYLE_FULL &&
           contrast_of(luminance_of(theme_rgb(theme, (struct ink){role, level})), ground) <
               theme->least_contrast)
        level++;
    return level;
}

/* CIE 1976 L*, 0 to 100. */
static double lightness_of(double luminance)
{
    return luminance > 216.0 / 24389 ? 116 * cbrt(luminance) - 16 : luminance * 24389 / 27;
}

/* Of L*, from the faintest stroke to the strongest: less is not seen as weight. */
#define STROKE_ROOM 16

/* The level of the strongest stroke: STYLE_FULL, or the next one that is so far from the least. */
static uint8_t most_level(const struct theme *theme, uint8_t role, uint8_t least)
{
    double faintest = lightness_of(luminance_of(theme_rgb(theme, (struct ink){role, least})));
    uint8_t level = STYLE_FULL;
    while (level < STYLE_MOST &&
           fabs(lightness_of(luminance_of(theme_rgb(theme, (struct ink){role, level}))) -
                faintest) < STROKE_ROOM)
        level++;
    return level;
}

/* What is known of a theme's inks, 1 + … since nothing is known of most. */
struct known {
    uint8_t readable[ROLE_COUNT][STYLE_FULL + 1];
    uint8_t least[ROLE_COUNT], most[ROLE_COUNT];
};

/* The contrast is worked out once for each ground that occurs. */
static void settle_readable(const struct theme *theme, struct known *known, struct style *style)
{
    uint8_t *role = &known->readable[style->back.role][style->back.level];
    if (*role == 0)
        *role = 1 + readable_role(theme, style->back);
    style->fore = ink_full((enum role)(*role - 1));
}

/* Strength 0 is the least level that can be seen, STYLE_FULL the strongest, and the steps between
 * them are even. */
static void settle_stroke(const struct theme *theme, struct known *known, struct ink *ink,
                          unsigned strength)
{
    uint8_t *known_least = &known->least[ink->role];
    if (*known_least == 0) {
        *known_least = 1 + least_level(theme, ink->role);
        known->most[ink->role] = most_level(theme, ink->role, *known_least - 1);
    }
    unsigned least = *known_least - 1, most = known->most[ink->role];
    ink->level = (uint8_t)(least + ((most - least) * strength + STYLE_FULL / 2) / STYLE_FULL);
}

void theme_settle(const struct theme *theme, struct canvas *canvas)
{
    struct known known = {0};
    for (int i = 0; i < canvas->columns * canvas->rows; i++) {
        struct style *style = &canvas->cells[i].style;
        if (style->fore.role == ROLE_READABLE)
            settle_readable(theme, &known, style);
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
