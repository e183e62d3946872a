#include "headlight/lens/metrics.h"

#include "headlight/tensor/thread_pool.h"

#include <math.h>
#include <stdlib.h>

double metrics_entropy(const float *row, size_t count)
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
static void add_row(struct head_metrics *sum, const float *row, size_t attended, size_t from,
                    const bool *separators)
{
    sum->entropy += metrics_entropy(row, attended);
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

struct head_metrics metrics_measure(const struct trace *trace, size_t layer, size_t head,
                                    const bool *separators)
{
    struct head_metrics metrics = {0};
    size_t tokens = trace->tokens, attended = trace->attended;
    const float *weights = trace->layer[layer].weights + head * tokens * attended; /* [T,S] */
    double rows = (double)tokens, neighbours = tokens > 1 ? rows - 1 : 1;
    for (size_t from = 0; from < tokens; from++)
        add_row(&metrics, weights + from * attended, attended, from, separators);
    metrics.previous /= neighbours;
    metrics.next /= neighbours;
    metrics.self /= rows;
    metrics.first /= rows;
    metrics.separators /= rows;
    metrics.entropy /= rows;
    metrics.distance /= rows;
    return metrics;
}

/* One layer, whose heads the threads of the pool share out among them. */
struct layer_work {
    const struct trace *trace;
    size_t layer;
    const bool *separators;
    struct head_metrics *metrics; /* [A] */
};

static void measure_layer(const struct pool_thread *thread, void *context)
{
    const struct layer_work *work = context;
    size_t head;
    while ((head = pool_claim(thread)) < work->trace->heads)
        work->metrics[head] = metrics_measure(work->trace, work->layer, head, work->separators);
}

enum status metrics_measure_all(const struct trace *trace, const bool *separators,
                                const struct watch *watch, struct head_metrics **metrics,
                                struct error *error)
{
    size_t heads = trace->heads, count = trace->layers * heads;
    *metrics = malloc(count * sizeof **metrics);
    if (!*metrics)
        return error_memory(error, "the figures of the heads", count * sizeof **metrics);
    for (size_t layer = 0; layer < trace->layers; layer++) {
        struct layer_work work = {trace, layer, separators, *metrics + layer * heads};
        pool_run(pool_size_for(heads * trace->tokens * trace->attended), measure_layer, &work);
        if (watch_step(watch, layer + 1, trace->layers, error) != STATUS_OK) {
            free(*metrics);
            *metrics = NULL;
            return error->status;
        }
    }
    return STATUS_OK;
}

const char *metrics_name(const struct head_metrics *metrics, double *value)
{
    const struct {
        const char *name;
        double value;
    } kinds[] = {{"previous", metrics->previous},
                 {"next", metrics->next},
                 {"self", metrics->self},
                 {"first", metrics->first},
                 {"separators", metrics->separators}};
    size_t best = 0;
    for (size_t i = 1; i < sizeof kinds / sizeof *kinds; i++)
        if (round(kinds[i].value * 1000) > round(kinds[best].value * 1000))
            best = i;
    if (value)
        *value = kinds[best].value;
    return round(kinds[best].value * 1000) >= METRICS_NAMED * 1000 ? kinds[best].name : "";
}
