#include "headlight/model/forward_single.h"

#include "headlight/base/size.h"
#include "headlight/model/finite.h"
#include "headlight/model/head_mask.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/activation.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/matmul.h"
#include "headlight/tensor/thread_pool.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* What every thread of the pool looks at during one forward pass. Its working space lies in the
 * trace's scratch. */
struct pass {
    const struct config *config;
    const struct weights *weights;
    const struct interventions *changes; /* never NULL */
    struct trace *trace;
    size_t first;        /* layer; those before it are there already */
    struct packed input; /* [T,H]  of a linear layer */
    struct packed wide;  /* [T,F]  between the halves of the feed-forward block */
    float *rows;         /* [T,H]  of the masked-word head; in the place of `wide` */
    float *keys;         /* panels [T,D] of each head */
    float *values;       /* [T,D] of each head, its rows made up to whole vectors */
    const struct watch *watch;
    struct error *error;
    enum status status;  /* written by thread 0 alone, read after a wait */
    atomic_bool *broken; /* some number is infinite or NaN */
};

/* ---- Working space ------------------------------------------------------------------------ */

static size_t value_stride(const struct config *config)
{
    size_t dimensions = config->hidden / config->heads, lanes = KERNELS_LANES_MAX;
    return (dimensions + lanes - 1) / lanes * lanes;
}

size_t forward_single_scratch(const struct config *config, size_t tokens)
{
    size_t widest = size_max(config->feed_forward, config->hidden);
    return pack_size(tokens, config->hidden) + pack_size(tokens, widest) +
           pack_size(tokens, config->hidden) + tokens * config->heads * value_stride(config);
}

static void lay_out(struct pass *pass)
{
    const struct config *config = pass->config;
    size_t T = pass->trace->tokens, H = config->hidden, F = config->feed_forward;
    float *wide = pass->trace->scratch + pack_size(T, H);
    pass->input = pack_in(pass->trace->scratch, T, H, true);
    pass->wide = pack_in(wide, T, F, true);
    pass->rows = wide;
    pass->keys = wide + pack_size(T, size_max(F, H));
    pass->values = pass->keys + pack_size(T, H);
}

/* ---- The steps ---------------------------------------------------------------------------- */

/* Each is gone through by all threads, and whole for all when it returns. Rows are claimed as many
 * at a time as panels take. */
struct rows {
    size_t first, count;
};

static bool claim_rows(const struct pool_thread *thread, const struct pass *pass, struct rows *rows)
{
    size_t first = pool_claim(thread) * PACK_TOKENS, tokens = pass->trace->tokens;
    if (first >= tokens)
        return false;
    *rows = (struct rows){first, size_min(tokens - first, PACK_TOKENS)};
    return true;
}

/* While the numbers are near, those are looked at that any other would spoil (finite.h). */
static void check_that(const struct pass *pass, bool finite)
{
    if (!finite)
        atomic_store_explicit(pass->broken, true, memory_order_relaxed);
}

static void check(const struct pass *pass, size_t count, const float *numbers)
{
    check_that(pass, kernels_now()->finite(count, numbers));
}

/* Devlin et al. 2019, 3 and figure 2:  x_t = LayerNorm(word(id_t) + position(t) + segment_t) */
static void embed_token(const struct pass *pass, size_t t)
{
    const struct trace *trace = pass->trace;
    const struct weights *weights = pass->weights;
    const struct norm *norm = &weights->embedding_norm;
    size_t H = trace->hidden;
    float *x = trace->embedding + t * H; /* [H] */
    float *part = pass->rows + t * H;    /* [H] */
    matrix_numbers(&weights->word_embeddings, (size_t)trace->ids[t] * H, H, x);
    matrix_numbers(&weights->segment_embeddings, (size_t)trace->segments[t] * H, H, part);
    for (size_t i = 0; i < H; i++)
        x[i] += part[i];
    matrix_numbers(&weights->position_embeddings, t * H, H, part);
    for (size_t i = 0; i < H; i++)
        x[i] += part[i];
    kernels_now()->layer_norm(x, false, H, norm->weight, norm->bias, pass->config->layer_norm_eps,
                              x);
}

