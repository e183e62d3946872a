/* forward_pass.c: the forward pass of all families, from top to bottom as in the papers. It is
 * BERT's; where another family differs, the configuration is consulted on the spot. This file is
 * the arithmetic; forward.c and batch.c are what surrounds it. All threads of the pool run every
 * step together, and a step has finished for all of them when it returns. */

/* Each uses those above it. */
#include "forward_numbers.h"

#include "forward_rows.h"

#include "forward_embed.h"

/* ---- Attention ----------------------------------------------------------------------- */

static bool is_within(struct token_range range, size_t token)
{
    return token >= range.first && token < range.end;
}

/* One row of a head: from scores to weights. First masked scores become -inf: of tokens out of
 * reach, hidden tokens, cut connections; `left` are not. Returns whether those are finite. */
static bool weigh_row(const struct pass *pass, const struct head *head, size_t from, float scale,
                      float *scores /* [S] */, float *weights)
{
    const struct interventions *changes = head->changes;
    const size_t S = head->trace->attended;
    const uint32_t number = trace_changed_token(head->trace, 0);
    const struct token_range visible = trace_visible(head->trace, pass->l, from);
    size_t left = visible.end - visible.first, count;
    const struct cut *cuts =
        interventions_cuts(changes, head->trace->numbered + pass->l, head->index, from, &count);
    for (size_t to = 0; to < visible.first; to++)
        scores[to] = -INFINITY;
    for (size_t to = visible.end; to < S; to++)
        scores[to] = -INFINITY;
    for (size_t i = 0; i < changes->hidden_count; i++)
        if (is_within(visible, changes->hidden[i] - number)) { /* the other text's are beyond any */
            scores[changes->hidden[i] - number] = -INFINITY;
            left--;
        }
    for (size_t i = 0; i < count; i++)
        if (is_within(visible, cuts[i].to) &&
            !interventions_is_hidden(changes, number + cuts[i].to)) {
            scores[cuts[i].to] = -INFINITY;
            left--;
        }
    if (left == 0) {
        memset(weights, 0, S * sizeof *weights);
        return true;
    }
    const bool whole = kernels_now()->softmax(scale, S, scores, weights);
    size_t finite = left == S && whole ? S : 0;
    for (size_t to = 0; left < S && to < S; to++)
        finite += isfinite(scores[to]) != 0;
    const bool uniform =
        head_mask_has(changes->uniform[head->trace->numbered + pass->l], head->index);
    for (size_t to = 0; uniform && to < S; to++)
        weights[to] = isinf(scores[to]) ? 0 : 1 / (float)left;
    return finite == left;
}

/* x = c·tanh(scale·x/c), NaN of what is not finite. */
static void cap_numbers(double most, float scale, size_t count, float *x)
{
    for (size_t i = 0; i < count; i++)
        x[i] *= scale / (float)most;
    activation_apply(ACTIVATION_TANH, x, count);
    for (size_t i = 0; i < count; i++)
        x[i] *= (float)most;
}

/* scores = scale·q·kᵀ + what the distances add, for `count` rows [T] from the query `first` on.
 * That is a bias, which is in the trace; or, He et al. 2021, equation 2,  q_i·pk_δ(i,j) +
 * k_j·pq_δ(i,j), where pk and pq are the vectors of distances as keys and as queries. */
