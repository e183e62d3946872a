/* forward_steps.h: BERT's forward pass, written once and compiled for float and for double. The
 * file that includes this one says what the numbers are and how they are computed with:
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
#include "headlight/base/size.h"
#include "headlight/model/finite.h"
#include "headlight/model/forward.h"
#include "headlight/model/head_mask.h"
#include "headlight/tensor/kernels.h"

#include <stdatomic.h>
#include <string.h>
#include <tgmath.h>

/* What every thread of the pool looks at during one forward pass. */
struct pass {
    const struct config *config;
    const struct weights *weights;
    const struct interventions *changes; /* never NULL */
    struct trace *trace;
    size_t first; /* layer; those before it are there already */
    struct room room;
    const struct watch *watch;
    struct error *error;
    enum status status;  /* written by thread 0 alone, read after a wait */
    atomic_bool *broken; /* some number is infinite or NaN */
};

/* ---- Rows --------------------------------------------------------------------------------- */

/* Steps are gone through by all threads, and whole for all when they return. Rows are claimed as
 * many at a time as panels take. */
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

static void check(const struct pass *pass, bool finite)
{
    if (!finite)
        atomic_store_explicit(pass->broken, true, memory_order_relaxed);
}

/* Rows of x [T,columns] go into the trace, whose tensor is `traced`. */
static void keep(const struct pass *pass, struct rows rows, size_t columns, const number *x,
                 float *traced)
{
    const size_t first = rows.first * columns;
    check(pass, put_into_trace(x + first, rows.count * columns, traced + first));
}

/* While the numbers are near, those are looked at that any other would spoil (finite.h). */
static void look_at(const struct pass *pass, struct rows rows, size_t columns, const float *traced)
{
    check(pass, kernels_now()->finite(rows.count * columns, traced + rows.first * columns));
}

static void norm_row(const struct pass *pass, const struct norm *norm, const number *x, bool add,
                     number *y)
{
    layer_norm(norm, pass->config->layer_norm_eps, pass->trace->hidden, x, add, y);
}

/* y = LayerNorm(x + y), for x and y [T,H], and the next linear layer's input. */
static void add_and_norm(const struct pool_thread *thread, const struct pass *pass,
                         const struct norm *norm, const number *x, number *y, float *traced)
{
    struct rows rows;
    size_t H = pass->trace->hidden;
    while (claim_rows(thread, pass, &rows)) {
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            norm_row(pass, norm, x + t * H, true, y + t * H);
        keep(pass, rows, H, y, traced);
        look_at(pass, rows, H, traced);
        put_rows(&pass->room.input, y + rows.first * H, rows.first, rows.count);
    }
    pool_barrier(thread);
}

/* ---- Embeddings --------------------------------------------------------------------------- */

/* Vaswani et al. 2017, 3.5:  x_2i += sin(t/10000^(2i/H)),  x_2i+1 += cos(t/10000^(2i/H)) */
static void add_sinusoids(size_t t, size_t H, number *x /* [H] */)
{
    for (size_t i = 0; i < H; i++) {
        double angle = (double)t / pow(10000, (double)(i - i % 2) / (double)H);
        x[i] += (number)(i % 2 == 0 ? sin(angle) : cos(angle));
    }
}

/* Devlin et al. 2019, 3 and figure 2:  x_t = LayerNorm(word(id_t) + segment_t + position(t)) */
static void embed_token(const struct pass *pass, size_t t, number *x /* [H] */)
{
    const struct weights *weights = pass->weights;
    const struct interventions *changes = pass->changes;
    const struct trace *trace = pass->trace;
    const struct {
        const struct matrix *table;
        size_t row;
        bool left_out;
    } parts[] = {
        {&weights->word_embeddings, (size_t)trace->ids[t], false},
        {&weights->segment_embeddings, (size_t)trace->segments[t], changes->no_segments},
        {&weights->position_embeddings, t, changes->positions != POSITIONS_LEARNT},
    };
    size_t H = trace->hidden;
    float *part = (float *)(void *)(pass->room.rows + t * H); /* [H] */
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        if (parts[p].left_out)
            continue;
        matrix_numbers(parts[p].table, parts[p].row * H, H, part);
        for (size_t i = 0; i < H; i++)
            x[i] = p == 0 ? (number)part[i] : x[i] + (number)part[i];
    }
    if (changes->positions == POSITIONS_SINUSOIDAL)
        add_sinusoids(t, H, x);
    norm_row(pass, &weights->embedding_norm, x, false, x);
}

