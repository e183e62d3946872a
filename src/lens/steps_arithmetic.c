/* steps_arithmetic.c: how one number of a stage comes about. */
#include "headlight/lens/steps_parts.h"

#include "headlight/model/head_mask.h"
#include "headlight/model/relation.h"

#include <math.h>
#include <stdlib.h>

/* ---- Sums ---- */

static void add_term(struct steps *steps, struct arithmetic *arithmetic, size_t index, double left,
                     double right)
{
    steps->terms[arithmetic->count++] = (struct step_term){index, left, right};
    arithmetic->result += left * right;
}

/* (Σ + constant) / divisor */
static void end_sum(struct arithmetic *arithmetic, double constant, double divisor)
{
    arithmetic->kind = ARITHMETIC_SUM;
    arithmetic->constant = constant;
    arithmetic->divisor = divisor;
    arithmetic->result = (arithmetic->result + constant) / divisor;
}

/* Number `output` of x·Wᵀ + b, for x [inputs]. */
static void multiply(struct steps *steps, const struct linear *linear, size_t output,
                     const double *x, size_t inputs, struct arithmetic *arithmetic)
{
    const float *row = steps_row(steps, linear, output, inputs);
    for (size_t i = 0; i < inputs; i++)
        add_term(steps, arithmetic, i, x[i], (double)row[i]);
    end_sum(arithmetic, (double)linear->bias[output], 1);
}

static void embedding(struct steps *steps, size_t i, struct arithmetic *arithmetic)
{
    for (enum embedded part = 0; part < EMBEDDED_PARTS; part++)
        if (steps_embed(steps, part, steps->vector))
            add_term(steps, arithmetic, part, steps->vector[i], 1);
    end_sum(arithmetic, 0, 1);
}

/* Su et al. 2021: the first half of the dimensions and the second make planes, in which positions
 * turn. */
static void turned(struct steps *steps, enum stage from, size_t d, struct arithmetic *arithmetic)
{
    const struct steps_at *at = &steps->at;
    const struct config *config = model_config(at->model);
    const size_t half = at->trace->dimensions / 2, m = d % half;
    const bool learnt = at->trace->computed.changes.positions == POSITIONS_LEARNT;
    const double *x = steps_source(steps, from);
    const double angle =
        learnt ? (double)relation_angle(config, config->local[at->layer], m, at->token) : 0;
    const double sine = (double)(float)sin(angle);
    add_term(steps, arithmetic, d, x[d], (double)(float)cos(angle));
    add_term(steps, arithmetic, d < half ? d + half : m, x[d < half ? d + half : m],
             d < half ? -sine : sine);
    arithmetic->kind = ARITHMETIC_TURNED;
    arithmetic->argument = angle;
}

/* ---- Attention ---- */

