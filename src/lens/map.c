/* map.c: the kinds of maps: which can be computed from a trace, at what cost, and how. Weights and
 * scores are the trace's own; of the others each function computes one layer, and each thread takes
 * its own rows or heads. */
#include "headlight/lens/map.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/lens/dimensions.h"

#include <float.h>

const struct map_info map_infos[MAP_COUNT] = {
#define MAP(code, name, axes, by_head, is_signed, absolute, shares, pairs, meaning, ...)           \
    [MAP_##code] = {#name, meaning, __VA_ARGS__, axes, by_head, is_signed, absolute, shares, pairs},
    MAPS(MAP)
#undef MAP
};

/* ---- Availability ---- */

bool map_is_of_model(const struct model *model, enum map_kind kind)
{
    return (kind != MAP_CONTACTS && kind != MAP_VOTES) ||
           (model && model->weights.has[OUTPUT_CONTACTS]);
}

enum status map_check(const struct map_source *source, enum map_kind kind, struct error *error)
{
    const struct trace *trace = source->trace, *other = source->other;
    /* tokens are compared by number only: the session only offers traces of the same text */
    if (kind == MAP_DIFFERENCE && !other)
        return error_set(
            error, STATUS_UNSUPPORTED,
            "a difference needs a changed network: change it with z, or with an option "
            "such as --off; or another model: --against NAME");
    if (kind == MAP_DIFFERENCE)
        return trace->layers == other->layers && trace->heads == other->heads &&
                       trace->tokens == other->tokens && trace->attended == other->attended
                   ? STATUS_OK
                   : error_set(error, STATUS_UNSUPPORTED,
                               "a difference needs two networks of the same sizes: here are %zu "
                               "layers, %zu heads and %zu tokens, there %zu, %zu and %zu",
                               trace->layers, trace->heads, trace->tokens, other->layers,
                               other->heads, other->tokens);
    if (kind == MAP_NORMS && !source->model)
        return error_set(error, STATUS_UNSUPPORTED,
                         "norms need the weights of the output projection, which no recording has");
    if (!map_is_of_model(source->model, kind))
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s need a model that predicts them, as ESM-2 does: this %s has no such "
                         "head",
                         map_infos[kind].name, source->model ? "one" : "recording");
    if (site_defines(map_infos[kind].axes, trace_site_axes(trace), "", map_infos[kind].name,
                     STATUS_UNSUPPORTED, error) != STATUS_OK)
        return error->status;
    for (size_t l = 0; l < trace->layers; l++) {
        const struct layer_trace *of = &trace->layer[l];
        const struct attending at = {.trace = trace, .layer = l};
        const char *missing = kind == MAP_SCORES && !of->scores && !dimensions_have_keys(&at)
                                  ? "scores, or query and key"
                              : kind == MAP_NORMS && !of->value.data           ? "value"
                              : kind == MAP_SIMILARITY && !of->output          ? "output"
                              : kind == MAP_PLAIN && !of->input && !of->normed ? "input"
                                                                               : NULL;
        if (missing)
            return error_set(error, STATUS_UNSUPPORTED, "%s %s layer.%zu.%s, which this %s lacks",
                             map_infos[kind].name,
                             kind == MAP_SCORES || kind == MAP_NORMS ? "need" : "needs", l, missing,
                             source->model ? "trace" : "recording");
    }
    return STATUS_OK;
}

/* Decides what is computed at once, so the order of magnitude is enough. */
double map_cost(const struct trace *trace, enum map_kind kind)
{
    double T = (double)trace->tokens, H = (double)trace->hidden, L = (double)trace->layers;
    double map = T * (double)trace->attended;
    switch (kind) {
    case MAP_NORMS:
        return L * (T * H * H + (double)trace->heads * map);
    case MAP_ROLLOUT:
        return L * map * (T + (double)trace->heads);
    case MAP_SIMILARITY:
    case MAP_PLAIN:
        return L * map * H;
    case MAP_SCORES:
        return L * map * (double)(trace->heads * (trace->layer[0].scores ? 1 : trace->dimensions));
    case MAP_DIFFERENCE:
    case MAP_CONTACTS:
    case MAP_VOTES:
        return L * map * (double)trace->heads;
    default:
        return 0;
    }
}

