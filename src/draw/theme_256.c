/* theme_256.c: the themes among xterm's 256 colours.
 *
 * Mixing a colour with the ground and taking the nearest of the 256 would let hues wander and
 * levels step back, so each role has a ramp of up to eight colours that are told apart. All but the
 * darkest are of its hue, and full weight is about as light in one hue as in another.
 * tests/ramps_256.py searched for them and wrote assets/ramps_256.txt: run it again after a theme's
 * colours have changed. */
#include "headlight/draw/theme.h"

#include "headlight/base/incbin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line for each colour of a theme: "dark 5FAFFF: 233 236 239 25 32 75 / 26 31 33 75". */
INCLUDE_FILE(ramps, "assets/ramps_256.txt");

#define RAMP_MOST 8

/* The palette as xterm defines it: six uneven steps of each component, then 24 greys from 8 to 238.
 */
struct rgb theme_256_color(int index)
{
    static const uint8_t steps[] = {0, 95, 135, 175, 215, 255};
    int cube = index - 16;
    uint8_t grey = (uint8_t)(8 + 10 * (index - 232));
    if (index >= 232)
        return (struct rgb){grey, grey, grey};
    return (struct rgb){steps[cube / 36], steps[cube / 6 % 6], steps[cube % 6]};
}

/* Spreads the ramp that stands there evenly over the levels 0 … STYLE_FULL; returns where it ends.
 */
static char *expand(char *at, uint8_t *levels)
{
    uint8_t ramp[RAMP_MOST] = {0};
    unsigned count = 0;
    while (*at == ' ' && at[1] != '/' && count < RAMP_MOST)
        ramp[count++] = (uint8_t)strtoul(at, &at, 10);
    for (unsigned level = 0; level <= STYLE_FULL; level++)
        levels[level] = ramp[((count - 1) * level + STYLE_FULL / 2) / STYLE_FULL];
    return at;
}

/* Only of a screen's theme: a figure is no picture in 256 colours. */
void theme_indexes(const struct theme *theme, struct theme_indexes *indexes)
{
    for (unsigned role = 0; role < ROLE_COUNT; role++) {
        const struct rgb color = theme->color[role];
        char name[32];
        snprintf(name, sizeof name, "\n%s %02X%02X%02X:", theme->name, color.red, color.green,
                 color.blue);
        char *at =
            expand(strstr((const char *)ramps_begin, name) + strlen(name), indexes->inks[role]);
        expand(at + strlen(" /"), indexes->strokes[role]);
    }
}
