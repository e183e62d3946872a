/* The same bits on every processor: sums that are kept in 80 bits would round otherwise. */
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ == 2
#error "headlight computes in exactly double precision: compile with -msse2 -mfpmath=sse"
#endif

#include "headlight/model/forward.h"

#include "headlight/base/size.h"
#include "headlight/model/relation.h"
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
    size_t widest;
};

struct room {
    struct input input, between;
    double *rows;        /* [T,H] */
    double *x, *y;       /* [T,H] */
    double *projections; /* [T,3H] */
    double *context;     /* [T,H] */
    double *scores;      /* [A,T]  of one query a head */
    double *weights;     /* [A,T] */
    double *embedding;   /* [T,E]  before it is projected */
    double *halves;      /* [T,2F] of a gated feed-forward block */

    uint32_t *rows_of_distances; /* [2T-1] */
    float *rotations;            /* [2,T,D] of rotary positions */
    double *distances;           /* [R,H]  of disentangled attention */
    struct input relative;       /* the same */
    double *relation;            /* [R,2H]  as queries and keys */
    double *from_keys;           /* [T,R] of each head: keys times distances */
    double *products;            /* [R] of each head: queries times distances */
    double *neighbours;          /* [T,H·K] of a convolution */
    struct input convolved;      /* the same */
};

/* Memory handed out part by part, or only measured. */
struct space {
    double *memory; /* NULL: measured */
    size_t used;
};

static double *take(struct space *space, size_t count)
{
    double *part = space->memory ? space->memory + space->used : NULL;
    space->used += count;
    return part;
}

static float *take_floats(struct space *space, size_t count)
{
    return (float *)(void *)take(space, (count + 1) / 2);
}

static struct input take_input(struct space *space, const struct input *like, size_t tokens,
                               size_t inputs)
{
    return (struct input){take(space, tokens * size_max(inputs, 1)), tokens, inputs, like->widened,
                          like->widest};
}

static void take_relation(struct space *space, const struct config *config, size_t T,
                          struct room *room)
{
    size_t first;
    const size_t H = config->hidden, A = config->heads, R = relation_rows(config, T, &first);
    room->relative = take_input(space, &room->input, R, H);
    room->distances = take(space, R * H);
    room->relation = take(space, R * 2 * H);
    room->from_keys = take(space, A * T * R);
    room->products = take(space, A * R);
}

static struct room take_room(struct space *space, const struct config *config, size_t T)
{
    const size_t H = config->hidden, F = config->feed_forward, A = config->heads;
    const size_t E = config_embedding(config), K = config->kernel, wide = size_max(H, E);
    const size_t widest = size_max(size_max(F, wide), H * K);
    const struct input like = {.widened = take_floats(space, POOL_MAX * widest), .widest = widest};
    struct room room = {.input = take_input(space, &like, T, wide)};
    room.input.inputs = H;
    room.between = take_input(space, &like, T, F);
    room.rows = take(space, T * wide);
    room.x = take(space, T * H);
    room.y = take(space, T * H);
    room.projections = take(space, 3 * T * H);
    room.context = take(space, T * H);
    room.scores = take(space, A * T);
    room.weights = take(space, A * T);
    room.embedding = take(space, T * E);
    room.halves = take(space, config->gated ? 2 * T * F : 0);
    room.rotations = take_floats(space, config->rotary ? 2 * T * (H / A) : 0);
    if (config->relation != RELATION_NONE)
        room.rows_of_distances = (uint32_t *)(void *)take_floats(space, 2 * T);
    if (config->relation == RELATION_DISENTANGLED)
        take_relation(space, config, T, &room);
    room.convolved = take_input(space, &like, T, H * K);
    room.neighbours = room.convolved.numbers;
    return room;
}

size_t forward_double_scratch(const struct config *config, size_t tokens)
{
    struct space measured = {NULL, 0};
    take_room(&measured, config, tokens);
    return 2 * measured.used;
}