static void add_relation(const struct pass *pass, const struct head *head, size_t first,
                         size_t count, float scale, float *scores)
{
    const struct trace *text = head->text->trace;
    const size_t T = text->tokens, R = text->distances, stride = head->layer->query.token_stride;
    const bool disentangled = pass->config->relation == RELATION_DISENTANGLED;
    const size_t first_distance = text->first_distance - pass->trace->first_distance;
    float *relative = head->layer->relative + (head->index * T + first) * T;
    if (disentangled)
        matmul_packed(head->queries + first * stride, stride, count, &head->distances,
                      head->products, R);
    for (size_t i = 0; i < count; i++) {
        for (size_t to = 0; to < T; to++) {
            float *score = &scores[i * T + to];
            float added = relative[i * T + to];
            if (disentangled) {
                const size_t row = row_of_distance(pass, first + i, to) - first_distance;
                added = 0;
                if (pass->config->content_position)
                    added += head->products[i * R + row];
                if (pass->config->position_content)
                    added += head->from_keys[to * R + row];
                added = head->changes->positions == POSITIONS_LEARNT ? scale * added : 0;
                relative[i * T + to] = added;
            }
            *score = scale * *score + added;
        }
        if (disentangled) /* a mask may hide the scores that it is added to */
            check_finite(pass, head->text, kernels_now()->finite(T, relative + i * T),
                         TRACE_relative);
    }
}

/* Vaswani et al. 2017, equation 1, for the tokens first … end - 1 of one head:
 *
 *     scores = q·kᵀ/√D     weights = softmax(scores)     context = weights·v
 *
 * A causal mask leaves a token itself and those before it. A head that is switched off keeps its
 * weights, which say what it would attend to, and adds nothing: its columns of the context are
 * zero. */
static void attend(const struct pass *pass, const struct head *head, size_t first, size_t end)
{
    const struct trace *trace = head->trace;
    const size_t S = trace->attended, I = trace->inner, D = trace->dimensions;
    const size_t stride = head->layer->query.token_stride;
    const size_t count = end - first, row = (head->index * trace->tokens + first) * S;
    const head_mask off = head->changes->off[trace->numbered + pass->l];
    /* each score is a sum of so many products of D numbers */
    const size_t divided = trace->divided > 0 ? trace->divided : D * trace->terms;
    float scale = head->changes->unscaled ? 1 : 1 / sqrtf((float)divided);
    float *scores = head->layer->scores + row;   /* [count,S] */
    float *weights = head->layer->weights + row; /* [count,S] */
    float *context = head->layer->context + first * I + head->index * D;
    matmul_packed(head->queries + first * stride, stride, count, &head->keys, scores, S);
    if (head->layer->relative) {
        add_relation(pass, head, first, count, scale, scores);
        scale = 1;
    }
    if (pass->config->score_cap > 0) {
        cap_numbers(pass->config->score_cap, scale, count * S, scores);
        scale = 1;
    }
    scale /= (float)interventions_temperature(head->changes);
    for (size_t i = 0; i < count; i++)
        check_finite(pass, head->text,
                     weigh_row(pass, head, first + i, scale, scores + i * S, weights + i * S),
                     TRACE_scores);
    if (is_last_wanted(pass))
        return;
    if (!head_mask_has(off, head->index))
        matmul_columns(weights, S, count, S, head->values, value_stride(D), D, context, I);
    else
        for (size_t i = 0; i < count; i++)
            memset(context + i * I, 0, D * sizeof *context);
}

/* One head of a text, by one thread: its keys and values are gathered once and then stay in the
 * cache for all queries. */