static void embed(const struct pool_thread *thread, const struct pass *pass)
{
    struct rows rows;
    struct trace *trace = pass->trace;
    number *x = places_of(&pass->room, &trace->layer[0]).input;
    while (claim_rows(thread, pass, &rows)) {
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            embed_token(pass, t, x + t * trace->hidden);
        keep(pass, rows, trace->hidden, x, trace->embedding);
    }
    pool_barrier(thread);
}

/* x [T,H] becomes the next linear layer's input. */
static void put_input(const struct pool_thread *thread, const struct pass *pass, const number *x)
{
    struct rows rows;
    size_t H = pass->trace->hidden;
    while (claim_rows(thread, pass, &rows))
        put_rows(&pass->room.input, x + rows.first * H, rows.first, rows.count);
    pool_barrier(thread);
}

/* ---- Self-attention ----------------------------------------------------------------------- */

/* The scores of what may not be attended to become -inf: of what comes after the token if attention
 * is causal, of hidden tokens, of what is cut. How many of the first `seen` are left. */
static size_t mask_row(const struct pass *pass, size_t l, size_t head, size_t from, size_t seen,
                       number *scores /* [T] */)
{
    const struct interventions *changes = pass->changes;
    size_t left = seen, count;
    const struct cut *cuts = interventions_cuts(changes, l, head, from, &count);
    for (size_t to = seen; to < pass->trace->tokens; to++)
        scores[to] = -INFINITY;
    for (size_t i = 0; i < changes->hidden_count; i++)
        if (changes->hidden[i] < seen) {
            scores[changes->hidden[i]] = -INFINITY;
            left--;
        }
    for (size_t i = 0; i < count; i++)
        if (cuts[i].to < seen && !interventions_is_hidden(changes, cuts[i].to)) {
            scores[cuts[i].to] = -INFINITY;
            left--;
        }
    return left;
}

static size_t count_finite(const number *scores, size_t count)
{
    size_t finite = 0;
    for (size_t i = 0; i < count; i++)
        finite += isfinite((float)scores[i]) != 0;
    return finite;
}

/* One row of a head: from scores q·kᵀ to its weights. Whether the scores that no mask hides are
 * finite. */
static bool weigh_row(const struct pass *pass, size_t l, size_t head, size_t from, number scale,
                      number *scores, number *weights)
{
    const struct interventions *changes = pass->changes;
    const size_t T = pass->trace->tokens, seen = changes->causal ? from + 1 : T;
    size_t left = mask_row(pass, l, head, from, seen, scores);
    if (left == 0) {
        memset(weights, 0, T * sizeof *weights);
        return true;
    }
    bool finite = softmax(scale, seen, T, scores, weights);
    if (left < seen)
        finite = count_finite(scores, seen) == left;
    for (size_t to = 0; head_mask_has(changes->uniform[l], head) && to < T; to++)
        weights[to] = isinf(scores[to]) ? 0 : 1 / (number)left;
    return finite;
}

/* Vaswani et al. 2017, equation 1, for the tokens first … end - 1 of one head:
 *
 *     scores = q·kᵀ/√D     weights = softmax(scores)     context = weights·v
 *
 * A causal mask leaves a token itself and those before it. A head that is switched off keeps its
 * weights, which say what it would attend to, and adds nothing: its columns of the context are
 * zero. */
