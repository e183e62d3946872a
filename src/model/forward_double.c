/* The same bits on every processor: sums that are kept in 80 bits would round otherwise. */
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ == 2
#error "headlight computes in exactly double precision: compile with -msse2 -mfpmath=sse"
#endif

#include "headlight/model/forward_double.h"

#include "headlight/base/size.h"
#include "headlight/model/finite.h"
#include "headlight/model/head_mask.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/thread_pool.h"

#include <math.h>
#include <string.h>

/* Working space, all in the trace's scratch. */
struct pass {
    const struct config *config;
    const struct weights *weights;
    const struct interventions *changes;
    struct trace *trace;
    double *x;       /* [T,H]  the hidden states, from layer to layer */
    double *product; /* [T,3H] query, key, value */
    double *context; /* [T,H] */
    double *y;       /* [T,H] */
    double *between; /* [T,F], or [T,H] in the masked-word head */
    double *row;     /* [A,T]  a row of weights for each head */
    float *widened;  /* [POOL_MAX, F or H]  an output's weights for each thread */
    const struct watch *watch;
    struct error *error;
    enum status status;
};

static size_t widest(const struct config *config)
{
    return size_max(config->feed_forward, config->hidden);
}

size_t forward_double_scratch(const struct config *config, size_t tokens)
{
    size_t doubles = tokens * (6 * config->hidden + widest(config) + config->heads);
    return 2 * doubles + POOL_MAX * widest(config);
}

static void lay_out(struct pass *pass)
{
    size_t T = pass->trace->tokens, H = pass->trace->hidden;
    pass->x = (double *)(void *)pass->trace->scratch;
    pass->product = pass->x + T * H;
    pass->context = pass->product + 3 * T * H;
    pass->y = pass->context + T * H;
    pass->between = pass->y + T * H;
    pass->row = pass->between + T * widest(pass->config);
    pass->widened = (float *)(void *)(pass->row + T * pass->trace->heads);
}

static void round_to(float *numbers, const double *exact, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)exact[i];
}

/* ---- The operations ----------------------------------------------------------------------- */

#define OUTPUTS_AT_ONCE 16

/* y = x·weightᵀ + bias for x [rows,inputs] and y [rows,outputs], whose rows have a stride. */
struct product {
    const struct linear *linear;
    const double *x;
    size_t rows, inputs, outputs;
    double *y;      /* or NULL: */
    float *rounded; /* y */
    size_t stride;
};

static void multiply_output(const struct product *product, size_t output, const float *weight)
{
    const double bias = (double)product->linear->bias[output];
    for (size_t t = 0; t < product->rows; t++) {
        const double *x = product->x + t * product->inputs;
        double sum = bias + kernels_now()->dot(x, weight, product->inputs);
        if (product->rounded)
            product->rounded[t * product->stride + output] = (float)sum;
        else
            product->y[t * product->stride + output] = sum;
    }
}

/* For all threads. */
static void multiply(const struct pool_thread *thread, const struct pass *pass,
                     struct product product)
{
    float *room = pass->widened + thread->index * widest(pass->config);
    size_t first, inputs = product.inputs;
    while ((first = OUTPUTS_AT_ONCE * pool_claim(thread)) < product.outputs)
        for (size_t o = first; o < size_min(first + OUTPUTS_AT_ONCE, product.outputs); o++) {
            const float *weight = matrix_floats(&product.linear->weight, o * inputs);
            if (!weight)
                matrix_numbers(&product.linear->weight, o * inputs, inputs, room);
            multiply_output(&product, o, weight ? weight : room);
        }
    pool_barrier(thread);
}

static void linear(const struct pool_thread *thread, const struct pass *pass,
                   const struct linear *linear, const double *x, size_t inputs, double *y,
                   size_t outputs, size_t stride)
{
    multiply(thread, pass,
             (struct product){.linear = linear,
                              .x = x,
                              .rows = pass->trace->tokens,
                              .inputs = inputs,
                              .outputs = outputs,
                              .y = y,
                              .stride = stride});
}

/* Ba et al. 2016; y may be x */
static void layer_norm(const struct pass *pass, const struct norm *norm, const double *x, double *y)
{
    size_t H = pass->trace->hidden;
    double mean = 0, variance = 0;
    for (size_t i = 0; i < H; i++)
        mean += x[i] / (double)H;
    for (size_t i = 0; i < H; i++)
        variance += (x[i] - mean) * (x[i] - mean) / (double)H;
    double scale = 1 / sqrt(variance + (double)pass->config->layer_norm_eps);
    for (size_t i = 0; i < H; i++)
        y[i] = (x[i] - mean) * scale * (double)norm->weight[i] + (double)norm->bias[i];
}

