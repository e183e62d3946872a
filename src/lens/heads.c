#include "headlight/lens/heads.h"

#include <math.h>

double heads_entropy(const float *row, size_t count)
{
    double bits = 0;
    for (size_t to = 0; to < count; to++)
        if (row[to] > 0)
            bits -= (double)row[to] * log2((double)row[to]);
    return bits;
}

/* Adds what one row says, so far without the means. */
static void add_row(struct head_figures *sum, const float *row, size_t attended, size_t from,
                    const bool *separators)
{
    sum->entropy += heads_entropy(row, attended);
    for (size_t to = 0; to < attended; to++) {
        double weight = row[to] > 0 ? (double)row[to] : 0;
        sum->distance += weight * (double)(to > from ? to - from : from - to);
        sum->previous += to + 1 == from ? weight : 0;
        sum->next += to == from + 1 ? weight : 0;
        sum->self += to == from ? weight : 0;
        sum->first += to == 0 ? weight : 0;
        sum->separators += separators && separators[to] ? weight : 0;
    }
}

struct head_figures heads_measure(const struct trace *trace, size_t layer, size_t head,
                                  const bool *separators)
{
    struct head_figures figures = {0};
    size_t tokens = trace->tokens, attended = trace->attended;
    const float *weights = trace->layer[layer].weights + head * tokens * attended; /* [T,S] */
    double rows = (double)tokens, neighbours = tokens > 1 ? rows - 1 : 1;
    for (size_t from = 0; from < tokens; from++)
        add_row(&figures, weights + from * attended, attended, from, separators);
    figures.previous /= neighbours;
    figures.next /= neighbours;
    figures.self /= rows;
    figures.first /= rows;
    figures.separators /= rows;
    figures.entropy /= rows;
    figures.distance /= rows;
    return figures;
}

const char *heads_name(const struct head_figures *figures, double *value)
{
    const struct {
        const char *name;
        double value;
    } kinds[] = {{"previous", figures->previous},
                 {"next", figures->next},
                 {"self", figures->self},
                 {"first", figures->first},
                 {"separators", figures->separators}};
    size_t best = 0;
    for (size_t i = 1; i < sizeof kinds / sizeof *kinds; i++)
        if (round(kinds[i].value * 1000) > round(kinds[best].value * 1000))
            best = i;
    if (value)
        *value = kinds[best].value;
    return round(kinds[best].value * 1000) >= HEADS_NAMED * 1000 ? kinds[best].name : "";
}
