/* theme.c: the themes' colours by role, and what follows from them: mixing, contrast, legibility.
 * theme_256.c has the ramps for terminals with 256 colours. */
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
 * but orange and cyan have 4.5 as well; no brighter orange could. No two hues fall together
 * among xterm's 256 colours. tests/check_draw_theme.c holds all of this: a new colour must keep to
 * it.
 *
 * In "mono" every head has the same grey: equal weights must look equally strong. */
static const struct theme themes[] = {
    {
        .name = "dark",
        .least_contrast = 3,
        .color =
            {
                [ROLE_GROUND] = HEX(0x121212),   [ROLE_TEXT] = HEX(0xDADADA),
                [ROLE_FAINT] = HEX(0x878787),    [ROLE_TITLE] = HEX(0x5FAFFF),
                [ROLE_STRONG] = HEX(0xFFFFFF),   [ROLE_READABLE] = HEX(0xFFFFFF),
                [ROLE_CURSOR] = HEX(0x005F87),   [ROLE_PINNED] = HEX(0x875F00),
                [ROLE_WARNING] = HEX(0xFFAF5F),  [ROLE_POSITIVE] = HEX(0x3D95FF),
                [ROLE_NEGATIVE] = HEX(0xFF8030), [ROLE_HUE + 0] = HEX(0x007BFF),
                [ROLE_HUE + 1] = HEX(0xFF8B02),  [ROLE_HUE + 2] = HEX(0x4EC378),
                [ROLE_HUE + 3] = HEX(0xF70493),  [ROLE_HUE + 4] = HEX(0x9E92ED),
                [ROLE_HUE + 5] = HEX(0xF8FF59),  [ROLE_HUE + 6] = HEX(0x07D5FD),
                [ROLE_HUE + 7] = HEX(0xA47325),  [ROLE_HUE + 8] = HEX(0x7A7BA3),
                [ROLE_HUE + 9] = HEX(0x9FD89B),  [ROLE_HUE + 10] = HEX(0xD129DB),
                [ROLE_HUE + 11] = HEX(0xC69DBF), [ROLE_HUE + 12] = HEX(0xCDFFFF),
                [ROLE_HUE + 13] = HEX(0xF8C800), [ROLE_HUE + 14] = HEX(0x85FF9F),
                [ROLE_HUE + 15] = HEX(0x368B68),
            },
        .ansi =
            {
                [ROLE_GROUND] = 0,    [ROLE_TEXT] = 7,      [ROLE_FAINT] = 8,
                [ROLE_TITLE] = 12,    [ROLE_STRONG] = 15,   [ROLE_READABLE] = 15,
                [ROLE_CURSOR] = 4,    [ROLE_PINNED] = 3,    [ROLE_WARNING] = 11,
                [ROLE_POSITIVE] = 12, [ROLE_NEGATIVE] = 3,  [ROLE_HUE + 0] = 12,
                [ROLE_HUE + 1] = 3,   [ROLE_HUE + 2] = 10,  [ROLE_HUE + 3] = 9,
                [ROLE_HUE + 4] = 13,  [ROLE_HUE + 5] = 11,  [ROLE_HUE + 6] = 14,
                [ROLE_HUE + 7] = 1,   [ROLE_HUE + 8] = 4,   [ROLE_HUE + 9] = 2,
                [ROLE_HUE + 10] = 5,  [ROLE_HUE + 11] = 7,  [ROLE_HUE + 12] = 15,
                [ROLE_HUE + 13] = 11, [ROLE_HUE + 14] = 10, [ROLE_HUE + 15] = 6,
            },
    },
    {
        .name = "light",
        .least_contrast = 3,
        .color =
            {
                [ROLE_GROUND] = HEX(0xFFFFFF),   [ROLE_TEXT] = HEX(0x1C1C1C),
                [ROLE_FAINT] = HEX(0x6C6C6C),    [ROLE_TITLE] = HEX(0x005FAF),
                [ROLE_STRONG] = HEX(0x000000),   [ROLE_READABLE] = HEX(0x000000),
                [ROLE_CURSOR] = HEX(0xAFD7FF),   [ROLE_PINNED] = HEX(0xFFD787),
                [ROLE_WARNING] = HEX(0xAF5F00),  [ROLE_POSITIVE] = HEX(0x0B3BD8),
                [ROLE_NEGATIVE] = HEX(0xF86515), [ROLE_HUE + 0] = HEX(0x0000FC),
                [ROLE_HUE + 1] = HEX(0xD5811D),  [ROLE_HUE + 2] = HEX(0x005A32),
                [ROLE_HUE + 3] = HEX(0xCE3C7C),  [ROLE_HUE + 4] = HEX(0x6500AB),
                [ROLE_HUE + 5] = HEX(0x756F12),  [ROLE_HUE + 6] = HEX(0x009DC6),
                [ROLE_HUE + 7] = HEX(0x442801),  [ROLE_HUE + 8] = HEX(0x2C0280),
                [ROLE_HUE + 9] = HEX(0x66004C),  [ROLE_HUE + 10] = HEX(0xA241AE),
                [ROLE_HUE + 11] = HEX(0x276AE5), [ROLE_HUE + 12] = HEX(0xB08E76),
                [ROLE_HUE + 13] = HEX(0xFF46BE), [ROLE_HUE + 14] = HEX(0x977EFF),
                [ROLE_HUE + 15] = HEX(0xA8156E),
            },
        .ansi =
            {
                [ROLE_GROUND] = 15,   [ROLE_TEXT] = 0,      [ROLE_FAINT] = 8,
                [ROLE_TITLE] = 4,     [ROLE_STRONG] = 0,    [ROLE_READABLE] = 0,
                [ROLE_CURSOR] = 14,   [ROLE_PINNED] = 11,   [ROLE_WARNING] = 1,
                [ROLE_POSITIVE] = 4,  [ROLE_NEGATIVE] = 1,  [ROLE_HUE + 0] = 4,
                [ROLE_HUE + 1] = 9,   [ROLE_HUE + 2] = 2,   [ROLE_HUE + 3] = 1,
                [ROLE_HUE + 4] = 5,   [ROLE_HUE + 5] = 3,   [ROLE_HUE + 6] = 6,
                [ROLE_HUE + 7] = 8,   [ROLE_HUE + 8] = 4,   [ROLE_HUE + 9] = 5,
                [ROLE_HUE + 10] = 13, [ROLE_HUE + 11] = 12, [ROLE_HUE + 12] = 8,
                [ROLE_HUE + 13] = 13, [ROLE_HUE + 14] = 12, [ROLE_HUE + 15] = 1,
            },
    },
    {
        .name = "contrast",
        .least_contrast = 4.5,
        .color =
            {
                [ROLE_GROUND] = HEX(0x000000),   [ROLE_TEXT] = HEX(0xFFFFFF),
                [ROLE_FAINT] = HEX(0xB2B2B2),    [ROLE_TITLE] = HEX(0x87D7FF),
                [ROLE_STRONG] = HEX(0xFFFFFF),   [ROLE_READABLE] = HEX(0xFFFFFF),
                [ROLE_CURSOR] = HEX(0x005F87),   [ROLE_PINNED] = HEX(0x87005F),
                [ROLE_WARNING] = HEX(0xFFAF5F),  [ROLE_POSITIVE] = HEX(0x3D95FF),
                [ROLE_NEGATIVE] = HEX(0xFF8030), [ROLE_HUE + 0] = HEX(0x0077FF),
                [ROLE_HUE + 1] = HEX(0xFF8E00),  [ROLE_HUE + 2] = HEX(0x45C784),
                [ROLE_HUE + 3] = HEX(0xEF0389),  [ROLE_HUE + 4] = HEX(0xA696FF),
                [ROLE_HUE + 5] = HEX(0xFFEF00),  [ROLE_HUE + 6] = HEX(0x00DFFE),
                [ROLE_HUE + 7] = HEX(0x9D6A1C),  [ROLE_HUE + 8] = HEX(0xBCFFB2),
                [ROLE_HUE + 9] = HEX(0xC424CF),  [ROLE_HUE + 10] = HEX(0xB8D8BB),
                [ROLE_HUE + 11] = HEX(0x397F7C), [ROLE_HUE + 12] = HEX(0xBE814D),
                [ROLE_HUE + 13] = HEX(0xF2C848), [ROLE_HUE + 14] = HEX(0xA580C3),
                [ROLE_HUE + 15] = HEX(0xC99BC7),
            },
        .ansi =
            {
                [ROLE_GROUND] = 0,    [ROLE_TEXT] = 15,     [ROLE_FAINT] = 7,
                [ROLE_TITLE] = 14,    [ROLE_STRONG] = 15,   [ROLE_READABLE] = 15,
                [ROLE_CURSOR] = 4,    [ROLE_PINNED] = 1,    [ROLE_WARNING] = 11,
                [ROLE_POSITIVE] = 12, [ROLE_NEGATIVE] = 3,  [ROLE_HUE + 0] = 12,
                [ROLE_HUE + 1] = 3,   [ROLE_HUE + 2] = 10,  [ROLE_HUE + 3] = 9,
                [ROLE_HUE + 4] = 13,  [ROLE_HUE + 5] = 11,  [ROLE_HUE + 6] = 14,
                [ROLE_HUE + 7] = 7,   [ROLE_HUE + 8] = 10,  [ROLE_HUE + 9] = 5,
                [ROLE_HUE + 10] = 15, [ROLE_HUE + 11] = 6,  [ROLE_HUE + 12] = 3,
                [ROLE_HUE + 13] = 11, [ROLE_HUE + 14] = 13, [ROLE_HUE + 15] = 15,
            },
    },
    {
        .name = "mono",
        .least_contrast = 3,
        .color =
            {
                [ROLE_GROUND] = HEX(0x121212),   [ROLE_TEXT] = HEX(0xDADADA),
                [ROLE_FAINT] = HEX(0x878787),    [ROLE_TITLE] = HEX(0xEEEEEE),
                [ROLE_STRONG] = HEX(0xFFFFFF),   [ROLE_READABLE] = HEX(0xFFFFFF),
                [ROLE_CURSOR] = HEX(0x3A3A3A),   [ROLE_PINNED] = HEX(0x585858),
                [ROLE_WARNING] = HEX(0xFFFFFF),  [ROLE_POSITIVE] = HEX(0xDADADA),
                [ROLE_NEGATIVE] = HEX(0xDADADA), [ROLE_HUE + 0] = HEX(0xDADADA),
                [ROLE_HUE + 1] = HEX(0xDADADA),  [ROLE_HUE + 2] = HEX(0xDADADA),
                [ROLE_HUE + 3] = HEX(0xDADADA),  [ROLE_HUE + 4] = HEX(0xDADADA),
                [ROLE_HUE + 5] = HEX(0xDADADA),  [ROLE_HUE + 6] = HEX(0xDADADA),
                [ROLE_HUE + 7] = HEX(0xDADADA),  [ROLE_HUE + 8] = HEX(0xDADADA),
                [ROLE_HUE + 9] = HEX(0xDADADA),  [ROLE_HUE + 10] = HEX(0xDADADA),
                [ROLE_HUE + 11] = HEX(0xDADADA), [ROLE_HUE + 12] = HEX(0xDADADA),
                [ROLE_HUE + 13] = HEX(0xDADADA), [ROLE_HUE + 14] = HEX(0xDADADA),
                [ROLE_HUE + 15] = HEX(0xDADADA),
            },
        .ansi =
            {
                [ROLE_GROUND] = 0,    [ROLE_TEXT] = 15,     [ROLE_FAINT] = 7,
                [ROLE_TITLE] = 15,    [ROLE_STRONG] = 15,   [ROLE_READABLE] = 15,
                [ROLE_CURSOR] = 8,    [ROLE_PINNED] = 8,    [ROLE_WARNING] = 15,
                [ROLE_POSITIVE] = 15, [ROLE_NEGATIVE] = 15, [ROLE_HUE + 0] = 15,
                [ROLE_HUE + 1] = 15,  [ROLE_HUE + 2] = 15,  [ROLE_HUE + 3] = 15,
                [ROLE_HUE + 4] = 15,  [ROLE_HUE + 5] = 15,  [ROLE_HUE + 6] = 15,
                [ROLE_HUE + 7] = 15,  [ROLE_HUE + 8] = 15,  [ROLE_HUE + 9] = 15,
                [ROLE_HUE + 10] = 15, [ROLE_HUE + 11] = 15, [ROLE_HUE + 12] = 15,
                [ROLE_HUE + 13] = 15, [ROLE_HUE + 14] = 15, [ROLE_HUE + 15] = 15,
            },
        .mono = true,
    },
};