static void attend_all(const struct pass *pass, size_t index, struct forward_text *text)
{
    const struct trace *trace = pass->cross ? text->trace->cross : text->trace;
    const size_t S = trace->attended, D = trace->dimensions;
    const size_t longest =
        size_max(pass->task->extent.longest, pass->task->extent.longest_attended);
    const struct workspace *workspace = &pass->workspace;
    const struct layer_trace *layer = &trace->layer[pass->l];
    const size_t stride = layer->key.token_stride;
    const float *value = heads_row(&layer->value, index, 0);
    float *values = workspace->values + index * longest * value_stride(D);
    struct head head = {.index = index,
                        .text = text,
                        .changes = &text->trace->computed.changes,
                        .trace = trace,
                        .layer = layer,
                        .queries = heads_row(&layer->query, index, 0),
                        .values = values};
    head.keys = gather_keys(heads_row(&layer->key, index, 0), stride, S, D,
                            workspace->keys + index * pack_size(longest, D));
    for (size_t t = 0; t < S; t++)
        memcpy(values + t * value_stride(D), value + t * stride, D * sizeof *values);
    if (pass->config->relation == RELATION_DISENTANGLED) {
        /* the distances as keys and queries, and the products that all the head's queries share */
        const size_t H = trace->hidden, R = trace->distances, most = pass->trace->distances;
        const size_t first = trace->first_distance - pass->trace->first_distance;
        const float *relation = pass->layer->rel_query.data + first * 2 * H + index * D;
        float *memory = workspace->relations + 2 * index * pack_size(most, D);
        head.distances = gather_keys(relation + H, 2 * H, R, D, memory);
        head.from_keys = workspace->from_keys + index * pass->task->extent.longest * most;
        head.products = workspace->products + index * QUERIES_AT_ONCE * most;
        const struct packed queries =
            gather_keys(relation, 2 * H, R, D, memory + pack_size(most, D));
        matmul_packed(head.queries + H, layer->query.token_stride, S, &queries, head.from_keys, R);
    }
    for (size_t t = text->begin; t < text->end; t += QUERIES_AT_ONCE)
        attend(pass, &head, t, size_min(t + QUERIES_AT_ONCE, text->end));
}

/* Vaswani et al. 2017, 3.2.2: the scores, weights and contexts of a head, by one thread. The
 * contexts of all are rows of the next linear layer's input. */
static size_t carry_out_attention(struct pass *pass, const struct operation *of)
{
    const size_t I = pass->trace->inner, heads = pass->trace->heads;
    const struct layer_trace *layer = of->cross ? &pass->trace->cross->layer[pass->l] : pass->layer;
    const size_t width = layer->query.token_stride; /* of queries, and mostly of keys and values */
    if (pass->config->relation == RELATION_DISENTANGLED)
        project_distances(pass);
    if (pass->config->own_relations && !of->cross)
        make_position_biases(pass);
    for (size_t head = pool_claim(pass->thread); head < heads; head = pool_claim(pass->thread))
        for (size_t i = 0; i < pass->task->extent.texts; i++)
            attend_all(pass, head, &pass->texts[i]);
    pool_barrier(pass->thread);
    give_weights(pass);
    /* whether some keys or values reach neither scores nor context and need a check of their own */
    const size_t numbered = (of->cross ? pass->trace->cross : pass->trace)->numbered;
    bool loses = false;
    for (size_t i = 0; i < pass->task->extent.texts; i++) {
        const struct interventions *changes = &pass->texts[i].trace->computed.changes;
        loses |= changes->off[numbered + pass->l] != 0 || changes->hidden_count > 0 ||
                 changes->cut_count > 0;
    }
    for (struct rows rows; !is_last_wanted(pass) && claim_rows(pass, &rows);) {
        if (loses)
            check_rows(pass, rows, width, layer->query.data, TRACE_query);
        pack_rows(pass, of->cross ? STAGE_CROSS_CONTEXT : STAGE_CONTEXT, I, rows);
    }
    return of[1].kind == OPERATION_CAP ? 4 : 3;
}

/* ---- Operations on rows ------------------------------------------------------------------- */

/* Linear layers that take the same, and whose weights lie one after the other, are one product: q,
 * k and v, the two halves of a gated block. An activation goes into the product before it, if
 * nobody takes anything else from that. */
