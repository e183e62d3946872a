#include "headlight/draw/number.h"

#include <stdio.h>
#include <string.h>

static void draw(struct canvas *canvas, int y, int x, int width, int decimals, double value,
                 bool sign, struct style style)
{
    char text[400]; /* the largest double has 309 digits */
    snprintf(text, sizeof text, sign ? "%+.*f" : "%.*f", decimals, value);
    while (decimals > 0 && strlen(text) > (size_t)width) {
        decimals--;
        snprintf(text, sizeof text, sign ? "%+.*f" : "%.*f", decimals, value);
    }
    if (strlen(text) > (size_t)width)
        snprintf(text, sizeof text, sign ? "%+.0e" : "%.0e", value);
    canvas_text_right(canvas, y, x + width, width, style, text);
}

void number_draw(struct canvas *canvas, int y, int x, int width, int decimals, double value,
                 struct style style)
{
    draw(canvas, y, x, width, decimals, value, true, style);
}

void number_draw_length(struct canvas *canvas, int y, int x, int width, int decimals, double value,
                        struct style style)
{
    draw(canvas, y, x, width, decimals, value, false, style);
}

struct weight_text number_weight(unsigned thousandths)
{
    struct weight_text weight;
    snprintf(weight.text, sizeof weight.text, "%u.%03u", thousandths / 1000, thousandths % 1000);
    return weight;
}