/* A layer to be computed. */
struct map_layer {
    const struct map_source *source;
    size_t layer;
    const float *before; /* the map's layer before, of rollout; NULL for the first */
    float *out;          /* [heads,T,S] */
    enum map_kind kind;
    struct error *error;

    double *work; /* while threads make it: numbers of each, */
    size_t each;
    double *shared; /* and of all */
};

/* A layer by threads: `cost` weights are read, and so many numbers are needed besides. */
static enum status make_together(struct map_layer *made, size_t cost, size_t each, size_t shared,
                                 void (*make)(const struct pool_thread *thread, void *made))
{
    const size_t threads = pool_size_for(cost);
    made->each = each;
    made->work = memory_new(threads * each + shared, sizeof *made->work, 0, "the map", made->error);
    if (!made->work)
        return made->error->status;
    made->shared = made->work + threads * each;
    pool_run(threads, make, made);
    free(made->work);
    return STATUS_OK;
}

/* ---- Scores and differences --------------------------------------------------------------- */

/* For recordings that have queries and keys but no scores. */
static enum status make_scores(struct map_layer *made)
{
    const struct trace *trace = made->source->trace;
    const double divisor = dimensions_divisor(trace);
    struct attending at = {.trace = trace, .layer = made->layer};
    float *out = made->out;
    for (at.head = 0; at.head < trace->heads; at.head++)
        for (at.from = 0; at.from < trace->tokens; at.from++)
            for (size_t to = 0; to < trace->attended; to++)
                dimensions_score(&at, to, divisor, out++);
    return STATUS_OK;
}

static enum status make_difference(struct map_layer *made)
{
    const struct trace *trace = made->source->trace, *other = made->source->other;
    const bool later = made->source->other_is_later;
    const float *after = (later ? other : trace)->layer[made->layer].weights;
    const float *before = (later ? trace : other)->layer[made->layer].weights;
    for (size_t i = 0; i < trace->heads * trace->tokens * trace->attended; i++)
        made->out[i] = after[i] - before[i];
    return STATUS_OK;
}

/* ---- Norms -------------------------------------------------------------------------------- */

/* Rows of the output projection multiplied at once. */
#define OUTPUTS_AT_ONCE KERNELS_ROWS_MAX

/* Of each head ‖v[j]·W_o‖ of each attended token, by some rows of W_o at a time. */
static void make_norms_of_heads(const struct pool_thread *thread, void *context)
{
    const struct map_layer *made = context;
    const struct trace *trace = made->source->trace;
    const struct layer_trace *layer = &trace->layer[made->layer];
    const struct layer_weights *weights_of = &made->source->model->weights.layer[made->layer];
    /* W_o [H,I], [outputs,inputs]; the inputs of a head: D */
    const struct matrix *projection = trace->site == SITE_CROSS
                                          ? &weights_of->cross.output.weight
                                          : &weights_of->attention.output.weight;
    const head_mask off = trace->computed.changes.off[trace->numbered + made->layer];
    const size_t H = trace->hidden, S = trace->attended, I = trace->inner, D = trace->dimensions;
    const size_t size = trace->tokens * S;
    float *numbers = (float *)(void *)(made->work + thread->index * made->each);
    struct packed values = pack_in(numbers, S, D, false); /* of a head, [S,D] */
    float *weights = numbers + pack_size(S, D);           /* [OUTPUTS,D] */
    float *products = weights + OUTPUTS_AT_ONCE * D;      /* [OUTPUTS,S] */
    float *lengths = products + OUTPUTS_AT_ONCE * S;      /* [S] */
    for (size_t h = pool_claim(thread); h < trace->heads; h = pool_claim(thread)) {
        if (head_mask_has(off, h)) { /* off: it has weights but contributes nothing */
            memset(made->out + h * size, 0, size * sizeof *made->out);
            continue;
        }
        pack_put(&values, heads_row(&layer->value, h, 0), layer->value.token_stride, 0, S);
        memset(lengths, 0, S * sizeof *lengths);
        for (size_t output = 0; output < H; output += OUTPUTS_AT_ONCE) {
            /* the head's part of these rows: in place, or as floats; the next are prefetched */
            const size_t count = size_min(H - output, OUTPUTS_AT_ONCE), first = output * I + h * D;
            const float *floats = matrix_floats(projection, first);
            for (size_t r = 0; r < count; r++)
                matrix_fetch(projection, first + (OUTPUTS_AT_ONCE + r) * I, D);
            for (size_t r = 0; !floats && r < count; r++)
                matrix_numbers(projection, first + r * I, D, weights + r * D);
            matmul_packed(floats ? floats : weights, floats ? I : D, count, &values, products, S);
            for (size_t r = 0; r < count; r++)
                for (size_t to = 0; to < S; to++)
                    lengths[to] += products[r * S + to] * products[r * S + to];
        }
        for (size_t to = 0; to < S; to++)
            lengths[to] = sqrtf(lengths[to]);
        /* Kobayashi et al. 2020, equation 2:  ‖w[i][j]·f(x[j])‖ = w[i][j]·‖f(x[j])‖ */
        for (size_t i = h * size; i < (h + 1) * size; i++)
            made->out[i] = layer->weights[i] * lengths[i % S];
    }
}

