/* figures.c: the functions of the table of figures. Each computes one number from a trace, or says
 * why there is none. Whole tensors and maps are exported elsewhere (export_json.c). */
#include "headlight/lens/figures.h"

#include "headlight/lens/cosine.h"
#include "headlight/lens/dimensions.h"
#include "headlight/lens/predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NO_VALUE(value, ...) snprintf((value)->reason, sizeof(value)->reason, __VA_ARGS__)

/* ---- Pairs of tokens ---- */

static double pair_sum(const struct figure_at *at,
                       double (*number)(const struct figure_at *at, size_t from, size_t to))
{
    double sum = 0;
    for (size_t from = at->from.first; from < at->from.end; from++)
        for (size_t to = at->to.first; to < at->to.end; to++)
            sum += number(at, from, to);
    return sum;
}

static double pair_mean(const struct figure_at *at,
                        double (*number)(const struct figure_at *at, size_t from, size_t to))
{
    size_t pairs = (at->from.end - at->from.first) * (at->to.end - at->to.first);
    return pair_sum(at, number) / (double)pairs;
}

static double figure_weight_at(const struct figure_at *at, size_t from, size_t to)
{
    return (double)trace_weight(at->trace, at->layer, at->head, from, to);
}

static double score_at(const struct figure_at *at, size_t from, size_t to)
{
    return (double)trace_score(at->trace, at->layer, at->head, from, to);
}

static double dot_at(const struct figure_at *at, size_t from, size_t to)
{
    const struct layer_trace *layer = &at->trace->layer[at->layer];
    return vector_dot(heads_row(&layer->query, at->head, from),
                      heads_row(&layer->key, at->head, to), at->trace->dimensions);
}

/* As merged pieces are shown (attention.h). */
static void figure_weight(const struct figure_at *at, struct figure_value *value)
{
    value->number = pair_sum(at, figure_weight_at) / (double)(at->from.end - at->from.first);
}

static void figure_score(const struct figure_at *at, struct figure_value *value)
{
    if (at->trace->layer[at->layer].scores)
        value->number = pair_mean(at, score_at);
    else
        NO_VALUE(value, "the recording has no scores");
}

static void figure_dot(const struct figure_at *at, struct figure_value *value)
{
    const struct layer_trace *layer = &at->trace->layer[at->layer];
    if (layer->query.data && layer->key.data)
        value->number = pair_mean(at, dot_at);
    else
        NO_VALUE(value, "the recording has no queries and keys");
}

/* ---- Heads ---- */

/* An effect is measured elsewhere; all other metrics follow from the weights. */
static void figure_figure(const struct figure_at *at, struct figure_value *value)
{
    if (at->metric == METRIC_EFFECT && at->effects) {
        value->number = at->effects->change[at->layer * at->effects->heads + at->head];
        return;
    }
    const struct head_metrics metrics = metrics_measure(at->trace, at->layer, at->head, at->kinds);
    value->number = metric_of(&metrics, at->metric);
    if (isnan(value->number))
        NO_VALUE(value, "no word of the text stands in it twice");
}

/* ---- Words ---- */

static void figure_p(const struct figure_at *at, struct figure_value *value)
{
    value->number = exp(at->logprob);
}

static void figure_next(const struct figure_at *at, struct figure_value *value)
{
    float probability = 0;
    if (at->side->boundary == at->side->count)
        NO_VALUE(value, "there is one sentence");
    else if (!predict_pair(at->trace, &probability))
        NO_VALUE(value, "the model doesn't say whether sentences follow each other");
    value->number = (double)probability;
}

/* ---- Vectors ---- */

static void figure_cosine(const struct figure_at *at, struct figure_value *value)
{
    const struct occurrence a = {at->trace, at->from}, b = {at->trace, at->to};
    const size_t levels = cosine_levels(&a, &b);
    if (at->layer >= levels) {
        NO_VALUE(value, "expected at most %zu layers, found %zu", levels - 1, at->layer);
        return;
    }
    value->number = cosine_at(&a, &b, at->layer);
    if (isnan(value->number))
        NO_VALUE(value, "there are no vectors after %zu layers", at->layer);
}

/* ---- Sizes and places ---- */

#define SIZE(code, size)                                                                           \
    static void figure_##code(const struct figure_at *at, struct figure_value *value)              \
    {                                                                                              \
        value->number = (double)at->size;                                                          \
    }
SIZE(layers, trace->layers)
SIZE(last, trace->layers - 1)
SIZE(heads, trace->heads)
SIZE(tokens, trace->tokens)
SIZE(layer, layer)
SIZE(head, head)
SIZE(rank, rank)
#undef SIZE

static void figure_dimensions(const struct figure_at *at, struct figure_value *value)
{
    value->number = (double)at->trace->dimensions;
    if (at->trace->dimensions == 0)
        NO_VALUE(value, "the recording has no queries and keys");
}

/* ---- The table ---- */

#define FORM_NUMBER FIGURE_WHOLE
#define FORM_WORD   FIGURE_WORD
static const struct {
    struct figure_info info;
    void (*ask)(const struct figure_at *at, struct figure_value *value);
} figures[FIGURE_COUNT] = {
#define NUMBER(code, of, form, arguments, meaning)                                                 \
    {{#code, arguments, meaning, FIGURE_OF_##of, FIGURE_##form}, figure_##code},
#define SCREEN(code, gives, arguments, meaning)                                                    \
    {{#code, arguments, meaning, FIGURE_OF_SCREEN, FORM_##gives}, NULL},
    FIGURES(NUMBER, SCREEN)
#undef NUMBER
#undef SCREEN
};

const struct figure_info *figure_info(enum figure figure)
{
    return &figures[figure].info;
}

struct figure_value figure_ask(enum figure figure, const struct figure_at *at)
{
    struct figure_value value = {.number = 0};
    figures[figure].ask(at, &value);
    return value;
}

/* Too small for three decimals: in words, as it stands in a sentence. */
void figure_print(char *text, size_t size, enum figure_form form, double number)
{
    if (form == FIGURE_WHOLE)
        snprintf(text, size, "%.0f", number);
    else if (form == FIGURE_SHARE && number > 0 && number < 0.0005)
        snprintf(text, size, "under 0.001");
    else
        snprintf(text, size, form == FIGURE_SHARE ? "%.3f" : "%.2f", number);
    if (text[0] == '-' && text[1 + strspn(text + 1, "0.")] == '\0') /* "-0.00" */
        memmove(text, text + 1, strlen(text));
}