static void softmax(double *row, size_t count)
{
    double maximum = -INFINITY, total = 0;
    for (size_t i = 0; i < count; i++)
        maximum = fmax(maximum, row[i]);
    for (size_t i = 0; i < count; i++)
        total += row[i] = exp(row[i] - maximum);
    for (size_t i = 0; i < count; i++)
        row[i] /= total;
}

/* Hendrycks and Gimpel 2016: x·Φ(x), and its approximation by tanh. */
static double activate(enum activation activation, double x)
{
    switch (activation) {
    case ACTIVATION_GELU_NEW:
        return 0.5 * x * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
    case ACTIVATION_RELU:
        return x > 0 ? x : 0 * x + 0; /* as in activation.c */
    default:
        return 0.5 * x * (1 + erf(x * 0.70710678118654752440));
    }
}

/* A thread more for every so many multiply-adds. */
#define MEMBER_COST ((size_t)1 << 20)

/* ---- The steps, as in forward.h ----------------------------------------------------------- */

static void embed_token(const struct pass *pass, size_t t, float *room /* [H] */)
{
    const struct weights *weights = pass->weights;
    const struct trace *trace = pass->trace;
    size_t H = trace->hidden;
    double *x = pass->x + t * H;
    matrix_numbers(&weights->word_embeddings, (size_t)trace->ids[t] * H, H, room);
    for (size_t i = 0; i < H; i++)
        x[i] = (double)room[i];
    matrix_numbers(&weights->segment_embeddings, (size_t)trace->segments[t] * H, H, room);
    for (size_t i = 0; i < H; i++)
        x[i] += (double)room[i];
    matrix_numbers(&weights->position_embeddings, t * H, H, room);
    for (size_t i = 0; i < H; i++)
        x[i] += (double)room[i];
    layer_norm(pass, &weights->embedding_norm, x, x);
    round_to(trace->embedding + t * H, x, H);
}

static void embed(const struct pool_thread *thread, const struct pass *pass)
{
    float *room = pass->widened + thread->index * widest(pass->config);
    for (size_t t = pool_claim(thread); t < pass->trace->tokens; t = pool_claim(thread))
        embed_token(pass, t, room);
    pool_barrier(thread);
}

/* One token of one head: its scores, weights and context. */
static void attend(const struct pass *pass, size_t l, size_t head, size_t from)
{
    const struct trace *trace = pass->trace;
    const struct layer_trace *layer = &trace->layer[l];
    size_t T = trace->tokens, H = trace->hidden, D = trace->dimensions;
    double scale = pass->changes->unscaled ? 1 : 1 / sqrt((double)D);
    const double *query = pass->product + from * 3 * H + head * D;
    double *context = pass->context + from * H + head * D, *row = pass->row + head * T;
    for (size_t to = 0; to < T; to++) {
        const double *key = pass->product + to * 3 * H + H + head * D;
        double sum = 0;
        for (size_t d = 0; d < D; d++)
            sum += query[d] * key[d];
        row[to] = pass->changes->causal && to > from ? -INFINITY : sum * scale;
    }
    round_to(layer->scores + (head * T + from) * T, row, T);
    softmax(row, T);
    round_to(layer->weights + (head * T + from) * T, row, T);
    memset(context, 0, D * sizeof *context);
    if (head_mask_has(pass->changes->off[l], head))
        return;
    for (size_t to = 0; to < T; to++)
        for (size_t d = 0; d < D; d++)
            context[d] += row[to] * pass->product[to * 3 * H + 2 * H + head * D + d];
}

/* x = LayerNorm(x + y), rounded into `rounded`, all [T,H] */
static void add_and_norm(const struct pool_thread *thread, const struct pass *pass,
                         const struct norm *norm, float *rounded)
{
    size_t H = pass->trace->hidden;
    for (size_t t = pool_claim(thread); t < pass->trace->tokens; t = pool_claim(thread)) {
        double *x = pass->x + t * H, *y = pass->y + t * H;
        for (size_t i = 0; i < H; i++)
            y[i] += x[i];
        layer_norm(pass, norm, y, x);
        round_to(rounded + t * H, x, H);
    }
    pool_barrier(thread);
}

static void self_attention(const struct pool_thread *thread, const struct pass *pass, size_t l)
{
    const struct layer_weights *weights = &pass->weights->layer[l];
    const struct layer_trace *layer = &pass->trace->layer[l];
    size_t T = pass->trace->tokens, H = pass->trace->hidden, heads = pass->trace->heads;
    for (size_t i = 0; i < PROJECTIONS; i++)
        linear(thread, pass, &weights->projections[i], pass->x, H, pass->product + i * H, H, 3 * H);
    for (size_t head = pool_claim(thread); head < heads; head = pool_claim(thread))
        for (size_t t = 0; t < T; t++)
            attend(pass, l, head, t);
    pool_barrier(thread);
    if (thread->index == 0) {
        round_to(layer->query.data, pass->product, T * 3 * H);
        round_to(layer->context, pass->context, T * H);
    }
    linear(thread, pass, &weights->attention_output, pass->context, H, pass->y, H, H);
    add_and_norm(thread, pass, &weights->attention_norm, layer->attention_output);
}

