/* The same bits on every processor: sums that are kept in 80 bits would round otherwise. */
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ == 2
#error "headlight computes in exactly double precision: compile with -msse2 -mfpmath=sse"
#endif

#include "headlight/model/forward.h"

#include "headlight/base/size.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/kernels.h"

#include <math.h>
#include <string.h>

/* Double precision: what is computed lies in the working space, and goes into the trace rounded.
 * The functions do what those of forward_float.c do. */
typedef double number;
#define FORWARD       forward_double
#define FORWARD_WORDS forward_double_words

#define QUERIES_AT_ONCE 1
#define THREAD_COST     ((size_t)1 << 20)

/* ---- Working space ------------------------------------------------------------------------ */

struct input {
    double *numbers; /* [T,inputs] */
    size_t tokens, inputs;
    float *widened; /* [POOL_MAX,widest]  an output's weights for each thread */
    size_t widest;  /* F or H */
};

struct room {
    struct input input, between;
    double *rows;        /* [T,H]  in the place of `between` */
    double *x, *y;       /* [T,H] */
    double *projections; /* [T,3H] */
    double *context;     /* [T,H] */
    double *scores;      /* [A,T]  of one query a head */
    double *weights;     /* [A,T] */
};

static size_t widest(const struct config *config)
{
    return size_max(config->feed_forward, config->hidden);
}

size_t forward_double_scratch(const struct config *config, size_t tokens)
{
    size_t doubles = tokens * (7 * config->hidden + widest(config) + 2 * config->heads);
    return 2 * doubles + POOL_MAX * widest(config);
}

static struct room room_in(const struct config *config, const struct trace *trace)
{
    const size_t T = trace->tokens, H = config->hidden;
    double *input = (double *)(void *)trace->scratch, *between = input + T * H;
    struct room room = {.rows = between, .x = between + T * widest(config)};
    room.y = room.x + T * H;
    room.projections = room.y + T * H;
    room.context = room.projections + 3 * T * H;
    room.scores = room.context + T * H;
    room.weights = room.scores + T * config->heads;
    float *widened = (float *)(void *)(room.weights + T * config->heads);
    room.input = (struct input){input, T, H, widened, widest(config)};
    room.between = (struct input){between, T, config->feed_forward, widened, widest(config)};
    return room;
}

static struct input input_in(const struct input *input, size_t tokens)
{
    return (struct input){input->numbers, tokens, input->inputs, input->widened, input->widest};
}

/* The same for every layer: its output is the next one's input. */
struct places {
    number *input, *projections, *scores, *weights, *context, *attention_output, *output;
};

static struct places places_of(const struct room *room, const struct layer_trace *layer)
{
    (void)layer;
    return (struct places){room->x,       room->projections, room->scores, room->weights,
                           room->context, room->y,           room->x};
}

static size_t row_of(size_t head, size_t tokens, size_t query)
{
    (void)tokens, (void)query;
    return head;
}

static bool put_into_trace(const number *numbers, size_t count, float *traced)
{
    for (size_t i = 0; i < count; i++)
        traced[i] = (float)numbers[i];
    return kernels_now()->finite(count, traced);
}

/* ---- Rows --------------------------------------------------------------------------------- */

static void put_rows(const struct input *input, const number *x, size_t first, size_t count)
{
    memcpy(input->numbers + first * input->inputs, x, count * input->inputs * sizeof *x);
}

static const number *take_rows(const struct room *room, const float *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        room->x[i] = (double)rows[i];
    return room->x;
}

/* Ba et al. 2016 */
static void layer_norm(const struct norm *norm, float epsilon, size_t columns, const number *x,
                       bool add, number *y)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < columns; i++)
        y[i] = add ? x[i] + y[i] : x[i];
    for (size_t i = 0; i < columns; i++)
        mean += y[i] / (double)columns;
    for (size_t i = 0; i < columns; i++)
        variance += (y[i] - mean) * (y[i] - mean) / (double)columns;
    double scale = 1 / sqrt(variance + (double)epsilon);
    for (size_t i = 0; i < columns; i++)
        y[i] = (y[i] - mean) * scale * (double)norm->weight[i] + (double)norm->bias[i];
}

