/* forward_numbers.h: what the numbers of a pass are, where they are computed and how they are
 * multiplied. Part of forward_pass.c, which is compiled twice: floats, with the fast kernels and in
 * the trace from the start, or doubles (PRECISE), by plain loops in working space, from where they
 * go into the trace rounded. Whatever differs between the two is in this file and forward_rows.h.
 */
#include "headlight/model/forward.h"

#include "headlight/base/size.h"
#include "headlight/model/batch.h"
#include "headlight/model/head_mask.h"
#include "headlight/model/relation.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/matmul.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#ifndef PRECISE
#define PRECISE 0
#endif

/* SQRT, TANH: of numbers; FreeBSD's <tgmath.h> names complex functions that it lacks.
 * QUERIES_AT_ONCE: rows of scores computed at a time for a head, which stay near while they are
 * gone over. THREAD_COST: multiply-adds that are worth a thread; waiting for each other costs too.
 */
#if PRECISE
typedef double number;
#define SQRT            sqrt
#define TANH            tanh
#define FORWARD_PASS    forward_double_pass
#define FORWARD_SCRATCH forward_double_scratch
#define QUERIES_AT_ONCE 1
#define THREAD_COST     ((size_t)1 << 20)
#else
typedef float number;
#define SQRT            sqrtf
#define TANH            tanhf
#define FORWARD_PASS    forward_float_pass
#define FORWARD_SCRATCH forward_float_scratch
#define QUERIES_AT_ONCE 64
#define THREAD_COST     ((size_t)1 << 22)
#endif

/* ---- Working space ------------------------------------------------------------------------ */

/* Rows [T,inputs] as a linear layer takes them: packed floats, or doubles row by row. */
struct input {
    number *numbers;
    size_t tokens, inputs;
    bool alike; /* how a row is multiplied doesn't depend on how many there are */
};

/* Where the numbers of a layer are computed. Doubles are the same for every layer: the output of
 * one is the next one's input. */
struct places {
    number *embedding;                           /* [T,E]  that are projected */
    number *distances, *relation;                /* [R,H], [R,2H]  (query, key) */
    number *input, *projections;                 /* [T,H], [T,3H]  (query, key, value) */
    number *context, *attention_output, *output; /* [T,H] */
};

/* What a pass needs beside the trace. Parts that the model doesn't use are empty. T stands for the
 * rows of all texts, or t for those of the longest. */
struct room {
    uint32_t *texts;      /* [T]  which one a row belongs to */
    struct input input;   /* [T,H]  of a linear layer */
    struct input between; /* [T,F]  between the halves of the feed-forward block */
    number *rows;         /* [T,H]  of norms and heads, in the place of `between` */
    number *halves;       /* [T,2F] of a gated feed-forward block */
    number *pooled;       /* a row [H] of each text, for heads */

    uint32_t *rows_of_distances; /* [2t-1] */
    float *rotations;            /* [2,t,D] of rotary positions */
    struct input relative;       /* [R,H]  the distances of disentangled attention */
    number *from_keys;           /* [t,R] of each head: keys times distances */
    number *products;            /* [QUERIES_AT_ONCE,R] of each head: queries times distances */
    number *neighbours;          /* [T,H·K] of a convolution, */
    struct input convolved;      /* which is the product of these */
    number *keys, *values;       /* [t,D] of each head, as products take them */
    number *scores, *weights;    /* [t] of each head: doubles, of one query */
    number *relations;           /* twice [R,D] of each head, as keys */
    struct places at;            /* of doubles, in every layer */
};

/* Memory handed out part by part, or only measured: take_room runs once without memory, to tell the
 * trace how much scratch a pass needs, and once in each pass. */
struct space {
    number *memory; /* NULL: measured */
    size_t used;
    bool alike; /* of the inputs that are taken */
};

static number *take_numbers(struct space *space, size_t count)
{
    number *part = space->memory ? space->memory + space->used : NULL;
    space->used += (count + 15) / 16 * 16;
    return part;
}

/* Four bytes each, of floats or integers. */
static void *take_narrow(struct space *space, size_t count)
{
    return take_numbers(space, PRECISE ? (count + 1) / 2 : count);
}

/* Behind the doubles of an input there is room for one row of weights per thread. */
static size_t input_size(size_t tokens, size_t inputs)
{
    return PRECISE ? (tokens + POOL_MAX / 2) * inputs : pack_size(tokens, inputs);
}

