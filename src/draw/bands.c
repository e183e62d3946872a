/* bands.c: vectors as stripes of colour. Values are rounded to thousandths before they get a level,
 * so that the last bits of a float, which differ between machines, change no cell. */
#include "headlight/draw/bands.h"

#include <math.h>
#include <string.h>

int bands_columns(size_t count, size_t per_cell)
{
    return (int)((count + per_cell - 1) / per_cell);
}

static float unit_of(struct band_scale scale)
{
    return scale.unit > 0 ? scale.unit : 4;
}

float bands_full(struct band_scale scale)
{
    return scale.largest > 0 ? scale.largest : 2 * unit_of(scale); /* tanh 2 = 0.96 */
}

struct ink bands_ink(float value, struct band_scale scale)
{
    double rounded = round((double)value * 1000) / 1000;
    double unit = (double)unit_of(scale);
    double strength =
        scale.largest > 0 ? fabs(rounded) / (double)scale.largest : tanh(fabs(rounded) / unit);
    if (!(strength <= 1))
        strength = 1;
    long level = lround(strength * (double)scale.dim * STYLE_FULL);
    return (struct ink){.role = rounded < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE,
                        .level = (uint8_t)level};
}

/* Without two colours a cell, or without any, a cell shows the stronger of its two dimensions, and
 * the glyph its sign and strength. */
static const char *sign_glyph(struct ink ink, enum glyph_set glyphs)
{
    static const char *const positive[] = {"░", "▒", "▓", "█"};
    static const char *const negative[] = {"·", "-", "=", "≡"};
    static const char *const positive_ascii[] = {".", "+", "*", "#"};
    static const char *const negative_ascii[] = {",", "-", "=", "~"};
    bool ascii = glyphs == GLYPHS_ASCII;
    if (ink.level == 0)
        return " ";
    int step = (ink.level - 1) / 4;
    if (ink.role == ROLE_NEGATIVE)
        return ascii ? negative_ascii[step] : negative[step];
    return ascii ? positive_ascii[step] : positive[step];
}

static void draw_pair(struct canvas *canvas, int y, int x, struct ink left, struct ink right)
{
    struct glyph glyph = {.text = "▌", .width = 1};
    struct style style = {.fore = left, .back = right};
    if (canvas->traits.mono || canvas->traits.glyphs == GLYPHS_ASCII) {
        style.fore = right.level > left.level ? right : left;
        style.back = (struct ink){ROLE_GROUND, 0};
        strcpy(glyph.text, sign_glyph(style.fore, canvas->traits.glyphs));
    }
    canvas_put(canvas, y, x, style, &glyph);
}

void bands_draw(struct canvas *canvas, int y, int x, int rows, const float *values, size_t count,
                size_t per_cell, struct band_scale scale)
{
    for (size_t i = 0; i < count; i += per_cell) {
        struct ink left = bands_ink(values[i], scale), right = {ROLE_GROUND, 0};
        if (per_cell == 1)
            right = left;
        else if (i + 1 < count)
            right = bands_ink(values[i + 1], scale);
        for (int row = 0; row < rows; row++)
            draw_pair(canvas, y + row, x + (int)(i / per_cell), left, right);
    }
}