static void embed(const struct pool_thread *thread, const struct pass *pass)
{
    struct rows rows;
    while (claim_rows(thread, pass, &rows))
        for (size_t i = 0; i < rows.count; i++)
            embed_token(pass, rows.first + i);
    pool_barrier(thread);
}

/* x [T,H] becomes the next linear layer's input. */
static void put_input(const struct pool_thread *thread, const struct pass *pass, const float *x)
{
    struct rows rows;
    size_t H = pass->trace->hidden;
    while (claim_rows(thread, pass, &rows))
        pack_put(&pass->input, x + rows.first * H, H, rows.first, rows.count);
    pool_barrier(thread);
}

/* y = LayerNorm(x + y), for x and y [T,H], and the next linear layer's input. */
static void add_and_norm(const struct pool_thread *thread, const struct pass *pass,
                         const struct norm *norm, const float *x, float *y)
{
    struct rows rows;
    size_t H = pass->trace->hidden;
    while (claim_rows(thread, pass, &rows)) {
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            kernels_now()->layer_norm(x + t * H, true, H, norm->weight, norm->bias,
                                      pass->config->layer_norm_eps, y + t * H);
        check(pass, rows.count * H, y + rows.first * H);
        pack_put(&pass->input, y + rows.first * H, H, rows.first, rows.count);
    }
    pool_barrier(thread);
}

/* A token attends to no later one. */
static void mask_later_tokens(float *scores /* [T,T] */, size_t tokens, size_t first, size_t end)
{
    for (size_t from = first; from < end; from++)
        for (size_t to = from + 1; to < tokens; to++)
            scores[from * tokens + to] = -INFINITY;
}

/* What all tokens of one head look at: its keys as panels, its values in rows of whole vectors. */
struct memory {
    struct packed keys;
    float *values; /* [T,D] with a stride */
    size_t stride;
};

static struct memory gather(const struct pass *pass, size_t l, size_t head)
{
    const struct layer_trace *layer = &pass->trace->layer[l];
    size_t T = pass->trace->tokens, D = pass->trace->dimensions;
    struct memory memory = {.stride = value_stride(pass->config)};
    memory.keys = pack_in(pass->keys + head * pack_size(T, D), T, D, false);
    memory.values = pass->values + head * T * memory.stride;
    pack_put(&memory.keys, heads_row(&layer->key, head, 0), layer->key.token_stride, 0, T);
    for (size_t t = 0; t < T; t++)
        memcpy(memory.values + t * memory.stride, heads_row(&layer->value, head, t),
               D * sizeof *memory.values);
    if (head_mask_has(pass->changes->off[l], head)) /* they will not show in the context */
        for (size_t t = 0; t < T; t++)
            check(pass, D, memory.values + t * memory.stride);
    return memory;
}

/* Vaswani et al. 2017, equation 1, for the tokens first … end - 1 of one head:
 *
 *     scores = q·kᵀ/√D     weights = softmax(scores)     context = weights·v
 *
 * A head that is switched off keeps its weights, which say what it would attend to, and adds
 * nothing: its columns of the context are zero. */