/* Room for rows of up to `widest` numbers, of which this input has `inputs`. */
static struct input take_input_rows(struct space *space, size_t tokens, size_t inputs,
                                    size_t widest)
{
    number *numbers = take_numbers(space, input_size(tokens, size_max(inputs, widest)));
    return (struct input){numbers, tokens, inputs, space->alike};
}

/* Keys of a head, packed if they are floats. */
static size_t keys_size(size_t count, size_t dimensions)
{
    return PRECISE ? count * dimensions : pack_size(count, dimensions);
}

/* Rows of values are padded to whole vectors if they are floats. */
static size_t value_stride(size_t dimensions)
{
    const size_t lanes = PRECISE ? 1 : KERNELS_LANES_MAX;
    return (dimensions + lanes - 1) / lanes * lanes;
}

/* Disentangled attention: R distances, projected and multiplied head by head. */
static void take_relation(struct space *space, const struct config *config, size_t t,
                          struct room *room)
{
    size_t first;
    const size_t H = config->hidden, A = config->heads, R = relation_rows(config, t, &first);
    room->relative = take_input_rows(space, R, H, H);
    room->from_keys = take_numbers(space, A * t * R);
    room->products = take_numbers(space, A * QUERIES_AT_ONCE * R);
    room->relations = take_numbers(space, 2 * A * keys_size(R, H / A));
    room->at.distances = take_numbers(space, PRECISE * R * H);
    room->at.relation = take_numbers(space, PRECISE * R * 2 * H);
}

/* The places of doubles. Floats are computed in the trace, so for them these parts are empty. */
static void take_layer(struct space *space, const struct config *config, size_t T,
                       struct room *room)
{
    const size_t H = PRECISE * config->hidden;
    room->at.input = room->at.output = take_numbers(space, T * H);
    room->at.attention_output = take_numbers(space, T * H);
    room->at.context = take_numbers(space, T * H);
    room->at.projections = take_numbers(space, 3 * T * H);
    room->at.embedding = take_numbers(space, PRECISE * T * config_embedding(config));
}

/* The parts in one order, so that both runs agree. An input is as wide as the widest rows that ever
 * become one: embeddings may be wider than the layers. */
static struct room take_room(struct space *space, const struct config *config,
                             const struct forward_extent *extent)
{
    const size_t T = extent->rows, t = extent->longest, A = config->heads;
    const size_t H = config->hidden, F = config->feed_forward, K = config->kernel;
    const size_t wide = size_max(H, config_embedding(config)), D = H / A;
    struct room room = {.input = take_input_rows(space, T, H, wide)};
    room.between = take_input_rows(space, T, F, wide);
    room.rows = room.between.numbers;
    room.halves = take_numbers(space, config->gated ? 2 * T * F : 0);
    room.rotations = take_narrow(space, config->rotary ? 2 * t * D : 0);
    room.keys = take_numbers(space, A * keys_size(t, D));
    room.values = take_numbers(space, A * t * value_stride(D));
    room.scores = take_numbers(space, PRECISE * A * t);
    room.weights = take_numbers(space, PRECISE * A * t);
    if (config->relation != RELATION_NONE)
        room.rows_of_distances = take_narrow(space, 2 * t);
    if (config->relation == RELATION_DISENTANGLED)
        take_relation(space, config, t, &room);
    room.neighbours = take_numbers(space, T * H * K);
    room.convolved = take_input_rows(space, K > 0 ? T : 0, H * K, 0);
    take_layer(space, config, T, &room);
    room.texts = take_narrow(space, T);
    room.pooled = take_numbers(space, extent->texts * H);
    return room;
}

/* In floats, since the trace's scratch is made of them. */
size_t FORWARD_SCRATCH(const struct config *config, const struct forward_extent *extent)
{
    struct space measured = {.memory = NULL};
    take_room(&measured, config, extent);
    return measured.used * (sizeof(number) / sizeof(float));
}

static struct room room_in(const struct forward_task *task)
{
    struct space space = {(number *)(void *)task->trace->scratch, 0, task->alike};
    struct room room = take_room(&space, model_config(task->model), &task->extent);
    for (size_t i = 0; room.texts && i < task->extent.texts; i++)
        for (size_t t = 0; t < task->texts[i].trace->tokens; t++)
            room.texts[task->texts[i].first + t] = (uint32_t)i;
    return room;
}

