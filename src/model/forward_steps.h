/* forward_steps.h: the forward pass of all families, written once and compiled for float and for
 * double. It is BERT's; what another family does otherwise is asked of the configuration where it
 * happens. The file that includes this one says what the numbers are and how they are computed
 * with:
 *
 *     number           float or double
 *     FORWARD          the name of the whole pass
 *     FORWARD_WORDS    that of the masked-word head alone
 *     QUERIES_AT_ONCE  the most rows of scores that are computed at a time for a head
 *     THREAD_COST      multiply-adds that are worth a thread: waiting for each other costs too
 *     struct room      the working space, in the trace's scratch
 *     struct places    where the numbers of a layer are computed
 *     struct input     rows [T,inputs] as a linear layer takes them
 *     struct head      the queries, keys and values of one head as products take them
 *
 * and the functions that are used below; forward_float.c tells what each does. */

/* Each uses those above it. */
#include "forward_rows.h"

#include "forward_embed.h"

#include "forward_attend.h"

#include "forward_heads.h"

/* ---- Feed-forward ------------------------------------------------------------------------- */

/* Shazeer 2020: y = f(x·Uᵀ)·(x·Gᵀ), for all threads; y becomes the rows of an input. */
static void linear_gated(const struct pool_thread *thread, const struct pass *pass,
                         const struct linear parts[2])
{
    struct rows rows;
    const size_t F = pass->config->feed_forward;
    number *halves = pass->room.halves; /* [T,2F] */
    linear(thread, &pass->room.input, parts, 2, F, halves);
    while (claim_rows(thread, pass, &rows)) {
        number *products = halves + rows.first * 2 * F; /* [count,F], where halves were used up */
        for (size_t t = 0; t < rows.count; t++) {
            number *row = products + t * 2 * F;
            activate(pass->config->activation, row, F);
            for (size_t i = 0; i < F; i++)
                products[t * F + i] = row[i] * row[F + i];
        }
        put_rows(&pass->room.between, products, rows.first, rows.count);
    }
    pool_barrier(thread);
}

/* Vaswani et al. 2017, 3.3, with BERT's activation f:
 *
 *     output = LayerNorm(x + f(x·W1ᵀ + b1)·W2ᵀ + b2),  x = attention_output
 *
 * Where norms come before, W1 multiplies LayerNorm(x), and nothing is after the sum. */
static void feed_forward(const struct pool_thread *thread, const struct pass *pass, size_t l)
{
    const struct layer_weights *weights = &pass->weights->layer[l];
    const struct layer_trace *layer = &pass->trace->layer[l];
    const struct room *room = &pass->room;
    const struct places at = places_of(room, layer);
    const bool before = pass->config->norm_before;
    if (pass->config->gated)
        linear_gated(thread, pass, weights->intermediate);
    else
        linear_activated(thread, &room->input, weights->intermediate, pass->config->activation,
                         &room->between);
    linear(thread, &room->between, &weights->output, 1, pass->trace->hidden, at.output);
    add_and_norm(thread, pass, before ? norm_before(pass, l + 1) : &weights->output_norm,
                 at.attention_output, at.output, layer->output,
                 before ? place_of_normed(pass->trace, l + 1) : NULL);
}

/* ---- The convolution of DeBERTa ----------------------------------------------------------- */

/* The embeddings of K tokens around each, as a linear layer takes them: x_h of token t + k - K/2 is
 * input h·K + k, as the convolution's weights lie; 0 where there is none. */
static void gather_neighbours(const struct pool_thread *thread, const struct pass *pass,
                              const number *x)
{
    struct rows rows;
    const size_t T = pass->trace->tokens, H = pass->trace->hidden, K = pass->config->kernel;
    number *neighbours = pass->room.neighbours; /* [T,H·K] */
    while (claim_rows(thread, pass, &rows)) {
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            for (size_t i = 0; i < H * K; i++) {
                const size_t token = t + i % K; /* and K/2 before */
                const bool there = token >= K / 2 && token < T + K / 2;
                neighbours[t * H * K + i] = there ? x[(token - K / 2) * H + i / K] : 0;
            }
        put_rows(&pass->room.convolved, neighbours + rows.first * H * K, rows.first, rows.count);
    }
    pool_barrier(thread);
}