static size_t carry_out_linear(struct pass *pass, const struct operation *of)
{
    const struct packed x = packed_of(pass, of->from, of->inputs);
    size_t parts = 1, columns = columns_of(of), stride;
    if (of[1].stage == STAGE_ACTIVE && of[1].kind == OPERATION_ACTIVATE) {
        const struct packed active = packed_of(pass, STAGE_ACTIVE, columns);
        matmul_activated(pass->thread, &x, of->linear, of[1].activation, &active);
        return 2;
    }
    while (of[parts].kind == OPERATION_LINEAR && of[parts].from == of->from &&
           of[parts].linear == of->linear + parts && columns_of(&of[parts]) == columns)
        parts++;
    stride = stride_of(pass, of, parts);
    if (of->stage == STAGE_LOGITS) /* a span's are of two heads */
        stride = columns =
            trace_output_columns(pass->trace, (enum model_output)(of->tensor - TRACE_OUTPUTS));
    matmul_linear(pass->thread, &x, of->linear, parts, columns, pass->at[of->stage], stride);
    for (struct rows rows; of->feeds && of[1].kind && claim_rows(pass, &rows);)
        pack_rows(pass, of->stage, columns, rows);
    return parts;
}

/* Of what the encoder made of all texts, one after the other, keys and values. As long as a text
 * goes on they stay as they are. */
static size_t carry_out_memory(struct pass *pass, const struct operation *of)
{
    const size_t H = of->outputs, texts = pass->task->extent.texts;
    struct pass other = *pass;
    if (pass->texts->begin > 0)
        return 3;
    other.rows = pass->task->extent.attended;
    other.few = forward_is_few(pass->texts->trace->cross->attended);
    for (size_t i = pool_claim(pass->thread); i < texts; i = pool_claim(pass->thread)) {
        const struct trace *memory = pass->texts[i].trace->memory;
        memcpy(pass->at[of->stage] + pass->texts[i].first_attended * H, trace_last_rows(memory),
               memory->tokens * H * sizeof(float));
    }
    pool_barrier(pass->thread);
    for (struct rows rows; claim_rows(&other, &rows);)
        pack_rows(&other, of->stage, H, rows);
    return 1 + carry_out_linear(&other, of + 1);
}

/* from + with, LayerNorm(from + with), LayerNorm(from), or what is done to each number. In a layer
 * any float that isn't finite would spread to these. Of heads each has a norm of its own. */
static size_t carry_out_sum(struct pass *pass, const struct operation *of)
{
    const size_t columns = of->outputs, stride = stride_of(pass, of, 1);
    const float *x = pass->at[of->from];
    const float *with = of->with == STAGE_NONE ? NULL : pass->at[of->with];
    float *y = pass->at[of->stage];
    for (struct rows rows; claim_rows(pass, &rows);) {
        const size_t first = rows.first * stride, end = first + rows.count * stride;
        for (size_t i = first; with && of->kind == OPERATION_ADD && i < end; i++)
            y[i] = with[i] + x[i];
        for (size_t i = first; of->kind == OPERATION_SCALE && i < end; i++)
            y[i] = (float)of->factor * x[i];
        for (size_t t = first; of->kind == OPERATION_NORM && t < end; t += stride)
            for (size_t i = t; i < t + columns_of(of); i += columns)
                norm_row(pass, of->norm, columns, x + i, with != NULL, y + i);
        if (of->kind == OPERATION_CAP) /* in place */
            cap_numbers(of->factor, 1, rows.count * columns, y + first);
        if (of->tensor < TRACE_OUTPUTS && of->heads == 1)
            check_rows(pass, rows, columns, y,
                       of->stage == STAGE_INPUT ? TRACE_embedding : of->tensor);
        if (of->feeds)
            pack_rows(pass, of->stage, columns, rows);
    }
    return 1;
}

/* In place; or, after Shazeer 2020, f(x·Uᵀ)·(x·Gᵀ), where the two halves are used up. */
static size_t carry_out_activation(struct pass *pass, const struct operation *of)
{
    const size_t F = of->outputs, stride = of->with == STAGE_NONE ? F : 2 * F;
    float *x = pass->at[of->from];
    for (struct rows rows; claim_rows(pass, &rows);) {
        float *products = x + rows.first * stride; /* [count,F] */
        for (size_t t = 0; t < rows.count; t++) {
            float *row = products + t * stride;
            activation_apply(of->activation, row, F);
            for (size_t i = 0; of->with != STAGE_NONE && i < F; i++)
                products[t * F + i] = row[i] * row[F + i];
        }
        if (of->feeds) {
            const struct packed input = packed_of(pass, of->stage, F);
            pack_put(&input, products, F, rows.first, rows.count);
        }
    }
    return 1;
}

