#include "headlight/draw/theme.h"

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

/* Relative luminance and contrast ratio (WCAG 2.1). */
static double luminance(struct rgb color)
{
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

static double contrast(double a, double b)
{
    return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

size_t theme_on_ground(struct rgb ground)
{
    double behind = luminance(ground);
    return contrast(0, behind) > contrast(1, behind) ? theme_number("light") : 0;
}

static uint8_t readable_role(const struct theme *theme, struct ink back)
{
    double behind = luminance(theme_rgb(theme, back));
    double ground = luminance(theme->color[ROLE_GROUND]);
    double strong = luminance(theme->color[ROLE_STRONG]);
    return contrast(ground, behind) > contrast(strong, behind) ? ROLE_GROUND : ROLE_STRONG;
}

uint8_t theme_least_level(const struct theme *theme, uint8_t role)
{
    double ground = luminance(theme->color[ROLE_GROUND]);
    uint8_t level = 0;
    while (level < STYLE_FULL && contrast(luminance(theme_rgb(theme, (struct ink){role, level})),
                                          ground) < theme->least_contrast)
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

/* ---- 256 colours ---- */

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
    double y = luminance(color);
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

/* ---- Ramps of 256 colours ---- */

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

/* ---- Strokes of 256 colours ---- */

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
    double own = search->aside[full], ground = luminance(theme->color[ROLE_GROUND]);
    for (unsigned role = ROLE_HUE; role < ROLE_COUNT; role++)
        search->aside[nearest(search->palette, theme->color[role])] = INFINITY;
    search->aside[full] = own;
    for (int i = 16; i < 256; i++)
        if (contrast(luminance(theme_256_color(i)), ground) < theme->least_contrast ||
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

uint8_t theme_ansi(const struct theme *theme, struct ink ink)
{
    if (ink.level == 0)
        return theme->ansi[ROLE_GROUND];
    if (ink.level < 5)
        return theme->ansi[ROLE_FAINT];
    return theme->ansi[ink.role];
}

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
