#include "headlight/lens/telling.h"

#include <math.h>

/* The largest weight of a row on a content token that is no neighbour. */
static double sharpest(const float *row, const struct token_side *attended, size_t from)
{
    float largest = 0;
    for (size_t to = 0; to < attended->count; to++)
        if (row[to] > largest && !attended->special[to] && (to > from + 1 || to + 1 < from))
            largest = row[to];
    return (double)largest;
}

/* In thousandths; `weights` is [T,S]. */
static double measure(const float *weights, const struct token_side sides[2])
{
    double sum = 0, rows = 0;
    for (size_t from = 0; from < sides[SIDE_LEFT].count; from++) {
        if (sides[SIDE_LEFT].special[from])
            continue;
        sum += sharpest(weights + from * sides[SIDE_RIGHT].count, &sides[SIDE_RIGHT], from);
        rows++;
    }
    return rows > 0 ? round(sum / rows * 1000) : 0;
}

bool telling_head(const struct trace *trace, const struct token_side sides[2], size_t *layer,
                  size_t *head)
{
    size_t map = trace->tokens * trace->attended;
    double best = 0;
    if ((double)trace->layers * (double)trace->heads * (double)map > TELLING_MOST)
        return false;
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t h = 0; h < trace->heads; h++) {
            double value = measure(trace->layer[l].weights + h * map, sides);
            if (value <= best)
                continue;
            best = value;
            *layer = l;
            *head = h;
        }
    return best > 0;
}