const struct theme *theme_at(size_t index)
{
    return index < sizeof themes / sizeof *themes ? &themes[index] : NULL;
}

size_t theme_number(const char *name)
{
    size_t number = 0;
    while (theme_at(number) && strcmp(theme_at(number)->name, name) != 0)
        number++;
    return number;
}

const struct theme *theme_find(const char *name)
{
    for (size_t i = 0; theme_at(i); i++)
        if (strcmp(theme_at(i)->name, name) == 0)
            return theme_at(i);
    return NULL;
}

static uint8_t mix(uint8_t from, uint8_t to, unsigned level)
{
    return (uint8_t)((from * (STYLE_FULL - level) + to * level + STYLE_FULL / 2) / STYLE_FULL);
}

struct rgb theme_rgb(const struct theme *theme, struct ink ink)
{
    struct rgb ground = theme->color[ROLE_GROUND], full = theme->color[ink.role];
    return (struct rgb){mix(ground.red, full.red, ink.level),
                        mix(ground.green, full.green, ink.level),
                        mix(ground.blue, full.blue, ink.level)};
}

/* ---- Contrast ---- */

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

size_t theme_on_ground(struct rgb ground)
{
    double behind = luminance_of(ground);
    return contrast_of(0, behind) > contrast_of(1, behind) ? theme_number("light") : 0;
}

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