/* Beside the first layer:  output = LayerNorm(output + f(conv(embedding))) */
static void convolve(const struct pool_thread *thread, const struct pass *pass)
{
    struct rows rows;
    const struct weights *weights = pass->weights;
    const struct layer_trace *layer = &pass->trace->layer[0];
    const size_t H = pass->trace->hidden;
    number *x = pass->room.rows, *output = places_of(&pass->room, layer).output;
    linear(thread, &pass->room.convolved, &weights->convolution, 1, H, x);
    while (claim_rows(thread, pass, &rows)) {
        const size_t first = rows.first * H, count = rows.count * H;
        copy_into_trace(output + first, count, layer->before_conv + first);
        activate(pass->config->convolution, x + first, count);
        for (size_t i = first; i < first + count; i += H)
            norm_row(pass, &weights->convolution_norm, H, x + i, true, output + i);
        keep(pass, rows, H, output, layer->output);
        look_at(pass, rows, H, layer->output);
        put_rows(&pass->room.input, output + first, rows.first, rows.count);
    }
    pool_barrier(thread);
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

/* A head leaves its own numbers where its input was. */
static void carry_out_heads(const struct pool_thread *thread, const struct pass *pass,
                            const number *last /* [T,H] */)
{
    const struct trace *trace = pass->trace;
    const bool words = trace_words(trace);
    if (trace->sentence_embedding) {
        if (thread->index == 0)
            embed_sentence(pass, last);
        pool_barrier(thread);
    }
    if (words)
        word_head(thread, pass);
    if (words && trace->rtd_logits)
        put_input(thread, pass, trace->layers, last);
    if (trace->rtd_logits)
        replaced_head(thread, pass);
    if (trace->pooler_output || trace->nsp_logits || trace->sop_logits)
        pooled_heads(thread, pass, last);
}

static void carry_out(const struct pool_thread *thread, void *context)
{
    struct pass *pass = context;
    struct trace *trace = pass->trace;
    const size_t first = pass->first, layers = trace->layers;
    const number *last = places_of(&pass->room, &trace->layer[layers - 1]).output;
    prepare_positions(thread, pass);
    if (first == 0)
        embed(thread, pass);
    if (first == 0 && pass->config->kernel > 0)
        gather_neighbours(thread, pass, places_of(&pass->room, &trace->layer[0]).input);
    put_input(thread, pass, first,
              first < layers ? places_of(&pass->room, &trace->layer[first]).input : last);
    for (size_t l = first; l < layers; l++) {
        self_attention(thread, pass, l);
        feed_forward(thread, pass, l);
        if (l == 0 && pass->config->kernel > 0)
            convolve(thread, pass);
        if (!go_on(thread, pass, l + 1))
            return;
    }
    carry_out_heads(thread, pass, last);
}

enum status FORWARD(const struct model *model, const struct interventions *changes, size_t first,
                    const struct watch *watch, struct trace *trace, struct error *error)
{
    atomic_bool broken = false;
    const struct config *config = model_config(model);
    struct pass pass = {.config = config,
                        .weights = model_weights(model),
                        .changes = changes,
                        .trace = trace,
                        .first = first,
                        .room = room_in(config, trace),
                        .watch = watch,
                        .error = error,
                        .broken = &broken};
    uint64_t threads = 1 + forward_cost(config, trace->tokens) / THREAD_COST;
    pool_run(threads < pool_size() ? (size_t)threads : pool_size(), carry_out, &pass);
    if (broken || (pass.status == STATUS_OK && !finite_logits(trace)))
        return finite_explain(model, trace, error);
    return pass.status;
}
