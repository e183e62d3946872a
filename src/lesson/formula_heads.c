/* formula_heads.c: formulas of attention: weights, scores and figures of heads, how alike tokens
 * are, and the model's sizes. */
#include "headlight/lens/cosine.h"
#include "headlight/lens/same_word.h"
#include "headlight/lens/telling.h"
#include "headlight/lesson/formula_parts.h"
#include "headlight/session/derive.h"

#include <math.h>

/* ---- Heads ---- */

struct place {
    size_t layer, head;
};

/* What switching heads off does; NULL: it is not known yet, or never will be, as the value says. */
static const struct effects *find_effects(const struct asked *asked, struct formula_value *value)
{
    const struct data *data = &asked->scene.data;
    if (asked->trace == data->trace && data->effects)
        return data->effects;
    if (asked->trace == data->trace && derive_wants_effects(&asked->scene.look, data))
        value->state = FORMULA_PENDING;
    else
        formula_say_unknown(value, "effects are measured where --figure effect shows them");
    return NULL;
}

/* The head without which the answer loses most. */
static bool find_costliest(const struct asked *asked, struct place *place,
                           struct formula_value *value)
{
    const struct effects *effects = find_effects(asked, value);
    size_t least = 0;
    if (!effects)
        return false;
    for (size_t i = 1; i < effects->layers * effects->heads; i++)
        least = effects->change[i] < effects->change[least] ? i : least;
    *place = (struct place){least / effects->heads, least % effects->heads};
    return true;
}

/* Compared in thousandths; of equal ones the first by layer, then head. */
static bool find_largest(const struct asked *asked, struct place *place,
                         struct formula_value *value)
{
    const struct trace *trace = asked->trace;
    double most = -1;
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t head = 0; head < trace->heads; head++) {
            const struct head_metrics metrics =
                metrics_measure(trace, layer, head, &asked->scene.data.kinds);
            double figure = round(metric_of(&metrics, asked->formula->of) * 1000);
            if (!(figure > most))
                continue;
            most = figure;
            *place = (struct place){layer, head};
        }
    if (most < 0)
        formula_say_unknown(value, "no word of the text stands in it twice");
    return most >= 0;
}

static bool find_telling(const struct asked *asked, struct place *place,
                         struct formula_value *value)
{
    if (telling_head(asked->trace, asked->scene.data.encoded->sides, &place->layer, &place->head))
        return true;
    formula_say_unknown(value, "no head tells more than others");
    return false;
}

/* The head that is named, or else that shown. */
static bool find_place(const struct asked *asked, struct place *place, struct formula_value *value)
{
    const struct formula *formula = asked->formula;
    const struct trace *trace = asked->trace;
    const struct look *look = &asked->scene.look;
    if (formula->telling)
        return find_telling(asked, place, value);
    if (formula->of == METRIC_EFFECT)
        return find_costliest(asked, place, value);
    if (formula->of != METRIC_NONE)
        return find_largest(asked, place, value);
    *place = formula->placed ? (struct place){formula->layer, formula->head}
                             : (struct place){look->layer, look->head};
    if (place->layer < trace->layers && place->head < trace->heads)
        return true;
    formula_say_unknown(value, "expected a head from 0.0 to %zu.%zu, found %zu.%zu",
                        trace->layers - 1, trace->heads - 1, place->layer, place->head);
    return false;
}

/* ---- Pairs of tokens ---- */

struct weighed {
    struct place at;
    struct token_range from, to; /* of the trace */
};

static bool find_pair(const struct asked *asked, struct weighed *pair, struct formula_value *value)
{
    return find_place(asked, &pair->at, value) &&
           formula_find(asked, asked->formula->a, SIDE_LEFT, &pair->from, value) &&
           formula_find(asked, asked->formula->b, SIDE_RIGHT, &pair->to, value);
}

/* As merged pieces are shown (attention.h): to a word their sum, from a word their mean. */
static double weight_of(const struct trace *trace, const struct weighed *pair)
{
    double sum = 0;
    for (size_t i = pair->from.first; i < pair->from.end; i++)
        for (size_t j = pair->to.first; j < pair->to.end; j++)
            sum += (double)trace_weight(trace, pair->at.layer, pair->at.head, i, j);
    return sum / (double)(pair->from.end - pair->from.first);
}

/* Of numbers that are no shares the mean. */
static double mean_of(const struct trace *trace, const struct weighed *pair,
                      double (*number)(const struct trace *trace, struct place at, size_t from,
                                       size_t to))
{
    const struct token_range from = pair->from, to = pair->to;
    double sum = 0;
    for (size_t i = from.first; i < from.end; i++)
        for (size_t j = to.first; j < to.end; j++)
            sum += number(trace, pair->at, i, j);
    return sum / (double)((from.end - from.first) * (to.end - to.first));
}

static double score_of(const struct trace *trace, struct place at, size_t from, size_t to)
{
    return (double)trace_score(trace, at.layer, at.head, from, to);
}

static double dot_of(const struct trace *trace, struct place at, size_t from, size_t to)
{
    const struct layer_trace *layer = &trace->layer[at.layer];
    const float *query = heads_row(&layer->query, at.head, from); /* [D] */
    const float *key = heads_row(&layer->key, at.head, to);       /* [D] */
    double sum = 0;
    for (size_t d = 0; d < trace->dimensions; d++)
        sum += (double)query[d] * (double)key[d];
    return sum;
}

