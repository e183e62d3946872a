/* steps.c: the numbers of every stage on a token's way through a layer, and how each comes about.
 * Nearly all are a sum of products of two vectors, with something done to the sum: `gather` finds
 * the two for one number, and a whole stage is gathered number by number. What goes into a stage is
 * the trace's where the trace has it, so that no error adds up over the stages. */
#include "headlight/lens/steps.h"

#include "headlight/base/size.h"
#include "headlight/model/head_mask.h"
#include "headlight/model/relation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Stages ---- */

struct operation steps_operation(const struct steps_at *at, enum stage stage)
{
    return operation_of(at->model, at->trace, at->layer, stage);
}

size_t steps_count(const struct steps_at *at, enum stage stage)
{
    return steps_operation(at, stage).outputs;
}

/* Queries, keys and values are projected for all heads together. */
size_t steps_first_row(const struct steps_at *at, enum stage stage)
{
    return stage >= STAGE_RAW_QUERY && stage <= STAGE_VALUE ? at->head * at->trace->dimensions : 0;
}

bool steps_is_biased(const struct steps_at *at, enum stage stage)
{
    const struct operation operation = steps_operation(at, stage);
    const float *bias = operation.norm     ? operation.norm->bias
                        : operation.linear ? operation.linear->bias + steps_first_row(at, stage)
                                           : NULL;
    for (size_t i = 0; bias && i < operation.outputs; i++)
        if (bias[i] < 0 || bias[i] > 0)
            return true;
    return !at->model;
}

static const struct layer_trace *layer_of(const struct steps_at *at)
{
    return &at->trace->layer[at->layer];
}

static bool has_keys(const struct steps_at *at)
{
    return layer_of(at)->query.data && layer_of(at)->key.data && at->trace->dimensions > 0;
}

static bool has_values(const struct steps_at *at)
{
    return layer_of(at)->value.data && at->trace->dimensions > 0;
}