static bool softmax(number scale, size_t seen, size_t columns, number *scores, number *weights)
{
    double maximum = -INFINITY, total = 0;
    bool finite = true;
    for (size_t i = 0; i < columns; i++) {
        scores[i] *= scale;
        finite = finite && (i >= seen || isfinite((float)scores[i]));
        maximum = fmax(maximum, scores[i]);
    }
    for (size_t i = 0; i < columns; i++)
        total += weights[i] = exp(scores[i] - maximum);
    for (size_t i = 0; i < columns; i++)
        weights[i] /= total;
    return finite;
}

static void activate(enum activation activation, number *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        x[i] = activation_of(activation, x[i]);
}

/* ---- Products ----------------------------------------------------------------------------- */

#define OUTPUTS_AT_ONCE 16

/* The outputs of all parts are the columns of y [T,columns], which are claimed by threads. */
struct product {
    const struct input *x;
    const struct linear *parts;
    size_t outputs, columns;
    void *y; /* doubles, or, rounded, floats */
    bool rounded;
};

static void multiply_column(const struct product *product, size_t column, float *room)
{
    const struct input *x = product->x;
    const struct linear *part = &product->parts[column / product->outputs];
    const size_t output = column % product->outputs;
    const float *weight = matrix_floats(&part->weight, output * x->inputs);
    if (!weight) {
        matrix_numbers(&part->weight, output * x->inputs, x->inputs, room);
        weight = room;
    }
    for (size_t t = 0; t < x->tokens; t++) {
        double sum = kernels_now()->dot(x->numbers + t * x->inputs, weight, x->inputs) +
                     (double)part->bias[output];
        if (product->rounded)
            ((float *)product->y)[t * product->columns + column] = (float)sum;
        else
            ((double *)product->y)[t * product->columns + column] = sum;
    }
}

static void multiply(const struct pool_thread *thread, const struct product *product)
{
    float *room = product->x->widened + thread->index * product->x->widest;
    size_t first;
    while ((first = OUTPUTS_AT_ONCE * pool_claim(thread)) < product->columns)
        for (size_t c = first; c < size_min(first + OUTPUTS_AT_ONCE, product->columns); c++)
            multiply_column(product, c, room);
    pool_barrier(thread);
}

static void linear(const struct pool_thread *thread, const struct input *x,
                   const struct linear *parts, size_t part_count, size_t outputs, number *y)
{
    multiply(thread, &(struct product){x, parts, outputs, part_count * outputs, y, false});
}

static void linear_into_trace(const struct pool_thread *thread, const struct input *x,
                              const struct linear *part, size_t outputs, float *traced)
{
    multiply(thread, &(struct product){x, part, outputs, outputs, traced, true});
}

static void linear_activated(const struct pool_thread *thread, const struct input *x,
                             const struct linear *part, enum activation activation,
                             const struct input *y)
{
    linear(thread, x, part, 1, y->inputs, y->numbers);
    for (size_t t = pool_claim(thread); t < y->tokens; t = pool_claim(thread))
        activate(activation, y->numbers + t * y->inputs, y->inputs);
    pool_barrier(thread);
}

/* All [T,D], with the stride of the projections. */
struct head {
    size_t index, tokens, dimensions, stride;
    const double *queries, *keys, *values;
};

static struct head gather(const struct room *room, const struct trace *trace, size_t l,
                          size_t index)
{
    (void)l;
    const size_t H = trace->hidden, D = trace->dimensions;
    const double *queries = room->projections + index * D;
    return (struct head){index, trace->tokens, D, 3 * H, queries, queries + H, queries + 2 * H};
}

static void multiply_keys(const struct head *head, size_t first, size_t count, number *scores)
{
    const size_t T = head->tokens;
    for (size_t i = 0; i < count * T; i++) {
        const double *query = head->queries + (first + i / T) * head->stride;
        const double *key = head->keys + i % T * head->stride;
        double sum = 0;
        for (size_t d = 0; d < head->dimensions; d++)
            sum += query[d] * key[d];
        scores[i] = sum;
    }
}

static void multiply_values(const struct head *head, const number *weights, size_t count,
                            number *context, size_t stride)
{
    const size_t T = head->tokens, D = head->dimensions;
    for (size_t i = 0; i < count; i++, weights += T, context += stride) {
        memset(context, 0, D * sizeof *context);
        for (size_t to = 0; to < T; to++)
            for (size_t d = 0; d < D; d++)
                context[d] += weights[to] * head->values[to * head->stride + d];
    }
}

#include "forward_steps.h"