/* DeBERTa's, of the embeddings of K tokens around each, as a linear layer takes them: x_h of token
 * t + k - K/2 is input h·K + k, as the convolution's weights lie; 0 where there is none. */
static size_t carry_out_convolution(struct pass *pass, const struct operation *of)
{
    const size_t inputs = of->inputs, H = of->outputs, K = inputs / H;
    const float *x = pass->at[of->from];
    float *neighbours = pass->workspace.neighbours; /* [T,H·K] */
    for (struct rows rows; claim_rows(pass, &rows);) {
        for (size_t t = rows.first; t < rows.first + rows.count; t++) {
            const struct forward_text *text = text_of(pass, t);
            const size_t end = text->first + text->trace->tokens + K / 2;
            for (size_t i = 0; i < inputs; i++) {
                const size_t token = t + i % K; /* and K/2 before */
                const bool there = token >= text->first + K / 2 && token < end;
                neighbours[t * inputs + i] = there ? x[(token - K / 2) * H + i / K] : 0;
            }
        }
        pack_put(&pass->workspace.convolved, neighbours + rows.first * inputs, inputs, rows.first,
                 rows.count);
    }
    matmul_linear(pass->thread, &pass->workspace.convolved, of->linear, 1, H, pass->at[of->stage],
                  H);
    return 1;
}

/* A layer's input was packed where it was made, but that of the first one. */
static size_t carry_out_take(struct pass *pass, const struct operation *of)
{
    for (struct rows rows; pass->l == pass->task->first && claim_rows(pass, &rows);)
        pack_rows(pass, of->stage, of->outputs, rows);
    return 1;
}

/* Of each text one row, of which there are so many from here on: the first token's, or the mean of
 * all tokens'. */
static size_t carry_out_pool(struct pass *pass, const struct operation *of)
{
    const size_t H = of->inputs;
    pass->rows = pass->task->extent.texts;
    pass->few = true;
    for (struct rows rows; claim_rows(pass, &rows);) {
        for (size_t i = rows.first; i < rows.first + rows.count; i++) {
            const size_t T = pass->texts[i].trace->tokens;
            const float *x = pass->at[of->from] + pass->texts[i].first * H; /* [T,H] */
            float *pooled = pass->at[of->stage] + i * H;
            memcpy(pooled, x, H * sizeof *x);
            for (size_t h = 0; of->pools[POOLING_MEAN] && h < H; h++) {
                double sum = 0;
                for (size_t t = 0; t < T; t++)
                    sum += (double)x[t * H + h];
                pooled[h] = (float)(sum / (double)T);
            }
        }
        pack_rows(pass, of->stage, H, rows);
    }
    return 1;
}

/* ---- The pass ----------------------------------------------------------------------------- */

/* From an operation to the end of the list, or to the last one wanted. A carrier may carry out
 * those after it, too, and says how many it did. Operations without one are for the steps alone. */
static void carry_out_list(struct pass *pass, const struct operation *of)
{
    static size_t (*const carriers[OPERATION_KINDS])(struct pass *, const struct operation *) = {
        [OPERATION_TAKE] = carry_out_take,
        [OPERATION_EMBED] = carry_out_embed,
        [OPERATION_MEMORY] = carry_out_memory,
        [OPERATION_LINEAR] = carry_out_linear,
        [OPERATION_CONVOLVE] = carry_out_convolution,
        [OPERATION_NORM] = carry_out_sum,
        [OPERATION_ADD] = carry_out_sum,
        [OPERATION_SCALE] = carry_out_sum,
        [OPERATION_CAP] = carry_out_sum,
        [OPERATION_ROTATE] = carry_out_rotate,
        [OPERATION_SCORE] = carry_out_attention,
        [OPERATION_ACTIVATE] = carry_out_activation,
        [OPERATION_POOL] = carry_out_pool,
    };
    while (of && of->kind && !(is_last_wanted(pass) && of->from == STAGE_CONTEXT)) {
        pass->cross = of->cross;
        of += carriers[of->kind] ? carriers[of->kind](pass, of) : 1;
    }
}

