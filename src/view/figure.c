#include "headlight/view/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *meaning, *unit;
    int decimals;
} kinds[FIGURE_COUNT] = {
    [FIGURE_NONE] = {"", "", "", 0},
    [FIGURE_ENTROPY] = {"entropy", "bits that attention is spread over, mean over tokens", " bits",
                        2},
    [FIGURE_PREVIOUS] = {"previous", "attention to the previous token, mean over tokens", "", 2},
    [FIGURE_NEXT] = {"next", "attention to the next token, mean over tokens", "", 2},
    [FIGURE_SELF] = {"self", "attention of tokens to themselves, mean over tokens", "", 2},
    [FIGURE_FIRST] = {"first", "attention to the first token, mean over tokens", "", 2},
    [FIGURE_SEPARATORS] = {"separators", "attention to the separators, mean over tokens", "", 2},
    [FIGURE_DISTANCE] = {"distance", "tokens that attention reaches away, mean over tokens",
                         " tokens", 1},
};

double figure_of(const struct head_figures *figures, enum figure figure)
{
    const double values[FIGURE_COUNT] = {
        [FIGURE_ENTROPY] = figures->entropy,   [FIGURE_PREVIOUS] = figures->previous,
        [FIGURE_NEXT] = figures->next,         [FIGURE_SELF] = figures->self,
        [FIGURE_FIRST] = figures->first,       [FIGURE_SEPARATORS] = figures->separators,
        [FIGURE_DISTANCE] = figures->distance,
    };
    return values[figure];
}

const char *figure_name(enum figure figure)
{
    return kinds[figure].name;
}

const char *figure_meaning(enum figure figure)
{
    return kinds[figure].meaning;
}

const char *figure_unit(enum figure figure)
{
    return kinds[figure].unit;
}

bool figure_is_weight(enum figure figure)
{
    return figure != FIGURE_ENTROPY && figure != FIGURE_DISTANCE && figure != FIGURE_NONE;
}

bool figure_stands_out(enum figure figure, double value)
{
    return figure_is_weight(figure) && round(value * 1000) >= HEADS_NAMED * 1000;
}

void figure_print(char *text, size_t size, enum figure figure, double value, int width)
{
    for (int decimals = kinds[figure].decimals; decimals >= 0; decimals--) {
        int length = snprintf(text, size, "%.*f", decimals, value);
        if (length <= width)
            return;
        if (decimals > 0 && text[0] == '0' && length - 1 <= width) {
            memmove(text, text + 1, (size_t)length);
            return;
        }
    }
}
