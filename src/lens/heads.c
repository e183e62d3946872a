#include "headlight/lens/heads.h"

#include "headlight/lens/share.h"

#include <math.h>
#include <stdlib.h>

double heads_entropy(const float *row, size_t count)
{
    double bits = 0;
    for (size_t to = 0; to < count; to++)
        if (row[to] > 0)
            bits -= (double)row[to] * log2((double)row[to]);
    return bits;
}

/* A weight of a row; 0 where there is no such token. `to` may have wrapped below 0. */
static double weight_at(const float *row, size_t attended, size_t to)
{
    return to < attended && row[to] > 0 ? (double)row[to] : 0;
}

/* Adds what one row says, so far without the means. */
static void add_row(struct head_figures *sum, const float *row, size_t attended, size_t from,
                    const bool *separators)
{
    sum->entropy += heads_entropy(row, attended);
    sum->previous += weight_at(row, attended, from - 1);
    sum->next += weight_at(row, attended, from + 1);
    sum->self += weight_at(row, attended, from);
    sum->first += weight_at(row, attended, 0);
    for (size_t to = 0; to < attended; to++) {
        double weight = weight_at(row, attended, to);
        sum->distance += weight * fabs((double)to - (double)from);
        if (separators && separators[to])
            sum->separators += weight;
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

/* One layer, whose heads the members of the crew share out among them. */
struct layer_work {
    const struct trace *trace;
    size_t layer;
    const bool *separators;
    struct head_figures *figures; /* [A] */
};

static void measure_layer(const struct member *member, void *context)
{
    const struct layer_work *work = context;
    size_t head;
    while ((head = member_claim(member)) < work->trace->heads)
        work->figures[head] = heads_measure(work->trace, work->layer, head, work->separators);
}

enum status heads_measure_all(const struct trace *trace, const bool *separators,
                              const struct watch *watch, struct head_figures **figures,
                              struct error *error)
{
    size_t heads = trace->heads, count = trace->layers * heads;
    *figures = malloc(count * sizeof **figures);
    if (!*figures)
        return error_memory(error, "the figures of the heads", count * sizeof **figures);
    for (size_t layer = 0; layer < trace->layers; layer++) {
        struct layer_work work = {trace, layer, separators, *figures + layer * heads};
        crew_run(share_members(heads * trace->tokens * trace->attended), measure_layer, &work);
        if (watch_step(watch, layer + 1, trace->layers, error) != STATUS_OK) {
            free(*figures);
            *figures = NULL;
            return error->status;
        }
    }
    return STATUS_OK;
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
