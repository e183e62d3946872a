/* theme_256.c: the themes among xterm's 256 colours.
 *
 * Mixing a colour with the ground and taking the nearest of the 256 would let hues wander and
 * levels step back, so each role has a ramp of up to eight colours that are told apart. All but the
 * darkest are of its hue, and full weight is about as light in one hue as in another.
 * tests/ramps_256.py searched for them: run it again after a theme's colours have changed. */
#include "headlight/draw/theme.h"

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

/* From the ground, or the faintest stroke, to the full colour; 0 ends one of fewer than eight. A
 * role has the ramps of the first role of its colour. */
#define RAMP_MOST 8

static const struct ramps {
    uint8_t inks[RAMP_MOST], strokes[RAMP_MOST];
} ramps[][ROLE_COUNT] = {
    {
        /* dark */
        [ROLE_GROUND] = {{233, 233}, {233, 233}},
        [ROLE_TEXT] = {{233, 235, 238, 59, 244, 247, 250, 253},
                       {241, 243, 244, 246, 248, 249, 251, 253}},
        [ROLE_FAINT] = {{233, 235, 236, 238, 239, 241, 243, 102}, {241, 242, 243, 244, 102, 246}},
        [ROLE_TITLE] = {{233, 236, 239, 25, 32, 75}, {26, 31, 33, 75}},
        [ROLE_STRONG] = {{233, 236, 239, 242, 246, 249, 188, 231},
                         {241, 243, 245, 247, 250, 252, 254, 231}},
        [ROLE_CURSOR] = {{233, 235, 238, 24}, {26, 31, 67, 74}},
        [ROLE_PINNED] = {{233, 236, 238, 94}, {94, 101, 136, 179}},
        [ROLE_WARNING] = {{233, 235, 238, 94, 137, 172, 215}, {94, 130, 172, 215}},
        [ROLE_POSITIVE] = {{233, 235, 238, 25, 26, 33, 75}, {26, 27, 33, 75}},
        [ROLE_NEGATIVE] = {{233, 236, 238, 130, 166, 208}, {130, 166, 173, 208}},
        [ROLE_HUE + 0] = {{233, 235, 237, 60, 62, 68, 105}, {61, 63, 68, 105}},
        [ROLE_HUE + 1] = {{233, 235, 237, 94, 130, 172, 208}, {94, 130, 172, 208}},
        [ROLE_HUE + 2] = {{233, 235, 238, 29, 65, 72}, {29, 65, 35, 72}},
        [ROLE_HUE + 3] = {{233, 235, 237, 89, 96, 132, 169, 175}, {96, 132, 169, 175}},
        [ROLE_HUE + 4] = {{233, 235, 236, 54, 91, 97, 134, 171}, {128, 97, 134, 171}},
        [ROLE_HUE + 5] = {{233, 235, 238, 58, 101, 136, 143}, {94, 100, 136, 143}},
        [ROLE_HUE + 6] = {{233, 236, 238, 23, 31, 38}, {30, 66, 38}},
        [ROLE_HUE + 7] = {{233, 235, 237, 88, 131, 167, 204}, {161, 131, 197, 204}},
        [ROLE_HUE + 8] = {{233, 236, 240, 67, 110, 153}, {60, 67, 110, 153}},
        [ROLE_HUE + 9] = {{233, 235, 238, 94, 137, 172, 214}, {94, 137, 172, 214}},
        [ROLE_HUE + 10] = {{233, 235, 237, 22, 28, 34, 71, 77}, {28, 34, 71, 77}},
        [ROLE_HUE + 11] = {{233, 236, 238, 95, 132, 175, 218}, {95, 132, 175, 218}},
        [ROLE_HUE + 12] = {{233, 235, 237, 60, 97, 103, 140, 183}, {97, 103, 140, 183}},
        [ROLE_HUE + 13] = {{233, 236, 58, 100, 142, 184}, {64, 100, 142, 184}},
        [ROLE_HUE + 14] = {{233, 236, 238, 23, 31, 38, 45}, {31, 37, 74, 45}},
        [ROLE_HUE + 15] = {{233, 236, 239, 95, 138, 181}, {95, 138, 174, 181}},
    },
    {
        /* light */
        [ROLE_GROUND] = {{231, 231}, {231, 231}},
        [ROLE_TEXT] = {{231, 253, 249, 246, 243, 240, 237, 234},
                       {102, 243, 241, 240, 238, 237, 235, 234}},
        [ROLE_FAINT] = {{231, 254, 252, 250, 248, 246, 244, 242}, {246, 245, 244, 243, 242}},
        [ROLE_TITLE] = {{231, 254, 153, 146, 110, 67, 26, 25}, {69, 32, 26, 25}},
        [ROLE_STRONG] = {{231, 188, 145, 245, 241, 238, 235, 16},
                         {102, 243, 59, 239, 237, 235, 234, 16}},
        [ROLE_CURSOR] = {{231, 255, 254, 189, 153}, {69, 67, 31, 25}},
        [ROLE_PINNED] = {{231, 255, 254, 222}, {136, 101, 94}},
        [ROLE_WARNING] = {{231, 255, 223, 215, 180, 208, 172, 130}, {137, 166, 130, 94}},
        [ROLE_POSITIVE] = {{231, 254, 153, 111, 68, 27, 26, 21}, {69, 27, 26, 21}},
        [ROLE_NEGATIVE] = {{231, 255, 188, 216, 209, 173, 166, 130}, {202, 166, 130, 95}},
        [ROLE_HUE + 0] = {{231, 254, 189, 147, 111, 69, 63, 27}, {105, 33, 63, 27}},
        [ROLE_HUE + 1] = {{231, 255, 223, 215, 180, 172, 137, 130}, {137, 166, 130}},
        [ROLE_HUE + 2] = {{231, 254, 251, 109, 72, 66, 29, 22}, {65, 29, 22}},
        [ROLE_HUE + 3] = {{231, 254, 252, 182, 175, 169, 132, 126}, {169, 133, 163, 126}},
        [ROLE_HUE + 4] = {{231, 254, 251, 182, 140, 134, 97, 91}, {171, 134, 128, 91}},
        [ROLE_HUE + 5] = {{231, 253, 250, 144, 101, 94}, {136, 101, 94}},
        [ROLE_HUE + 6] = {{231, 254, 251, 74, 67, 31, 24}, {67, 31, 24}},
        [ROLE_HUE + 7] = {{231, 255, 224, 217, 210, 174, 167, 160}, {138, 167, 131, 160}},
        [ROLE_HUE + 8] = {{231, 254, 189, 111, 68, 62, 26, 21}, {69, 63, 26, 21}},
        [ROLE_HUE + 9] = {{231, 254, 252, 216, 173, 137, 166, 95}, {137, 166, 130, 95}},
        [ROLE_HUE + 10] = {{231, 254, 252, 109, 72, 66, 29, 23}, {66, 29, 23}},
        [ROLE_HUE + 11] = {{231, 254, 251, 175, 139, 132, 96, 89}, {169, 132, 96, 89}},
        [ROLE_HUE + 12] = {{231, 254, 251, 146, 103, 97, 61, 55}, {104, 97, 60, 55}},
        [ROLE_HUE + 13] = {{231, 253, 250, 144, 101, 58}, {101, 64, 58}},
        [ROLE_HUE + 14] = {{231, 253, 250, 110, 67, 25}, {67, 31, 26, 25}},
        [ROLE_HUE + 15] = {{231, 254, 252, 181, 174, 168, 131, 125}, {168, 131, 161, 125}},
    },
    {
        /* contrast */
        [ROLE_GROUND] = {{16, 16}, {16, 16}},
        [ROLE_TEXT] = {{16, 235, 238, 241, 245, 145, 188, 231},
                       {243, 245, 247, 145, 251, 188, 255, 231}},
        [ROLE_FAINT] = {{16, 234, 236, 239, 241, 244, 246, 249},
                        {243, 244, 245, 246, 247, 248, 249}},
        [ROLE_TITLE] = {{16, 235, 238, 24, 31, 74, 117}, {31, 67, 74, 117}},
        [ROLE_CURSOR] = {{16, 234, 237, 24}, {31, 67, 38, 110}},
        [ROLE_PINNED] = {{16, 233, 235, 53, 89}, {163, 133, 169, 205}},
        [ROLE_WARNING] = {{16, 235, 237, 94, 137, 172, 215}, {137, 172, 180, 215}},
        [ROLE_POSITIVE] = {{16, 234, 237, 25, 26, 33, 75}, {63, 32, 69, 75}},
        [ROLE_NEGATIVE] = {{16, 235, 238, 130, 166, 208}, {166, 202, 173, 208}},
        [ROLE_HUE + 0] = {{16, 234, 237, 60, 62, 68, 111}, {63, 68, 105, 111}},
        [ROLE_HUE + 1] = {{16, 234, 237, 94, 130, 172, 208}, {166, 137, 172, 208}},
        [ROLE_HUE + 2] = {{16, 235, 237, 29, 65, 72}, {29, 65, 35, 72}},
        [ROLE_HUE + 3] = {{16, 234, 236, 89, 96, 132, 169, 175}, {132, 169, 139, 175}},
        [ROLE_HUE + 4] = {{16, 234, 236, 54, 96, 134, 171, 177}, {134, 170, 140, 177}},
        [ROLE_HUE + 5] = {{16, 234, 237, 58, 101, 136, 143}, {100, 136, 143}},
        [ROLE_HUE + 6] = {{16, 235, 237, 23, 31, 38}, {30, 66, 38}},
        [ROLE_HUE + 7] = {{16, 234, 236, 88, 131, 167, 204, 210}, {131, 167, 204, 210}},
        [ROLE_HUE + 8] = {{16, 235, 238, 60, 67, 110, 153}, {67, 103, 110, 153}},
        [ROLE_HUE + 9] = {{16, 235, 237, 94, 137, 172, 214}, {137, 172, 179, 214}},
        [ROLE_HUE + 10] = {{16, 235, 237, 22, 28, 71, 77}, {29, 34, 71, 77}},
        [ROLE_HUE + 11] = {{16, 235, 238, 95, 132, 175, 218}, {132, 175, 211, 218}},
        [ROLE_HUE + 12] = {{16, 235, 237, 60, 97, 140, 183}, {103, 140, 146, 183}},
        [ROLE_HUE + 13] = {{16, 235, 238, 58, 100, 142, 184}, {100, 106, 142, 184}},
        [ROLE_HUE + 14] = {{16, 235, 237, 23, 31, 38, 45}, {31, 37, 74, 45}},
        [ROLE_HUE + 15] = {{16, 235, 238, 95, 138, 181}, {131, 138, 174, 181}},
    },
    {
        /* mono */
        [ROLE_GROUND] = {{233, 233}, {233, 233}},
        [ROLE_TEXT] = {{233, 235, 238, 59, 244, 247, 250, 253},
                       {241, 243, 244, 246, 248, 249, 251, 253}},
        [ROLE_FAINT] = {{233, 235, 236, 238, 239, 241, 243, 102}, {241, 242, 243, 244, 102, 246}},
        [ROLE_TITLE] = {{233, 236, 238, 241, 102, 248, 251, 255},
                        {242, 244, 245, 247, 249, 251, 253, 255}},
        [ROLE_STRONG] = {{233, 236, 239, 242, 246, 249, 188, 231},
                         {241, 243, 245, 247, 250, 252, 254, 231}},
        [ROLE_CURSOR] = {{233, 234, 235, 236, 237}, {241, 242, 243, 244, 102, 246}},
        [ROLE_PINNED] = {{233, 234, 235, 236, 237, 238, 239, 240}, {241, 242, 243, 244, 102, 246}},
    },
};

static bool is_same_color(struct rgb a, struct rgb b)
{
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

/* Spreads a ramp of `count` colours evenly over the levels 0 … STYLE_FULL. */
static void expand(const uint8_t *ramp, uint8_t *levels)
{
    unsigned count = 1;
    while (count < RAMP_MOST && ramp[count] != 0)
        count++;
    for (unsigned level = 0; level <= STYLE_FULL; level++)
        levels[level] = ramp[((count - 1) * level + STYLE_FULL / 2) / STYLE_FULL];
}

/* Roles of one colour share a ramp: the table has it with the first of them. */
void theme_indexes(const struct theme *theme, struct theme_indexes *indexes)
{
    const struct ramps *of_theme = ramps[theme_number(theme->name)];
    for (unsigned role = 0; role < ROLE_COUNT; role++) {
        const struct ramps *ramp = of_theme;
        for (unsigned i = 0; !is_same_color(theme->color[i], theme->color[role]); i++)
            ramp = &of_theme[i + 1];
        expand(ramp->inks, indexes->inks[role]);
        expand(ramp->strokes, indexes->strokes[role]);
    }
}
