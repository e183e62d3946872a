/* theme_256.c: a theme among xterm's 256 colours: for each role a ramp of those that lead from the
 * ground to its full colour, found as the cheapest way through them. */
#include "headlight/draw/theme_luminance.h"

#include <math.h>

/* ---- The palette ---- */

struct rgb theme_256_color(int index)
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
 * into olive, and sign and head are told by hue. A grey counts as the opposite hue. */
static double difference(struct tone a, struct tone b)
{
    const double pi = 3.14159265358979323846;
    double turn = fabs(a.angle - b.angle);
    if (turn > pi)
        turn = 2 * pi - turn;
    if (a.chroma < 1 || b.chroma < 1)
        turn = pi;
    double luma = a.luma - b.luma, chroma = a.chroma - b.chroma;
    double hue = (a.chroma + b.chroma) * turn;
    return luma * luma + chroma * chroma + hue * hue;
}

/* CIE 1976 L*: 0 to 100, in steps that look alike. */
static double lightness(struct rgb color)
{
    double y = theme_luminance(color);
    return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

/* The 256 colours, from 16 on. */
struct palette {
    struct tone tones[256];
    double lightness[256];
};

static void make_palette(struct palette *palette)
{
    for (int i = 16; i < 256; i++) {
        palette->tones[i] = tone_of(theme_256_color(i));
        palette->lightness[i] = lightness(theme_256_color(i));
    }
}

static uint8_t nearest(const struct palette *palette, struct rgb color)
{
    struct tone tone = tone_of(color);
    double least = INFINITY;
    int best = 16;
    for (int i = 16; i < 256; i++) {
        double next = difference(tone, palette->tones[i]);
        if (next < least) {
            least = next;
            best = i;
        }
    }
    return (uint8_t)best;
}

uint8_t theme_256(struct rgb color)
{
    struct palette palette;
    make_palette(&palette);
    return nearest(&palette, color);
}

/* ---- Ramps ---- */

/* A ramp from the ground to a role's full colour has as many steps as this, each at least so much
 * lighter (on a light ground darker) than the one before, if colours of about its hue allow. More
 * steps would be too alike. */
#define STEPS      7
#define STEP_LEAST 2.5 /* of L* */

/* What lies aside of the straight way is dear, or hues would wander from step to step; and a hue
 * that is 26 degrees off is none of the ramp, unless it is hardly to be seen. */
#define ASIDE     1.0
#define HUE_MOST  0.45
#define HUE_FAINT 20

struct ramp {
    int steps;
    uint8_t colors[STEPS + 1]; /* the ground's or the faintest first */
};

/* The cheapest way to each colour in so many steps. */
struct search {
    const struct palette *palette;
    double from, to;   /* the lightness at which it begins and ends */
    int last;          /* the colour with which it ends, or ANY */
    double aside[256]; /* what a colour costs wherever it stands; INFINITY: not part of the ramp */
    double cost[STEPS + 1][256];
    uint8_t before[STEPS + 1][256];
};

#define ANY 0

/* How much nearer the end the lightness `to` is than `from`. */
static double rise(const struct search *search, double from, double to)
{
    return search->to > search->from ? to - from : from - to;
}

/* What the straight way has at a luma. A grey ground has no direction, so all of the ramp has the
 * full colour's. */
static struct tone tone_between(struct tone ground, struct tone full, double luma)
{
    double share = (luma - ground.luma) / (full.luma - ground.luma);
    return (struct tone){luma, share * full.chroma, full.angle};
}

static bool is_other_hue(struct tone a, struct tone b)
{
    const double turn = 2 * 3.14159265358979323846;
    return a.chroma >= HUE_FAINT && b.chroma >= HUE_FAINT &&
           fabs(remainder(a.angle - b.angle, turn)) > HUE_MOST;
}

/* What has another hue costs INFINITY, and so does what is next to the last colour or beyond it. */
static void price_colors(struct search *search, struct rgb ground, struct rgb full)
{
    struct tone behind = tone_of(ground), pure = tone_of(full);
    for (int i = 16; i < 256; i++) {
        struct tone tone = search->palette->tones[i];
        bool beyond = search->last != ANY &&
                      rise(search, search->palette->lightness[i], search->to) < STEP_LEAST;
        search->aside[i] = beyond || is_other_hue(tone, pure)
                               ? INFINITY
                               : ASIDE * difference(tone, tone_between(behind, pure, tone.luma));
    }
}

/* What a colour costs as that step of so many. The steps are to be even; L* counts as much as luma,
 * which runs to 255. */
static double price(const struct search *search, int step, int steps, int color)
{
    double height = fabs(search->to - search->from) * step / steps;
    double off = 2.55 * (rise(search, search->from, search->palette->lightness[color]) - height);
    return search->aside[color] + off * off;
}

/* The cheapest way to a colour as that step of so many: from which one it comes. */
static void find_way(struct search *search, int step, int steps, int color)
{
    const double *light = search->palette->lightness, *before = search->cost[step - 1];
    double own = price(search, step, steps, color);
    double *cost = &search->cost[step][color];
    *cost = INFINITY;
    for (int i = 16; i < 256 && own < INFINITY; i++)
        if (before[i] + own < *cost && rise(search, light[i], light[color]) >= STEP_LEAST) {
            *cost = before[i] + own;
            search->before[step][color] = (uint8_t)i;
        }
}

static int end_of(const struct search *search, int steps)
{
    const double *cost = search->cost[steps];
    int best = 16;
    for (int i = 16; i < 256; i++)
        if (cost[i] < cost[best])
            best = i;
    return search->last == ANY ? best : search->last;
}

static bool find_ramp(struct search *search, int steps, struct ramp *ramp)
{
    for (int step = 1; step <= steps; step++)
        for (int color = 16; color < 256; color++)
            find_way(search, step, steps, color);
    int color = end_of(search, steps);
    if (search->cost[steps][color] == INFINITY)
        return false;
    ramp->steps = steps;
    for (int step = steps; step >= 0; step--) {
        ramp->colors[step] = (uint8_t)color;
        color = search->before[step][color];
    }
    return true;
}

static struct ramp ramp_of(const struct palette *palette, const struct theme *theme, unsigned role)
{
    struct rgb ground = theme->color[ROLE_GROUND], full = theme->color[role];
    uint8_t first = nearest(palette, ground), last = nearest(palette, full);
    struct search search = {.palette = palette,
                            .from = palette->lightness[first],
                            .to = palette->lightness[last],
                            .last = last};
    struct ramp ramp = {.steps = 1, .colors = {first, last}};
    price_colors(&search, ground, full);
    search.aside[last] = 0;
    for (int i = 16; i < 256; i++)
        search.cost[0][i] = i == first ? 0 : INFINITY;
    for (int steps = STEPS; steps > 1; steps--)
        if (find_ramp(&search, steps, &ramp))
            break;
    return ramp;
}

/* ---- Ramps of strokes ---- */

/* A hue's ramp for strokes has so many steps: more would wander from it. Where the full colour is
 * not so much L* further than the faintest that stands out from the ground, the ramp goes beyond
 * it. */
#define STROKE_STEPS 3
#define STROKE_ROOM  17

/* From the faintest that stands out from the ground to the full colour, or further. */
static void aim_stroke(struct search *search, const struct theme *theme, unsigned role,
                       uint8_t full)
{
    uint8_t least = theme_least_level(theme, (uint8_t)role);
    struct ink faintest = {(uint8_t)role, least};
    bool up = lightness(theme->color[role]) > lightness(theme->color[ROLE_GROUND]);
    search->from = lightness(theme_rgb(theme, faintest));
    search->to = search->from + (up ? STROKE_ROOM : -STROKE_ROOM);
    search->last = ANY;
    if (rise(search, search->to, search->palette->lightness[full]) >= 0) {
        search->to = search->palette->lightness[full];
        search->last = full;
    }
}

/* No stroke has a colour that doesn't stand out from the ground, or another head's full colour, and
 * none of a hue is grey. */
static void drop_others(struct search *search, const struct theme *theme, uint8_t full)
{
    const struct tone *tones = search->palette->tones;
    double own = search->aside[full], ground = theme_luminance(theme->color[ROLE_GROUND]);
    for (unsigned role = ROLE_HUE; role < ROLE_COUNT; role++)
        search->aside[nearest(search->palette, theme->color[role])] = INFINITY;
    search->aside[full] = own;
    for (int i = 16; i < 256; i++)
        if (theme_contrast(theme_luminance(theme_256_color(i)), ground) < theme->least_contrast ||
            (tones[i].chroma < HUE_FAINT) != (tones[full].chroma < HUE_FAINT))
            search->aside[i] = INFINITY;
}

static struct ramp stroke_ramp(const struct palette *palette, const struct theme *theme,
                               unsigned role)
{
    struct search search = {.palette = palette};
    uint8_t full = nearest(palette, theme->color[role]);
    struct ramp ramp = {.colors = {full}};
    aim_stroke(&search, theme, role, full);
    price_colors(&search, theme->color[ROLE_GROUND], theme->color[role]);
    search.aside[full] = 0;
    drop_others(&search, theme, full);
    for (int i = 16; i < 256; i++)
        search.cost[0][i] = price(&search, 0, 1, i);
    int steps = palette->tones[full].chroma < HUE_FAINT ? STEPS : STROKE_STEPS;
    while (steps > 0 && !find_ramp(&search, steps, &ramp))
        steps--;
    return ramp;
}

/* ---- A theme's indexes ---- */

static uint8_t step_at(const struct ramp *ramp, unsigned level)
{
    return ramp->colors[((unsigned)ramp->steps * level + STYLE_FULL / 2) / STYLE_FULL];
}

uint8_t theme_index(const struct theme *theme, struct ink ink)
{
    struct palette palette;
    make_palette(&palette);
    if (ink.level == 0 || ink.level >= STYLE_FULL)
        return nearest(&palette, theme_rgb(theme, ink));
    struct ramp ramp = ramp_of(&palette, theme, ink.role);
    return step_at(&ramp, ink.level);
}

void theme_indexes(const struct theme *theme, struct theme_indexes *indexes)
{
    struct palette palette;
    make_palette(&palette);
    for (unsigned role = 0; role < ROLE_COUNT; role++) {
        struct ramp ramp = ramp_of(&palette, theme, role);
        struct ramp stroke = role == ROLE_GROUND ? ramp : stroke_ramp(&palette, theme, role);
        for (unsigned level = 0; level <= STYLE_FULL; level++) {
            indexes->inks[role][level] = step_at(&ramp, level);
            indexes->strokes[role][level] = step_at(&stroke, level);
        }
    }
}
