#include "headlight/draw/theme_luminance.h"

#include <math.h>
#include <string.h>

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

double theme_luminance(struct rgb color)
{
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

double theme_contrast(double a, double b)
{
    return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

size_t theme_on_ground(struct rgb ground)
{
    double behind = theme_luminance(ground);
    return theme_contrast(0, behind) > theme_contrast(1, behind) ? theme_number("light") : 0;
}

static uint8_t readable_role(const struct theme *theme, struct ink back)
{
    double behind = theme_luminance(theme_rgb(theme, back));
    double ground = theme_luminance(theme->color[ROLE_GROUND]);
    double strong = theme_luminance(theme->color[ROLE_STRONG]);
    return theme_contrast(ground, behind) > theme_contrast(strong, behind) ? ROLE_GROUND
                                                                           : ROLE_STRONG;
}

uint8_t theme_least_level(const struct theme *theme, uint8_t role)
{
    double ground = theme_luminance(theme->color[ROLE_GROUND]);
    uint8_t level = 0;
    while (level < STYLE_FULL &&
           theme_contrast(theme_luminance(theme_rgb(theme, (struct ink){role, level})), ground) <
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
        *known_least = 1 + theme_least_level(theme, ink->role);
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
