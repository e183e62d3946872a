#include "headlight/lens/metrics.h"

#include "headlight/tensor/thread_pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table ---- */

static const struct {
    const char *name, *unit, *meaning;
    int decimals;
} kinds[METRIC_COUNT] = {
    [METRIC_NONE] = {"", "", "", 0},
#define METRIC(code, name, unit, decimals, meaning)                                                \
    [METRIC_##code] = {#name, unit, meaning, decimals},
    METRICS(METRIC)
#undef METRIC
        [METRIC_EFFECT] = {"effect", " nats", "", 2},
};

double metric_of(const struct head_metrics *metrics, enum metric metric)
{
    const double values[METRIC_COUNT] = {
#define METRIC(code, name, unit, decimals, meaning) [METRIC_##code] = metrics->name,
        METRICS(METRIC)
#undef METRIC
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
    return metric != METRIC_NONE && !*kinds[metric].unit;
}

static bool metric_names_heads(enum metric metric)
{
    return metric_is_weight(metric) && metric != METRIC_MAXIMUM;
}

bool metric_stands_out(enum metric metric, double value)
{
    bool can = metric_names_heads(metric) || metric == METRIC_EFFECT;
    return can && round(fabs(value) * 1000) >= METRICS_NAMED * 1000;
}

/* Returns the length of the sign. */
static int print(char *text, size_t size, enum metric metric, double value, int decimals)
{
    snprintf(text, size, "%.*f", decimals, fabs(value));
    if (metric != METRIC_EFFECT || text[strspn(text, "0.")] == '\0')
        return 0;
    snprintf(text, size, "%+.*f", decimals, value);
    return 1;
}

void metric_print(char *text, size_t size, enum metric metric, double value, int width)
{
    for (int decimals = kinds[metric].decimals; decimals >= 0; decimals--) {
        char *digits = text + print(text, size, metric, value, decimals);
        int length = (int)strlen(text);
        if (length <= width)
            return;
        if (decimals > 0 && digits[0] == '0' && length - 1 <= width) {
            memmove(digits, digits + 1, strlen(digits));
            return;
        }
    }
}

void metric_print_whole(char *text, size_t size, enum metric metric, double value)
{
    print(text, size, metric, value, 2);
}

/* ---- Measuring ---- */

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
    double maximum = 0;
    for (size_t to = 0; to < attended; to++) {
        double weight = weight_at(row, attended, to);
        sum->distance += weight * fabs((double)to - (double)from);
        maximum = weight > maximum ? weight : maximum;
        if (separators && separators[to])
            sum->separators += weight;
    }
    sum->maximum += maximum;
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
    metrics.maximum /= rows;
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
        return error_memory(error, "the metrics of the heads", count * sizeof **metrics);
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
    enum metric best = METRIC_NONE;
    for (enum metric metric = METRIC_NONE + 1; metric < METRIC_COUNT; metric++)
        if (metric_names_heads(metric) &&
            (best == METRIC_NONE ||
             round(metric_of(metrics, metric) * 1000) > round(metric_of(metrics, best) * 1000)))
            best = metric;
    if (value)
        *value = metric_of(metrics, best);
    return metric_stands_out(best, metric_of(metrics, best)) ? metric_name(best) : "";
}
