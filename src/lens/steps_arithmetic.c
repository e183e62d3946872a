/* steps_arithmetic.c: how one number of a stage comes about. */
#include "headlight/lens/steps_parts.h"

#include "headlight/model/head_mask.h"

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

/* The token's numbers of a tensor of the trace, in the working space. */
static const double *widened(struct steps *steps, const float *tensor /* [T,H] */)
{
    const size_t H = steps->at.trace->hidden;
    for (size_t i = 0; i < H; i++)
        steps->input[i] = (double)tensor[steps->at.token * H + i];
    return steps->input;
}

static void embedding(struct steps *steps, size_t i, struct arithmetic *arithmetic)
{
    for (enum embedded part = 0; part < EMBEDDED_PARTS; part++) {
        steps_embed(steps, part, steps->vector);
        add_term(steps, arithmetic, part, steps->vector[i], 1);
    }
    end_sum(arithmetic, 0, 1);
}

/* ---- Attention ---- */

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
    end_sum(arithmetic, 0, at->divisor);
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
    const double *x = widened(steps, steps_layer(at)->context) + head * D;
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

static void norm(const struct steps *steps, enum stage stage, const struct norm *norm, size_t i,
                 double from, double plus, struct arithmetic *arithmetic)
{
    arithmetic->kind = ARITHMETIC_NORM;
    arithmetic->from = from;
    arithmetic->added = plus;
    arithmetic->argument = from + plus;
    arithmetic->moments = steps->moments[stage];
    arithmetic->epsilon = (double)model_config(steps->at.model)->layer_norm_eps;
    arithmetic->gain = (double)norm->weight[i];
    arithmetic->constant = (double)norm->bias[i];
    arithmetic->result = (arithmetic->argument - arithmetic->moments.mean) /
                             sqrt(arithmetic->moments.variance + arithmetic->epsilon) *
                             arithmetic->gain +
                         arithmetic->constant;
}

static void active(const struct steps *steps, size_t i, struct arithmetic *arithmetic)
{
    arithmetic->kind = ARITHMETIC_ACTIVE;
    arithmetic->argument = steps->stage[STAGE_FORWARD].numbers[i];
    arithmetic->result =
        activation_of(model_config(steps->at.model)->activation, arithmetic->argument);
}

/* ---- The stages ---- */

/* Those that follow from the weights of the network. */
static void gather_computed(struct steps *steps, enum stage stage, size_t i,
                            struct arithmetic *arithmetic)
{
    const struct steps_at *at = &steps->at;
    const struct weights *all = model_weights(at->model);
    const struct layer_weights *weights = &all->layer[at->layer];
    const struct layer_trace *layer = steps_layer(at);
    const struct step_numbers *of = steps->stage;
    const size_t H = at->trace->hidden, first = at->token * H;
    switch (stage) {
    case STAGE_EMBEDDING:
        embedding(steps, i, arithmetic);
        break;
    case STAGE_INPUT:
        if (at->layer == 0)
            norm(steps, stage, &all->embedding_norm, i, of[STAGE_EMBEDDING].numbers[i], 0,
                 arithmetic);
        break;
    case STAGE_QUERY:
    case STAGE_KEY:
    case STAGE_VALUE:
        multiply(steps, &weights->projections[stage - STAGE_QUERY],
                 at->head * at->trace->dimensions + i, widened(steps, layer->input), H, arithmetic);
        break;
    case STAGE_HEADS:
        multiply(steps, &weights->attention_output, i, widened(steps, layer->context), H,
                 arithmetic);
        break;
    case STAGE_ADDED:
        added(steps, i, arithmetic);
        break;
    case STAGE_ATTENTION:
        norm(steps, stage, &weights->attention_norm, i, (double)layer->input[first + i],
             of[STAGE_HEADS].numbers[i], arithmetic);
        break;
    case STAGE_FORWARD:
        multiply(steps, &weights->intermediate[0], i, widened(steps, layer->attention_output), H,
                 arithmetic);
        break;
    case STAGE_ACTIVE:
        active(steps, i, arithmetic);
        break;
    case STAGE_BACK:
        multiply(steps, &weights->output, i, of[STAGE_ACTIVE].numbers, of[STAGE_ACTIVE].count,
                 arithmetic);
        break;
    default:
        norm(steps, stage, &weights->output_norm, i, (double)layer->attention_output[first + i],
             of[STAGE_BACK].numbers[i], arithmetic);
    }
}

void steps_gather(struct steps *steps, enum stage stage, size_t i, struct arithmetic *arithmetic)
{
    *arithmetic = (struct arithmetic){.terms = steps->terms, .divisor = 1, .left = steps->left};
    if (stage == STAGE_SCORES)
        score(steps, i, arithmetic);
    else if (stage == STAGE_WEIGHTS)
        weight(steps, i, arithmetic);
    else if (stage == STAGE_CONTEXT)
        context(steps, i, arithmetic);
    else if (steps->at.model)
        gather_computed(steps, stage, i, arithmetic);
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
