/* steps_rules.c: which stages a layer has, and what each follows from, family by family. */
#include "headlight/lens/steps.h"
#include "headlight/lens/steps_parts.h"

/* ---- Names ---- */

static const struct {
    const char *name;
    char axis;
} table[STAGE_COUNT] = {
#define STAGE(stage, name, axis) [STAGE_##stage] = {name, axis},
    STAGES(STAGE)
#undef STAGE
};

const char *stage_name(enum stage stage)
{
    return table[stage].name;
}

static size_t axis_size(const struct steps_at *at, char axis)
{
    switch (axis) {
    case 'E':
        return at->trace->embedded;
    case 'H':
        return at->trace->hidden;
    case 'D':
        return at->trace->dimensions;
    case 'S':
        return at->trace->attended;
    case 'F':
        return at->model ? model_config(at->model)->feed_forward : 0;
    default:
        return at->trace->heads;
    }
}

size_t steps_count(const struct steps_at *at, enum stage stage)
{
    return steps_rule(at, stage).rule == STEP_ABSENT ? 0 : axis_size(at, table[stage].axis);
}

size_t steps_inputs(const struct steps_at *at, enum stage stage)
{
    const struct stage_rule rule = steps_rule(at, stage);
    if (stage == STAGE_HEADS)
        return at->trace->hidden;
    const size_t inputs = steps_count(at, rule.from);
    return rule.rule == STEP_CONVOLVE ? inputs * model_config(at->model)->kernel : inputs;
}

size_t steps_first_row(const struct steps_at *at, enum stage stage)
{
    return stage >= STAGE_RAW_QUERY && stage <= STAGE_VALUE ? at->head * at->trace->dimensions : 0;
}

/* ---- What a layer has ---- */

/* In what it differs from others. */
struct form {
    bool first;     /* it begins with the embedding, */
    bool embedding; /* which is normed, */
    bool projected; /* or is not as wide as the layers are */
    bool before;    /* norms come before, */
    bool normed;    /* also before attention */
    bool turned, gated, convolved;
};

static struct form form_of(const struct steps_at *at)
{
    const struct layer_trace *layer = steps_layer(at);
    const struct trace *trace = at->trace;
    if (!at->model)
        return (struct form){.first = at->layer == 0,
                             .embedding = true,
                             .projected = trace->embedding && trace->embedded != trace->hidden,
                             .before = layer->normed,
                             .normed = layer->normed,
                             .turned = layer->query_unrotated.data,
                             .convolved = layer->before_conv};
    const struct config *config = model_config(at->model);
    const struct weights *weights = model_weights(at->model);
    return (struct form){.first = at->layer == 0,
                         .embedding = weights->embedding_norm.weight,
                         .projected = config->embedding > 0,
                         .before = config->norm_before,
                         .normed = weights->layer[at->layer].attention_norm.weight,
                         .turned = config->rotary,
                         .gated = config->gated,
                         .convolved = config->kernel > 0 && at->layer == 0};
}

/* ---- Rules ---- */

#define NONE STAGE_COUNT

static struct stage_rule make(enum step_rule rule, enum stage from, enum stage with)
{
    return (struct stage_rule){.rule = rule, .from = from, .with = with};
}

static struct stage_rule linear(enum stage from, const char *matrix, const struct linear *linear)
{
    return (struct stage_rule){
        .rule = STEP_LINEAR, .from = from, .with = NONE, .matrix = matrix, .linear = linear};
}

static struct stage_rule norm(enum stage from, enum stage with, const struct norm *norm)
{
    return (struct stage_rule){.rule = STEP_NORM, .from = from, .with = with, .norm = norm};
}

static struct stage_rule active(enum stage from, enum stage with, enum activation activation)
{
    return (struct stage_rule){
        .rule = STEP_ACTIVE, .from = from, .with = with, .activation = activation};
}

static const struct stage_rule absent = {STEP_ABSENT, NONE, NONE, NULL, NULL, NULL, 0};

/* Empty, for a recording. */
static const struct weights no_weights;
static const struct layer_weights no_layer;
static const struct config no_config;

static const struct weights *weights_of(const struct steps_at *at)
{
    return at->model ? model_weights(at->model) : &no_weights;
}

static const struct layer_weights *layer_weights_of(const struct steps_at *at)
{
    return at->model ? &weights_of(at)->layer[at->layer] : &no_layer;
}

static struct stage_rule rule_of_input(const struct steps_at *at, const struct form *form,
                                       enum stage stage)
{
    const struct weights *weights = weights_of(at);
    const struct stage_rule embed = make(STEP_EMBED, NONE, NONE);
    if (!form->first)
        return stage == STAGE_INPUT ? make(STEP_TAKEN, NONE, NONE) : absent;
    if (stage == STAGE_EMBEDDING)
        return form->embedding || form->projected ? embed : absent;
    if (stage == STAGE_NARROW)
        return form->embedding && form->projected
                   ? norm(STAGE_EMBEDDING, NONE, &weights->embedding_norm)
                   : absent;
    if (form->projected)
        return linear(form->embedding ? STAGE_NARROW : STAGE_EMBEDDING, "W_e",
                      &weights->embedding_projection);
    return form->embedding ? norm(STAGE_EMBEDDING, NONE, &weights->embedding_norm) : embed;
}

