#include "headlight/view/theme.h"

#include <math.h>
#include <string.h>

#define HEX(value)                                                                                 \
    {                                                                                              \
        (uint8_t)((value) >> 16), (uint8_t)((value) >> 8 & 0xFF), (uint8_t)((value)&0xFF)          \
    }

/* Sixteen hues that differ in lightness as well as in hue, so that neighbours stay apart for
 * colour-blind eyes too. */
static const struct theme themes[] = {
    {
        .name = "dark",
        .color =
            {
                [ROLE_GROUND] = HEX(0x121212),   [ROLE_TEXT] = HEX(0xDADADA),
                [ROLE_FAINT] = HEX(0x878787),    [ROLE_TITLE] = HEX(0x5FAFFF),
                [ROLE_STRONG] = HEX(0xFFFFFF),   [ROLE_CURSOR] = HEX(0x005F87),
                [ROLE_PINNED] = HEX(0x875F00),   [ROLE_WARNING] = HEX(0xFFAF5F),
                [ROLE_POSITIVE] = HEX(0x3D95FF), [ROLE_NEGATIVE] = HEX(0xFF8030),
                [ROLE_HUE + 0] = HEX(0x5B9BFF),  [ROLE_HUE + 1] = HEX(0xFF9A3C),
                [ROLE_HUE + 2] = HEX(0x3ECF6E),  [ROLE_HUE + 3] = HEX(0xFF5F87),
                [ROLE_HUE + 4] = HEX(0xB388FF),  [ROLE_HUE + 5] = HEX(0xF2D14B),
                [ROLE_HUE + 6] = HEX(0x2FD4D4),  [ROLE_HUE + 7] = HEX(0xC98A5E),
                [ROLE_HUE + 8] = HEX(0xFF9FE0),  [ROLE_HUE + 9] = HEX(0xA9E34B),
                [ROLE_HUE + 10] = HEX(0x7F7FFF), [ROLE_HUE + 11] = HEX(0xFFC4AC),
                [ROLE_HUE + 12] = HEX(0x4FA89A), [ROLE_HUE + 13] = HEX(0xD65FD0),
                [ROLE_HUE + 14] = HEX(0xB8C4D8), [ROLE_HUE + 15] = HEX(0xF0E8B8),
            },
        .ansi =
            {
                [ROLE_GROUND] = 0,    [ROLE_TEXT] = 7,      [ROLE_FAINT] = 8,
                [ROLE_TITLE] = 12,    [ROLE_STRONG] = 15,   [ROLE_CURSOR] = 4,
                [ROLE_PINNED] = 3,    [ROLE_WARNING] = 11,  [ROLE_POSITIVE] = 12,
                [ROLE_NEGATIVE] = 3,  [ROLE_HUE + 0] = 12,  [ROLE_HUE + 1] = 3,
                [ROLE_HUE + 2] = 10,  [ROLE_HUE + 3] = 9,   [ROLE_HUE + 4] = 13,
                [ROLE_HUE + 5] = 11,  [ROLE_HUE + 6] = 14,  [ROLE_HUE + 7] = 7,
                [ROLE_HUE + 8] = 5,   [ROLE_HUE + 9] = 2,   [ROLE_HUE + 10] = 4,
                [ROLE_HUE + 11] = 15, [ROLE_HUE + 12] = 6,  [ROLE_HUE + 13] = 1,
                [ROLE_HUE + 14] = 7,  [ROLE_HUE + 15] = 15,
            },
    },
    {
        .name = "light",
        .color =
            {
                [ROLE_GROUND] = HEX(0xFFFFFF),   [ROLE_TEXT] = HEX(0x1C1C1C),
                [ROLE_FAINT] = HEX(0x6C6C6C),    [ROLE_TITLE] = HEX(0x005FAF),
                [ROLE_STRONG] = HEX(0x000000),   [ROLE_CURSOR] = HEX(0xAFD7FF),
                [ROLE_PINNED] = HEX(0xFFD787),   [ROLE_WARNING] = HEX(0xAF5F00),
                [ROLE_POSITIVE] = HEX(0x0B3BD8), [ROLE_NEGATIVE] = HEX(0xFF6A1A),
                [ROLE_HUE + 0] = HEX(0x0B57D0),  [ROLE_HUE + 1] = HEX(0xC75300),
                [ROLE_HUE + 2] = HEX(0x0B7A34),  [ROLE_HUE + 3] = HEX(0xC4124F),
                [ROLE_HUE + 4] = HEX(0x6A3FC9),  [ROLE_HUE + 5] = HEX(0x8A6D00),
                [ROLE_HUE + 6] = HEX(0x007A86),  [ROLE_HUE + 7] = HEX(0x5C3A1E),
                [ROLE_HUE + 8] = HEX(0xC2318F),  [ROLE_HUE + 9] = HEX(0x4F7A00),
                [ROLE_HUE + 10] = HEX(0x2F2F9F), [ROLE_HUE + 11] = HEX(0xA8442C),
                [ROLE_HUE + 12] = HEX(0x1D6B5E), [ROLE_HUE + 13] = HEX(0x8A1F9C),
                [ROLE_HUE + 14] = HEX(0x4A5A75), [ROLE_HUE + 15] = HEX(0x6B6420),
            },
        .ansi =
            {
                [ROLE_GROUND] = 15,   [ROLE_TEXT] = 0,     [ROLE_FAINT] = 8,    [ROLE_TITLE] = 4,
                [ROLE_STRONG] = 0,    [ROLE_CURSOR] = 14,  [ROLE_PINNED] = 11,  [ROLE_WARNING] = 1,
                [ROLE_POSITIVE] = 4,  [ROLE_NEGATIVE] = 1, [ROLE_HUE + 0] = 4,  [ROLE_HUE + 1] = 3,
                [ROLE_HUE + 2] = 2,   [ROLE_HUE + 3] = 1,  [ROLE_HUE + 4] = 5,  [ROLE_HUE + 5] = 3,
                [ROLE_HUE + 6] = 6,   [ROLE_HUE + 7] = 8,  [ROLE_HUE + 8] = 13, [ROLE_HUE + 9] = 2,
                [ROLE_HUE + 10] = 12, [ROLE_HUE + 11] = 9, [ROLE_HUE + 12] = 6, [ROLE_HUE + 13] = 5,
                [ROLE_HUE + 14] = 8,  [ROLE_HUE + 15] = 0,
            },
    },
};