static void attend(const struct pass *pass, size_t l, const struct head *head, size_t first,
                   size_t end)
{
    const struct interventions *changes = pass->changes;
    const struct layer_trace *layer = &pass->trace->layer[l];
    const struct places at = places_of(&pass->room, layer);
    const size_t T = pass->trace->tokens, H = pass->trace->hidden, D = pass->trace->dimensions;
    const size_t count = end - first, row = head->index * T + first;
    const number scale =
        (changes->unscaled ? 1 : 1 / sqrt((number)D)) / (number)interventions_temperature(changes);
    number *scores = at.scores + row_of(head->index, T, first) * T;   /* [count,T] */
    number *weights = at.weights + row_of(head->index, T, first) * T; /* [count,T] */
    number *context = at.context + first * H + head->index * D;       /* [count,D], stride H */
    multiply_keys(head, first, count, scores);
    for (size_t i = 0; i < count; i++)
        check(pass,
              weigh_row(pass, l, head->index, first + i, scale, scores + i * T, weights + i * T));
    put_into_trace(scores, count * T, layer->scores + row * T);
    put_into_trace(weights, count * T, layer->weights + row * T);
    if (!head_mask_has(changes->off[l], head->index))
        multiply_values(head, weights, count, context, H);
    else
        for (size_t i = 0; i < count; i++)
            memset(context + i * H, 0, D * sizeof *context);
}

/* Whether there are keys or values that neither scores nor context show. */
static bool loses_some(const struct interventions *changes, size_t l)
{
    return changes->off[l] != 0 || changes->hidden_count > 0 || changes->cut_count > 0;
}

static void attend_all(const struct pass *pass, size_t l, size_t index)
{
    const size_t T = pass->trace->tokens;
    const struct head head = gather(&pass->room, pass->trace, l, index);
    for (size_t t = 0; t < T; t += QUERIES_AT_ONCE)
        attend(pass, l, &head, t, size_min(t + QUERIES_AT_ONCE, T));
}

/* attention_output = LayerNorm(x + context·Wᵀ + b), and with Vaswani et al. 2017, 3.2.2, for all
 * heads at once:  q = x·W_qᵀ + b_q, and so for key and value. */
static void self_attention(const struct pool_thread *thread, const struct pass *pass, size_t l)
{
    const struct layer_weights *weights = &pass->weights->layer[l];
    const struct layer_trace *layer = &pass->trace->layer[l];
    const struct room *room = &pass->room;
    const struct places at = places_of(room, layer);
    size_t H = pass->trace->hidden, heads = pass->trace->heads;
    struct rows rows;
    linear(thread, &room->input, weights->projections, PROJECTIONS, H, at.projections);
    for (size_t head = pool_claim(thread); head < heads; head = pool_claim(thread))
        attend_all(pass, l, head);
    pool_barrier(thread);
    while (claim_rows(thread, pass, &rows)) {
        keep(pass, rows, PROJECTIONS * H, at.projections, layer->query.data);
        keep(pass, rows, H, at.context, layer->context);
        if (loses_some(pass->changes, l))
            look_at(pass, rows, PROJECTIONS * H, layer->query.data);
        put_rows(&room->input, at.context + rows.first * H, rows.first, rows.count);
    }
    pool_barrier(thread);
    linear(thread, &room->input, &weights->attention_output, 1, H, at.attention_output);
    add_and_norm(thread, pass, &weights->attention_norm, at.input, at.attention_output,
                 layer->attention_output);
}

/* ---- Feed-forward ------------------------------------------------------------------------- */

/* Vaswani et al. 2017, 3.3, with BERT's activation f:
 *
 *     output = LayerNorm(x + f(x·W1ᵀ + b1)·W2ᵀ + b2),  x = attention_output */
static void feed_forward(const struct pool_thread *thread, const struct pass *pass, size_t l)
{
    const struct layer_weights *weights = &pass->weights->layer[l];
    const struct layer_trace *layer = &pass->trace->layer[l];
    const struct room *room = &pass->room;
    const struct places at = places_of(room, layer);
    linear_activated(thread, &room->input, &weights->intermediate, pass->config->activation,
                     &room->between);
    linear(thread, &room->between, &weights->output, 1, pass->trace->hidden, at.output);
    add_and_norm(thread, pass, &weights->output_norm, at.attention_output, at.output,
                 layer->output);
}

/* ---- Heads of the model ------------------------------------------------------------------- */

/* Devlin et al. 2019, 3.1, task 1, after BertLMPredictionHead in modeling_bert.py:
 *
 *     logits = LayerNorm(f(x·Wᵀ + b))·Eᵀ + c,  E the decoder, most often the word embeddings */
