/* steps_arithmetic.c: how one number of a stage comes about. Nearly all are a sum of products of
 * two vectors, with something done to the sum: steps_gather finds the two, and steps_arithmetic
 * sorts the products by size. */
#include "headlight/lens/steps.h"

#include "headlight/lens/answers.h"
#include "headlight/lens/dimensions.h"
#include "headlight/model/relation.h"

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
static void sum(struct steps *steps, const double *left, const float *right, size_t count)
{
    struct arithmetic *made = &steps->made;
    steps->left_of = left;
    steps->right_of = right;
    made->kind = ARITHMETIC_SUM;
    made->count = count;
    made->result = (kernels_now()->dot(left, right, count) + made->constant) / made->divisor;
}

/* Puts a product into the working space, to be summed there, that comes from number `index`. */
static void put_part(struct steps *steps, size_t slot, size_t index, double left, double right)
{
    steps->terms[slot].index = index;
    steps->parts[slot] = left;
    steps->row[slot] = (float)right;
    steps->left_of = steps->parts;
    steps->right_of = steps->row;
    steps->indexed = true;
}

/* Number i of each part of the token's embedding that the network has: zero where it is left out.
 */
static void embed(struct steps *steps, size_t i)
{
    const struct trace *trace = steps->at.trace;
    const struct config *config = &steps->at.model->config;
    const struct weights *weights = &steps->at.model->weights;
    const struct interventions *changes = &trace->computed.changes;
    const size_t E = trace->embedded, t = steps->at.token;
    const struct {
        const struct matrix *table;
        size_t row;
        bool left_out;
    } parts[EMBEDDED_PARTS] = {
        [EMBEDDED_WORD] = {&weights->word_embeddings, (size_t)trace->ids[t], false},
        [EMBEDDED_POSITION] = {&weights->position_embeddings,
                               trace->positions ? (size_t)trace->positions[t]
                                                : t + config->first_position,
                               changes->positions != POSITIONS_LEARNT},
        [EMBEDDED_SEGMENT] = {&weights->segment_embeddings, (size_t)trace->segments[t],
                              changes->no_segments}};
    const double factor = (double)trace_word_factor(config, trace->ids, trace->tokens, t);
    size_t count = 0;
    for (enum embedded part = 0; part < EMBEDDED_PARTS; part++) {
        const bool sinusoidal =
            part == EMBEDDED_POSITION && changes->positions == POSITIONS_SINUSOIDAL;
        float number = 0;
        if (!parts[part].table->bytes && !sinusoidal)
            continue;
        if (parts[part].table->bytes && !parts[part].left_out)
            matrix_numbers(parts[part].table, parts[part].row * E + i, 1, &number);
        put_part(steps, count++, part, sinusoidal ? relation_sinusoid(t, i, E) : (double)number,
                 part == EMBEDDED_WORD ? factor : 1);
    }
    sum(steps, steps->parts, steps->row, count);
}

/* Whether the stage has a number for where an answer starts and one for where it ends. */
static bool is_of_span(const struct steps *steps)
{
    return steps->at.output == OUTPUT_START &&
           (steps->open == STAGE_LOGITS || steps->open == STAGE_ANSWER);
}

/* A row of W and its bias; a convolution has its K·H weights in one row. Each end of a span has a
 * head of its own. */
static void multiply(struct steps *steps, size_t i)
{
    const struct operation *operation = &steps->stage[steps->open].operation;
    const bool ends = is_of_span(steps) && i == 1;
    const struct linear *linear =
        ends ? &steps->at.model->weights.heads[OUTPUT_END].decoder : operation->linear;
    const size_t row = ends ? 0 : steps_first_row(&steps->at, steps->open) + i;
    const size_t inputs = operation->inputs;
    steps->made.constant = (double)linear->bias[row];
    sum(steps, steps->source, matrix_part(steps, &linear->weight, row * inputs, inputs), inputs);
}

/* Su et al. 2021: the first half of the dimensions and the second make planes, in which positions
 * rotate. */
