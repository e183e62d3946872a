/* See steps_helpers.h. */
#include "steps_helpers.h"

#include "headlight/lens/dimensions.h"
#include "headlight/model/weights.h"
#include "model_helpers.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

/* ---- What the trace has ---- */

/* What the head of an output makes in the end. */
static const float *output_traced(const struct steps_at *at, enum model_output output)
{
    static float span[2];
    const struct trace *trace = trace_speaker(at->trace);
    const float *numbers = output < OUTPUT_COUNT ? trace->outputs[output] : NULL;
    const size_t columns = numbers ? trace_output_columns(trace, output) : 0;
    if (numbers && output == OUTPUT_START) {
        span[0] = numbers[at->token];
        span[1] = trace->outputs[OUTPUT_END][at->token];
        return span;
    }
    return numbers && trace_output_count(trace, output) > columns ? numbers + at->token * columns
                                                                  : numbers;
}

/* What belongs to no attention is the decoder's; the input of its second one is what the first
 * makes. */
const float *stage_traced(const struct steps_at *at, enum stage stage)
{
    const struct trace *whole = trace_speaker(at->trace);
    const struct layer_trace *layer = &at->trace->layer[at->layer],
                             *whole_layer = &whole->layer[at->layer];
    const size_t hidden = at->token * at->trace->hidden;
    const size_t row = (at->head * at->trace->tokens + at->token) * at->trace->attended;
    switch (stage) {
    case STAGE_NARROW:
        return at->trace->embedding ? at->trace->embedding + at->token * at->trace->embedded : NULL;
    case STAGE_INPUT:
        return (whole == at->trace ? layer->input : whole_layer->attention_output) + hidden;
    case STAGE_CROSS_ATTENTION:
        return whole->cross ? whole->cross->layer[at->layer].attention_output + hidden : NULL;
    case STAGE_NORMED:
        return layer->normed ? layer->normed + hidden : NULL;
    case STAGE_RAW_QUERY:
        return layer->query_unrotated.data ? heads_row(&layer->query_unrotated, at->head, at->token)
                                           : NULL;
    case STAGE_RAW_KEY:
        return layer->key_unrotated.data ? heads_row(&layer->key_unrotated, at->head, at->token)
                                         : NULL;
    case STAGE_JOINED:
        return layer->before_conv ? layer->before_conv + hidden : NULL;
    case STAGE_QUERY:
        return heads_row(&layer->query, at->head, at->token);
    case STAGE_KEY:
        return heads_row(&layer->key, at->head, at->token);
    case STAGE_VALUE:
        return heads_row(&layer->value, at->head, at->token);
    case STAGE_SCORES:
        return layer->scores + row;
    case STAGE_WEIGHTS:
        return layer->weights + row;
    case STAGE_CONTEXT:
        return layer->context + at->token * at->trace->inner + at->head * at->trace->dimensions;
    case STAGE_HEADS:
        return layer->attention_branch ? layer->attention_branch + hidden : NULL;
    case STAGE_RENORMED:
        return whole_layer->mlp_normed ? whole_layer->mlp_normed + hidden : NULL;
    case STAGE_BACK:
        return whole_layer->mlp_branch ? whole_layer->mlp_branch + hidden : NULL;
    case STAGE_ATTENTION:
        return layer->attention_output + hidden;
    case STAGE_OUTPUT:
        return whole_layer->output + hidden;
    case STAGE_FINAL:
        return whole->final ? whole->final + hidden : NULL;
    case STAGE_POOLED:
        return at->output == OUTPUT_SENTENCE ? output_traced(at, OUTPUT_SENTENCE_POOLED) : NULL;
    case STAGE_UNIT:
        return output_traced(at, OUTPUT_SENTENCE_NORMAL);
    case STAGE_HEAD_ACTIVE:
        return at->output == OUTPUT_POOLED ? output_traced(at, OUTPUT_POOLED) : NULL;
    case STAGE_LOGITS:
        return output_traced(at, at->output);
    default:
        return NULL;
    }
}

struct worst {
    double off; /* in tolerances */
    char name[48];
};

static void compare(const struct steps *steps, const char *case_name, struct worst *worst)
{
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        const float *expected = stage_traced(&steps->at, stage);
        const struct step_numbers *ours = &steps->stage[stage];
        double largest = 0, off = 0;
        ck_assert_uint_eq(ours->count, steps_operation(&steps->at, stage).outputs);
        for (size_t i = 0; expected && i < ours->count; i++) {
            double a = ours->numbers[i], b = (double)expected[i];
            if (isfinite(b))
                largest = fmax(largest, fabs(b));
            off = fmax(off, a == b                       ? 0
                            : isfinite(a) && isfinite(b) ? fabs(a - b)
                                                         : (double)INFINITY);
        }
        off /= STEPS_TOLERANCE * fmax(1, largest / 10);
        if (!(off <= 1))
            ck_abort_msg("%s: %s of layer %zu head %zu token %zu: off by %g tolerances", case_name,
                         stage_name(stage), steps->at.layer, steps->at.head, steps->at.token, off);
        if (off > worst->off) {
            worst->off = off;
            snprintf(worst->name, sizeof worst->name, "layer %zu %s", steps->at.layer,
                     stage_name(stage));
        }
    }
}

/* ---- What the arithmetic says ---- */

double terms_sum(const struct arithmetic *arithmetic)
{
    double sum = 0;
    for (size_t i = 0; i < arithmetic->count; i++)
        sum += arithmetic->terms[i].left * arithmetic->terms[i].right;
    return sum;
}