static double product(const float *a, const float *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

/* He et al. 2021, equation 2: distances have keys and queries of their own. */
static void relate(const struct steps_at *at, const struct config *config, size_t row, size_t to,
                   struct arithmetic *arithmetic)
{
    const struct layer_trace *layer = steps_layer(at);
    const size_t D = at->trace->dimensions, place = row - at->trace->first_distance;
    const bool learnt = at->trace->computed.changes.positions == POSITIONS_LEARNT;
    arithmetic->has_distance[DISTANCE_QUERY] = config->content_position;
    arithmetic->has_distance[DISTANCE_KEY] = config->position_content;
    if (learnt && config->content_position)
        arithmetic->distance[DISTANCE_QUERY] =
            product(heads_row(&layer->query, at->head, at->token),
                    heads_row(&layer->rel_key, at->head, place), D);
    if (learnt && config->position_content)
        arithmetic->distance[DISTANCE_KEY] = product(
            heads_row(&layer->key, at->head, to), heads_row(&layer->rel_query, at->head, place), D);
}

/* What the distance of two tokens adds to their score. */
static void add_distance(const struct steps_at *at, size_t to, struct arithmetic *arithmetic)
{
    const struct interventions *changes = &at->trace->computed.changes;
    const struct config *config = at->model ? model_config(at->model) : NULL;
    const float *recorded = steps_layer(at)->relative; /* [A,T,T] */
    const size_t T = at->trace->tokens, A = at->trace->heads;
    float bias = 0;
    if (!recorded)
        return;
    const size_t row = config ? relation_row(config, (ptrdiff_t)at->token - (ptrdiff_t)to) : 0;
    if (config && config->relation == RELATION_DISENTANGLED) {
        relate(at, config, row, to, arithmetic);
        return;
    }
    if (!config)
        bias = recorded[(at->head * T + at->token) * T + to];
    else if (changes->positions == POSITIONS_LEARNT)
        matrix_numbers(&model_weights(at->model)->relative_positions, row * A + at->head, 1, &bias);
    arithmetic->has_bias = true;
    arithmetic->bias = (double)bias / interventions_temperature(changes);
}

static void score(struct steps *steps, size_t to, struct arithmetic *arithmetic)
{
    const struct steps_at *at = &steps->at;
    const struct layer_trace *layer = steps_layer(at);
    if (steps_hidden(at, to)) {
        arithmetic->kind = ARITHMETIC_MASKED;
        arithmetic->result = -INFINITY;
        return;
    }
    if (!steps_have_keys(at))
        return;
    const float *q = heads_row(&layer->query, at->head, at->token);
    const float *k = heads_row(&layer->key, at->head, to);
    for (size_t d = 0; d < at->trace->dimensions; d++)
        add_term(steps, arithmetic, d, (double)q[d], (double)k[d]);
    add_distance(at, to, arithmetic);
    end_sum(arithmetic, arithmetic->distance[DISTANCE_QUERY] + arithmetic->distance[DISTANCE_KEY],
            at->divisor);
    arithmetic->constant = 0;
    arithmetic->result += arithmetic->bias;
}

static void weight(const struct steps *steps, size_t to, struct arithmetic *arithmetic)
{
    const struct steps_at *at = &steps->at;
    const bool uniform = head_mask_has(at->trace->computed.changes.uniform[at->layer], at->head);
    if (steps->stage[STAGE_SCORES].count == 0)
        return;
    arithmetic->argument = steps_score(steps, to);
    arithmetic->kind = ARITHMETIC_NOTHING;
    if (steps->left == 0 || (uniform && isinf(arithmetic->argument)))
        return;
    arithmetic->kind = uniform ? ARITHMETIC_EQUAL : ARITHMETIC_SOFTMAX;
    arithmetic->result = uniform ? 1 / (double)steps->left
                                 : exp(arithmetic->argument - steps->largest) / steps->total;
}

/* The exponentials of the row, times 1. */
static void list_exponentials(struct steps *steps, struct arithmetic *arithmetic)
{
    for (size_t i = 0; i < steps->at.trace->attended && steps->left > 0; i++)
        steps->terms[arithmetic->count++] =
            (struct step_term){i, exp(steps_score(steps, i) - steps->largest), 1};
}

static void context(struct steps *steps, size_t d, struct arithmetic *arithmetic)
{
    const struct steps_at *at = &steps->at;
    if (head_mask_has(at->trace->computed.changes.off[at->layer], at->head)) {
        arithmetic->kind = ARITHMETIC_NOTHING;
        return;
    }
    if (!steps_have_values(at))
        return;
    for (size_t to = 0; to < at->trace->attended; to++)
        add_term(steps, arithmetic, to,
                 (double)trace_weight(at->trace, at->layer, at->head, at->token, to),
                 (double)heads_row(&steps_layer(at)->value, at->head, to)[d]);
    end_sum(arithmetic, 0, 1);
}

/* What a head adds to a vector, squared number by number: the length of it is the root of their
 * sum. */
static void added(struct steps *steps, size_t head, struct arithmetic *arithmetic)
{
    const struct steps_at *at = &steps->at;
    const struct linear *linear = &model_weights(at->model)->layer[at->layer].attention_output;
    const size_t H = at->trace->hidden, D = at->trace->dimensions;
    const double *x = steps_source(steps, STAGE_CONTEXT) + head * D;
    for (size_t i = 0; i < H; i++) {
        const float *row = steps_row(steps, linear, i, H) + head * D;
        double part = 0;
        for (size_t d = 0; d < D; d++)
            part += x[d] * (double)row[d];
        add_term(steps, arithmetic, i, part, part);
    }
    arithmetic->kind = ARITHMETIC_LENGTH;
    arithmetic->result = sqrt(arithmetic->result);
}

/* ---- Behind a sum ---- */

static void added_up(struct steps *steps, const struct stage_rule *rule, size_t i,
                     struct arithmetic *arithmetic)
{
    arithmetic->kind = ARITHMETIC_ADDED;
    arithmetic->from = steps_source(steps, rule->from)[i];
    arithmetic->added = rule->with == STAGE_COUNT ? 0 : steps->stage[rule->with].numbers[i];
    arithmetic->result = arithmetic->argument = arithmetic->from + arithmetic->added;
}

static void norm(struct steps *steps, enum stage stage, const struct stage_rule *rule, size_t i,
                 struct arithmetic *arithmetic)
{
    added_up(steps, rule, i, arithmetic);
    arithmetic->kind = ARITHMETIC_NORM;
    arithmetic->moments = steps->moments[stage];
    arithmetic->epsilon = (double)model_config(steps->at.model)->layer_norm_eps;
    arithmetic->gain = (double)rule->norm->weight[i];
    arithmetic->constant = (double)rule->norm->bias[i];
    arithmetic->result = (arithmetic->argument - arithmetic->moments.mean) /
                             sqrt(arithmetic->moments.variance + arithmetic->epsilon) *
                             arithmetic->gain +
                         arithmetic->constant;
}

static void active(const struct steps *steps, const struct stage_rule *rule, size_t i,
                   struct arithmetic *arithmetic)
{
    arithmetic->kind = ARITHMETIC_ACTIVE;
    arithmetic->argument = steps->stage[rule->from].numbers[i];
    arithmetic->gain = rule->with == STAGE_COUNT ? 1 : steps->stage[rule->with].numbers[i];
    arithmetic->result = activation_of(rule->activation, arithmetic->argument) * arithmetic->gain;
}

/* ---- The stages ---- */

/* Those that follow from the weights of the network. */
static void gather_computed(struct steps *steps, enum stage stage, const struct stage_rule *rule,
                            size_t i, struct arithmetic *arithmetic)
{
    const struct steps_at *at = &steps->at;
    const size_t row = steps_first_row(at, stage) + i;
    switch (rule->rule) {
    case STEP_EMBED:
        embedding(steps, i, arithmetic);
        break;
    case STEP_LINEAR:
        multiply(steps, rule->linear, row, steps_source(steps, rule->from), steps_inputs(at, stage),
                 arithmetic);
        break;
    case STEP_CONVOLVE:
        multiply(steps, rule->linear, row, steps_neighbours(steps), steps_inputs(at, stage),
                 arithmetic);
        break;
    case STEP_TURN:
        turned(steps, rule->from, i, arithmetic);
        break;
    case STEP_LENGTH:
        added(steps, i, arithmetic);
        break;
    case STEP_NORM:
        norm(steps, stage, rule, i, arithmetic);
        break;
    case STEP_ADD:
        added_up(steps, rule, i, arithmetic);
        break;
    case STEP_ACTIVE:
        active(steps, rule, i, arithmetic);
        break;
    default: /* it is taken over */
        break;
    }
}

void steps_gather(struct steps *steps, enum stage stage, size_t i, struct arithmetic *arithmetic)
{
    const struct stage_rule rule = steps_rule(&steps->at, stage);
    *arithmetic = (struct arithmetic){.terms = steps->terms, .divisor = 1, .left = steps->left};
    if (stage == STAGE_SCORES)
        score(steps, i, arithmetic);
    else if (stage == STAGE_WEIGHTS)
        weight(steps, i, arithmetic);
    else if (stage == STAGE_CONTEXT)
        context(steps, i, arithmetic);
    else if (steps->at.model)
        gather_computed(steps, stage, &rule, i, arithmetic);
}

static int by_magnitude(const void *a, const void *b)
{
    const struct step_term *left = a, *right = b;
    double x = fabs(left->left * left->right), y = fabs(right->left * right->right);
    if (x != y)
        return x > y ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

/* Whether a recording has what its other tensors lead to: others may have been added to its scores,
 * or its weights be no softmax of them. */
static bool agrees(double recorded, double computed)
{
    return recorded == computed || fabs(recorded - computed) <= 1e-3 * fmax(1, fabs(recorded));
}

void steps_arithmetic(struct steps *steps, enum stage stage, size_t i,
                      struct arithmetic *arithmetic)
{
    const double number = steps->stage[stage].numbers[i];
    steps_gather(steps, stage, i, arithmetic);
    if (arithmetic->kind == ARITHMETIC_SOFTMAX)
        list_exponentials(steps, arithmetic);
    qsort(steps->terms, arithmetic->count, sizeof *steps->terms, by_magnitude);
    if (arithmetic->kind == ARITHMETIC_NONE || !agrees(number, arithmetic->result))
        *arithmetic = (struct arithmetic){.kind = ARITHMETIC_NONE, .result = number, .divisor = 1};
}
