/* metrics.c: measures what a head mostly does from its weights. The tables of metrics and labels
 * are in the header; whatever shows or compares them walks those. One thread measures a whole
 * head, in double precision, so the number of threads changes no digit. */
#include "headlight/lens/metrics.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/tensor/thread_pool.h"

/* ---- The table ---- */

#define TEXT_OF(number) #number
#define TEXT(macro)     TEXT_OF(macro)
#define LABEL_MEANING                                                                              \
    TEXT(METRICS_NAMED)                                                                            \
    " of the weight, broad: " TEXT(METRICS_BROAD) " of the largest entropy"

const struct metric_info metric_infos[METRIC_PAIR + 1] = {
    [METRIC_NONE] = {.name = "", .unit = "", .axes = AXES_ANY, .meaning = ""},
    [METRIC_PAIR] = {.name = "pair", "", 3, AXES_ANY, "", false, "", 0},
    [METRIC_LABEL] = {.name = "label", "", 2, AXES_ANY, "", false, LABEL_MEANING, 0},
#define METRIC(code, text, ...) [METRIC_##code] = {.name = #text, __VA_ARGS__},
    METRICS(METRIC)
#undef METRIC
};

bool metric_is_weight(enum metric metric)
{
    return metric != METRIC_NONE && metric != METRIC_LABEL && !*metric_infos[metric].unit;
}

bool metric_reaches(double value, double least)
{
    return round(value * 1000) >= round(least * 1000);
}

bool metric_stands_out(enum metric metric, double value)
{
    const double least = metric_infos[metric].labelled;
    const bool can = metric_is_weight(metric) && metric != METRIC_MAXIMUM;
    return (can || metric == METRIC_EFFECT) &&
           metric_reaches(fabs(value), least > 0 ? least : METRICS_NAMED);
}