static void carry_out(const struct pool_thread *thread, void *context)
{
    struct pass pass = *(const struct pass *)context;
    const size_t first = pass.task->first, layers = pass.trace->layers;
    pass.thread = thread;
    if (pass.trace->embedding) /* forward_head has none */
        prepare_positions(&pass);
    for (size_t l = first; l < layers; l++) {
        enter_layer(&pass, l);
        carry_out_list(&pass, pass.operations.list);
        if (is_last_wanted(&pass))
            return;
        if (thread->index == 0) { /* which decides for all threads whether to go on */
            size_t whole = 0;
            for (size_t i = 0; i < pass.task->extent.texts; i++)
                if (is_whole(&pass.texts[i])) {
                    pass.texts[i].trace->computed.layers = l + 1;
                    whole++;
                }
            *pass.status = whole == 0
                               ? STATUS_FORMAT
                               : watch_step(pass.task->watch, l + 1, layers, pass.task->error);
        }
        pool_barrier(thread);
        if (*pass.status != STATUS_OK)
            return;
        give_hidden(&pass);
    }
    if (first == layers) {
        enter_layer(&pass, layers - 1);
        carry_out_list(&pass, operations_find(&pass.operations, STAGE_FINAL));
    }
    /* each head takes the last layer's rows */
    const struct network network = {.model = pass.task->model, .trace = pass.trace};
    for (enum model_output output = 0; output < OUTPUT_COUNT; output++) {
        const bool sentence = output >= OUTPUT_SENTENCE_POOLED && output <= OUTPUT_SENTENCE;
        if (!pass.trace->outputs[output] || sentence) /* forward.c makes those */
            continue;
        operations_of_head(&network, output, &pass.operations);
        place_rows(&pass);
        const struct operation *of = pass.operations.list;
        for (struct rows rows; of->kind != OPERATION_POOL && claim_rows(&pass, &rows);)
            pack_rows(&pass, of->from, pass.trace->hidden, rows);
        carry_out_list(&pass, of);
    }
}

/* The number of threads never changes a bit of the result, only the time: a short text on a small
 * model isn't worth waking any. */
enum status forward_pass(const struct forward_task *task)
{
    enum status status = STATUS_OK;
    size_t whole = 0;
    const struct config *config = &task->model->config;
    struct trace *trace = task->trace;
    struct trace_block parts = {.memory = trace->scratch};
    struct pass pass = {.task = task,
                        .config = config,
                        .weights = &task->model->weights,
                        .trace = trace,
                        .rows = trace->tokens,
                        .texts = task->texts,
                        .last_wanted = trace->layers,
                        .workspace = take_workspace(&parts, config, &task->extent, task->few),
                        .status = &status};
    const uint64_t threads = 1 + task->cost / THREAD_COST;
    if (task->take && !task->take->hidden && !task->take->outputs &&
        config->stack != STACK_DECODER) /* whose layers weigh twice */
        pass.last_wanted--;
    for (size_t i = 0; i < task->extent.texts; i++) {
        const struct forward_text *text = &task->texts[i];
        atomic_init(&task->texts[i].broken, 0);
        for (size_t t = text->begin; pass.workspace.texts && t < text->end; t++)
            pass.workspace.texts[text->first + t - text->begin] = (uint32_t)i;
    }
    pool_run(threads < pool_size() ? (size_t)threads : pool_size(), carry_out, &pass);
    for (size_t i = 0; i < task->extent.texts; i++)
        whole += is_whole(&task->texts[i]);
    return whole == 0 ? STATUS_FORMAT : status;
}