static struct stage_rule rule_of_projection(const struct steps_at *at, const struct form *form,
                                            enum projection projection)
{
    static const char *const names[] = {"W_q", "W_k", "W_v"};
    return linear(form->normed && form->before ? STAGE_NORMED : STAGE_INPUT, names[projection],
                  &layer_weights_of(at)->projections[projection]);
}

static struct stage_rule rule_of_attention(const struct steps_at *at, const struct form *form,
                                           enum stage stage)
{
    const struct layer_weights *weights = layer_weights_of(at);
    switch (stage) {
    case STAGE_NORMED:
        return form->before && form->normed ? norm(STAGE_INPUT, NONE, &weights->attention_norm)
                                            : absent;
    case STAGE_RAW_QUERY:
    case STAGE_RAW_KEY:
        return form->turned ? rule_of_projection(at, form, stage - STAGE_RAW_QUERY + QUERY)
                            : absent;
    case STAGE_QUERY:
    case STAGE_KEY:
        return form->turned ? make(STEP_TURN, stage - STAGE_QUERY + STAGE_RAW_QUERY, NONE)
                            : rule_of_projection(at, form, stage - STAGE_QUERY + QUERY);
    case STAGE_VALUE:
        return rule_of_projection(at, form, VALUE);
    case STAGE_SCORES:
        return make(STEP_SCORE, STAGE_QUERY, NONE);
    case STAGE_WEIGHTS:
        return make(STEP_WEIGHT, STAGE_SCORES, NONE);
    case STAGE_CONTEXT:
        return make(STEP_CONTEXT, STAGE_WEIGHTS, STAGE_VALUE);
    case STAGE_HEADS:
        return linear(STAGE_CONTEXT, "W_o", &weights->attention_output);
    case STAGE_ADDED:
        return make(STEP_LENGTH, STAGE_CONTEXT, NONE);
    default:
        return form->before ? make(STEP_ADD, STAGE_INPUT, STAGE_HEADS)
                            : norm(STAGE_INPUT, STAGE_HEADS, &weights->attention_norm);
    }
}

static struct stage_rule rule_of_rest(const struct steps_at *at, const struct form *form,
                                      enum stage stage)
{
    const struct config *config = at->model ? model_config(at->model) : &no_config;
    const struct layer_weights *weights = layer_weights_of(at);
    const struct stage_rule joined = form->before
                                         ? make(STEP_ADD, STAGE_ATTENTION, STAGE_BACK)
                                         : norm(STAGE_ATTENTION, STAGE_BACK, &weights->output_norm);
    const enum stage input = form->before ? STAGE_RENORMED : STAGE_ATTENTION;
    struct stage_rule convolve = make(STEP_CONVOLVE, STAGE_INPUT, NONE);
    switch (stage) {
    case STAGE_RENORMED:
        return form->before ? norm(STAGE_ATTENTION, NONE, &weights->output_norm) : absent;
    case STAGE_FORWARD:
        return linear(input, "W_1", &weights->intermediate[0]);
    case STAGE_GATE:
        return form->gated ? linear(input, "W_g", &weights->intermediate[1]) : absent;
    case STAGE_ACTIVE:
        return active(STAGE_FORWARD, form->gated ? STAGE_GATE : NONE, config->activation);
    case STAGE_BACK:
        return linear(STAGE_ACTIVE, "W_2", &weights->output);
    case STAGE_JOINED:
        return form->convolved ? joined : absent;
    case STAGE_NEARBY:
        convolve.matrix = "W_c";
        convolve.linear = &weights_of(at)->convolution;
        return form->convolved ? convolve : absent;
    case STAGE_CONVOLVED:
        return form->convolved ? active(STAGE_NEARBY, NONE, config->convolution) : absent;
    default:
        return form->convolved
                   ? norm(STAGE_JOINED, STAGE_CONVOLVED, &weights_of(at)->convolution_norm)
                   : joined;
    }
}

struct stage_rule steps_rule(const struct steps_at *at, enum stage stage)
{
    const struct form form = form_of(at);
    if (stage <= STAGE_INPUT)
        return rule_of_input(at, &form, stage);
    return (stage <= STAGE_ATTENTION ? rule_of_attention : rule_of_rest)(at, &form, stage);
}

bool steps_is_biased(const struct steps_at *at, enum stage stage)
{
    const struct stage_rule rule = steps_rule(at, stage);
    const float *bias = rule.rule == STEP_NORM ? rule.norm->bias
                        : rule.linear          ? rule.linear->bias
                                               : NULL;
    const size_t first = rule.rule == STEP_NORM ? 0 : steps_first_row(at, stage);
    if (!at->model)
        return true;
    for (size_t i = 0; bias && i < steps_count(at, stage); i++)
        if (bias[first + i] < 0 || bias[first + i] > 0)
            return true;
    return false;
}