/* Each thread of the pool has its own copy during a pass. */
struct pass {
    const struct pool_thread *thread;
    const struct config *config;
    const struct weights *weights;
    const struct interventions *changes; /* never NULL */
    struct trace *trace;                 /* of the rows of all texts */
    struct forward_text *texts;
    struct forward_extent extent;
    const struct batch_taker *take; /* NULL: everything is computed */
    size_t first;                   /* layer; the layers before it are already computed */
    size_t enough; /* the layer whose weights are the last that somebody takes, or L */
    struct room room;
    size_t l;                        /* the layer that is computed, */
    const struct layer_trace *layer; /* its tensors, */
    struct places at;                /* and where its numbers are computed */
    const struct watch *watch;
    struct error *error;
    enum status *status; /* of all threads: written by thread 0 alone, read after a wait */
};

static struct forward_text *text_of(const struct pass *pass, size_t row)
{
    return &pass->texts[pass->room.texts[row]];
}

/* The position of a row's token in its text. */
static size_t place_of(const struct pass *pass, size_t row)
{
    return row - text_of(pass, row)->first;
}

/* Floats are computed where the trace has them, which saves a copy of everything; a layer's places
 * are its tensors. */
static void enter_layer(struct pass *pass, size_t l)
{
    pass->l = l;
    pass->layer = &pass->trace->layer[l];
#if PRECISE
    pass->at = pass->room.at;
#else
    const struct trace *trace = pass->trace;
    const struct layer_trace *at = pass->layer;
    pass->at = (struct places){
        trace->embedding, trace->relative_embedding, at->rel_query.data, at->input, at->query.data,
        at->context,      at->attention_output,      at->output};
#endif
}

/* Where numbers are computed that the trace has: there or, doubles, in the room. */
static number *place_in(float *traced, number *room)
{
#if PRECISE
    (void)traced;
    return room;
#else
    (void)room;
    return traced;
#endif
}

/* The two may be the same. */
static void copy_numbers(number *to, const number *from, size_t count)
{
    for (size_t i = 0; i < count && to != from; i++)
        to[i] = from[i];
}

/* Copies numbers into the trace, unless they were computed there. False when rounding makes some
 * of them infinite. */
static bool put_into_trace(const number *numbers, size_t count, float *traced)
{
#if PRECISE
    for (size_t i = 0; i < count; i++)
        traced[i] = (float)numbers[i];
    return kernels_now()->finite(count, traced);
#else
    if (numbers != traced)
        memcpy(traced, numbers, count * sizeof *traced);
    return true;
#endif
}

#if !PRECISE
static struct packed packed_of(const struct input *input)
{
    struct packed packed = pack_in(input->numbers, input->tokens, input->inputs, !input->alike);
    packed.whole = input->alike;
    return packed;
}
#endif

/* x [count,inputs] becomes the rows of an input from `first` on. */
static void put_input_rows(const struct input *input, const number *x, size_t first, size_t count)
{
#if PRECISE
    memmove(input->numbers + first * input->inputs, x, count * input->inputs * sizeof *x);
#else
    const struct packed packed = packed_of(input);
    pack_put(&packed, x, input->inputs, first, count);
#endif
}

/* ---- Linear layers ------------------------------------------------------------------------ */

#if PRECISE

#define OUTPUTS_AT_ONCE 16

/* The outputs of all parts are the columns of y [T,columns], which are claimed by threads. */
struct product {
    const struct input *x;
    const struct linear *parts;
    size_t outputs, columns;
    number *y;     /* one of the two */
    float *traced; /* rounded */
};

/* One output of a linear layer for all tokens, so that each row of weights is read once. */
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
        if (product->y)
            product->y[t * product->columns + column] = sum;
        else
            product->traced[t * product->columns + column] = (float)sum;
    }
}

/* Each thread has a row of memory for weights that have to be widened (see input_size). */
static void multiply_columns(const struct pass *pass, const struct product *product)
{
    const struct input *x = product->x;
    float *rooms = (float *)(void *)(x->numbers + x->tokens * x->inputs);
    size_t first;
    while ((first = OUTPUTS_AT_ONCE * pool_claim(pass->thread)) < product->columns)
        for (size_t c = first; c < size_min(first + OUTPUTS_AT_ONCE, product->columns); c++)
            multiply_column(product, c, rooms + pass->thread->index * x->inputs);
    pool_barrier(pass->thread);
}

#endif