static enum status make_norms(struct map_layer *made)
{
    const struct trace *trace = made->source->trace;
    const size_t H = trace->hidden, S = trace->attended, D = trace->dimensions;
    return make_together(made, S * H * H, pack_size(S, D) + OUTPUTS_AT_ONCE * (D + S) + S, 0,
                         make_norms_of_heads);
}

/* ---- Rollout ------------------------------------------------------------------------------ */

#define ROWS_AT_ONCE KERNELS_ROWS_MAX

/* R[l] = ½(W̄[l] + I)·R[l-1], some rows at a time. */
static void make_rows_of_rollout(const struct pool_thread *thread, void *context)
{
    const struct map_layer *made = context;
    const struct trace *trace = made->source->trace;
    const size_t T = trace->tokens;
    double *connections = made->work + thread->index * made->each; /* [T] */
    float *products = (float *)(void *)(connections + T);          /* [ROWS,T] */
    const size_t A = trace->heads;
    for (size_t first; (first = pool_claim(thread) * ROWS_AT_ONCE) < T;) {
        const size_t count = size_min(T - first, ROWS_AT_ONCE);
        float *out = made->out + first * T;
        float *rows = made->before ? products : out;
        for (size_t r = 0; r < count; r++) {
            const float *weights = trace->layer[made->layer].weights + (first + r) * T;
            memset(connections, 0, T * sizeof *connections); /* a row of ½(W̄ + I) */
            for (size_t h = 0; h < A; h++)
                for (size_t to = 0; to < T; to++)
                    connections[to] += (double)weights[h * T * T + to];
            for (size_t to = 0; to < T; to++)
                rows[r * T + to] =
                    (float)(connections[to] / (2 * (double)A) + (to == first + r ? 0.5 : 0));
        }
        if (made->before)
            matmul_columns(rows, T, count, T, made->before, T, T, out, T);
    }
}

static enum status make_rollout(struct map_layer *made)
{
    const size_t T = made->source->trace->tokens, A = made->source->trace->heads;
    return make_together(made, T * T * (T + A), (1 + ROWS_AT_ONCE) * T, 0, make_rows_of_rollout);
}

/* ---- Products of vectors ------------------------------------------------------------------ */

