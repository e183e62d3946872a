/* theme.c: the themes, and what follows from their colours: mixing, contrast, legibility.
 * theme_256.c has the ramps for terminals with 256 colours. Everything that depends on colour is
 * decided here, once a picture is drawn: views name roles and levels alone. */
#include "headlight/draw/theme.h"

#include <math.h>
#include <string.h>

/* ---- The themes ---- */

/* Of assets/colors, which says what they were chosen for; the last is that of a figure. */
static const struct theme themes[] = {
#include "colors.inc"
};

const struct theme *theme_paper(const struct theme *theme)
{
    const struct theme *paper = &themes[LENGTH(themes) - 1];
    return strcmp(theme->name, paper->name) == 0 ? paper : theme;
}

const struct theme *theme_at(size_t index)
{
    return index < LENGTH(themes) - 1 ? &themes[index] : NULL;
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
    unsigned limit; /* of levels */
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
    const unsigned level = least + ((most - least) * strength + STYLE_FULL / 2) / STYLE_FULL;
    ink->level = (uint8_t)size_min(level, known->limit);
}

void theme_settle(const struct theme *theme, struct canvas *canvas)
{
    struct known known = {.limit = canvas->bare ? STYLE_FULL : STYLE_MOST};
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