/* What is rounded to 0 has no sign. */
void metric_print(char *text, size_t size, enum metric metric, double value)
{
    const int decimals = metric_infos[metric].decimals > 2 ? metric_infos[metric].decimals : 2;
    snprintf(text, size, "%.*f", decimals, fabs(value));
    if (isnan(value))
        snprintf(text, size, "-");
    else if (metric == METRIC_EFFECT && text[strspn(text, "0.")])
        snprintf(text, size, "%+.*f", decimals, value);
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

static bool sees(struct token_range visible, size_t to)
{
    return to >= visible.first && to < visible.end;
}

/* A weight of a row; 0 if it can't see that token, or there is none: `to` may have wrapped below 0.
 */
static double row_weight(const float *row, struct token_range visible, size_t to)
{
    return sees(visible, to) && row[to] > 0 ? (double)row[to] : 0;
}

/* The words have for each token the first occurrence of its word, so it is searched from there. */
void metrics_of_row(const float *row, struct token_range visible, size_t from,
                    const struct token_kinds *kinds, double of[METRIC_EFFECT])
{
    const size_t *words = kinds->words;
    double distance = 0, maximum = 0, separators = 0, same = 0, induction = 0;
    bool repeated = false, induced = false;
    for (size_t to = visible.first; to < visible.end; to++) {
        const double weight = row[to] > 0 ? (double)row[to] : 0;
        distance += weight * fabs((double)to - (double)from);
        maximum = fmax(maximum, weight);
        separators += kinds->separators && kinds->separators[to] ? weight : 0;
    }
    for (size_t to = words ? words[from] : NO_TOKEN; to < visible.end; to++) {
        if (to == from || words[to] != words[from])
            continue;
        repeated |= sees(visible, to);
        same += row_weight(row, visible, to);
        induced |= to + 2 < from && sees(visible, to + 1);
        induction += to + 2 < from ? row_weight(row, visible, to + 1) : 0;
    }
    of[METRIC_PREVIOUS] = row_weight(row, visible, from - 1);
    of[METRIC_NEXT] = row_weight(row, visible, from + 1);
    of[METRIC_SELF] = row_weight(row, visible, from);
    of[METRIC_FIRST] = row_weight(row, visible, 0);
    of[METRIC_SEPARATORS] = separators;
    of[METRIC_ENTROPY] = metrics_entropy(row + visible.first, visible.end - visible.first);
    of[METRIC_DISTANCE] = distance;
    of[METRIC_MAXIMUM] = maximum;
    of[METRIC_SAME] = repeated ? same : NAN;
    of[METRIC_INDUCTION] = induced ? induction : NAN;
    of[METRIC_BROAD] = 0;
}

/* The first token has no previous one and the last no next, hence one row less for those. Beside a
 * sink (`begin` 1) the second has no choice, and a row counts as what it has there instead of 1: of
 * shares w of a whole W the entropy is W times that of w/W. A recording doesn't always tell what
 * sees what: there nothing behind the last weight does. */
double metrics_beside(const struct trace *trace, size_t layer, size_t head,
                      const struct token_kinds *kinds, size_t begin, double of[METRIC_EFFECT],
                      double over[METRIC_EFFECT])
{
    double rows = 0, later = 0;                 /* all of them, and all but the first */
    double most = 0, repeated = 0, induced = 0; /* the largest possible entropies; as `rows` */
    memset(of, 0, METRIC_EFFECT * sizeof *of);
    for (size_t from = 2 * begin; from < trace->tokens; from++) {
        const float *row =
            trace->layer[layer].weights + (head * trace->tokens + from) * trace->attended;
        struct token_range visible = trace_visible(trace, layer, from);
        double whole = begin == 0, numbers[METRIC_EFFECT];
        visible.first = size_max(visible.first, begin);
        while (!trace->scratch && visible.end > visible.first + 1 && !(row[visible.end - 1] > 0))
            visible.end--;
        for (size_t to = visible.first; begin > 0 && to < visible.end; to++)
            whole += row_weight(row, visible, to);
        metrics_of_row(row, visible, from, kinds, numbers);
        rows += whole;
        later += from > visible.first ? whole : 0;
        most += whole * log2((double)(visible.end - visible.first));
        repeated += isnan(numbers[METRIC_SAME]) ? 0 : whole;
        induced += isnan(numbers[METRIC_INDUCTION]) ? 0 : whole;
        for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++)
            of[metric] += isnan(numbers[metric]) ? 0 : numbers[metric];
        of[METRIC_ENTROPY] += whole > 0 ? whole * log2(whole) : 0;
    }
    of[METRIC_BROAD] = most > 0 ? of[METRIC_ENTROPY] / most : 0;
    for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++) {
        const bool some = metric == METRIC_SAME || metric == METRIC_INDUCTION;
        const double whole = over[metric] = metric == METRIC_SAME        ? repeated
                                            : metric == METRIC_INDUCTION ? induced
                                            : metric == METRIC_PREVIOUS || metric == METRIC_NEXT
                                                ? later
                                                : rows;
        const bool defined = metric_infos[metric].axes & trace_site_axes(trace);
        of[metric] /= metric != METRIC_BROAD && whole > 0 ? whole : 1;
        of[metric] = defined && (whole > 0 || !some) ? of[metric] : NAN;
    }
    return rows / (double)(size_max(trace->tokens, 2 * begin + 1) - 2 * begin);
}

struct head_metrics metrics_measure(const struct trace *trace, size_t layer, size_t head,
                                    const struct token_kinds *kinds)
{
    static const struct token_kinds none;
    struct head_metrics metrics = {.rest = 0};
    double over[METRIC_EFFECT];
    kinds = kinds ? kinds : &none;
    metrics_beside(trace, layer, head, kinds, 0, metrics.of, over);
    if (trace->axes == AXES_PAST)
        metrics.rest = metrics_beside(trace, layer, head, kinds, 1, metrics.named, over);
    if (metrics.rest >= METRICS_REST) {
        metrics.named[METRIC_FIRST] = 0;
    } else {
        memcpy(metrics.named, metrics.of, sizeof metrics.of);
        metrics.rest = 0;
    }
    return metrics;
}