/* The number once more, from nothing but what is told of it. */
static double recompute(const struct steps *steps, enum stage stage,
                        const struct arithmetic *arithmetic)
{
    const struct operation operation = steps_operation(&steps->at, stage);
    const double spread = sqrt(arithmetic->moments.variance + arithmetic->epsilon);
    switch (arithmetic->kind) {
    case ARITHMETIC_SUM:
        return (terms_sum(arithmetic) + arithmetic->constant +
                arithmetic->distance[DISTANCE_QUERY] + arithmetic->distance[DISTANCE_KEY]) /
                   arithmetic->divisor +
               arithmetic->bias;
    case ARITHMETIC_ADDED:
        return arithmetic->from + arithmetic->added;
    case ARITHMETIC_SCALED:
        return arithmetic->argument * arithmetic->gain;
    case ARITHMETIC_CAPPED:
        return arithmetic->gain * tanh(arithmetic->argument / arithmetic->gain) /
               arithmetic->divisor;
    case ARITHMETIC_ROTATED:
        return terms_sum(arithmetic);
    case ARITHMETIC_MASKED:
        return -INFINITY;
    case ARITHMETIC_SOFTMAX:
        return exp(arithmetic->argument - arithmetic->softmax.largest) / terms_sum(arithmetic);
    case ARITHMETIC_SIGMOID:
        return 1 / (1 + exp(-arithmetic->argument));
    case ARITHMETIC_EQUAL:
        return 1 / (double)arithmetic->left;
    case ARITHMETIC_LENGTH:
        return sqrt(terms_sum(arithmetic));
    case ARITHMETIC_NORM:
        return (arithmetic->from + arithmetic->added - arithmetic->moments.mean) / spread *
                   arithmetic->gain +
               arithmetic->constant;
    case ARITHMETIC_ACTIVE:
        return activation_of(operation.activation, arithmetic->argument) * arithmetic->gain;
    default:
        return 0;
    }
}

static void check_order(const struct arithmetic *arithmetic)
{
    for (size_t i = 1; i < arithmetic->count; i++)
        ck_assert_double_ge(fabs(arithmetic->terms[i - 1].left * arithmetic->terms[i - 1].right),
                            fabs(arithmetic->terms[i].left * arithmetic->terms[i].right));
}

/* Each half is the trace's number of its index. */
static void check_rotated(const struct steps *steps, enum stage stage,
                          const struct arithmetic *arithmetic)
{
    const float *from = stage_traced(&steps->at, stage - STAGE_QUERY + STAGE_RAW_QUERY);
    for (size_t i = 0; i < arithmetic->count; i++)
        ck_assert_double_eq(arithmetic->terms[i].left, (double)from[arithmetic->terms[i].index]);
}

static bool is_taken_over(const struct steps *steps, enum stage stage)
{
    return steps->stage[stage].operation.kind == OPERATION_TAKE;
}

/* Sums are added up in another order. */
static bool is_about(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static void check_arithmetic(struct steps *steps)
{
    struct arithmetic arithmetic;
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
        for (size_t i = 0; i < steps->stage[stage].count; i++) {
            const double number = steps->stage[stage].numbers[i];
            steps_arithmetic(steps, stage, i, &arithmetic);
            ck_assert(is_about(arithmetic.result, number));
            ck_assert_int_eq(arithmetic.kind == ARITHMETIC_NONE, is_taken_over(steps, stage));
            check_order(&arithmetic);
            if (arithmetic.kind == ARITHMETIC_ROTATED)
                check_rotated(steps, stage, &arithmetic);
            double again = recompute(steps, stage, &arithmetic);
            if (arithmetic.kind != ARITHMETIC_NONE && !is_about(again, number))
                ck_abort_msg("%s %zu: %.12g, by its terms %.12g", stage_name(stage), i, number,
                             again);
        }
}

/* ---- Whole traces ---- */

bool steps_lead_to(const struct model *model, enum model_output output)
{
    return output == OUTPUT_SENTENCE ? model->config.sentence != NULL : model->weights.has[output];
}

static void check_place(const struct steps_at *at, const char *name, struct worst *worst)
{
    struct steps *steps;
    assert_ok(steps_new(at, &steps, &error), error);
    compare(steps, name, worst);
    if ((at->layer + at->head + at->token) % 7 == 0 && at->trace->hidden < 100)
        check_arithmetic(steps);
    free(steps);
}

/* What the last layer leads to, which no head of a layer changes. */
static void check_outputs(struct steps_at at, const char *name, struct worst *worst)
{
    for (at.output = 0; at.output < OUTPUT_COUNT; at.output++)
        if (steps_lead_to(at.model, at.output))
            check_place(&at, name, worst);
}

void steps_check(const struct model *model, const struct trace *trace, const char *name,
                 size_t every)
{
    struct worst worst = {0, "none"};
    every *= ONE_IN;
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t head = 0; head < trace->heads; head++)
            for (size_t token = (layer + head) % every; token < trace->tokens; token += every) {
                struct steps_at at = {.model = model,
                                      .trace = trace,
                                      .layer = layer,
                                      .head = head,
                                      .token = token,
                                      .divisor = dimensions_divisor(trace),
                                      .output = OUTPUT_COUNT};
                check_place(&at, name, &worst);
                if (head == 0 && layer + 1 == trace->layers)
                    check_outputs(at, name, &worst);
            }
    printf("    %s: the worst stage is %s, off by %.2g\n", name, worst.name,
           worst.off * STEPS_TOLERANCE);
}