static void masked_word_head(const struct pool_thread *thread, const struct pass *pass)
{
    const struct weights *weights = pass->weights;
    const struct room *room = &pass->room;
    const size_t H = pass->trace->hidden;
    number *x = room->rows; /* [T,H] */
    struct rows rows;
    linear(thread, &room->input, &weights->mlm_transform, 1, H, x);
    while (claim_rows(thread, pass, &rows)) {
        activate(pass->config->activation, x + rows.first * H, rows.count * H);
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            norm_row(pass, &weights->mlm_norm, x + t * H, false, x + t * H);
        put_rows(&room->input, x + rows.first * H, rows.first, rows.count);
    }
    pool_barrier(thread);
    linear_into_trace(thread, &room->input, &weights->mlm_decoder, pass->trace->vocabulary,
                      pass->trace->mlm_logits);
}

/* The head alone, for rows from anywhere: they are the tokens of a trace that has nothing else. */
struct words_pass {
    struct pass pass;
    const number *rows; /* [T,H] */
};

static void carry_out_words(const struct pool_thread *thread, void *context)
{
    const struct words_pass *words = context;
    put_input(thread, &words->pass, words->rows);
    masked_word_head(thread, &words->pass);
}

enum status FORWARD_WORDS(const struct model *model, const struct word_rows *rows,
                          struct error *error)
{
    const struct config *config = model_config(model);
    const size_t H = config->hidden, V = config->vocabulary;
    struct trace trace = {.tokens = rows->count,
                          .layers = 1,
                          .hidden = H,
                          .vocabulary = V,
                          .mlm_logits = rows->logits,
                          .scratch = rows->scratch,
                          .computed = {.layers = 1, .precise = sizeof(number) > sizeof(float)}};
    struct words_pass words = {.pass = {.config = config,
                                        .weights = model_weights(model),
                                        .trace = &trace,
                                        .room = room_in(config, &trace)}};
    words.rows = take_rows(&words.pass.room, rows->hidden, rows->count * H);
    double threads = 1 + (double)rows->count * (double)H * (double)(H + V) / (double)THREAD_COST;
    pool_run(threads < (double)pool_size() ? (size_t)threads : pool_size(), carry_out_words,
             &words);
    return finite_logits(&trace) ? STATUS_OK : finite_explain(model, &trace, error);
}

/* Devlin et al. 2019, 3.1, task 2, after BertPooler:  logits = tanh(x_0·Wᵀ + b)·Uᵀ + c */
static void next_sentence_head(const struct pool_thread *thread, const struct pass *pass,
                               const number *x /* [T,H], of which the first row counts */)
{
    const struct weights *weights = pass->weights;
    const size_t H = pass->trace->hidden;
    const struct input first = input_in(&pass->room.input, 1);
    number *pooled = pass->room.rows; /* [H] */
    if (thread->index == 0)
        put_rows(&first, x, 0, 1);
    pool_barrier(thread);
    linear(thread, &first, &weights->pooler, 1, H, pooled);
    if (thread->index == 0) {
        for (size_t i = 0; i < H; i++) {
            check(pass, isfinite(pooled[i])); /* tanh makes 1 of infinity */
            pooled[i] = tanh(pooled[i]);
        }
        put_rows(&first, pooled, 0, 1);
    }
    pool_barrier(thread);
    linear_into_trace(thread, &first, &weights->nsp, 2, pass->trace->nsp_logits);
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
    const number *last = places_of(&pass->room, &trace->layer[trace->layers - 1]).output;
    if (pass->first == 0)
        embed(thread, pass);
    put_input(thread, pass,
              pass->first < trace->layers ? places_of(&pass->room, &trace->layer[pass->first]).input
                                          : last);
    for (size_t l = pass->first; l < trace->layers; l++) {
        self_attention(thread, pass, l);
        feed_forward(thread, pass, l);
        if (!go_on(thread, pass, l + 1))
            return;
    }
    if (trace->mlm_logits)
        masked_word_head(thread, pass);
    if (trace->nsp_logits)
        next_sentence_head(thread, pass, last);
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
