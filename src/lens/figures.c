/* figures.c: the functions of the table of figures. Each computes one number from a trace. Whole
 * tensors and maps are exported elsewhere (export_json.c). */
#include "headlight/lens/figures.h"

#include "headlight/lens/cosine.h"
#include "headlight/lens/predict.h"

/* ---- The table ---- */

#define FORM_NUMBER FIGURE_WHOLE
#define FORM_WORD   FIGURE_WORD
const struct figure_info figure_infos[FIGURE_COUNT] = {
#define NUMBER(code, of, form, arguments, meaning)                                                 \
    {#code, arguments, meaning, FIGURE_OF_##of, FIGURE_##form},
#define SCREEN(code, gives, arguments, meaning)                                                    \
    {#code, arguments, meaning, FIGURE_OF_SCREEN, FORM_##gives},
    FIGURES(NUMBER, SCREEN)
#undef NUMBER
#undef SCREEN
};

/* ---- The numbers ---- */

/* Of pairs the mean; of weights, which add up, that over those that attend, as merged pieces are
 * shown (attention.h). An effect is measured elsewhere; all other metrics follow from the weights.
 */
double figure_ask(enum figure figure, const struct figure_at *at)
{
    const struct trace *trace = at->trace;
    const struct occurrence a = {trace, at->from}, b = {trace, at->to};
    const bool scores = figure == FIGURE_score, pair = scores || figure == FIGURE_dot;
    const struct layer_trace *layer = pair ? &trace->layer[at->layer] : NULL;
    const size_t rows = at->from.end - at->from.first;
    double sum = 0;
    float probability;
    if (pair && !(scores ? layer->scores != NULL : layer->query.data && layer->key.data))
        return NAN;
    if (pair || figure == FIGURE_weight) {
        for (size_t from = at->from.first; from < at->from.end; from++)
            for (size_t to = at->to.first; to < at->to.end; to++)
                sum += !pair ? (double)trace_weight(trace, at->layer, at->head, from, to)
                       : scores
                           ? (double)trace_score(trace, at->layer, at->head, from, to)
                           : vector_dot(heads_row(&layer->query, at->head, from),
                                        heads_row(&layer->key, at->head, to), trace->dimensions);
        return sum / (double)(pair ? rows * (at->to.end - at->to.first) : rows);
    }
    if (figure == FIGURE_figure && at->metric == METRIC_EFFECT && at->effects)
        return at->effects->change[at->layer * at->effects->heads + at->head];
    if (figure == FIGURE_figure)
        return at->metric < METRIC_EFFECT
                   ? metrics_measure(trace, at->layer, at->head, at->kinds).of[at->metric]
                   : NAN;
    if (figure == FIGURE_next)
        return at->side->boundary < at->side->count && predict_pair(trace, &probability)
                   ? (double)probability
                   : NAN;
    if (figure == FIGURE_cosine)
        return at->layer < cosine_levels(&a, &b) ? cosine_at(&a, &b, at->layer) : NAN;
    return figure == FIGURE_p        ? exp(at->logprob)
           : figure == FIGURE_rank   ? (double)at->rank
           : figure == FIGURE_layer  ? (double)at->layer
           : figure == FIGURE_head   ? (double)at->head
           : figure == FIGURE_layers ? (double)trace->layers
           : figure == FIGURE_last   ? (double)(trace->layers - 1)
           : figure == FIGURE_heads  ? (double)trace->heads
           : figure == FIGURE_tokens ? (double)trace->tokens
           : trace->dimensions > 0   ? (double)trace->dimensions
                                     : NAN;
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