void formula_weight(const struct asked *asked, struct formula_value *value)
{
    struct weighed pair;
    if (find_pair(asked, &pair, value))
        formula_say_share(value, weight_of(asked->trace, &pair));
}

void formula_score(const struct asked *asked, struct formula_value *value)
{
    struct weighed pair;
    if (!find_pair(asked, &pair, value))
        return;
    if (asked->trace->layer[pair.at.layer].scores)
        formula_say_decimal(value, mean_of(asked->trace, &pair, score_of));
    else
        formula_say_unknown(value, "the recording has no scores");
}

void formula_dot(const struct asked *asked, struct formula_value *value)
{
    struct weighed pair;
    if (!find_pair(asked, &pair, value))
        return;
    const struct layer_trace *layer = &asked->trace->layer[pair.at.layer];
    if (layer->query.data && layer->key.data)
        formula_say_decimal(value, mean_of(asked->trace, &pair, dot_of));
    else
        formula_say_unknown(value, "the recording has no queries and keys");
}

void formula_most(const struct asked *asked, struct formula_value *value)
{
    const struct token_list *shown = &asked->scene.data.attention->tokens[SIDE_RIGHT];
    struct weighed pair;
    size_t best = 0;
    double most = -1;
    if (!find_place(asked, &pair.at, value) ||
        !formula_find(asked, asked->formula->a, SIDE_LEFT, &pair.from, value))
        return;
    for (size_t token = 0; token < shown->count; token++) {
        pair.to = shown->of[token];
        double weight = weight_of(asked->trace, &pair);
        best = weight > most ? token : best;
        most = fmax(weight, most);
    }
    formula_say_word(value, scene_name_among(shown->labels, shown->count, best, false, false).text);
}

/* ---- Figures ---- */

static void say_effect(const struct asked *asked, struct place at, struct formula_value *value)
{
    const struct effects *effects = find_effects(asked, value);
    if (!effects)
        return;
    value->number = true;
    value->value = effects->change[at.layer * effects->heads + at.head];
    metric_print_whole(value->text, sizeof value->text, METRIC_EFFECT, value->value);
}

void formula_figure(const struct asked *asked, struct formula_value *value)
{
    const enum metric figure = asked->formula->figure;
    struct place at;
    if (!find_place(asked, &at, value))
        return;
    if (figure == METRIC_EFFECT) {
        say_effect(asked, at, value);
        return;
    }
    const struct head_metrics metrics =
        metrics_measure(asked->trace, at.layer, at.head, &asked->scene.data.kinds);
    value->number = true;
    value->value = metric_of(&metrics, figure);
    if (isnan(value->value))
        formula_say_unknown(value, "no word of the text stands in it twice");
    else
        metric_print_whole(value->text, sizeof value->text, figure, value->value);
}

void formula_layer(const struct asked *asked, struct formula_value *value)
{
    struct place place = {0};
    if (find_place(asked, &place, value))
        formula_say_count(value, place.layer);
}

void formula_head(const struct asked *asked, struct formula_value *value)
{
    struct place place = {0};
    if (find_place(asked, &place, value))
        formula_say_count(value, place.head);
}

/* ---- Vectors ---- */

/* The word that a token is of. */
static bool find_word(const struct asked *asked, const char *name, struct occurrence *word,
                      struct formula_value *value)
{
    struct token_range pieces;
    if (!formula_find(asked, name, SIDE_LEFT, &pieces, value))
        return false;
    *word = (struct occurrence){
        asked->trace, same_word_of(&asked->scene.data.encoded->sides[SIDE_LEFT], pieces.first)};
    return true;
}

void formula_cosine(const struct asked *asked, struct formula_value *value)
{
    const size_t level = asked->formula->layer;
    struct occurrence a, b;
    if (!find_word(asked, asked->formula->a, &a, value) ||
        !find_word(asked, asked->formula->b, &b, value))
        return;
    if (level >= cosine_levels(&a, &b)) {
        formula_say_unknown(value, "expected at most %zu layers, found %zu",
                            cosine_levels(&a, &b) - 1, level);
        return;
    }
    const double cosine = cosine_at(&a, &b, level);
    if (isnan(cosine))
        formula_say_unknown(value, "there are no vectors after %zu layers", level);
    else
        formula_say_share(value, cosine);
}

/* ---- Sizes ---- */

void formula_last(const struct asked *asked, struct formula_value *value)
{
    formula_say_count(value, asked->trace->layers - 1);
}

void formula_layers(const struct asked *asked, struct formula_value *value)
{
    formula_say_count(value, asked->trace->layers);
}

void formula_heads(const struct asked *asked, struct formula_value *value)
{
    formula_say_count(value, asked->trace->heads);
}

void formula_dimensions(const struct asked *asked, struct formula_value *value)
{
    if (asked->trace->dimensions > 0)
        formula_say_count(value, asked->trace->dimensions);
    else
        formula_say_unknown(value, "the recording has no queries and keys");
}

void formula_tokens(const struct asked *asked, struct formula_value *value)
{
    formula_say_count(value, asked->trace->tokens);
}

void formula_model(const struct asked *asked, struct formula_value *value)
{
    formula_say_word(value, asked->scene.data.model);
}

void formula_family(const struct asked *asked, struct formula_value *value)
{
    if (asked->scene.data.family)
        formula_say_word(value, asked->scene.data.family);
    else
        formula_say_unknown(value, "the recording doesn't tell its family");
}