static void rotate(struct steps *steps, size_t d)
{
    const struct steps_at *at = &steps->at;
    const struct config *config = &at->model->config;
    const size_t half = relation_rotated(config) / 2, m = d % half, other = (d + half) % (2 * half);
    const bool rotated = d < 2 * half, local = config->local[at->layer];
    const bool learnt = at->trace->computed.changes.positions == POSITIONS_LEARNT && rotated;
    const double stretch = learnt ? config->rotations[local].stretch : 1;
    const double angle = learnt ? (double)relation_angle(config, local, m, at->token) : 0;
    const double sine = stretch * sin(angle);
    put_part(steps, 0, d, steps->source[d], stretch * cos(angle));
    put_part(steps, 1, other, steps->source[other], d < half ? -sine : sine);
    sum(steps, steps->parts, steps->row, 1 + rotated);
    steps->made.kind = ARITHMETIC_ROTATED;
    steps->made.argument = angle;
}

/* ---- Softmax ---- */

/* What number i is a share of: the scores, the logits of all answers, or where an answer starts or
 * ends those of all tokens that it may start or end with. */
static size_t count_shared(const struct steps *steps)
{
    return is_of_span(steps) ? steps->at.trace->tokens : steps->stage[steps->open].operation.inputs;
}

static double shared_at(const struct steps *steps, size_t i, size_t at)
{
    const struct encoding *encoding = steps->at.encoding;
    if (!is_of_span(steps))
        return steps->source[at];
    return encoding && answer_span_asks(encoding, at)
               ? (double)steps->at.trace->outputs[OUTPUT_START + i][at]
               : -INFINITY;
}

size_t steps_measure_softmax(struct steps *steps, size_t i)
{
    struct softmax *softmax = &steps->softmax[steps->open];
    const size_t count = count_shared(steps);
    size_t left = 0;
    *softmax = (struct softmax){.largest = -INFINITY};
    for (size_t at = 0; at < count; at++) {
        left += !isinf(shared_at(steps, i, at));
        softmax->largest = fmax(softmax->largest, shared_at(steps, i, at));
    }
    for (size_t at = 0; left > 0 && at < count; at++)
        softmax->total += exp(shared_at(steps, i, at) - softmax->largest);
    return left;
}

static void take_share(struct steps *steps, double of)
{
    struct arithmetic *made = &steps->made;
    made->kind = ARITHMETIC_SOFTMAX;
    made->argument = of;
    made->softmax = steps->softmax[steps->open];
    made->result = exp(of - made->softmax.largest) / made->softmax.total;
}

/* A token with which no answer starts or ends has no share. */
static void share(struct steps *steps, size_t i)
{
    const double of = shared_at(steps, i, is_of_span(steps) ? steps->at.token : i);
    steps->made.kind = ARITHMETIC_NOTHING;
    if (is_of_span(steps))
        steps_measure_softmax(steps, i);
    if (!isinf(of))
        take_share(steps, of);
}

/* ---- Attention ---- */

/* The first reason that applies; a recording only tells that a score is masked, not why. */
enum hidden_by steps_hidden(const struct steps_at *at, size_t to)
{
    const struct interventions *changes = &at->trace->computed.changes;
    const struct token_range visible = trace_visible(at->trace, at->layer, at->token);
    const float *scores = at->trace->layer[at->layer].scores;
    const struct cut cut = {(uint32_t)(at->trace->numbered + at->layer), (uint32_t)at->head,
                            (uint32_t)at->token, (uint32_t)to};
    if (interventions_is_hidden(changes, trace_changed_token(at->trace, to)))
        return HIDDEN_TOKEN;
    if (interventions_is_cut(changes, cut))
        return HIDDEN_CUT;
    if (trace_site_axes(at->trace) == AXES_PAST && to > at->token)
        return HIDDEN_CAUSAL;
    if (to < visible.first || to >= visible.end)
        return HIDDEN_REACH;
    return !at->model && scores &&
                   trace_is_masked(trace_score(at->trace, at->layer, at->head, at->token, to))
               ? HIDDEN_MASK
               : HIDDEN_NOT;
}

