#include "headlight/model/forward.h"

#include "headlight/base/size.h"
#include "headlight/model/relation.h"
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
    number *halves;       /* [T,2F] of a gated feed-forward block */
    float *keys;          /* panels [T,D] of each head */
    float *values;        /* [T,D] of each head, its rows made up to whole vectors */

    uint32_t *rows_of_distances; /* [2T-1] */
    float *rotations;            /* [2,T,D] of rotary positions */
    struct input relative;       /* [R,H]  the distances of disentangled attention */
    float *panels;               /* twice [R,D] of each head */
    number *from_keys;           /* [T,R] of each head: keys times distances */
    number *products;            /* [QUERIES_AT_ONCE,R] of each head: queries times distances */
    number *neighbours;          /* [T,H·K] of a convolution, */
    struct input convolved;      /* which is the product of these */
};

/* Rows of values are made up to whole vectors. */
static size_t value_stride(size_t dimensions)
{
    size_t lanes = KERNELS_LANES_MAX;
    return (dimensions + lanes - 1) / lanes * lanes;
}

/* Memory handed out part by part, or only measured. */
struct space {
    float *memory; /* NULL: measured */
    size_t used;
};

static float *take(struct space *space, size_t count)
{
    float *part = space->memory ? space->memory + space->used : NULL;
    space->used += (count + 15) / 16 * 16;
    return part;
}

static struct input take_input(struct space *space, size_t tokens, size_t inputs, size_t widest)
{
    return (struct input){
        pack_in(take(space, pack_size(tokens, size_max(inputs, widest))), tokens, inputs, true)};
}

static void take_relation(struct space *space, const struct config *config, size_t T,
                          struct room *room)
{
    size_t first;
    const size_t H = config->hidden, A = config->heads, R = relation_rows(config, T, &first);
    room->relative = take_input(space, R, H, H);
    room->panels = take(space, 2 * A * pack_size(R, H / A));
    room->from_keys = take(space, A * T * R);
    room->products = take(space, A * QUERIES_AT_ONCE * R);
}

static struct room take_room(struct space *space, const struct config *config, size_t T)
{
    const size_t H = config->hidden, F = config->feed_forward, K = config->kernel;
    const size_t wide = size_max(H, config_embedding(config)), D = H / config->heads;
    struct room room = {.input = take_input(space, T, H, wide)};
    room.between = take_input(space, T, F, wide);
    room.rows = room.between.packed.numbers;
    room.halves = take(space, config->gated ? 2 * T * F : 0);
    room.keys = take(space, config->heads * pack_size(T, D));
    room.values = take(space, config->heads * T * value_stride(D));
    room.rotations = take(space, config->rotary ? 2 * T * D : 0);
    if (config->relation != RELATION_NONE)
        room.rows_of_distances = (uint32_t *)(void *)take(space, 2 * T);
    if (config->relation == RELATION_DISENTANGLED)
        take_relation(space, config, T, &room);
    if (K > 0) {
        room.neighbours = take(space, T * H * K);
        room.convolved = take_input(space, T, H * K, 0);
    }
    return room;
}

size_t forward_float_scratch(const struct config *config, size_t tokens)
{
    struct space measured = {NULL, 0};
    take_room(&measured, config, tokens);
    return measured.used;
}

static struct room room_in(const struct config *config, const struct trace *trace)
{
    struct space space = {trace->scratch, 0};
    return take_room(&space, config, trace->tokens);
}

/* An input of other sizes in the same memory. */
static struct input input_in(const struct input *input, size_t tokens, size_t inputs)
{
    return (struct input){pack_in(input->packed.numbers, tokens, inputs, true)};
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

/* Where embeddings are computed that are projected, [T,E], and where distances are, [R,H], and
 * their projections, [R,2H]. */
static number *place_of_embedding(const struct room *room, const struct trace *trace)
{
    (void)room;
    return trace->embedding;
}

static number *place_of_distances(const struct room *room, const struct trace *trace)
{
    (void)room;
    return trace->relative_embedding;
}

static number *place_of_relation(const struct room *room, const struct layer_trace *layer)
{
    (void)room;
    return layer->rel_query.data;
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

/* Copies numbers that are computed elsewhere. */
static void copy_into_trace(const number *numbers, size_t count, float *traced)
{
    memcpy(traced, numbers, count * sizeof *traced);
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

/* For one row: scores = scale·scores and weights = softmax(scores). Whether all scores are
 * finite. */
static bool softmax(number scale, size_t columns, number *scores, number *weights)
{
    return kernels_now()->softmax(scale, columns, scores, weights);
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
    struct packed distances; /* as keys */
    const number *from_keys; /* [T,R]: k·pq */
    number *products;        /* [QUERIES_AT_ONCE,R], to be filled in: q·pk */
};

/* The distances of one head as panels. */
static struct packed gather_distances(const struct room *room, const struct heads *rows,
                                      size_t place, size_t index, size_t R, size_t D)
{
    struct packed packed = pack_in(room->panels + place * pack_size(R, D), R, D, false);
    pack_put(&packed, heads_row(rows, index, 0), rows->token_stride, 0, R);
    return packed;
}

static void relate_head(const struct room *room, const struct trace *trace,
                        const struct layer_trace *layer, struct head *head)
{
    const size_t T = trace->tokens, R = trace->distances, D = trace->dimensions;
    const size_t index = head->index;
    number *from_keys = room->from_keys + index * T * R;
    head->distances = gather_distances(room, &layer->rel_key, 2 * index, index, R, D);
    const struct packed queries =
        gather_distances(room, &layer->rel_query, 2 * index + 1, index, R, D);
    matmul_packed(heads_row(&layer->key, index, 0), layer->key.token_stride, T, &queries, from_keys,
                  R);
    head->from_keys = from_keys;
    head->products = room->products + index * QUERIES_AT_ONCE * R;
}

static struct head gather(const struct config *config, const struct room *room,
                          const struct trace *trace, size_t l, size_t index)
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
    if (config->relation == RELATION_DISENTANGLED)
        relate_head(room, trace, layer, &head);
    return head;
}

/* products [count,R] = q·pkᵀ for the queries from `first` on. */
static void multiply_distances(const struct head *head, size_t first, size_t count,
                               number *products)
{
    matmul_packed(heads_row(&head->queries, head->index, first), head->queries.token_stride, count,
                  &head->distances, products, head->distances.tokens);
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