static struct room room_in(const struct config *config, const struct trace *trace)
{
    struct space space = {(double *)(void *)trace->scratch, 0};
    return take_room(&space, config, trace->tokens);
}

static struct input input_in(const struct input *input, size_t tokens, size_t inputs)
{
    return (struct input){input->numbers, tokens, inputs, input->widened, input->widest};
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

static number *place_of_embedding(const struct room *room, const struct trace *trace)
{
    (void)trace;
    return room->embedding;
}

static number *place_of_distances(const struct room *room, const struct trace *trace)
{
    (void)trace;
    return room->distances;
}

static number *place_of_relation(const struct room *room, const struct layer_trace *layer)
{
    (void)layer;
    return room->relation;
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

static void copy_into_trace(const number *numbers, size_t count, float *traced)
{
    put_into_trace(numbers, count, traced);
}

/* ---- Rows --------------------------------------------------------------------------------- */

static void put_rows(const struct input *input, const number *x, size_t first, size_t count)
{
    memmove(input->numbers + first * input->inputs, x, count * input->inputs * sizeof *x);
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

static bool softmax(number scale, size_t columns, number *scores, number *weights)
{
    double maximum = -INFINITY, total = 0;
    bool finite = true;
    for (size_t i = 0; i < columns; i++) {
        scores[i] *= scale;
        finite = finite && isfinite((float)scores[i]);
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
    size_t distance_count;   /* R */
    const double *distances; /* as keys, [R,D] with the stride of their projections */
    size_t distance_stride;
    const double *from_keys; /* [T,R]: k·pq */
    double *products;        /* [R], to be filled in: q·pk */
};

/* out [count,columns] = rows·columnsᵀ, for rows of D numbers. */
static void multiply_rows(const double *rows, size_t row_stride, size_t count,
                          const double *columns, size_t column_stride, size_t column_count,
                          size_t D, double *out)
{
    for (size_t i = 0; i < count * column_count; i++) {
        const double *row = rows + i / column_count * row_stride;
        const double *column = columns + i % column_count * column_stride;
        double sum = 0;
        for (size_t d = 0; d < D; d++)
            sum += row[d] * column[d];
        out[i] = sum;
    }
}

static void relate_head(const struct room *room, const struct trace *trace, struct head *head)
{
    const size_t T = trace->tokens, R = trace->distances, H = trace->hidden, D = trace->dimensions;
    const double *queries = room->relation + head->index * D;
    double *from_keys = room->from_keys + head->index * T * R;
    head->distance_count = R;
    head->distances = queries + H;
    head->distance_stride = 2 * H;
    multiply_rows(head->keys, head->stride, T, queries, 2 * H, R, D, from_keys);
    head->from_keys = from_keys;
    head->products = room->products + head->index * R;
}

static struct head gather(const struct config *config, const struct room *room,
                          const struct trace *trace, size_t l, size_t index)
{
    (void)l;
    const size_t H = trace->hidden, D = trace->dimensions;
    const double *queries = room->projections + index * D;
    struct head head = {.index = index,
                        .tokens = trace->tokens,
                        .dimensions = D,
                        .stride = 3 * H,
                        .queries = queries,
                        .keys = queries + H,
                        .values = queries + 2 * H};
    if (config->relation == RELATION_DISENTANGLED)
        relate_head(room, trace, &head);
    return head;
}

static void multiply_distances(const struct head *head, size_t first, size_t count,
                               number *products)
{
    multiply_rows(head->queries + first * head->stride, head->stride, count, head->distances,
                  head->distance_stride, head->distance_count, head->dimensions, products);
}

static void multiply_keys(const struct head *head, size_t first, size_t count, number *scores)
{
    multiply_rows(head->queries + first * head->stride, head->stride, count, head->keys,
                  head->stride, head->tokens, head->dimensions, scores);
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
