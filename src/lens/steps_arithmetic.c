/* steps_arithmetic.c: how one number of a stage comes about. Nearly all are a sum of products of
 * two vectors, with something done to the sum: steps_gather finds the two, and steps_arithmetic
 * sorts the products by size. */
#include "headlight/lens/steps.h"

#include "headlight/lens/dimensions.h"
#include "headlight/model/head_mask.h"
#include "headlight/model/relation.h"

#include <math.h>
#include <stdlib.h>

/* ---- Sums of products ---- */

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

static void steps_embed(struct steps *steps, size_t i, struct arithmetic *arithmetic)
{
    size_t count = 0;
    for (enum embedded part = 0; part < EMBEDDED_PARTS; part++)
        if (embed_part(&steps->at, part, i, &steps->parts[count])) {
            steps->row[count] = 1;
            steps->terms[count++].index = part;
        }
    sum(steps, steps->parts, steps->row, count, arithmetic);
    steps->indexed = true;
}

static void steps_multiply(struct steps *steps, enum stage stage, size_t i,
                           struct arithmetic *arithmetic)
{
    const struct operation *operation = &steps->stage[stage].operation;
    const size_t row = steps_first_row(&steps->at, stage) + i, inputs = operation->inputs;
    arithmetic->constant = (double)operation->linear->bias[row];
    sum(steps, steps->source, matrix_part(steps, &operation->linear->weight, row * inputs, inputs),
        inputs, arithmetic);
}

/* Su et al. 2021: the first half of the dimensions and the second make planes, in which positions
 * rotate. */
static void steps_rotate(struct steps *steps, size_t d, struct arithmetic *arithmetic)
{
    const struct steps_at *at = &steps->at;
    const struct config *config = model_config(at->model);
    const size_t half = at->trace->dimensions / 2, m = d % half, other = (d + half) % (2 * half);
    const bool learnt = at->trace->computed.changes.positions == POSITIONS_LEARNT;
    const double angle =
        learnt ? (double)relation_angle(config, config->local[at->layer], m, at->token) : 0;
    steps->terms[0].index = d;
    steps->terms[1].index = other;
    steps->parts[0] = steps->source[d];
    steps->parts[1] = steps->source[other];
    steps->row[0] = (float)cos(angle);
    steps->row[1] = d < half ? -(float)sin(angle) : (float)sin(angle);
    sum(steps, steps->parts, steps->row, 2, arithmetic);
    steps->indexed = true;
    arithmetic->kind = ARITHMETIC_ROTATED;
    arithmetic->argument = angle;
}

/* ---- Attention ---- */

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

static struct attending attending_of(const struct steps_at *at)
{
    return (struct attending){at->trace, at->layer, at->head, at->token};
}