/* Without a y, the sums go straight into the trace. */
static void add_products(const struct pass *pass, const struct input *x, const struct linear *parts,
                         size_t part_count, size_t outputs, number *y, float *traced)
{
    const size_t columns = part_count * outputs;
#if PRECISE
    multiply_columns(pass, &(struct product){x, parts, outputs, columns, y, traced});
#else
    const struct packed packed = packed_of(x);
    matmul_linear(pass->thread, &packed, parts, part_count, outputs, y ? y : traced, columns);
#endif
}

/* y = x·weightᵀ + bias of each part beside each other, y [T,part_count·outputs]. */
static void linear(const struct pass *pass, const struct input *x, const struct linear *parts,
                   size_t part_count, size_t outputs, number *y)
{
    add_products(pass, x, parts, part_count, outputs, y, NULL);
}

/* For logits, which nothing else is computed from. */
static void linear_into_trace(const struct pass *pass, const struct input *x,
                              const struct linear *part, size_t outputs, float *traced)
{
    add_products(pass, x, part, 1, outputs, NULL, traced);
}

/* y = f(x·weightᵀ + bias), which becomes the rows of an input. */
static void linear_activated(const struct pass *pass, const struct input *x,
                             const struct linear *part, enum activation activation,
                             const struct input *y)
{
#if PRECISE
    linear(pass, x, part, 1, y->inputs, y->numbers);
    for (size_t t = pool_claim(pass->thread); t < y->tokens; t = pool_claim(pass->thread))
        for (size_t i = 0; i < y->inputs; i++)
            y->numbers[t * y->inputs + i] =
                activation_of(activation, y->numbers[t * y->inputs + i]);
    pool_barrier(pass->thread);
#else
    const struct packed packed = packed_of(x), into = packed_of(y);
    matmul_activated(pass->thread, &packed, part, activation, &into);
#endif
}

/* ---- Products of a head, by one thread ----------------------------------------------------- */

struct head {
    size_t index;
    struct forward_text *text;
    const struct layer_trace *layer; /* the text's tensors */
    const number *queries;           /* [T,D] with the stride of the projections */
    struct input keys;               /* [T,D] */
    const number *values;            /* [T,D] with value_stride */
    struct input distances;          /* [R,D]  as keys */
    number *from_keys;               /* [T,R]  k·pq */
    number *products;                /* [QUERIES_AT_ONCE,R]  q·pk, to be filled in */
};

/* Rows [count,D] with a stride as multiply_keys takes them, in memory for so many. */
static struct input gather_keys(const number *rows, size_t stride, size_t count, size_t D,
                                number *memory)
{
#if PRECISE
    for (size_t i = 0; i < count; i++)
        memcpy(memory + i * D, rows + i * stride, D * sizeof *memory);
#else
    const struct packed packed = pack_in(memory, count, D, false);
    pack_put(&packed, rows, stride, 0, count);
#endif
    return (struct input){memory, count, D, true};
}

/* out [count,tokens] = rows·keysᵀ, for rows [count,D] with a stride. */
static void multiply_keys(const number *rows, size_t stride, size_t count, const struct input *keys,
                          number *out)
{
#if PRECISE
    for (size_t i = 0; i < count * keys->tokens; i++) {
        const number *row = rows + i / keys->tokens * stride;
        const number *key = keys->numbers + i % keys->tokens * keys->inputs;
        number sum = 0;
        for (size_t d = 0; d < keys->inputs; d++)
            sum += row[d] * key[d];
        out[i] = sum;
    }
#else
    const struct packed packed = pack_in(keys->numbers, keys->tokens, keys->inputs, false);
    matmul_packed(rows, stride, count, &packed, out, keys->tokens);
#endif
}

/* context [count,D] = weights·v, for weights [count,T] and rows of the context with a stride. */
static void multiply_values(const struct head *head, const number *weights, size_t count,
                            number *context, size_t stride)
{
    const size_t T = head->keys.tokens, D = head->keys.inputs, value = value_stride(D);
#if PRECISE
    for (size_t i = 0; i < count; i++, weights += T, context += stride) {
        memset(context, 0, D * sizeof *context);
        for (size_t to = 0; to < T; to++)
            for (size_t d = 0; d < D; d++)
                context[d] += weights[to] * head->values[to * value + d];
    }
#else
    matmul_columns(weights, T, count, T, head->values, value, D, context, stride);
#endif
}
