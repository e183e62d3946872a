/* theme.h: the colours of the roles, for each depth of colour that a terminal may have. */
#pragma once

#include "headlight/draw/canvas.h"

/* How many colours there are. */
enum depth {
    DEPTH_MONO,
    DEPTH_16,
    DEPTH_256,
    DEPTH_DIRECT,
};

struct rgb {
    uint8_t red, green, blue;
};

static inline bool rgb_equal(struct rgb a, struct rgb b)
{
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

/* Themes are constant and compiled in. A colour stands for a role here and nowhere else. */
struct theme {
    const char *name;
    struct rgb color[ROLE_COUNT];
    uint8_t ansi[ROLE_COUNT]; /* 0 … 15, authored by hand for terminals with 16 colours */
    double least_contrast;    /* of a stroke to the ground (WCAG 2.1) */
    bool mono;                /* colours say nothing: sign and strength show in the glyphs */
};

/* The themes by number; NULL past the last one. The first is the
 * default. Every theme's ground is a grey. */
const struct theme *theme_at(size_t index);

/* What a theme is in a figure: "light" has hues of its own there. */
const struct theme *theme_paper(const struct theme *theme);

/* The number of a name; past the last one for another name. */
unsigned theme_number(const char *name);

/* The number of the theme to begin with on a terminal's ground: the first, or the light one where
 * black stands out more than white. */
unsigned theme_on_ground(struct rgb ground);

/* The ink's colour: its role's, mixed with the ground according to its level. */
struct rgb theme_rgb(const struct theme *theme, struct ink ink);

/* Gives what is ROLE_READABLE on a canvas the role of the ground or ROLE_STRONG: that one which
 * stands out more from what lies behind it. The levels of strokes become those from the least that
 * stands out from the ground to STYLE_FULL or, if need be, beyond it (STYLE_MOST), by their
 * strengths; in a figure nothing is darker than its hue, as the legend has it. Cells may be settled
 * again for another theme, strokes that are kept besides may not.
 */
void theme_settle(const struct theme *theme, struct canvas *canvas);

/* Colour 16 … 255: a cube of six steps a side, then a ramp of greys. */
struct rgb theme_256_color(int index);

/* A theme's inks and strokes among xterm's 256 colours: a role's levels never step back in
 * luminance, and those of a head's hue and of a sign take six colours or more that are told apart:
 * the ground, two that may be grey, and others of that hue. Equal levels are about equally light.
 * Every stroke has the theme's least contrast to the ground and a stronger one no less than a
 * weaker one; those of a hue take three colours or more that are told apart. */
struct theme_indexes {
    uint8_t inks[ROLE_COUNT][STYLE_FULL + 1];
    uint8_t strokes[ROLE_COUNT][STYLE_FULL + 1]; /* by strength */
};

void theme_indexes(const struct theme *theme, struct theme_indexes *indexes);

/* A style's foreground, or what lies behind it. */
static inline uint8_t theme_index_of(const struct theme_indexes *indexes, struct style style,
                                     bool back)
{
    if (style.stroke && !back)
        return indexes->strokes[style.fore.role][style.strength];
    struct ink ink = back ? style.back : style.fore;
    return indexes->inks[ink.role][ink.level];
}

/* One of the 16 ANSI colours; faint levels turn to grey. */
uint8_t theme_ansi(const struct theme *theme, struct ink ink);
