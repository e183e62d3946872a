/* derive_heads.c: numbers for each head: metrics of its attention, and the effect of switching
 * it off. */
#include "headlight/session/derive.h"

#include <stdlib.h>

/* After a failure, the look no longer asks for any. */
static void fail_heads(struct session *session, const struct error *error)
{
    (void)error;
    session->state.look.metric = METRIC_NONE;
    session->state.look.sorted = false;
}

/* ---- Metrics ---- */

/* Number of weights for which all heads' metrics take a few milliseconds. */
#define METRICS_AT_ONCE 400e3

static bool wants_metrics(const struct look *look, const struct data *data)
{
    return data->trace && !data->metrics && look->metric != METRIC_NONE &&
           look->metric != METRIC_EFFECT && derived_shows(look, SHOWN_METRICS);
}

static double cost_of_metrics(const struct draft *draft)
{
    const struct trace *trace = draft->data.trace;
    return (double)trace->layers * (double)trace->heads * (double)trace->tokens *
           (double)trace->attended / METRICS_AT_ONCE;
}

static enum status make_metrics(struct draft *draft, const struct watch *watch, struct error *error)
{
    return metrics_measure_all(draft->data.trace, &draft->data.kinds, watch, &draft->data.metrics,
                               error);
}

const struct derived derived_metrics = {.kind = REQUEST_METRICS,
                                        .work = "measuring heads",
                                        .offset = offsetof(struct data, metrics),
                                        .release = free,
                                        .sources = SOURCE_TRACE,
                                        .wants = wants_metrics,
                                        .cost = cost_of_metrics,
                                        .make = make_metrics,
                                        .fail = fail_heads};

/* ---- Effects ---- */

static bool wants_effects(const struct look *look, const struct data *data)
{
    return data->trace && !data->effects && !data->speechless[0] && look->metric == METRIC_EFFECT &&
           derived_shows(look, SHOWN_METRICS);
}

/* The chosen token, else the first [MASK], else the last word. */
static size_t token_predicted(const struct look *look, const struct data *data)
{
    const int32_t *ids = data->encoded->trace->ids, /* [T] */
        mask = tokenizer_mask(data->checkpoint->tokenizer);
    size_t last = data->tokens - 1;
    if (look->from != NO_TOKEN && !look->query_found)
        return data->attention->tokens[SIDE_LEFT].of[look->from].first;
    for (size_t token = 0; token < data->tokens; token++)
        if (ids[token] == mask)
            return token;
    while (last > 0 && data->encoded->sides[SIDE_LEFT].special[last])
        last--;
    return last;
}

static struct prediction_place prediction_of(const struct look *look, const struct data *data)
{
    bool chosen = look->answer != NO_TOKEN;
    return (struct prediction_place){token_predicted(look, data),
                                     chosen ? (int32_t)look->answer : EFFECTS_LIKELIEST};
}

static enum status prepare_effects(struct draft *draft, struct error *error)
{
    (void)error;
    draft->on = prediction_of(&draft->look, &draft->data);
    return STATUS_OK;
}

static enum status make_effects(struct draft *draft, const struct watch *watch, struct error *error)
{
    return effects_measure(draft->data.checkpoint->model, draft->data.trace, draft->on.token,
                           draft->on.id, watch, &draft->data.effects, error);
}

static bool is_same_prediction(const struct draft *draft, const struct look *look,
                               const struct data *data)
{
    const struct prediction_place now = prediction_of(look, data);
    return now.token == draft->on.token && now.id == draft->on.id;
}

static bool effects_serve(const struct look *look, const struct data *data)
{
    const struct prediction_place now = prediction_of(look, data);
    const int32_t id = now.id == EFFECTS_LIKELIEST ? data->effects->likeliest : now.id;
    return now.token == data->effects->token && id == data->effects->id;
}

const struct derived derived_effects = {.kind = REQUEST_EFFECTS,
                                        .work = "measuring heads",
                                        .offset = offsetof(struct data, effects),
                                        .release = free,
                                        .sources = SOURCE_TRACE,
                                        .passes = true,
                                        .wants = wants_effects,
                                        .prepare = prepare_effects,
                                        .make = make_effects,
                                        .is_same = is_same_prediction,
                                        .serves = effects_serve,
                                        .fail = fail_heads};
