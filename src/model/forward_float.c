#include "headlight/model/forward.h"

#include "headlight/base/size.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/matmul.h"

#include <string.h>

/* Single precision: what is computed lies in the trace from the start. */
typedef float number;
#define FORWARD       forward_float
#define FORWARD_WORDS forward_float_words

/* So many rows of scores and weights stay near while they are gone over. */
#define QUERIES_AT_ONCE 64
#define THREAD_COST     ((size_t)1 << 22)

/* ---- Working space ------------------------------------------------------------------------ */

/* Rows [T,inputs] as a linear layer takes them. */
struct input {
    struct packed packed;
};

struct room {
    struct input input;   /* [T,H]  of a linear layer */
    struct input between; /* [T,F]  between the halves of the feed-forward block */
    number *rows;         /* [T,H]  of the model's heads; in the place of `between` */
    float *keys;          /* panels [T,D] of each head */
    float *values;        /* [T,D] of each head, its rows made up to whole vectors */
};

/* Rows of values are made up to whole vectors. */
static size_t value_stride(size_t dimensions)
{
    size_t lanes = KERNELS_LANES_MAX;
    return (dimensions + lanes - 1) / lanes * lanes;
}

size_t forward_float_scratch(const struct config *config, size_t tokens)
{
    size_t H = config->hidden, widest = size_max(config->feed_forward, H);
    return pack_size(tokens, H) + pack_size(tokens, widest) + pack_size(tokens, H) +
           tokens * config->heads * value_stride(H / config->heads);
}

static struct room room_in(const struct config *config, const struct trace *trace)
{
    size_t T = trace->tokens, H = config->hidden, F = config->feed_forward;
    float *wide = trace->scratch + pack_size(T, H), *keys = wide + pack_size(T, size_max(F, H));
    return (struct room){.input = {pack_in(trace->scratch, T, H, true)},
                         .between = {pack_in(wide, T, F, true)},
                         .rows = wide,
                         .keys = keys,
                         .values = keys + pack_size(T, H)};
}

/* An input of fewer tokens in the same memory. */
static struct input input_in(const struct input *input, size_t tokens)
{
    return (struct input){pack_in(input->packed.numbers, tokens, input->packed.inputs, true)};
}

/* Where the numbers of a layer are computed, [T,H], [T,3H] (query, key, value) and [A,T,T]. */
struct places {
    number *input, *projections, *scores, *weights, *context, *attention_output, *output;
};

static struct places places_of(const struct room *room, const struct layer_trace *layer)
{
    (void)room;
    return (struct places){layer->input,   layer->query.data,       layer->scores, layer->weights,
                           layer->context, layer->attention_output, layer->output};
}

/* Where in these scores and weights the row of a head's query lies. */
static size_t row_of(size_t head, size_t tokens, size_t query)
{
    return head * tokens + query;
}

/* Puts numbers into the trace. False when some are not finite because of that. */
static bool put_into_trace(const number *numbers, size_t count, float *traced)
{
    (void)numbers, (void)count, (void)traced;
    return true;
}

/* ---- Rows --------------------------------------------------------------------------------- */

/* x [count,inputs] becomes the rows of an input from `first` on. */
static void put_rows(const struct input *input, const number *x, size_t first, size_t count)
{
    pack_put(&input->packed, x, input->packed.inputs, first, count);
}

/* `count` numbers of rows that somebody computed before. */
static const number *take_rows(const struct room *room, const float *rows, size_t count)
{
    (void)room, (void)count;
    return rows;
}

/* For one row: y = LayerNorm(x + y), or of x alone if not `add`; y may be x. */
static void layer_norm(const struct norm *norm, float epsilon, size_t columns, const number *x,
                       bool add, number *y)
{
    kernels_now()->layer_norm(x, add, columns, norm->weight, norm->bias, epsilon, y);
}

/* For one row of `columns` scores, of which the first `seen` are not masked: scores = scale·scores
 * and weights = softmax(scores). Whether the scores that are seen are finite. */
static bool softmax(number scale, size_t seen, size_t columns, number *scores, number *weights)
{
    bool finite = kernels_now()->softmax(scale, columns, scores, weights);
    return seen == columns ? finite : kernels_now()->finite(seen, scores);
}

static void activate(enum activation activation, number *x, size_t count)
{
    activation_apply(activation, x, count);
}

/* ---- Products ----------------------------------------------------------------------------- */

/* For all threads: y = x·weightᵀ + bias of each part beside each other, y [T,part_count·outputs];
 * y is whole for all when it returns. */
static void linear(const struct pool_thread *thread, const struct input *x,
                   const struct linear *parts, size_t part_count, size_t outputs, number *y)
{
    matmul_linear(thread, &x->packed, parts, part_count, outputs, y, part_count * outputs);
}

static void linear_into_trace(const struct pool_thread *thread, const struct input *x,
                              const struct linear *part, size_t outputs, float *traced)
{
    linear(thread, x, part, 1, outputs, traced);
}

/* So y = f(x·weightᵀ + bias), which becomes the rows of an input. */
static void linear_activated(const struct pool_thread *thread, const struct input *x,
                             const struct linear *part, enum activation activation,
                             const struct input *y)
{
    matmul_activated(thread, &x->packed, part, activation, &y->packed);
}

/* The queries of one head, its keys as panels, its values in rows of whole vectors. */
struct head {
    size_t index;
    struct heads queries;
    struct packed keys;
    float *values; /* [T,D] with a stride */
    size_t stride;
};

static struct head gather(const struct room *room, const struct trace *trace, size_t l,
                          size_t index)
{
    const struct layer_trace *layer = &trace->layer[l];
    const size_t T = trace->tokens, D = trace->dimensions, stride = value_stride(D);
    struct head head = {.index = index, .queries = layer->query, .stride = stride};
    head.keys = pack_in(room->keys + index * pack_size(T, D), T, D, false);
    head.values = room->values + index * T * stride;
    pack_put(&head.keys, heads_row(&layer->key, index, 0), layer->key.token_stride, 0, T);
    for (size_t t = 0; t < T; t++)
        memcpy(head.values + t * stride, heads_row(&layer->value, index, t),
               D * sizeof *head.values);
    return head;
}

/* scores [count,T] = q·kᵀ for the queries from `first` on. */
static void multiply_keys(const struct head *head, size_t first, size_t count, number *scores)
{
    matmul_packed(heads_row(&head->queries, head->index, first), head->queries.token_stride, count,
                  &head->keys, scores, head->keys.tokens);
}

/* context [count,D] = weights·v, for weights [count,T] and rows of the context with a stride. */
static void multiply_values(const struct head *head, const number *weights, size_t count,
                            number *context, size_t stride)
{
    const size_t T = head->keys.tokens, D = head->keys.inputs;
    matmul_columns(weights, T, count, T, head->values, head->stride, D, context, stride);
}

#include "forward_steps.h"