/* Of x·xᵀ of a layer's vectors the similarity of tokens, or plain attention. */
static void make_products(const struct pool_thread *thread, void *context)
{
    const struct map_layer *made = context;
    const struct layer_trace *of = &made->source->trace->layer[made->layer];
    const float *x = made->kind == MAP_SIMILARITY ? of->output /* [T,H] */
                     : of->normed                 ? of->normed
                                                  : of->input;
    const size_t T = made->source->trace->tokens, H = made->source->trace->hidden;
    const double scale = 1 / sqrt((double)H);
    double *row = made->work + thread->index * H, *products = made->shared; /* [T,T] */
    for (size_t claimed; (claimed = pool_claim(thread)) < T;) {
        const size_t from = T - 1 - claimed; /* the longest first */
        for (size_t i = 0; i < H; i++)
            row[i] = (double)x[from * H + i];
        for (size_t to = 0; to <= from; to++) {
            const double product = kernels_now()->dot(row, x + to * H, H);
            products[from * T + to] = products[to * T + from] = product;
        }
    }
    pool_barrier(thread);
    for (size_t from = pool_claim(thread); from < T; from = pool_claim(thread)) {
        double *product = products + from * T, largest = -INFINITY, sum = 0;
        float *out = made->out + from * T;
        if (made->kind == MAP_SIMILARITY) { /* h[i]·h[j] / (‖h[i]‖·‖h[j]‖); 0 where one is zero */
            const double length = sqrt(product[from]);
            for (size_t to = 0; to < T; to++) {
                const double both = length * sqrt(products[to * T + to]);
                out[to] = both > 0 ? (float)(product[to] / both) : 0;
            }
            continue;
        }
        /* softmax(x[i]·x[j]/√H), with the maximum subtracted before the exponentials */
        for (size_t to = 0; to < T; to++)
            largest = fmax(largest, product[to]);
        for (size_t to = 0; to < T; to++)
            sum += product[to] = exp((product[to] - largest) * scale);
        for (size_t to = 0; to < T; to++)
            out[to] = (float)(product[to] / sum);
    }
}

static enum status multiply_tokens(struct map_layer *made)
{
    const size_t T = made->source->trace->tokens, H = made->source->trace->hidden;
    return make_together(made, T * T * H / 2, H, T * T, make_products);
}

/* ---- Contacts ----------------------------------------------------------------------------- */

#define SEPARATOR 2 /* whatever the tokenizer says */

/* The sum of two tokens' weights for each other, unless one is a separator. */
static double both_ways(const struct trace *trace, const float *weights /* [T,T] */, size_t i,
                        size_t j)
{
    const bool cut = trace->ids[i] == SEPARATOR || trace->ids[j] == SEPARATOR;
    const size_t T = trace->tokens;
    return cut ? 0 : (double)weights[i * T + j] + (double)weights[j * T + i];
}

/* Votes of a layer's heads, or the contacts that those of all layers make, which are the same in
 * every layer. The first token and the last have neither, nor a letter with itself. */
static enum status make_contacts(struct map_layer *made)
{
    const struct trace *trace = made->source->trace;
    const struct linear *head = &made->source->model->weights.heads[OUTPUT_CONTACTS].decoder;
    const size_t A = trace->heads, T = trace->tokens;
    const bool votes = made->kind == MAP_VOTES;
    const size_t first = votes ? made->layer * A : 0;
    const size_t end = votes ? first + A : trace->layers * A;
    if (!votes && made->before) {
        memcpy(made->out, made->before, T * T * sizeof *made->out);
        return STATUS_OK;
    }
    double *sums = memory_new(T, sizeof *sums, 0, "the contacts", made->error);
    enum status status = sums ? STATUS_OK : made->error->status;
    for (size_t c = first; sums && c < end; c++) {
        const float *weights = trace->layer[c / A].weights + c % A * T * T;
        float *out = made->out + (votes ? c % A * T * T : 0), factor;
        double total = 0;
        matrix_numbers(&head->weight, c, 1, &factor);
        for (size_t i = 1; i + 1 < T; i++) {
            sums[i] = 0;
            for (size_t j = 1; j + 1 < T; j++)
                sums[i] += both_ways(trace, weights, i, j);
            total += sums[i];
        }
        for (size_t i = 1; total > 0 && i + 1 < T; i++)
            for (size_t j = 1; j + 1 < T; j++)
                out[i * T + j] +=
                    i == j ? 0
                           : (float)((double)factor *
                                     (both_ways(trace, weights, i, j) - sums[i] * sums[j] / total));
    }
    if (sums && !kernels_now()->finite((votes ? A : 1) * T * T, made->out))
        status = error_set(made->error, STATUS_FORMAT,
                           "the head of contacts: expected finite numbers, found others");
    for (size_t i = 1; !votes && i + 1 < T; i++)
        for (size_t j = 1; j + 1 < T; j++)
            made->out[i * T + j] = i == j ? 0 : 1 / (1 + expf(-made->out[i * T + j] - *head->bias));
    free(sums);
    return status;
}