/* A temperature divides what is capped only behind the cap. */
double steps_divisor(const struct steps_at *at, enum stage stage)
{
    return stage == STAGE_RAW_SCORES
               ? at->divisor / interventions_temperature(&at->trace->computed.changes)
               : at->divisor;
}

static void score(struct steps *steps, size_t to)
{
    const struct steps_at *at = &steps->at;
    const struct config *config = at->model ? &at->model->config : NULL;
    const struct attending attending = {at->trace, at->layer, at->head, at->token};
    struct arithmetic *made = &steps->made;
    if (steps->open == STAGE_SCORES && steps_hidden(at, to)) {
        made->kind = ARITHMETIC_MASKED;
        made->result = -INFINITY;
        return;
    }
    if (!dimensions_have_keys(&attending))
        return;
    if (config && config->relation == RELATION_DISENTANGLED) {
        /* He et al. 2021, equation 2: distances have keys and queries of their own */
        const struct layer_trace *layer = &at->trace->layer[at->layer];
        const size_t D = at->trace->dimensions;
        const size_t row =
            relation_row(config, (ptrdiff_t)at->token - (ptrdiff_t)to) - at->trace->first_distance;
        const bool learnt = at->trace->computed.changes.positions == POSITIONS_LEARNT;
        made->has_distance[DISTANCE_QUERY] = config->content_position;
        made->has_distance[DISTANCE_KEY] = config->position_content;
        if (learnt && config->content_position)
            made->distance[DISTANCE_QUERY] =
                vector_dot(heads_row(&layer->query, at->head, at->token),
                           heads_row(&layer->rel_key, at->head, row), D);
        if (learnt && config->position_content)
            made->distance[DISTANCE_KEY] =
                vector_dot(heads_row(&layer->key, at->head, to),
                           heads_row(&layer->rel_query, at->head, row), D);
    } else {
        made->has_bias = dimensions_have_distance(&attending);
        made->bias = dimensions_distance(&attending, to);
    }
    made->divisor = steps_divisor(at, steps->open);
    sum(steps, steps->source, dimensions_key(&attending, to), at->trace->dimensions);
    made->result +=
        (made->distance[DISTANCE_QUERY] + made->distance[DISTANCE_KEY]) / made->divisor +
        made->bias;
}

static void weight(struct steps *steps, size_t to)
{
    const struct steps_at *at = &steps->at;
    const bool uniform = head_mask_has(
        at->trace->computed.changes.uniform[at->trace->numbered + at->layer], at->head);
    struct arithmetic *made = &steps->made;
    if (steps->stage[STAGE_SCORES].count == 0)
        return;
    made->argument = steps->source[to];
    made->kind = ARITHMETIC_NOTHING;
    if (steps->left == 0 || (uniform && isinf(made->argument)))
        return;
    made->kind = ARITHMETIC_EQUAL;
    made->result = 1 / (double)steps->left;
    if (!uniform)
        take_share(steps, made->argument);
}

/* The column of the values of all tokens is gathered first, so that this is a sum like any other.
 */
static void weigh(struct steps *steps, size_t d)
{
    const struct steps_at *at = &steps->at;
    const struct attending attending = {at->trace, at->layer, at->head, at->token};
    if (head_mask_has(at->trace->computed.changes.off[at->trace->numbered + at->layer], at->head)) {
        steps->made.kind = ARITHMETIC_NOTHING;
        return;
    }
    if (!dimensions_have_values(&attending))
        return;
    for (size_t to = 0; to < at->trace->attended; to++)
        steps->row[to] = dimensions_value(&attending, to)[d];
    sum(steps, steps->source, steps->row, at->trace->attended);
}

/* What a head adds to a vector, squared number by number: the length of it is the root of their
 * sum. */
