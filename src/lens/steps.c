/* steps.c: the numbers of every stage. What the arithmetic of one of them is, steps_arithmetic.c
 * tells. */
#include "headlight/lens/steps.h"

#include "headlight/base/size.h"
#include "headlight/lens/steps_parts.h"
#include "headlight/model/head_mask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What may be attended to ---- */

enum hidden_by steps_hidden(const struct steps_at *at, size_t to)
{
    const struct interventions *changes = &at->trace->computed.changes;
    const struct config *config = at->model ? model_config(at->model) : NULL;
    const float *scores = steps_layer(at)->scores;
    const struct cut cut = {(uint32_t)at->layer, (uint32_t)at->head, (uint32_t)at->token,
                            (uint32_t)to};
    if (interventions_is_hidden(changes, to))
        return HIDDEN_TOKEN;
    if (interventions_is_cut(changes, cut))
        return HIDDEN_CUT;
    if ((changes->causal || (config && config->causal)) && to > at->token)
        return HIDDEN_CAUSAL;
    if (config && config->local[at->layer] &&
        (to > at->token ? to - at->token : at->token - to) > config->reach)
        return HIDDEN_REACH;
    return !at->model && scores &&
                   trace_is_masked(trace_score(at->trace, at->layer, at->head, at->token, to))
               ? HIDDEN_MASK
               : HIDDEN_NOT;
}

/* ---- What there is ---- */

/* The head's query, key or value of the token; keys and values may be other tokens' alone. */
static const float *row_of_head(const struct steps_at *at, enum stage stage)
{
    const struct layer_trace *layer = steps_layer(at);
    const struct heads *const heads[] = {&layer->query_unrotated, &layer->key_unrotated,
                                         &layer->query, &layer->key, &layer->value};
    const struct heads *of = heads[stage - STAGE_RAW_QUERY];
    if (stage != STAGE_QUERY && stage != STAGE_RAW_QUERY &&
        at->trace->attended != at->trace->tokens)
        return NULL;
    return of->data && at->trace->dimensions > 0 ? heads_row(of, at->head, at->token) : NULL;
}

/* The token's row of a tensor that has as many numbers for each; NULL without the tensor. */
static const float *row_in(const struct steps_at *at, const float *tensor, size_t numbers)
{
    return tensor ? tensor + at->token * numbers : NULL;
}

const float *steps_traced(const struct steps_at *at, enum stage stage)
{
    const struct trace *trace = at->trace;
    const struct layer_trace *layer = steps_layer(at);
    const size_t H = trace->hidden, D = trace->dimensions;
    const size_t row = (at->head * trace->tokens + at->token) * trace->attended;
    switch (stage) {
    case STAGE_NARROW:
        return row_in(at, trace->embedding, trace->embedded);
    case STAGE_RAW_QUERY:
    case STAGE_RAW_KEY:
    case STAGE_QUERY:
    case STAGE_KEY:
    case STAGE_VALUE:
        return row_of_head(at, stage);
    case STAGE_INPUT:
        return row_in(at, layer->input, H);
    case STAGE_NORMED:
        return row_in(at, layer->normed, H);
    case STAGE_SCORES:
        return layer->scores ? layer->scores + row : NULL;
    case STAGE_WEIGHTS:
        return layer->weights + row;
    case STAGE_CONTEXT:
        return layer->context && D > 0 ? row_in(at, layer->context, H) + at->head * D : NULL;
    case STAGE_ATTENTION:
        return row_in(at, layer->attention_output, H);
    case STAGE_JOINED:
        return row_in(at, layer->before_conv, H);
    case STAGE_OUTPUT:
        return row_in(at, layer->output, H);
    default:
        return NULL;
    }
}

/* The tensor that a recording would show a stage with. */
static const char *tensor_of(enum stage stage)
{
    static const char *const tensors[STAGE_COUNT] = {
        [STAGE_INPUT] = "input",     [STAGE_QUERY] = "query",
        [STAGE_KEY] = "key",         [STAGE_VALUE] = "value",
        [STAGE_SCORES] = "scores",   [STAGE_WEIGHTS] = "weights",
        [STAGE_CONTEXT] = "context", [STAGE_ATTENTION] = "attention_output",
        [STAGE_OUTPUT] = "output",
    };
    return tensors[stage] ? tensors[stage] : "network";
}

static void put(struct steps *steps, enum stage stage, const float *numbers)
{
    for (size_t i = 0; i < steps_count(&steps->at, stage); i++)
        steps->stage[stage].numbers[i] = (double)numbers[i];
}

/* Computes a stage number by number. */
static void fill(struct steps *steps, enum stage stage)
{
    struct arithmetic arithmetic;
    for (size_t i = 0; i < steps->stage[stage].count; i++) {
        steps_gather(steps, stage, i, &arithmetic);
        steps->stage[stage].numbers[i] = arithmetic.result;
    }
}

/* Whether a recording without it shows all that it follows from: scores follow from queries and
 * keys, contexts from weights and values. */