enum hidden_by steps_hidden(const struct steps_at *at, size_t to)
{
    const struct interventions *changes = &at->trace->computed.changes;
    const struct config *config = at->model ? model_config(at->model) : NULL;
    const float *scores = layer_of(at)->scores;
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

/* ---- What an operation takes ---- */

/* The token's numbers of a stage in the trace, of a head's own stages the head's; NULL where it has
 * none. In cross-attention keys and values are other tokens'. */
static const float *traced(const struct steps_at *at, enum stage stage)
{
    const char *name = steps_operation(at, stage).tensor;
    if (!name)
        return NULL;
    if (stage == STAGE_NARROW)
        return at->trace->embedding ? at->trace->embedding + at->token * at->trace->embedded : NULL;
    const struct trace_tensor tensor = trace_layer_tensor(at->trace, at->layer, name);
    if (!tensor.numbers || steps_count(at, stage) == 0 ||
        tensor.shape[tensor.rank - 2] != at->trace->tokens)
        return NULL;
    return tensor.numbers + at->token * tensor.stride[tensor.rank - 2] +
           (tensor.rank == 3         ? at->head * tensor.stride[0]
            : stage == STAGE_CONTEXT ? at->head * at->trace->dimensions
                                     : 0);
}

static void widen(const float *from, size_t count, double *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (double)from[i];
}

/* The layer's inputs of the K tokens around, as the convolution's weights lie: those of token
 * t + k - K/2 at i·K + k; 0 where there is none. */
static void take_neighbours(struct steps *steps)
{
    const struct trace *trace = steps->at.trace;
    const size_t H = trace->hidden, T = trace->tokens, K = model_config(steps->at.model)->kernel;
    for (size_t i = 0; i < H * K; i++) {
        const size_t token = steps->at.token + i % K; /* and K/2 before */
        const bool there = token >= K / 2 && token < T + K / 2;
        steps->input[i] =
            there ? (double)layer_of(&steps->at)->input[(token - K / 2) * H + i / K] : 0;
    }
}

/* Finds what a stage is made of: the trace's numbers, or those computed where it has none. */
static void open_stage(struct steps *steps, enum stage stage)
{
    const struct steps_at *at = &steps->at;
    const struct operation *operation = &steps->stage[stage].operation;
    if (operation->from == STAGE_NONE)
        return;
    const float *from = traced(at, operation->from);
    const bool all = operation->from == STAGE_CONTEXT; /* of all heads */
    steps->source = from ? steps->input : steps->stage[operation->from].numbers;
    if (operation->kind == OPERATION_CONVOLVE)
        take_neighbours(steps);
    else if (from)
        widen(all ? from - at->head * at->trace->dimensions : from,
              all ? at->trace->hidden : operation->inputs, steps->input);
}

/* Numbers of a matrix, until the next ones. */
static const float *matrix_part(struct steps *steps, const struct matrix *matrix, size_t first,
                                size_t count)
{
    const float *floats = matrix_floats(matrix, first);
    if (floats)
        return floats;
    matrix_numbers(matrix, first, count, steps->row);
    return steps->row;
}

/* ---- Sums of products ---- */

/* (Σ left·right + constant) / divisor */
static void sum(struct steps *steps, const double *left, const float *right, size_t count,
                struct arithmetic *arithmetic)
{
    steps->left_of = left;
    steps->right_of = right;
    arithmetic->kind = ARITHMETIC_SUM;
    arithmetic->count = count;
    arithmetic->result =
        (kernels_now()->dot(left, right, count) + arithmetic->constant) / arithmetic->divisor;
}

/* Vaswani et al. 2017, 3.5 */
static double sinusoid(size_t position, size_t i, size_t H)
{
    double angle = (double)position / pow(10000, (double)(i - i % 2) / (double)H);
    return i % 2 == 0 ? sin(angle) : cos(angle);
}

/* Number i of a part of the token's embedding: zero where the network leaves the part out, and
 * false where it has no such part. */
static bool embed_part(const struct steps_at *at, enum embedded part, size_t i, double *x)
{
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
    float number = 0;
    if (tables[part]->bytes && !left_out[part])
        matrix_numbers(tables[part], rows[part] * E + i, 1, &number);
    *x = sinusoidal ? sinusoid(t, i, E) : (double)number;
    return tables[part]->bytes || sinusoidal;
}

static void embed(struct steps *steps, size_t i, struct arithmetic *arithmetic)
{
    for (enum embedded part = 0; part < EMBEDDED_PARTS; part++) {
        embed_part(&steps->at, part, i, &steps->parts[part]);
        steps->row[part] = 1;
    }
    sum(steps, steps->parts, steps->row, EMBEDDED_PARTS, arithmetic);
}

static void multiply(struct steps *steps, enum stage stage, size_t i, struct arithmetic *arithmetic)
{
    const struct operation *operation = &steps->stage[stage].operation;
    const size_t row = steps_first_row(&steps->at, stage) + i, inputs = operation->inputs;
    arithmetic->constant = (double)operation->linear->bias[row];
    sum(steps, steps->source, matrix_part(steps, &operation->linear->weight, row * inputs, inputs),
        inputs, arithmetic);
}

/* Su et al. 2021: the first half of the dimensions and the second make planes, in which positions
 * rotate. */
static void rotate(struct steps *steps, size_t d, struct arithmetic *arithmetic)
{
    const struct steps_at *at = &steps->at;
    const struct config *config = model_config(at->model);
    const size_t half = at->trace->dimensions / 2, m = d % half, other = d < half ? d + half : m;
    const bool learnt = at->trace->computed.changes.positions == POSITIONS_LEARNT;
    const double angle =
        learnt ? (double)relation_angle(config, config->local[at->layer], m, at->token) : 0;
    steps->parts[0] = steps->source[d];
    steps->parts[1] = steps->source[other];
    steps->row[0] = (float)cos(angle);
    steps->row[1] = d < half ? -(float)sin(angle) : (float)sin(angle);
    sum(steps, steps->parts, steps->row, 2, arithmetic);
    arithmetic->kind = ARITHMETIC_ROTATED;
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
    const struct layer_trace *layer = layer_of(at);
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
    const float *recorded = layer_of(at)->relative; /* [A,T,T] */
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
    if (steps_hidden(at, to)) {
        arithmetic->kind = ARITHMETIC_MASKED;
        arithmetic->result = -INFINITY;
        return;
    }
    if (!has_keys(at))
        return;
    add_distance(at, to, arithmetic);
    arithmetic->divisor = at->divisor;
    sum(steps, steps->source, heads_row(&layer_of(at)->key, at->head, to), at->trace->dimensions,
        arithmetic);
    arithmetic->result +=
        (arithmetic->distance[DISTANCE_QUERY] + arithmetic->distance[DISTANCE_KEY]) / at->divisor +
        arithmetic->bias;
}

/* The largest score and the sum of the exponentials. */
static void measure_scores(struct steps *steps)
{
    const size_t count = steps->stage[STAGE_SCORES].count;
    const double *scores;
    open_stage(steps, STAGE_WEIGHTS);
    scores = steps->source;
    steps->largest = -INFINITY;
    for (size_t to = 0; to < count; to++) {
        steps->left += !isinf(scores[to]);
        steps->largest = fmax(steps->largest, scores[to]);
    }
    for (size_t to = 0; steps->left > 0 && to < count; to++)
        steps->total += exp(scores[to] - steps->largest);
}

static void weight(const struct steps *steps, size_t to, struct arithmetic *arithmetic)
{
    const struct steps_at *at = &steps->at;
    const bool uniform = head_mask_has(at->trace->computed.changes.uniform[at->layer], at->head);
    if (steps->stage[STAGE_SCORES].count == 0)
        return;
    arithmetic->argument = steps->source[to];
    arithmetic->kind = ARITHMETIC_NOTHING;
    if (steps->left == 0 || (uniform && isinf(arithmetic->argument)))
        return;
    arithmetic->kind = uniform ? ARITHMETIC_EQUAL : ARITHMETIC_SOFTMAX;
    arithmetic->result = uniform ? 1 / (double)steps->left
                                 : exp(arithmetic->argument - steps->largest) / steps->total;
}

/* The exponentials of the row. */
static void list_exponentials(struct steps *steps, struct arithmetic *arithmetic)
{
    arithmetic->count = steps->left > 0 ? steps->at.trace->attended : 0;
    for (size_t i = 0; i < arithmetic->count; i++) {
        steps->parts[i] = exp(steps->source[i] - steps->largest);
        steps->row[i] = 1;
    }
    steps->left_of = steps->parts;
    steps->right_of = steps->row;
}

static void weigh(struct steps *steps, size_t d, struct arithmetic *arithmetic)
{
    const struct steps_at *at = &steps->at;
    if (head_mask_has(at->trace->computed.changes.off[at->layer], at->head)) {
        arithmetic->kind = ARITHMETIC_NOTHING;
        return;
    }
    if (!has_values(at))
        return;
    for (size_t to = 0; to < at->trace->attended; to++)
        steps->row[to] = heads_row(&layer_of(at)->value, at->head, to)[d];
    sum(steps, steps->source, steps->row, at->trace->attended, arithmetic);
}

/* What a head adds to a vector, squared number by number: the length of it is the root of their
 * sum. */
static void measure_length(struct steps *steps, size_t head, struct arithmetic *arithmetic)
{
    const struct linear *linear = steps->stage[STAGE_ADDED].operation.linear;
    const size_t H = steps->at.trace->hidden, D = steps->at.trace->dimensions;
    for (size_t i = 0; i < H; i++) {
        const float *row = matrix_part(steps, &linear->weight, i * H + head * D, D);
        steps->parts[i] = kernels_now()->dot(steps->source + head * D, row, D);
        arithmetic->result += steps->parts[i] * steps->parts[i];
    }
    steps->left_of = steps->parts;
    steps->right_of = NULL;
    arithmetic->kind = ARITHMETIC_LENGTH;
    arithmetic->count = H;
    arithmetic->result = sqrt(arithmetic->result);
}

/* ---- Functions of one number ---- */

static void add(const struct steps *steps, const struct operation *operation, size_t i,
                struct arithmetic *arithmetic)
{
    const double *with =
        operation->with == STAGE_NONE ? NULL : steps->stage[operation->with].numbers;
    arithmetic->kind = ARITHMETIC_ADDED;
    arithmetic->from = steps->source[i];
    arithmetic->added = with ? with[i] : 0;
    arithmetic->result = arithmetic->argument = arithmetic->from + arithmetic->added;
}

static void measure_moments(struct steps *steps, enum stage stage)
{
    const struct step_numbers *of = &steps->stage[stage];
    const double count = (double)of->count;
    struct moments moments = {0, 0};
    struct arithmetic arithmetic;
    for (size_t i = 0; i < of->count; i++) {
        add(steps, &of->operation, i, &arithmetic);
        of->numbers[i] = arithmetic.result;
        moments.mean += arithmetic.result / count;
    }
    for (size_t i = 0; i < of->count; i++)
        moments.variance += pow(of->numbers[i] - moments.mean, 2) / count;
    steps->moments[stage] = moments;
}

static void norm(const struct steps *steps, enum stage stage, size_t i,
                 struct arithmetic *arithmetic)
{
    const struct operation *operation = &steps->stage[stage].operation;
    add(steps, operation, i, arithmetic);
    arithmetic->kind = ARITHMETIC_NORM;
    arithmetic->moments = steps->moments[stage];
    arithmetic->epsilon = (double)model_config(steps->at.model)->layer_norm_eps;
    arithmetic->gain = (double)operation->norm->weight[i];
    arithmetic->constant = (double)operation->norm->bias[i];
    arithmetic->result = (arithmetic->argument - arithmetic->moments.mean) /
                             sqrt(arithmetic->moments.variance + arithmetic->epsilon) *
                             arithmetic->gain +
                         arithmetic->constant;
}

static void activate(const struct steps *steps, const struct operation *operation, size_t i,
                     struct arithmetic *arithmetic)
{
    const bool gated = operation->with != STAGE_NONE;
    arithmetic->kind = ARITHMETIC_ACTIVE;
    arithmetic->argument = steps->source[i];
    arithmetic->gain = gated ? steps->stage[operation->with].numbers[i] : 1;
    arithmetic->result =
        activation_of(operation->activation, arithmetic->argument) * arithmetic->gain;
}

/* ---- One number ---- */

/* Those that follow from the weights of the network. */
static void gather_computed(struct steps *steps, enum stage stage, size_t i,
                            struct arithmetic *arithmetic)
{
    const struct operation *operation = &steps->stage[stage].operation;
    switch (operation->kind) {
    case OPERATION_EMBED:
        embed(steps, i, arithmetic);
        break;
    case OPERATION_LINEAR:
    case OPERATION_CONVOLVE:
        multiply(steps, stage, i, arithmetic);
        break;
    case OPERATION_ROTATE:
        rotate(steps, i, arithmetic);
        break;
    case OPERATION_LENGTH:
        measure_length(steps, i, arithmetic);
        break;
    case OPERATION_NORM:
        norm(steps, stage, i, arithmetic);
        break;
    case OPERATION_ADD:
        add(steps, operation, i, arithmetic);
        break;
    case OPERATION_ACTIVATE:
        activate(steps, operation, i, arithmetic);
        break;
    default: /* it is taken over */
        break;
    }
}

/* The arithmetic of a number of the stage that is open, its terms not yet listed. */
static void gather(struct steps *steps, enum stage stage, size_t i, struct arithmetic *arithmetic)
{
    *arithmetic = (struct arithmetic){.divisor = 1, .left = steps->left};
    if (stage == STAGE_SCORES)
        score(steps, i, arithmetic);
    else if (stage == STAGE_WEIGHTS)
        weight(steps, i, arithmetic);
    else if (stage == STAGE_CONTEXT)
        weigh(steps, i, arithmetic);
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

static void list_terms(struct steps *steps, enum stage stage, struct arithmetic *arithmetic)
{
    const bool embedded = steps->stage[stage].operation.kind == OPERATION_EMBED;
    size_t count = 0;
    double part;
    for (size_t i = 0; i < arithmetic->count; i++) {
        if (embedded && !embed_part(&steps->at, (enum embedded)i, 0, &part))
            continue;
        const double left = steps->left_of[i];
        const double right = steps->right_of ? (double)steps->right_of[i] : left;
        steps->terms[count++] = (struct step_term){i, left, right};
    }
    arithmetic->terms = steps->terms;
    arithmetic->count = count;
    qsort(steps->terms, count, sizeof *steps->terms, by_magnitude);
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
    open_stage(steps, stage);
    gather(steps, stage, i, arithmetic);
    if (arithmetic->kind == ARITHMETIC_SOFTMAX)
        list_exponentials(steps, arithmetic);
    list_terms(steps, stage, arithmetic);
    if (arithmetic->kind == ARITHMETIC_NONE || !agrees(number, arithmetic->result))
        *arithmetic = (struct arithmetic){.kind = ARITHMETIC_NONE, .result = number, .divisor = 1};
}

/* ---- All numbers ---- */

/* Whether a stage is computed: with the network all that isn't taken over; of a recording without
 * its scores or contexts these, if it has what they follow from. */
static bool is_computed(const struct steps_at *at, enum stage stage)
{
    if (at->model)
        return steps_operation(at, stage).kind != OPERATION_TAKE;
    return !traced(at, stage) &&
           ((stage == STAGE_SCORES && has_keys(at)) || (stage == STAGE_CONTEXT && has_values(at)));
}

static void fill(struct steps *steps, enum stage stage)
{
    struct step_numbers *of = &steps->stage[stage];
    struct arithmetic arithmetic;
    open_stage(steps, stage);
    if (of->operation.kind == OPERATION_NORM)
        measure_moments(steps, stage);
    for (size_t i = 0; i < of->count; i++) {
        gather(steps, stage, i, &arithmetic);
        of->numbers[i] = arithmetic.result;
    }
}

static void fill_all(struct steps *steps)
{
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        struct step_numbers *of = &steps->stage[stage];
        const float *numbers = traced(&steps->at, stage);
        const char *tensor = of->operation.tensor;
        if (of->operation.kind == OPERATION_ABSENT)
            continue;
        if (is_computed(&steps->at, stage)) {
            fill(steps, stage);
        } else if (numbers) {
            widen(numbers, of->count, of->numbers);
        } else {
            of->count = 0;
            of->missing = tensor ? tensor : "network";
        }
        if (stage == STAGE_SCORES)
            measure_scores(steps);
    }
}

/* ---- The whole ---- */

/* One block: the steps, all numbers, the working space. */
static void lay_out(struct steps *steps, size_t widest)
{
    double *numbers = (double *)(void *)(steps + 1);
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        const struct operation operation = steps_operation(&steps->at, stage);
        steps->stage[stage] = (struct step_numbers){operation, operation.outputs, numbers, NULL};
        numbers += operation.outputs;
    }
    steps->input = numbers;
    steps->parts = numbers + widest;
    steps->terms = (struct step_term *)(void *)(numbers + 2 * widest);
    steps->row = (float *)(void *)(steps->terms + widest);
}

enum status steps_new(const struct steps_at *at, struct steps **steps, struct error *error)
{
    size_t widest = EMBEDDED_PARTS, numbers = 0;
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        const struct operation operation = steps_operation(at, stage);
        widest = size_max(widest, size_max(operation.inputs, operation.outputs));
        numbers += operation.outputs;
    }
    const size_t bytes = sizeof **steps + (numbers + 2 * widest) * sizeof(double) +
                         widest * (sizeof(struct step_term) + sizeof(float));
    *steps = calloc(1, bytes);
    if (!*steps)
        return error_memory(error, "the steps of a layer", bytes);
    (*steps)->at = *at;
    lay_out(*steps, widest);
    fill_all(*steps);
    return STATUS_OK;
}

void steps_free(struct steps *steps)
{
    free(steps);
}