static void measure_length(struct steps *steps, size_t head)
{
    const struct linear *linear = steps->stage[STAGE_ADDED].operation.linear;
    const size_t H = steps->at.trace->hidden, D = steps->at.trace->dimensions;
    double squares = 0;
    for (size_t i = 0; i < H; i++) {
        const float *row =
            matrix_part(steps, &linear->weight, i * steps->at.trace->inner + head * D, D);
        steps->parts[i] = kernels_now()->dot(steps->source + head * D, row, D);
        squares += steps->parts[i] * steps->parts[i];
    }
    steps->left_of = steps->parts;
    steps->right_of = NULL;
    steps->made.kind = ARITHMETIC_LENGTH;
    steps->made.count = H;
    steps->made.result = sqrt(squares);
}

/* ---- Vectors of a text ---- */

/* The numbers of all tokens, each times its share: sentence.h. */
static void pool(struct steps *steps, size_t i)
{
    const struct trace *trace = steps->at.trace;
    const size_t T = trace->tokens, H = trace->hidden;
    const float *rows = trace_last_rows(trace);
    const bool *pools = steps->stage[steps->open].operation.pools;
    enum pooling pooling = 0; /* of several that are put side by side the one that i is of */
    for (size_t block = i / H; !pools[pooling] || block-- > 0;)
        pooling++;
    const size_t highest =
        pooling == POOLING_MAX ? sentence_highest(rows, T, H, i % H) : T; /* of no token */
    /* of a head's activation no trace has what it makes of number i of each token */
    const struct linear *dense = steps->stage[STAGE_DENSE].operation.linear;
    const bool late = steps->open == STAGE_HEAD_MEAN;
    const float *weights = late ? matrix_part(steps, &dense->weight, i * H, H) : NULL;
    size_t count = 0;
    for (size_t t = 0; late && t < T; t++) {
        double argument = (double)dense->bias[i];
        for (size_t h = 0; h < H; h++)
            argument += (double)rows[t * H + h] * (double)weights[h];
        steps->parts[t] =
            activation_of(steps->stage[STAGE_HEAD_ACTIVE].operation.activation, argument);
    }
    for (size_t t = 0; t < T; t++) {
        const double number = late ? steps->parts[t] : (double)rows[t * H + i % H];
        const double part =
            pooling == POOLING_MAX ? (double)(t == highest) : sentence_share(pooling, t, T);
        if (part > 0)
            put_part(steps, count++, t, number, part);
    }
    sum(steps, steps->parts, steps->row, count);
}

/* As torch's normalize: of no length it stays 0. */
static void normalise(struct steps *steps, size_t i)
{
    const size_t count = steps->stage[steps->open].operation.inputs;
    double squares = 0;
    for (size_t at = 0; at < count; at++)
        squares += steps->source[at] * steps->source[at];
    put_part(steps, 0, i, steps->source[i], 1);
    steps->made.divisor = fmax(sqrt(squares), 1e-12);
    sum(steps, steps->parts, steps->row, 1);
}

/* ---- Functions of one number ---- */

/* Where a stage has no residual, 0 is added. Scores are masked behind their cap. */
static void transform(struct steps *steps, size_t i)
{
    const struct operation *operation = &steps->stage[steps->open].operation;
    const bool scores = steps->open == STAGE_SCORES;
    struct arithmetic *made = &steps->made;
    const double x = made->argument = steps->source[i];
    if (operation->kind == OPERATION_SIGMOID) {
        made->kind = ARITHMETIC_SIGMOID;
        made->result = 1 / (1 + exp(-x));
    } else if (operation->kind == OPERATION_ACTIVATE) {
        made->kind = ARITHMETIC_ACTIVE;
        made->gain = steps_with(steps, i, 1);
        made->result = activation_of(operation->activation, x) * made->gain;
    } else if (operation->kind == OPERATION_SCALE) {
        made->kind = ARITHMETIC_SCALED;
        made->gain = operation->factor;
        made->result = x * made->gain;
    } else if (operation->kind == OPERATION_CAP) {
        const bool hidden = scores && steps_hidden(&steps->at, i);
        made->kind = hidden ? ARITHMETIC_MASKED : ARITHMETIC_CAPPED;
        made->gain = operation->factor;
        made->divisor = scores ? interventions_temperature(&steps->at.trace->computed.changes) : 1;
        made->result = hidden ? -INFINITY : made->gain * tanh(x / made->gain) / made->divisor;
    } else { /* OPERATION_ADD, or what OPERATION_NORM normalises */
        made->kind = ARITHMETIC_ADDED;
        made->from = x;
        made->added = steps_with(steps, i, 0);
        made->result = made->argument = made->from + made->added;
    }
    if (operation->kind != OPERATION_NORM)
        return;
    const struct norm *learnt = operation->norm;
    made->kind = ARITHMETIC_NORM;
    made->moments = steps->moments[steps->open];
    made->epsilon = (double)steps->at.model->config.layer_norm_eps;
    made->gain = (double)learnt->weight[i];
    made->constant = learnt->bias ? (double)learnt->bias[i] : 0;
    made->result = (made->argument - made->moments.mean) /
                       sqrt(made->moments.variance + made->epsilon) * made->gain +
                   made->constant;
}

