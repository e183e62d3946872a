#include "colors.h"

#include <math.h>

double color_linear(uint8_t part)
{
    double share = part / 255.0;
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

double color_luminance(struct rgb color)
{
    return 0.2126 * color_linear(color.red) + 0.7152 * color_linear(color.green) +
           0.0722 * color_linear(color.blue);
}

double color_contrast(struct rgb a, struct rgb b)
{
    double x = color_luminance(a), y = color_luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

double color_lightness(struct rgb color)
{
    double y = color_luminance(color);
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

struct rgb color_of_256(int index)
{
    static const uint8_t steps[] = {0, 95, 135, 175, 215, 255};
    uint8_t grey = (uint8_t)(8 + 10 * (index - 232));
    if (index >= 232)
        return (struct rgb){grey, grey, grey};
    index -= 16;
    return (struct rgb){steps[index / 36], steps[index / 6 % 6], steps[index % 6]};
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
