#include "headlight/view/metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *meaning, *unit;
    int decimals;
} kinds[METRIC_COUNT] = {
    [METRIC_NONE] = {"", "", "", 0},
    [METRIC_ENTROPY] = {"entropy", "bits that attention is spread over, mean over tokens", " bits",
                        2},
    [METRIC_PREVIOUS] = {"previous", "attention to the previous token, mean over tokens", "", 2},
    [METRIC_NEXT] = {"next", "attention to the next token, mean over tokens", "", 2},
    [METRIC_SELF] = {"self", "attention of tokens to themselves, mean over tokens", "", 2},
    [METRIC_FIRST] = {"first", "attention to the first token, mean over tokens", "", 2},
    [METRIC_SEPARATORS] = {"separators", "attention to the separators, mean over tokens", "", 2},
    [METRIC_DISTANCE] = {"distance", "tokens that attention reaches away, mean over tokens",
                         " tokens", 1},
};

double metric_of(const struct head_metrics *metrics, enum metric metric)
{
    const double values[METRIC_COUNT] = {
        [METRIC_ENTROPY] = metrics->entropy,   [METRIC_PREVIOUS] = metrics->previous,
        [METRIC_NEXT] = metrics->next,         [METRIC_SELF] = metrics->self,
        [METRIC_FIRST] = metrics->first,       [METRIC_SEPARATORS] = metrics->separators,
        [METRIC_DISTANCE] = metrics->distance,
    };
    return values[metric];
}

const char *metric_name(enum metric metric)
{
    return kinds[metric].name;
}

const char *metric_meaning(enum metric metric)
{
    return kinds[metric].meaning;
}

const char *metric_unit(enum metric metric)
{
    return kinds[metric].unit;
}

bool metric_is_weight(enum metric metric)
{
    return metric != METRIC_ENTROPY && metric != METRIC_DISTANCE && metric != METRIC_NONE;
}

bool metric_stands_out(enum metric metric, double value)
{
    return metric_is_weight(metric) && round(value * 1000) >= METRICS_NAMED * 1000;
}

void metric_print(char *text, size_t size, enum metric metric, double value, int width)
{
    for (int decimals = kinds[metric].decimals; decimals >= 0; decimals--) {
        int length = snprintf(text, size, "%.*f", decimals, value);
        if (length <= width)
            return;
        if (decimals > 0 && text[0] == '0' && length - 1 <= width) {
            memmove(text, text + 1, (size_t)length);
            return;
        }
    }
}
