/* steps.c: the numbers of every stage. What the arithmetic of one of them is, steps_arithmetic.c
 * tells. */
#include "headlight/lens/steps.h"

#include "headlight/base/size.h"
#include "headlight/lens/steps_parts.h"
#include "headlight/model/head_mask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table ---- */

static const struct {
    const char *name, *formula;
    char axis;
} table[STAGE_COUNT] = {
#define STAGE(stage, name, axis, formula) [STAGE_##stage] = {name, formula, axis},
    STAGES(STAGE)
#undef STAGE
};

const char *stage_name(enum stage stage)
{
    return table[stage].name;
}

const char *stage_formula(enum stage stage)
{
    return table[stage].formula;
}

static size_t axis_size(const struct steps_at *at, char axis)
{
    switch (axis) {
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
    return stage == STAGE_EMBEDDING && at->layer > 0 ? 0 : axis_size(at, table[stage].axis);
}

/* ---- What may be attended to ---- */

enum hidden_by steps_hidden(const struct steps_at *at, size_t to)
{
    const struct interventions *changes = &at->trace->computed.changes;
    const float *scores = steps_layer(at)->scores;
    const struct cut cut = {(uint32_t)at->layer, (uint32_t)at->head, (uint32_t)at->token,
                            (uint32_t)to};
    if (interventions_is_hidden(changes, to))
        return HIDDEN_TOKEN;
    if (interventions_is_cut(changes, cut))
        return HIDDEN_CUT;
    if (changes->causal && to > at->token)
        return HIDDEN_CAUSAL;
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
    const struct heads *const heads[] = {&layer->query, &layer->key, &layer->value};
    const struct heads *of = heads[stage - STAGE_QUERY];
    if (stage != STAGE_QUERY && at->trace->attended != at->trace->tokens)
        return NULL;
    return of->data && at->trace->dimensions > 0 ? heads_row(of, at->head, at->token) : NULL;
}

/* Of a recording: the numbers that it has of a stage; NULL where it has none. */
static const float *recorded(const struct steps_at *at, enum stage stage)
{
    const struct trace *trace = at->trace;
    const struct layer_trace *layer = steps_layer(at);
    const size_t hidden = at->token * trace->hidden, D = trace->dimensions;
    const size_t row = (at->head * trace->tokens + at->token) * trace->attended;
    switch (stage) {
    case STAGE_QUERY:
    case STAGE_KEY:
    case STAGE_VALUE:
        return row_of_head(at, stage);
    case STAGE_INPUT:
        return layer->input ? layer->input + hidden : NULL;
    case STAGE_SCORES:
        return layer->scores ? layer->scores + row : NULL;
    case STAGE_WEIGHTS:
        return layer->weights + row;
    case STAGE_CONTEXT:
        return layer->context && D > 0 ? layer->context + hidden + at->head * D : NULL;
    case STAGE_ATTENTION:
        return layer->attention_output ? layer->attention_output + hidden : NULL;
    case STAGE_OUTPUT:
        return layer->output ? layer->output + hidden : NULL;
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
        const float *numbers = recorded(&steps->at, stage);
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

/* y = x·Wᵀ + b, for the outputs from `first` on. */
static void multiply(struct steps *steps, enum stage stage, const struct linear *linear,
                     size_t first, const double *x, size_t inputs)
{
    double *y = steps->stage[stage].numbers;
    for (size_t i = 0; i < steps_count(&steps->at, stage); i++)
        y[i] = kernels_now()->dot(x, steps_row(steps, linear, first + i, inputs), inputs) +
               (double)linear->bias[first + i];
}

static void widen(const float *from, size_t count, double *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (double)from[i];
}

/* Vaswani et al. 2017, 3.5 */
static double sinusoid(size_t position, size_t i, size_t H)
{
    double angle = (double)position / pow(10000, (double)(i - i % 2) / (double)H);
    return i % 2 == 0 ? sin(angle) : cos(angle);
}

void steps_embed(struct steps *steps, enum embedded part, double *x /* [H] */)
{
    const struct steps_at *at = &steps->at;
    const struct weights *weights = model_weights(at->model);
    const struct interventions *changes = &at->trace->computed.changes;
    const size_t H = at->trace->hidden, t = at->token;
    const struct matrix *const tables[] = {&weights->word_embeddings, &weights->position_embeddings,
                                           &weights->segment_embeddings};
    const size_t rows[] = {(size_t)at->trace->ids[t], t, (size_t)at->trace->segments[t]};
    const bool learnt = changes->positions == POSITIONS_LEARNT;
    memset(x, 0, H * sizeof *x);
    if (part == EMBEDDED_POSITION && changes->positions == POSITIONS_SINUSOIDAL)
        for (size_t i = 0; i < H; i++)
            x[i] = sinusoid(t, i, H);
    if ((part == EMBEDDED_POSITION && !learnt) ||
        (part == EMBEDDED_SEGMENT && changes->no_segments))
        return;
    widen(row_of(steps, tables[part], rows[part], H), H, x);
}

static void embed(struct steps *steps)
{
    const size_t H = steps->at.trace->hidden;
    double *sum = steps->stage[STAGE_EMBEDDING].numbers;
    memset(sum, 0, H * sizeof *sum);
    for (enum embedded part = 0; part < EMBEDDED_PARTS; part++) {
        steps_embed(steps, part, steps->vector);
        for (size_t i = 0; i < H; i++)
            sum[i] += steps->vector[i];
    }
}

/* LayerNorm(x + y), where `y` is NULL or a stage's numbers; mean and variance as they are. */
static void norm(struct steps *steps, enum stage stage, const struct norm *norm, const double *x,
                 const double *y)
{
    const size_t H = steps->at.trace->hidden;
    const double epsilon = (double)model_config(steps->at.model)->layer_norm_eps;
    double *out = steps->stage[stage].numbers, mean = 0, variance = 0;
    for (size_t i = 0; i < H; i++) {
        out[i] = x[i] + (y ? y[i] : 0);
        mean += out[i] / (double)H;
    }
    for (size_t i = 0; i < H; i++)
        variance += (out[i] - mean) * (out[i] - mean) / (double)H;
    for (size_t i = 0; i < H; i++)
        out[i] = (out[i] - mean) / sqrt(variance + epsilon) * (double)norm->weight[i] +
                 (double)norm->bias[i];
    steps->moments[stage] = (struct moments){mean, variance};
}

static void take_input(struct steps *steps)
{
    const struct steps_at *at = &steps->at;
    if (at->layer > 0) {
        put(steps, STAGE_INPUT, recorded(at, STAGE_INPUT));
        return;
    }
    embed(steps);
    norm(steps, STAGE_INPUT, &model_weights(at->model)->embedding_norm,
         steps->stage[STAGE_EMBEDDING].numbers, NULL);
}

/* All heads' contexts go through the projection together; what each of them adds is a vector, of
 * which this tells the length. */
static void project_heads(struct steps *steps)
{
    const struct steps_at *at = &steps->at;
    const struct linear *linear = &model_weights(at->model)->layer[at->layer].attention_output;
    const size_t H = at->trace->hidden, D = at->trace->dimensions, A = at->trace->heads;
    double *sum = steps->stage[STAGE_HEADS].numbers, *length = steps->stage[STAGE_ADDED].numbers;
    widen(steps_layer(at)->context + at->token * H, H, steps->input);
    memset(length, 0, A * sizeof *length);
    for (size_t i = 0; i < H; i++) {
        const float *row = steps_row(steps, linear, i, H);
        sum[i] = (double)linear->bias[i];
        for (size_t head = 0; head < A; head++) {
            double part = kernels_now()->dot(steps->input + head * D, row + head * D, D);
            sum[i] += part;
            length[head] += part * part;
        }
    }
    for (size_t head = 0; head < A; head++)
        length[head] = sqrt(length[head]);
}

static void feed_forward(struct steps *steps)
{
    const struct steps_at *at = &steps->at;
    const struct config *config = model_config(at->model);
    const struct layer_weights *weights = &model_weights(at->model)->layer[at->layer];
    const size_t H = at->trace->hidden, F = config->feed_forward;
    widen(recorded(at, STAGE_ATTENTION), H, steps->input);
    multiply(steps, STAGE_FORWARD, &weights->intermediate[0], 0, steps->input, H);
    for (size_t i = 0; i < F; i++)
        steps->stage[STAGE_ACTIVE].numbers[i] =
            activation_of(config->activation, steps->stage[STAGE_FORWARD].numbers[i]);
    multiply(steps, STAGE_BACK, &weights->output, 0, steps->stage[STAGE_ACTIVE].numbers, F);
    norm(steps, STAGE_OUTPUT, &weights->output_norm, steps->input,
         steps->stage[STAGE_BACK].numbers);
}

static void compute(struct steps *steps)
{
    const struct steps_at *at = &steps->at;
    const struct layer_weights *weights = &model_weights(at->model)->layer[at->layer];
    const size_t H = at->trace->hidden;
    take_input(steps);
    widen(recorded(at, STAGE_INPUT), H, steps->input);
    for (enum projection p = QUERY; p < PROJECTIONS; p++)
        multiply(steps, STAGE_QUERY + p, &weights->projections[p], at->head * at->trace->dimensions,
                 steps->input, H);
    fill(steps, STAGE_SCORES);
    measure_scores(steps);
    fill(steps, STAGE_WEIGHTS);
    fill(steps, STAGE_CONTEXT);
    project_heads(steps);
    widen(recorded(at, STAGE_INPUT), H, steps->input);
    norm(steps, STAGE_ATTENTION, &weights->attention_norm, steps->input,
         steps->stage[STAGE_HEADS].numbers);
    feed_forward(steps);
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

enum status steps_new(const struct steps_at *at, struct steps **steps, struct error *error)
{
    size_t widest = EMBEDDED_PARTS;
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
        widest = size_max(widest, steps_count(at, stage));
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