/* What is known of a theme's inks, 1 + … since nothing is known of most. */
struct known {
    uint8_t readable[ROLE_COUNT][STYLE_FULL + 1];
    uint8_t least[ROLE_COUNT];
};

static void settle_readable(const struct theme *theme, struct known *known, struct style *style)
{
    uint8_t *role = &known->readable[style->back.role][style->back.level];
    if (*role == 0)
        *role = 1 + readable_role(theme, style->back);
    style->fore = ink_full((enum role)(*role - 1));
}

static void settle_stroke(const struct theme *theme, struct known *known, struct ink *ink,
                          unsigned strength)
{
    uint8_t *known_least = &known->least[ink->role];
    if (*known_least == 0)
        *known_least = 1 + least_level(theme, ink->role);
    unsigned least = *known_least - 1;
    ink->level = (uint8_t)(least + ((STYLE_FULL - least) * strength + STYLE_FULL / 2) / STYLE_FULL);
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

const char *role_name(unsigned role)
{
    static const char *const names[] = {
#define ROLE(role, name, letter) name,
        STYLE_ROLES(ROLE)
#undef ROLE
    };
    static const char *const hues[STYLE_HUES] = {
        "head hue 0",  "head hue 1",  "head hue 2",  "head hue 3", "head hue 4",  "head hue 5",
        "head hue 6",  "head hue 7",  "head hue 8",  "head hue 9", "head hue 10", "head hue 11",
        "head hue 12", "head hue 13", "head hue 14", "head hue 15"};
    return role >= ROLE_HUE ? hues[(role - ROLE_HUE) % STYLE_HUES] : names[role];
}

char role_letter(unsigned role)
{
    static const char letters[] = {
#define ROLE(role, name, letter) letter,
        STYLE_ROLES(ROLE)
#undef ROLE
    };
    return role >= ROLE_HUE ? (char)('A' + (role - ROLE_HUE) % STYLE_HUES) : letters[role];
}