/* ---- Making a map ---- */

/* A layer in the trace; NULL: to be computed. */
static const float *in_trace(const struct map_source *source, enum map_kind kind, size_t layer)
{
    const struct layer_trace *trace = &source->trace->layer[layer];
    return kind == MAP_WEIGHTS ? trace->weights : kind == MAP_SCORES ? trace->scores : NULL;
}

/* Weights are always the trace's own. */
static enum status (*const makers[MAP_COUNT])(struct map_layer *) = {
    [MAP_SCORES] = make_scores,     [MAP_NORMS] = make_norms,
    [MAP_ROLLOUT] = make_rollout,   [MAP_SIMILARITY] = multiply_tokens,
    [MAP_PLAIN] = multiply_tokens,  [MAP_DIFFERENCE] = make_difference,
    [MAP_CONTACTS] = make_contacts, [MAP_VOTES] = make_contacts,
};

/* In one block; the first to the last layer, since rollout builds each on the one before. */
enum status map_new(const struct map_source *source, enum map_kind kind, const struct watch *watch,
                    struct map **out, struct error *error)
{
    *out = NULL;
    if (map_check(source, kind, error) != STATUS_OK)
        return error->status;
    const struct trace *trace = source->trace;
    const size_t heads = map_infos[kind].by_head ? trace->heads : 1;
    const size_t size = heads * trace->tokens * trace->attended;
    const size_t padded = size + KERNELS_LANES_MAX; /* see matmul_columns */
    size_t owned = 0;
    for (size_t l = 0; l < trace->layers; l++)
        owned = in_trace(source, kind, l) ? owned : padded * trace->layers;
    const size_t bytes = sizeof(struct map) + trace->layers * sizeof(const float *) +
                         (trace->layers + owned) * sizeof(float);
    struct map *map = memory_new(1, bytes, 0, "the map", error);
    if (!map)
        return error->status;
    *map = (struct map){.kind = kind,
                        .trace = trace,
                        .other = kind == MAP_DIFFERENCE ? source->other : NULL,
                        .layers = trace->layers,
                        .heads = heads,
                        .rows = trace->tokens,
                        .columns = trace->attended,
                        .values = (const float **)(map + 1)};
    map->largest = (float *)(void *)(map->values + map->layers);
    map->owned = map->largest + map->layers;
    enum status status = STATUS_OK;
    for (size_t l = 0; status == STATUS_OK && l < map->layers; l++) {
        struct map_layer made = {.source = source,
                                 .layer = l,
                                 .before = l > 0 ? map->values[l - 1] : NULL,
                                 .out = map->owned + l * padded,
                                 .kind = kind,
                                 .error = error};
        const float *own = in_trace(source, kind, l);
        map->values[l] = own ? own : made.out;
        if (!own && makers[kind] && makers[kind](&made) != STATUS_OK) {
            status = error->status;
            break;
        }
        map->largest[l] = map_infos[kind].absolute ? 1 : FLT_MIN;
        for (size_t i = 0; !map_infos[kind].absolute && i < size; i++) {
            const float magnitude = fabsf(map->values[l][i]);
            if (magnitude > map->largest[l] && isfinite(magnitude)) /* not of a masked score */
                map->largest[l] = magnitude;
        }
        status = watch_step(watch, l + 1, map->layers, error);
    }
    if (status != STATUS_OK) {
        free(map);
        return status;
    }
    *out = map;
    return STATUS_OK;
}