static void activate_all(const struct pool_thread *thread, const struct pass *pass, size_t count)
{
    for (size_t t = pool_claim(thread); t < pass->trace->tokens; t = pool_claim(thread))
        for (size_t i = 0; i < count; i++)
            pass->between[t * count + i] =
                activate(pass->config->activation, pass->between[t * count + i]);
    pool_barrier(thread);
}

static void feed_forward(const struct pool_thread *thread, const struct pass *pass, size_t l)
{
    const struct layer_weights *weights = &pass->weights->layer[l];
    size_t H = pass->trace->hidden, F = pass->config->feed_forward;
    linear(thread, pass, &weights->intermediate, pass->x, H, pass->between, F, F);
    activate_all(thread, pass, F);
    linear(thread, pass, &weights->output, pass->between, F, pass->y, H, H);
    add_and_norm(thread, pass, &weights->output_norm, pass->trace->layer[l].output);
}

static void masked_word_head(const struct pool_thread *thread, const struct pass *pass)
{
    const struct weights *weights = pass->weights;
    struct trace *trace = pass->trace;
    size_t T = trace->tokens, H = trace->hidden, V = trace->vocabulary;
    linear(thread, pass, &weights->mlm_transform, pass->x, H, pass->between, H, H);
    activate_all(thread, pass, H);
    for (size_t t = pool_claim(thread); t < T; t = pool_claim(thread))
        layer_norm(pass, &weights->mlm_norm, pass->between + t * H, pass->between + t * H);
    pool_barrier(thread);
    multiply(thread, pass,
             (struct product){.linear = &weights->mlm_decoder,
                              .x = pass->between,
                              .rows = T,
                              .inputs = H,
                              .outputs = V,
                              .rounded = trace->mlm_logits,
                              .stride = V});
}

static void next_sentence_head(const struct pool_thread *thread, const struct pass *pass)
{
    const struct weights *weights = pass->weights;
    size_t H = pass->trace->hidden;
    struct product pooled = {.linear = &weights->pooler,
                             .x = pass->x,
                             .rows = 1,
                             .inputs = H,
                             .outputs = H,
                             .y = pass->y,
                             .stride = H};
    struct product logits = {.linear = &weights->nsp,
                             .x = pass->y,
                             .rows = 1,
                             .inputs = H,
                             .outputs = 2,
                             .rounded = pass->trace->nsp_logits,
                             .stride = 2};
    multiply(thread, pass, pooled);
    if (thread->index == 0)
        for (size_t i = 0; i < H; i++)
            pass->y[i] = isfinite(pass->y[i]) ? tanh(pass->y[i]) : NAN; /* of infinity: 1 */
    pool_barrier(thread);
    multiply(thread, pass, logits);
}

/* ---- The pass ----------------------------------------------------------------------------- */

static void carry_out(const struct pool_thread *thread, void *context)
{
    struct pass *pass = context;
    struct trace *trace = pass->trace;
    embed(thread, pass);
    for (size_t l = 0; l < trace->layers; l++) {
        self_attention(thread, pass, l);
        feed_forward(thread, pass, l);
        if (thread->index == 0 && !finite_layer(trace, l, pass->changes->causal)) {
            pass->status = STATUS_FORMAT;
        } else if (thread->index == 0) {
            trace->computed.layers = l + 1;
            pass->status = watch_step(pass->watch, l + 1, trace->layers, pass->error);
        }
        pool_barrier(thread);
        if (pass->status != STATUS_OK)
            return;
    }
    if (trace->mlm_logits)
        masked_word_head(thread, pass);
    if (trace->nsp_logits)
        next_sentence_head(thread, pass);
}

enum status forward_double(const struct model *model, const struct interventions *changes,
                           const struct watch *watch, struct trace *trace, struct error *error)
{
    struct pass pass = {.config = model_config(model),
                        .weights = model_weights(model),
                        .changes = changes,
                        .trace = trace,
                        .watch = watch,
                        .error = error};
    uint64_t threads = 1 + forward_cost(pass.config, trace->tokens) / MEMBER_COST;
    lay_out(&pass);
    pool_run(threads < pool_size() ? (size_t)threads : pool_size(), carry_out, &pass);
    if (pass.status == STATUS_FORMAT || (pass.status == STATUS_OK && !finite_logits(trace)))
        return finite_explain(model, trace, error);
    return pass.status;
}