/* ---- One number ---- */

/* Those of attention need only the trace; the others follow from the weights of the network. What
 * has no function is taken over. */
static void (*const gatherers[])(struct steps *, size_t) = {
    [OPERATION_EMBED] = embed,        [OPERATION_LINEAR] = multiply,
    [OPERATION_CONVOLVE] = multiply,  [OPERATION_ROTATE] = rotate,
    [OPERATION_SCORE] = score,        [OPERATION_SOFTMAX] = weight,
    [OPERATION_WEIGH] = weigh,        [OPERATION_LENGTH] = measure_length,
    [OPERATION_NORM] = transform,     [OPERATION_ADD] = transform,
    [OPERATION_SCALE] = transform,    [OPERATION_CAP] = transform,
    [OPERATION_ACTIVATE] = transform, [OPERATION_POOL] = pool,
    [OPERATION_UNIT] = normalise,     [OPERATION_SHARE] = share,
    [OPERATION_SIGMOID] = transform,
};

const struct arithmetic *steps_gather(struct steps *steps, size_t i)
{
    const enum operation_kind kind = steps->stage[steps->open].operation.kind;
    const bool attends = kind >= OPERATION_SCORE && kind <= OPERATION_WEIGH;
    steps->made = (struct arithmetic){.divisor = 1, .left = steps->left};
    steps->indexed = false;
    if (gatherers[kind] && (attends || steps->at.model))
        gatherers[kind](steps, i);
    return &steps->made;
}

/* By size, then by index, as no order of equal terms may depend on qsort. */
static int terms_by_magnitude(const void *a, const void *b)
{
    const struct step_term *left = a, *right = b;
    double x = fabs(left->left * left->right), y = fabs(right->left * right->right);
    if (x != y)
        return x > y ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

void steps_arithmetic(struct steps *steps, enum stage stage, size_t i,
                      struct arithmetic *arithmetic)
{
    const double number = steps->stage[stage].numbers[i];
    struct arithmetic *made = &steps->made;
    steps_open(steps, stage);
    if (steps_gather(steps, i)->kind == ARITHMETIC_SOFTMAX) {
        made->count = count_shared(steps); /* exponentials, of whose sum number i is a share */
        for (size_t at = 0; at < made->count; at++)
            put_part(steps, at, at, exp(shared_at(steps, i, at) - made->softmax.largest), 1);
    }
    made->terms = steps->terms;
    for (size_t at = 0; at < made->count; at++) {
        struct step_term *term = &steps->terms[at];
        term->index = steps->indexed ? term->index : at;
        term->left = steps->left_of[at];
        term->right = steps->right_of ? (double)steps->right_of[at] : term->left;
    }
    qsort(steps->terms, made->count, sizeof *steps->terms, terms_by_magnitude);
    *arithmetic = *made;
    /* Whether a recording has what its other tensors lead to: others may have been added to its
     * scores, or its weights be no softmax of them. */
    const bool agrees =
        number == made->result || fabs(number - made->result) <= 1e-3 * fmax(1, fabs(number));
    if (arithmetic->kind == ARITHMETIC_NONE || !agrees)
        *arithmetic = (struct arithmetic){.kind = ARITHMETIC_NONE, .result = number, .divisor = 1};
}