static void attend(const struct pass *pass, size_t l, size_t head, const struct memory *memory,
                   size_t first, size_t end)
{
    const struct trace *trace = pass->trace;
    const struct layer_trace *layer = &trace->layer[l];
    size_t T = trace->tokens, H = trace->hidden, D = trace->dimensions;
    float scale = pass->changes->unscaled ? 1 : 1 / sqrtf((float)D);
    float *scores = layer->scores + head * T * T;           /* [T,T] */
    float *weights = layer->weights + head * T * T;         /* [T,T] */
    float *context = layer->context + first * H + head * D; /* [T,D], stride H */
    matmul_packed(heads_row(&layer->query, head, first), layer->query.token_stride, end - first,
                  &memory->keys, scores + first * T, T);
    if (pass->changes->causal) {
        check(pass, (end - first) * T, scores + first * T);
        mask_later_tokens(scores, T, first, end);
    }
    for (size_t t = first; t < end; t++) {
        bool finite = kernels_now()->softmax(scale, T, scores + t * T, weights + t * T);
        check_that(pass, finite || pass->changes->causal);
    }
    if (head_mask_has(pass->changes->off[l], head))
        for (size_t t = first; t < end; t++, context += H)
            memset(context, 0, D * sizeof *context);
    else
        matmul_columns(weights + first * T, T, end - first, T, memory->values, memory->stride, D,
                       context, H);
}

/* So many rows of scores and weights stay near while they are gone over. */
#define QUERIES_AT_ONCE 64

static void attend_all(const struct pass *pass, size_t l, size_t head)
{
    struct memory memory = gather(pass, l, head);
    for (size_t t = 0; t < pass->trace->tokens; t += QUERIES_AT_ONCE)
        attend(pass, l, head, &memory, t, size_min(t + QUERIES_AT_ONCE, pass->trace->tokens));
}

/* attention_output = LayerNorm(x + context·Wᵀ + b), and with Vaswani et al. 2017, 3.2.2, for all
 * heads at once:  q = x·W_qᵀ + b_q, and so for key and value. */
static void self_attention(const struct pool_thread *thread, const struct pass *pass, size_t l)
{
    const struct layer_weights *weights = &pass->weights->layer[l];
    const struct layer_trace *layer = &pass->trace->layer[l];
    size_t H = pass->trace->hidden, heads = pass->trace->heads;
    matmul_linear(thread, &pass->input, weights->projections, PROJECTIONS, H, layer->query.data,
                  3 * H);
    for (size_t head = pool_claim(thread); head < heads; head = pool_claim(thread))
        attend_all(pass, l, head);
    pool_barrier(thread);
    put_input(thread, pass, layer->context);
    matmul_linear(thread, &pass->input, &weights->attention_output, 1, H, layer->attention_output,
                  H);
    add_and_norm(thread, pass, &weights->attention_norm, layer->input, layer->attention_output);
}

/* Vaswani et al. 2017, 3.3, with BERT's activation f:
 *
 *     output = LayerNorm(x + f(x·W1ᵀ + b1)·W2ᵀ + b2),  x = attention_output */
static void feed_forward(const struct pool_thread *thread, const struct pass *pass, size_t l)
{
    const struct layer_weights *weights = &pass->weights->layer[l];
    const struct layer_trace *layer = &pass->trace->layer[l];
    size_t H = pass->trace->hidden;
    matmul_activated(thread, &pass->input, &weights->intermediate, pass->config->activation,
                     &pass->wide);
    matmul_linear(thread, &pass->wide, &weights->output, 1, H, layer->output, H);
    add_and_norm(thread, pass, &weights->output_norm, layer->attention_output, layer->output);
}

/* Devlin et al. 2019, 3.1, task 1, after BertLMPredictionHead in modeling_bert.py:
 *
 *     logits = LayerNorm(f(x·Wᵀ + b))·Eᵀ + c,  E the decoder, most often the word embeddings */
static void masked_word_head(const struct pool_thread *thread, const struct pass *pass)
{
    const struct weights *weights = pass->weights;
    struct trace *trace = pass->trace;
    size_t H = trace->hidden, V = trace->vocabulary;
    struct rows rows;
    matmul_linear(thread, &pass->input, &weights->mlm_transform, 1, H, pass->rows, H);
    while (claim_rows(thread, pass, &rows)) {
        activation_apply(pass->config->activation, pass->rows + rows.first * H, rows.count * H);
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            kernels_now()->layer_norm(pass->rows + t * H, false, H, weights->mlm_norm.weight,
                                      weights->mlm_norm.bias, pass->config->layer_norm_eps,
                                      pass->rows + t * H);
        pack_put(&pass->input, pass->rows + rows.first * H, H, rows.first, rows.count);
    }
    pool_barrier(thread);
    matmul_linear(thread, &pass->input, &weights->mlm_decoder, 1, V, trace->mlm_logits, V);
}