const struct theme *theme_at(size_t index)
{
    return index < sizeof themes / sizeof *themes ? &themes[index] : NULL;
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

/* Colour 16 … 255: a cube of six steps a side, then a ramp of greys. */
static struct rgb rgb_of_256(int index)
{
    static const uint8_t steps[] = {0, 95, 135, 175, 215, 255};
    int cube = index - 16;
    uint8_t grey = (uint8_t)(8 + 10 * (index - 232));
    if (index >= 232)
        return (struct rgb){grey, grey, grey};
    return (struct rgb){steps[cube / 36], steps[cube / 6 % 6], steps[cube % 6]};
}

/* Brightness, strength of colour, and its direction (ITU-R BT.601). */
struct tone {
    double luma, chroma, angle;
};

static struct tone tone_of(struct rgb color)
{
    double luma = 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue;
    double blue = 0.564 * (color.blue - luma), red = 0.713 * (color.red - luma);
    return (struct tone){luma, hypot(blue, red), atan2(red, blue)};
}

/* Hue weighs double: the plain nearest colour would turn a dark blue into teal and a dark orange
 * into olive, and sign and head are told by hue. A grey counts as far off in hue. */
static double difference(struct tone a, struct tone b)
{
    const double pi = 3.14159265358979323846;
    double turn = fabs(a.angle - b.angle);
    if (turn > pi)
        turn = 2 * pi - turn;
    if (a.chroma < 1 || b.chroma < 1)
        turn = pi / 2;
    double luma = a.luma - b.luma, chroma = a.chroma - b.chroma;
    double hue = (a.chroma + b.chroma) * turn;
    return luma * luma + chroma * chroma + hue * hue;
}

uint8_t theme_256(struct rgb color)
{
    struct tone tone = tone_of(color);
    double least = INFINITY;
    int best = 16;
    for (int i = 16; i < 256; i++) {
        double next = difference(tone, tone_of(rgb_of_256(i)));
        if (next < least) {
            least = next;
            best = i;
        }
    }
    return (uint8_t)best;
}

uint8_t theme_ansi(const struct theme *theme, struct ink ink)
{
    if (ink.level == 0)
        return theme->ansi[ROLE_GROUND];
    if (ink.level < 5)
        return theme->ansi[ROLE_FAINT];
    return theme->ansi[ink.role];
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