/* One layer; each thread of the pool takes heads of its own. */
struct layer_work {
    const struct trace *trace;
    size_t layer;
    const struct token_kinds *kinds;
    struct head_metrics *metrics; /* [A] */
};

static void metrics_measure_layer(const struct pool_thread *thread, void *context)
{
    const struct layer_work *work = context;
    size_t head;
    while ((head = pool_claim(thread)) < work->trace->heads)
        work->metrics[head] = metrics_measure(work->trace, work->layer, head, work->kinds);
}

enum status metrics_measure_all(const struct trace *trace, const struct token_kinds *kinds,
                                const struct watch *watch, struct head_metrics **metrics,
                                struct error *error)
{
    size_t heads = trace->heads;
    *metrics =
        memory_new(trace->layers, heads * sizeof **metrics, 0, "the metrics of the heads", error);
    if (!*metrics)
        return error->status;
    for (size_t layer = 0; layer < trace->layers; layer++) {
        struct layer_work work = {trace, layer, kinds, *metrics + layer * heads};
        pool_run(pool_size_for(heads * trace->tokens * trace->attended), metrics_measure_layer,
                 &work);
        if (watch_step(watch, layer + 1, trace->layers, error) != STATUS_OK) {
            free(*metrics);
            *metrics = NULL;
            return error->status;
        }
    }
    return STATUS_OK;
}

struct head_label metrics_label(const struct head_metrics *metrics)
{
    struct head_label best = {METRIC_NONE, "", "", "", "", 0, 0};
    for (enum metric metric = METRIC_BEGIN; metric < METRIC_EFFECT; metric++) {
        const struct metric_info *info = &metric_infos[metric];
        const double value = metrics->named[metric];
        if (info->labelled > 0 && metric_reaches(value, info->labelled) &&
            round(value * 1000) > round(best.value * 1000))
            best = (struct head_label){metric,     info->label, info->brief,  info->words,
                                       info->says, value,       metrics->rest};
    }
    return best;
}

/* ---- The head to open on ---- */

/* By the mean, in thousandths, of each row's largest weight on a content token other than itself
 * and its neighbours; or, where it looks at another text, of the largest that each content token of
 * that text gets from any row. */
bool opening_head(const struct trace *trace, const struct token_side sides[2], size_t *layer,
                  size_t *head)
{
    const bool crossed = sides[SIDE_RIGHT].labels != sides[SIDE_LEFT].labels;
    const struct token_side *of = &sides[crossed ? SIDE_RIGHT : SIDE_LEFT],
                            *among = &sides[crossed ? SIDE_LEFT : SIDE_RIGHT];
    const size_t A = trace->heads, map = trace->tokens * trace->attended;
    double best = 0;
    if ((double)trace->layers * (double)A * (double)map > OPENING_WEIGHTS_MAX)
        return false;
    for (size_t number = 0; number < trace->layers * A; number++) {
        const float *weights = trace->layer[number / A].weights + number % A * map; /* [T,S] */
        double sum = 0, count = 0;
        for (size_t i = 0; i < of->count; i++) {
            float largest = 0;
            for (size_t j = 0; j < among->count && !of->sinks[i]; j++) {
                const float weight = weights[crossed ? j * of->count + i : i * among->count + j];
                if (weight > largest && (crossed || (!among->sinks[j] && (j > i + 1 || j + 1 < i))))
                    largest = weight;
            }
            sum += (double)largest;
            count += !of->sinks[i];
        }
        const double value = count > 0 ? round(sum / count * 1000) : 0;
        if (value <= best)
            continue;
        best = value;
        *layer = number / A;
        *head = number % A;
    }
    return best > 0;
}