/* Devlin et al. 2019, 3.1, task 2, after BertPooler:  logits = tanh(x_0·Wᵀ + b)·Uᵀ + c */
static void next_sentence_head(const struct pool_thread *thread, const struct pass *pass,
                               const float *x /* [T,H], of which the first row counts */)
{
    const struct weights *weights = pass->weights;
    size_t H = pass->trace->hidden;
    float *pooled = pass->rows; /* [H] */
    struct packed first = pack_in(pass->input.numbers, 1, H, true);
    if (thread->index == 0)
        pack_put(&first, x, H, 0, 1);
    pool_barrier(thread);
    matmul_linear(thread, &first, &weights->pooler, 1, H, pooled, H);
    if (thread->index == 0) {
        check(pass, H, pooled); /* tanh makes 1 of infinity */
        for (size_t i = 0; i < H; i++)
            pooled[i] = tanhf(pooled[i]);
        pack_put(&first, pooled, H, 0, 1);
    }
    pool_barrier(thread);
    matmul_linear(thread, &first, &weights->nsp, 1, 2, pass->trace->nsp_logits, 2);
}

/* ---- The pass ----------------------------------------------------------------------------- */

/* Whether to go on after a layer, said by thread 0 to all. */
static bool go_on(const struct pool_thread *thread, struct pass *pass, size_t done)
{
    struct trace *trace = pass->trace;
    if (thread->index == 0 && atomic_load_explicit(pass->broken, memory_order_relaxed)) {
        pass->status = STATUS_FORMAT;
    } else if (thread->index == 0) {
        trace->computed.layers = done;
        pass->status = watch_step(pass->watch, done, trace->layers, pass->error);
    }
    pool_barrier(thread);
    return pass->status == STATUS_OK;
}

static void carry_out(const struct pool_thread *thread, void *context)
{
    struct pass *pass = context;
    struct trace *trace = pass->trace;
    if (pass->first == 0)
        embed(thread, pass);
    put_input(thread, pass,
              pass->first < trace->layers ? trace->layer[pass->first].input
                                          : trace->layer[trace->layers - 1].output);
    for (size_t l = pass->first; l < trace->layers; l++) {
        self_attention(thread, pass, l);
        feed_forward(thread, pass, l);
        if (!go_on(thread, pass, l + 1))
            return;
    }
    if (trace->mlm_logits)
        masked_word_head(thread, pass);
    if (trace->nsp_logits)
        next_sentence_head(thread, pass, trace->layer[trace->layers - 1].output);
}

/* A thread more for every so many multiply-adds: waiting for each other costs too. */
#define MEMBER_COST ((size_t)1 << 22)

enum status forward_single(const struct model *model, const struct interventions *changes,
                           size_t first, const struct watch *watch, struct trace *trace,
                           struct error *error)
{
    atomic_bool broken = false;
    struct pass pass = {.config = model_config(model),
                        .weights = model_weights(model),
                        .changes = changes,
                        .trace = trace,
                        .first = first,
                        .watch = watch,
                        .error = error,
                        .broken = &broken};
    uint64_t threads = 1 + forward_cost(pass.config, trace->tokens) / MEMBER_COST;
    lay_out(&pass);
    pool_run(threads < pool_size() ? (size_t)threads : pool_size(), carry_out, &pass);
    if (broken || (pass.status == STATUS_OK && !finite_logits(trace)))
        return finite_explain(model, trace, error);
    return pass.status;
}