static bool follows(const struct steps_at *at, enum stage stage)
{
    return (stage == STAGE_SCORES && steps_have_keys(at)) ||
           (stage == STAGE_CONTEXT && steps_have_values(at));
}

/* The largest score and the sum of the exponentials. */
static void measure_scores(struct steps *steps)
{
    const size_t count = steps->stage[STAGE_SCORES].count;
    steps->largest = -INFINITY;
    for (size_t to = 0; to < count; to++) {
        steps->left += !isinf(steps_score(steps, to));
        steps->largest = fmax(steps->largest, steps_score(steps, to));
    }
    for (size_t to = 0; steps->left > 0 && to < count; to++)
        steps->total += exp(steps_score(steps, to) - steps->largest);
}

static void take_recorded(struct steps *steps)
{
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        const float *numbers = steps_traced(&steps->at, stage);
        if (steps_rule(&steps->at, stage).rule == STEP_ABSENT)
            continue;
        if (numbers)
            put(steps, stage, numbers);
        else if (follows(&steps->at, stage))
            fill(steps, stage);
        else
            steps->stage[stage] = (struct step_numbers){0, NULL, tensor_of(stage)};
        if (stage == STAGE_SCORES)
            measure_scores(steps);
    }
}

/* ---- Computing ---- */

static const float *row_of(struct steps *steps, const struct matrix *matrix, size_t row,
                           size_t columns)
{
    const float *floats = matrix_floats(matrix, row * columns);
    if (floats)
        return floats;
    matrix_numbers(matrix, row * columns, columns, steps->row);
    return steps->row;
}

const float *steps_row(struct steps *steps, const struct linear *linear, size_t row, size_t columns)
{
    return row_of(steps, &linear->weight, row, columns);
}

static void widen(const float *from, size_t count, double *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (double)from[i];
}

const double *steps_source(struct steps *steps, enum stage stage)
{
    const struct steps_at *at = &steps->at;
    const bool all = stage == STAGE_CONTEXT;
    const float *traced = steps_traced(at, stage);
    if (!traced)
        return steps->stage[stage].numbers;
    widen(all ? traced - at->head * at->trace->dimensions : traced,
          all ? at->trace->hidden : steps_count(at, stage), steps->input);
    return steps->input;
}

const double *steps_neighbours(struct steps *steps)
{
    const struct trace *trace = steps->at.trace;
    const size_t H = trace->hidden, T = trace->tokens, K = model_config(steps->at.model)->kernel;
    for (size_t i = 0; i < H * K; i++) {
        const size_t token = steps->at.token + i % K; /* and K/2 before */
        const bool there = token >= K / 2 && token < T + K / 2;
        steps->input[i] =
            there ? (double)steps_layer(&steps->at)->input[(token - K / 2) * H + i / K] : 0;
    }
    return steps->input;
}

/* y = x·Wᵀ + b */
static void multiply(struct steps *steps, enum stage stage, const struct linear *linear,
                     const double *x)
{
    const size_t first = steps_first_row(&steps->at, stage);
    const size_t inputs = steps_inputs(&steps->at, stage);
    struct step_numbers *y = &steps->stage[stage];
    for (size_t i = 0; i < y->count; i++)
        y->numbers[i] = kernels_now()->dot(x, steps_row(steps, linear, first + i, inputs), inputs) +
                        (double)linear->bias[first + i];
}

/* Vaswani et al. 2017, 3.5 */
static double sinusoid(size_t position, size_t i, size_t H)
{
    double angle = (double)position / pow(10000, (double)(i - i % 2) / (double)H);
    return i % 2 == 0 ? sin(angle) : cos(angle);
}

bool steps_embed(struct steps *steps, enum embedded part, double *x /* [E] */)
{
    const struct steps_at *at = &steps->at;
    const struct trace *trace = at->trace;
    const struct weights *weights = model_weights(at->model);
    const struct interventions *changes = &trace->computed.changes;
    const size_t E = trace->embedded, t = at->token;
    const struct matrix *const tables[] = {&weights->word_embeddings, &weights->position_embeddings,
                                           &weights->segment_embeddings};
    const size_t rows[] = {(size_t)trace->ids[t],
                           trace->positions ? (size_t)trace->positions[t] : t,
                           (size_t)trace->segments[t]};
    const bool left_out[] = {false, changes->positions != POSITIONS_LEARNT, changes->no_segments};
    const bool sinusoidal = part == EMBEDDED_POSITION && changes->positions == POSITIONS_SINUSOIDAL;
    memset(x, 0, E * sizeof *x);
    for (size_t i = 0; sinusoidal && i < E; i++)
        x[i] = sinusoid(t, i, E);
    if (tables[part]->bytes && !left_out[part])
        widen(row_of(steps, tables[part], rows[part], E), E, x);
    return tables[part]->bytes || sinusoidal;
}

static void embed(struct steps *steps, enum stage stage)
{
    const size_t E = steps->at.trace->embedded;
    double *sum = steps->stage[stage].numbers;
    memset(sum, 0, E * sizeof *sum);
    for (enum embedded part = 0; part < EMBEDDED_PARTS; part++) {
        steps_embed(steps, part, steps->vector);
        for (size_t i = 0; i < E; i++)
            sum[i] += steps->vector[i];
    }
}