static double product(const float *a, const float *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

/* He et al. 2021, equation 2: distances have keys and queries of their own. */
static void steps_relate(const struct steps_at *at, const struct config *config, size_t to,
                         struct arithmetic *arithmetic)
{
    const struct layer_trace *layer = steps_layer(at);
    const size_t D = at->trace->dimensions;
    const size_t place =
        relation_row(config, (ptrdiff_t)at->token - (ptrdiff_t)to) - at->trace->first_distance;
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
    const struct config *config = at->model ? model_config(at->model) : NULL;
    const struct attending attending = attending_of(at);
    if (config && config->relation == RELATION_DISENTANGLED) {
        steps_relate(at, config, to, arithmetic);
        return;
    }
    arithmetic->has_bias = dimensions_have_distance(&attending);
    arithmetic->bias = dimensions_distance(&attending, to);
}

static void score(struct steps *steps, size_t to, struct arithmetic *arithmetic)
{
    const struct steps_at *at = &steps->at;
    if (steps_hidden(at, to)) {
        arithmetic->kind = ARITHMETIC_MASKED;
        arithmetic->result = -INFINITY;
        return;
    }
    const struct attending attending = attending_of(at);
    if (!dimensions_have_keys(&attending))
        return;
    add_distance(at, to, arithmetic);
    arithmetic->divisor = at->divisor;
    sum(steps, steps->source, dimensions_key(&attending, to), at->trace->dimensions, arithmetic);
    arithmetic->result +=
        (arithmetic->distance[DISTANCE_QUERY] + arithmetic->distance[DISTANCE_KEY]) / at->divisor +
        arithmetic->bias;
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
    const struct attending attending = attending_of(at);
    if (!dimensions_have_values(&attending))
        return;
    for (size_t to = 0; to < at->trace->attended; to++)
        steps->row[to] = dimensions_value(&attending, to)[d];
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

static void steps_add(const struct steps *steps, enum stage stage, size_t i,
                      struct arithmetic *arithmetic)
{
    const double *with = steps_with(steps, stage);
    arithmetic->kind = ARITHMETIC_ADDED;
    arithmetic->from = steps->source[i];
    arithmetic->added = with ? with[i] : 0;
    arithmetic->result = arithmetic->argument = arithmetic->from + arithmetic->added;
}

static void norm(const struct steps *steps, enum stage stage, size_t i,
                 struct arithmetic *arithmetic)
{
    const struct norm *learnt = steps->stage[stage].operation.norm;
    steps_add(steps, stage, i, arithmetic);
    arithmetic->kind = ARITHMETIC_NORM;
    arithmetic->moments = steps->moments[stage];
    arithmetic->epsilon = (double)model_config(steps->at.model)->layer_norm_eps;
    arithmetic->gain = (double)learnt->weight[i];
    arithmetic->constant = (double)learnt->bias[i];
    arithmetic->result = (arithmetic->argument - arithmetic->moments.mean) /
                             sqrt(arithmetic->moments.variance + arithmetic->epsilon) *
                             arithmetic->gain +
                         arithmetic->constant;
}

static void steps_activate(const struct steps *steps, enum stage stage, size_t i,
                           struct arithmetic *arithmetic)
{
    const double *gate = steps_with(steps, stage);
    const double x = steps->source[i];
    arithmetic->kind = ARITHMETIC_ACTIVE;
    arithmetic->argument = x;
    arithmetic->gain = gate ? gate[i] : 1;
    arithmetic->result =
        activation_of(steps->stage[stage].operation.activation, x) * arithmetic->gain;
}

/* ---- One number ---- */

/* Those that follow from the weights of the network. */
static void gather_computed(struct steps *steps, enum stage stage, size_t i,
                            struct arithmetic *arithmetic)
{
    switch (steps->stage[stage].operation.kind) {
    case OPERATION_EMBED:
        steps_embed(steps, i, arithmetic);
        break;
    case OPERATION_LINEAR:
    case OPERATION_CONVOLVE:
        steps_multiply(steps, stage, i, arithmetic);
        break;
    case OPERATION_ROTATE:
        steps_rotate(steps, i, arithmetic);
        break;
    case OPERATION_LENGTH:
        measure_length(steps, i, arithmetic);
        break;
    case OPERATION_NORM:
        norm(steps, stage, i, arithmetic);
        break;
    case OPERATION_ADD:
        steps_add(steps, stage, i, arithmetic);
        break;
    case OPERATION_ACTIVATE:
        steps_activate(steps, stage, i, arithmetic);
        break;
    default: /* it is taken over */
        break;
    }
}

/* The arithmetic of a number of the stage that is open, its terms not yet listed. */
void steps_gather(struct steps *steps, enum stage stage, size_t i, struct arithmetic *arithmetic)
{
    *arithmetic = (struct arithmetic){.divisor = 1, .left = steps->left};
    steps->indexed = false;
    if (stage == STAGE_SCORES)
        score(steps, i, arithmetic);
    else if (stage == STAGE_WEIGHTS)
        weight(steps, i, arithmetic);
    else if (stage == STAGE_CONTEXT)
        weigh(steps, i, arithmetic);
    else if (steps->at.model)
        gather_computed(steps, stage, i, arithmetic);
}

static int terms_by_magnitude(const void *a, const void *b)
{
    const struct step_term *left = a, *right = b;
    double x = fabs(left->left * left->right), y = fabs(right->left * right->right);
    if (x != y)
        return x > y ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

static void list_terms(struct steps *steps, struct arithmetic *arithmetic)
{
    arithmetic->terms = steps->terms;
    for (size_t i = 0; i < arithmetic->count; i++) {
        struct step_term *term = &steps->terms[i];
        term->index = steps->indexed ? term->index : i;
        term->left = steps->left_of[i];
        term->right = steps->right_of ? (double)steps->right_of[i] : term->left;
    }
    qsort(steps->terms, arithmetic->count, sizeof *steps->terms, terms_by_magnitude);
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
    steps_open(steps, stage);
    steps_gather(steps, stage, i, arithmetic);
    if (arithmetic->kind == ARITHMETIC_SOFTMAX)
        list_exponentials(steps, arithmetic);
    list_terms(steps, arithmetic);
    if (arithmetic->kind == ARITHMETIC_NONE || !agrees(number, arithmetic->result))
        *arithmetic = (struct arithmetic){.kind = ARITHMETIC_NONE, .result = number, .divisor = 1};
}