/* x + y, where `y` is NULL or a stage's numbers. */
static void add(struct steps *steps, enum stage stage, const double *x, const double *y)
{
    for (size_t i = 0; i < steps->stage[stage].count; i++)
        steps->stage[stage].numbers[i] = x[i] + (y ? y[i] : 0);
}

/* LayerNorm of a stage's numbers; mean and variance as they are. */
static void norm(struct steps *steps, enum stage stage, const struct norm *norm)
{
    const size_t count = steps->stage[stage].count;
    const double epsilon = (double)model_config(steps->at.model)->layer_norm_eps;
    double *x = steps->stage[stage].numbers, mean = 0, variance = 0;
    for (size_t i = 0; i < count; i++)
        mean += x[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        variance += (x[i] - mean) * (x[i] - mean) / (double)count;
    for (size_t i = 0; i < count; i++)
        x[i] = (x[i] - mean) / sqrt(variance + epsilon) * (double)norm->weight[i] +
               (double)norm->bias[i];
    steps->moments[stage] = (struct moments){mean, variance};
}

/* All heads' contexts go through the projection together; what each of them adds is a vector, of
 * which this tells the length. */
static void measure_heads(struct steps *steps)
{
    const struct steps_at *at = &steps->at;
    const struct linear *linear = &model_weights(at->model)->layer[at->layer].attention_output;
    const size_t H = at->trace->hidden, D = at->trace->dimensions, A = at->trace->heads;
    const double *contexts = steps_source(steps, STAGE_CONTEXT);
    double *length = steps->stage[STAGE_ADDED].numbers;
    memset(length, 0, A * sizeof *length);
    for (size_t i = 0; i < H; i++) {
        const float *row = steps_row(steps, linear, i, H);
        for (size_t head = 0; head < A; head++) {
            double part = kernels_now()->dot(contexts + head * D, row + head * D, D);
            length[head] += part * part;
        }
    }
    for (size_t head = 0; head < A; head++)
        length[head] = sqrt(length[head]);
}

static void compute_stage(struct steps *steps, enum stage stage)
{
    const struct stage_rule rule = steps_rule(&steps->at, stage);
    switch (rule.rule) {
    case STEP_ABSENT:
        break;
    case STEP_TAKEN:
        put(steps, stage, steps_traced(&steps->at, stage));
        break;
    case STEP_EMBED:
        embed(steps, stage);
        break;
    case STEP_LINEAR:
        multiply(steps, stage, rule.linear, steps_source(steps, rule.from));
        break;
    case STEP_CONVOLVE:
        multiply(steps, stage, rule.linear, steps_neighbours(steps));
        break;
    case STEP_NORM:
    case STEP_ADD:
        add(steps, stage, steps_source(steps, rule.from),
            rule.with == STAGE_COUNT ? NULL : steps->stage[rule.with].numbers);
        if (rule.norm)
            norm(steps, stage, rule.norm);
        break;
    case STEP_LENGTH:
        measure_heads(steps);
        break;
    default:
        fill(steps, stage);
    }
    if (stage == STAGE_SCORES)
        measure_scores(steps);
}

static void compute(struct steps *steps)
{
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
        compute_stage(steps, stage);
}

/* ---- The whole ---- */

/* One block: the steps, all numbers, the working space. */
static size_t bytes_of(const struct steps_at *at, size_t widest)
{
    size_t numbers = 0;
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
        numbers += steps_count(at, stage);
    return sizeof(struct steps) + (numbers + 2 * widest) * sizeof(double) +
           widest * (sizeof(struct step_term) + sizeof(float));
}

static void lay_out(struct steps *steps, size_t widest)
{
    double *numbers = (double *)(void *)(steps + 1);
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        steps->stage[stage] = (struct step_numbers){steps_count(&steps->at, stage), numbers, NULL};
        numbers += steps->stage[stage].count;
    }
    steps->vector = numbers;
    steps->input = numbers + widest;
    steps->terms = (struct step_term *)(void *)(numbers + 2 * widest);
    steps->row = (float *)(void *)(steps->terms + widest);
}

/* The most numbers that a stage is made of, or has. */
static size_t widest_of(const struct steps_at *at, enum stage stage)
{
    const bool multiplied = at->model && steps_rule(at, stage).linear;
    return size_max(steps_count(at, stage), multiplied ? steps_inputs(at, stage) : 0);
}

enum status steps_new(const struct steps_at *at, struct steps **steps, struct error *error)
{
    size_t widest = EMBEDDED_PARTS;
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
        widest = size_max(widest, widest_of(at, stage));
    const size_t bytes = bytes_of(at, widest);
    *steps = calloc(1, bytes);
    if (!*steps)
        return error_memory(error, "the steps of a layer", bytes);
    (*steps)->at = *at;
    lay_out(*steps, widest);
    if (at->model)
        compute(*steps);
    else
        take_recorded(*steps);
    return STATUS_OK;
}

void steps_free(struct steps *steps)
{
    free(steps);
}
