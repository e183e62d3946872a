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
#include "headlight/base/size.h"
#include "headlight/model/finite.h"
#include "headlight/model/forward.h"
#include "headlight/model/head_mask.h"
#include "headlight/model/relation.h"
#include "headlight/tensor/kernels.h"

#include <stdatomic.h>
#include <stdint.h>
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

static bool claim_of(const struct pool_thread *thread, size_t count, struct rows *rows)
{
    size_t first = pool_claim(thread) * PACK_TOKENS;
    if (first >= count)
        return false;
    *rows = (struct rows){first, size_min(count - first, PACK_TOKENS)};
    return true;
}

static bool claim_rows(const struct pool_thread *thread, const struct pass *pass, struct rows *rows)
{
    return claim_of(thread, pass->trace->tokens, rows);
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

/* y = LayerNorm(x + y), or of x alone if not `add`; what has no LayerNorm stays as it is. */
static void norm_row(const struct pass *pass, const struct norm *norm, size_t columns,
                     const number *x, bool add, number *y)
{
    if (norm->weight)
        layer_norm(norm, pass->config->layer_norm_eps, columns, x, add, y);
    else if (y != x)
        memcpy(y, x, columns * sizeof *y);
}

/* LayerNorm(x) of rows of x [T,H] becomes the next linear layer's input, and goes into the trace
 * if that has a place for it. */
static void norm_into_input(const struct pass *pass, struct rows rows, const struct norm *norm,
                            const number *x, float *traced)
{
    const size_t H = pass->trace->hidden;
    number *normed = pass->room.rows; /* [T,H] */
    for (size_t t = rows.first; t < rows.first + rows.count; t++)
        norm_row(pass, norm, H, x + t * H, false, normed + t * H);
    if (traced) {
        copy_into_trace(normed + rows.first * H, rows.count * H, traced + rows.first * H);
        look_at(pass, rows, H, traced);
    }
    put_rows(&pass->room.input, normed + rows.first * H, rows.first, rows.count);
}

/* The LayerNorm that comes before layer l, or behind the last. */
static const struct norm *norm_before(const struct pass *pass, size_t l)
{
    return l < pass->trace->layers ? &pass->weights->layer[l].attention_norm
                                   : &pass->weights->final_norm;
}

static float *place_of_normed(const struct trace *trace, size_t l)
{
    return l < trace->layers ? trace->layer[l].normed : trace->final;
}

/* x [T,H] becomes the input of layer l, or of the model's heads behind the last. */
static void put_input(const struct pool_thread *thread, const struct pass *pass, size_t l,
                      const number *x)
{
    struct rows rows;
    size_t H = pass->trace->hidden;
    while (claim_rows(thread, pass, &rows))
        if (pass->config->norm_before)
            norm_into_input(pass, rows, norm_before(pass, l), x, place_of_normed(pass->trace, l));
        else
            put_rows(&pass->room.input, x + rows.first * H, rows.first, rows.count);
    pool_barrier(thread);
}

/* The end of a block: y = LayerNorm(x + y), for x and y [T,H], which is also what follows is given.
 * Where norms come before, y = x + y, and LayerNorm(y) is what follows is given; that goes into
 * the trace at `normed`, which may be NULL. */
static void add_and_norm(const struct pool_thread *thread, const struct pass *pass,
                         const struct norm *norm, const number *x, number *y, float *traced,
                         float *normed)
{
    struct rows rows;
    const size_t H = pass->trace->hidden;
    const bool before = pass->config->norm_before;
    while (claim_rows(thread, pass, &rows)) {
        const size_t first = rows.first * H, count = rows.count * H;
        for (size_t i = first; before && i < first + count; i++)
            y[i] += x[i];
        for (size_t i = first; !before && i < first + count; i += H)
            norm_row(pass, norm, H, x + i, true, y + i);
        keep(pass, rows, H, y, traced);
        look_at(pass, rows, H, traced);
        if (before)
            norm_into_input(pass, rows, norm, y, normed);
        else
            put_rows(&pass->room.input, y + first, rows.first, rows.count);
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

/* Devlin et al. 2019, 3 and figure 2:  x_t = LayerNorm(word(id_t) + segment_t + position(t)), of
 * the tables that there are. */
static void embed_token(const struct pass *pass, size_t t, number *x /* [E] */)
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
        {&weights->position_embeddings, trace->positions ? (size_t)trace->positions[t] : t,
         changes->positions != POSITIONS_LEARNT},
    };
    size_t E = trace->embedded;
    float *part = (float *)(void *)(pass->room.rows + t * E); /* [E] */
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        if (parts[p].left_out || !parts[p].table->bytes)
            continue;
        matrix_numbers(parts[p].table, parts[p].row * E, E, part);
        for (size_t i = 0; i < E; i++)
            x[i] = p == 0 ? (number)part[i] : x[i] + (number)part[i];
    }
    if (changes->positions == POSITIONS_SINUSOIDAL)
        add_sinusoids(t, E, x);
    norm_row(pass, &weights->embedding_norm, E, x, false, x);
}

/* x [T,H] = embedding·Wᵀ + b */
static void project_embeddings(const struct pool_thread *thread, const struct pass *pass,
                               const number *embedding, number *x)
{
    struct rows rows;
    struct trace *trace = pass->trace;
    const size_t E = trace->embedded, H = trace->hidden;
    const struct input input = input_in(&pass->room.input, trace->tokens, E);
    while (claim_rows(thread, pass, &rows))
        put_rows(&input, embedding + rows.first * E, rows.first, rows.count);
    pool_barrier(thread);
    linear(thread, &input, &pass->weights->embedding_projection, 1, H, x);
    while (claim_rows(thread, pass, &rows))
        keep(pass, rows, H, x, trace->layer[0].input);
    pool_barrier(thread);
}

static void embed(const struct pool_thread *thread, const struct pass *pass)
{
    struct rows rows;
    struct trace *trace = pass->trace;
    const bool projected = pass->config->embedding > 0;
    const size_t E = trace->embedded;
    number *x = places_of(&pass->room, &trace->layer[0]).input;
    number *embedding = projected ? place_of_embedding(&pass->room, trace) : x;
    while (claim_rows(thread, pass, &rows)) {
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            embed_token(pass, t, embedding + t * E);
        keep(pass, rows, E, embedding, trace->embedding);
    }
    pool_barrier(thread);
    if (projected)
        project_embeddings(thread, pass, embedding, x);
}

/* ---- Positions between tokens ------------------------------------------------------------- */

/* Su et al. 2021: a query or key x of a token at position t is turned, in the plane of dimensions m
 * and m + D/2. Sines and cosines are rounded to floats, as the models were trained. rotations: for
 * global and for local layers [T,D], D/2 cosines and as many sines. */
static void make_rotations(const struct pass *pass, size_t t)
{
    const size_t T = pass->trace->tokens, D = pass->trace->dimensions;
    for (size_t kind = 0; kind < 2; kind++) {
        float *row = pass->room.rotations + (kind * T + t) * D;
        for (size_t m = 0; m < D / 2; m++) {
            const double angle = (double)relation_angle(pass->config, kind == 1, m, t);
            row[m] = (float)cos(angle);
            row[D / 2 + m] = (float)sin(angle);
        }
    }
}

static void rotate(const float *rotation, size_t D, number *x /* [D] */)
{
    for (size_t m = 0; m < D / 2; m++) {
        const number first = x[m], second = x[m + D / 2];
        const number cosine = (number)rotation[m], sine = (number)rotation[D / 2 + m];
        x[m] = first * cosine - second * sine;
        x[m + D / 2] = second * cosine + first * sine;
    }
}

/* For rows [T,3H] of queries, keys and values. */
static void rotate_all(const struct pool_thread *thread, const struct pass *pass, size_t l,
                       number *projections)
{
    struct rows rows;
    struct layer_trace *layer = &pass->trace->layer[l];
    const size_t T = pass->trace->tokens, H = pass->trace->hidden, D = pass->trace->dimensions;
    const float *rotations = pass->room.rotations + (pass->config->local[l] ? T * D : 0);
    while (claim_rows(thread, pass, &rows))
        for (size_t t = rows.first; t < rows.first + rows.count; t++) {
            number *row = projections + t * 3 * H;
            copy_into_trace(row, 2 * H, layer->query_unrotated.data + t * 2 * H);
            for (size_t i = 0; pass->changes->positions == POSITIONS_LEARNT && i < 2 * H; i += D)
                rotate(rotations + t * D, D, row + i);
        }
    pool_barrier(thread);
}

/* The row of the model's table, of those that the text needs, for each distance of two tokens. */
static void find_distances(const struct pool_thread *thread, const struct pass *pass)
{
    const ptrdiff_t last = (ptrdiff_t)pass->trace->tokens - 1;
    for (ptrdiff_t distance = -last; thread->index == 0 && distance <= last; distance++)
        pass->room.rows_of_distances[distance + last] =
            (uint32_t)(relation_row(pass->config, distance) - pass->trace->first_distance);
    pool_barrier(thread);
}

static size_t row_of_distance(const struct pass *pass, size_t from, size_t to)
{
    return pass->room.rows_of_distances[from + pass->trace->tokens - 1 - to];
}

/* Song et al. 2020, 2.2: a bias for each head and distance. A mask may hide its scores, so that it
 * is looked at here. */
static void make_position_bias(const struct pass *pass, size_t from)
{
    const size_t T = pass->trace->tokens, A = pass->trace->heads;
    float row[CONFIG_HEADS_MAX] = {0};
    for (size_t to = 0; to < T; to++) {
        if (pass->changes->positions == POSITIONS_LEARNT)
            matrix_numbers(&pass->weights->relative_positions, row_of_distance(pass, from, to) * A,
                           A, row);
        check(pass, kernels_now()->finite(A, row));
        for (size_t h = 0; h < A; h++)
            pass->trace->position_bias[(h * T + from) * T + to] = row[h];
    }
}

/* The vectors of the distances, which every layer projects. */
static void embed_distances(const struct pool_thread *thread, const struct pass *pass)
{
    struct rows rows;
    struct trace *trace = pass->trace;
    const size_t H = trace->hidden;
    number *distances = place_of_distances(&pass->room, trace); /* [R,H] */
    while (claim_of(thread, trace->distances, &rows)) {
        for (size_t r = rows.first; r < rows.first + rows.count; r++) {
            number *x = distances + r * H;
            float *part = trace->relative_embedding + r * H;
            matrix_numbers(&pass->weights->relative_positions, (trace->first_distance + r) * H, H,
                           part);
            for (size_t i = 0; i < H; i++)
                x[i] = (number)part[i];
            norm_row(pass, &pass->weights->relative_norm, H, x, false, x);
        }
        keep(pass, rows, H, distances, trace->relative_embedding);
        look_at(pass, rows, H, trace->relative_embedding);
        put_rows(&pass->room.relative, distances + rows.first * H, rows.first, rows.count);
    }
    pool_barrier(thread);
}

/* What a text's length and positions fix for all layers. */
static void prepare_positions(const struct pool_thread *thread, const struct pass *pass)
{
    const struct config *config = pass->config;
    struct rows rows;
    if (config->relation != RELATION_NONE)
        find_distances(thread, pass);
    if (config->rotary || config->relation == RELATION_BIAS) {
        while (claim_rows(thread, pass, &rows))
            for (size_t t = rows.first; t < rows.first + rows.count; t++)
                config->rotary ? make_rotations(pass, t) : make_position_bias(pass, t);
        pool_barrier(thread);
    }
    if (config->relation == RELATION_DISENTANGLED)
        embed_distances(thread, pass);
}

/* For all threads: the distances of a layer as queries and keys, [R,2H]. */
static void project_distances(const struct pool_thread *thread, const struct pass *pass, size_t l)
{
    struct rows rows;
    struct trace *trace = pass->trace;
    const size_t H = trace->hidden;
    number *projected = place_of_relation(&pass->room, &trace->layer[l]);
    linear(thread, &pass->room.relative, pass->weights->layer[l].relative, VALUE, H, projected);
    while (claim_of(thread, trace->distances, &rows)) {
        keep(pass, rows, 2 * H, projected, trace->layer[l].rel_query.data);
        look_at(pass, rows, 2 * H, trace->layer[l].rel_query.data);
    }
    pool_barrier(thread);
}

/* ---- Self-attention ----------------------------------------------------------------------- */

/* The tokens that `from` may attend to, but for those that are hidden or cut. */
static struct rows reach_of(const struct pass *pass, size_t l, size_t from)
{
    const size_t T = pass->trace->tokens, reach = pass->config->reach;
    size_t first = 0, end = T;
    if (pass->config->local[l]) {
        first = from > reach ? from - reach : 0;
        end = size_min(from + reach + 1, T);
    }
    if (pass->config->causal || pass->changes->causal)
        end = size_min(end, from + 1);
    return (struct rows){first, end - first};
}

static bool is_within(struct rows rows, size_t token)
{
    return token >= rows.first && token < rows.first + rows.count;
}

/* The scores of what may not be attended to become -inf: of what is out of reach, of hidden tokens,
 * of what is cut. How many are left. */
static size_t mask_row(const struct pass *pass, size_t l, size_t head, size_t from,
                       number *scores /* [T] */)
{
    const struct interventions *changes = pass->changes;
    const struct rows seen = reach_of(pass, l, from);
    size_t left = seen.count, count;
    const struct cut *cuts = interventions_cuts(changes, l, head, from, &count);
    for (size_t to = 0; to < seen.first; to++)
        scores[to] = -INFINITY;
    for (size_t to = seen.first + seen.count; to < pass->trace->tokens; to++)
        scores[to] = -INFINITY;
    for (size_t i = 0; i < changes->hidden_count; i++)
        if (is_within(seen, changes->hidden[i])) {
            scores[changes->hidden[i]] = -INFINITY;
            left--;
        }
    for (size_t i = 0; i < count; i++)
        if (is_within(seen, cuts[i].to) && !interventions_is_hidden(changes, cuts[i].to)) {
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

/* One row of a head: from scores to weights. Whether the scores that no mask hides are finite. */
static bool weigh_row(const struct pass *pass, size_t l, size_t head, size_t from, number scale,
                      number *scores, number *weights)
{
    const struct interventions *changes = pass->changes;
    const size_t T = pass->trace->tokens;
    const size_t left = mask_row(pass, l, head, from, scores);
    if (left == 0) {
        memset(weights, 0, T * sizeof *weights);
        return true;
    }
    bool finite = softmax(scale, T, scores, weights);
    if (left < T)
        finite = count_finite(scores, T) == left;
    for (size_t to = 0; head_mask_has(changes->uniform[l], head) && to < T; to++)
        weights[to] = isinf(scores[to]) ? 0 : 1 / (number)left;
    return finite;
}

/* What scores are multiplied with, but for the temperature: each is a sum of so many products. */
static number scale_of(const struct pass *pass)
{
    const struct trace *trace = pass->trace;
    return pass->changes->unscaled ? 1 : 1 / sqrt((number)(trace->dimensions * trace->terms));
}

/* He et al. 2021, equation 2: what the distance of two tokens adds to the product of the query of
 * one and the key of the other,  q_i·pk_δ(i,j) + k_j·pq_δ(i,j),  where pk and pq are the vectors of
 * distances as keys and as queries; products: q_i·pk [R]. */
static number relate(const struct pass *pass, const struct head *head, size_t from, size_t to,
                     const number *products /* [R] */)
{
    const struct trace *trace = pass->trace;
    const size_t row = row_of_distance(pass, from, to);
    number sum = 0;
    if (pass->config->content_position)
        sum += products[row];
    if (pass->config->position_content)
        sum += head->from_keys[to * trace->distances + row];
    return sum;
}

/* scores = scale·q·kᵀ + what the distances add, for `count` rows [T] from the query `first` on. */
static void add_relation(const struct pass *pass, size_t l, const struct head *head, size_t first,
                         size_t count, number scale, number *scores)
{
    const struct trace *trace = pass->trace;
    const size_t T = trace->tokens, R = trace->distances;
    const bool disentangled = pass->config->relation == RELATION_DISENTANGLED;
    float *relative = trace->layer[l].relative + (head->index * T + first) * T;
    if (disentangled)
        multiply_distances(head, first, count, head->products);
    for (size_t i = 0; i < count; i++)
        for (size_t to = 0; to < T; to++) {
            number *score = &scores[i * T + to];
            number added = (number)relative[i * T + to]; /* of a bias, which is there */
            if (disentangled) {
                added = scale * relate(pass, head, first + i, to, head->products + i * R);
                if (pass->changes->positions != POSITIONS_LEARNT)
                    added = 0;
                relative[i * T + to] = (float)added;
            }
            *score = scale * *score + added;
        }
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
    number scale = scale_of(pass);
    number *scores = at.scores + row_of(head->index, T, first) * T;   /* [count,T] */
    number *weights = at.weights + row_of(head->index, T, first) * T; /* [count,T] */
    number *context = at.context + first * H + head->index * D;       /* [count,D], stride H */
    multiply_keys(head, first, count, scores);
    if (layer->relative) {
        add_relation(pass, l, head, first, count, scale, scores);
        scale = 1;
    }
    scale /= (number)interventions_temperature(changes);
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
static bool loses_some(const struct pass *pass, size_t l)
{
    const struct interventions *changes = pass->changes;
    return changes->off[l] != 0 || changes->hidden_count > 0 || changes->cut_count > 0;
}

static void attend_all(const struct pass *pass, size_t l, size_t index)
{
    const size_t T = pass->trace->tokens;
    const struct head head = gather(pass->config, &pass->room, pass->trace, l, index);
    for (size_t t = 0; t < T; t += QUERIES_AT_ONCE)
        attend(pass, l, &head, t, size_min(t + QUERIES_AT_ONCE, T));
}

/* attention_output = LayerNorm(x + context·Wᵀ + b), and with Vaswani et al. 2017, 3.2.2, for all
 * heads at once:  q = x·W_qᵀ + b_q, and so for key and value. Where norms come before, the
 * projections are of LayerNorm(x), and nothing is after the sum. */
static void self_attention(const struct pool_thread *thread, const struct pass *pass, size_t l)
{
    const struct layer_weights *weights = &pass->weights->layer[l];
    const struct layer_trace *layer = &pass->trace->layer[l];
    const struct room *room = &pass->room;
    const struct places at = places_of(room, layer);
    size_t H = pass->trace->hidden, heads = pass->trace->heads;
    struct rows rows;
    linear(thread, &room->input, weights->projections, PROJECTIONS, H, at.projections);
    if (pass->config->rotary)
        rotate_all(thread, pass, l, at.projections);
    if (pass->config->relation == RELATION_DISENTANGLED)
        project_distances(thread, pass, l);
    for (size_t head = pool_claim(thread); head < heads; head = pool_claim(thread))
        attend_all(pass, l, head);
    pool_barrier(thread);
    while (claim_rows(thread, pass, &rows)) {
        keep(pass, rows, PROJECTIONS * H, at.projections, layer->query.data);
        keep(pass, rows, H, at.context, layer->context);
        if (loses_some(pass, l))
            look_at(pass, rows, PROJECTIONS * H, layer->query.data);
        put_rows(&room->input, at.context + rows.first * H, rows.first, rows.count);
    }
    pool_barrier(thread);
    linear(thread, &room->input, &weights->attention_output, 1, H, at.attention_output);
    add_and_norm(thread, pass,
                 pass->config->norm_before ? &weights->output_norm : &weights->attention_norm,
                 at.input, at.attention_output, layer->attention_output, NULL);
}

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

/* ---- Heads of the model ------------------------------------------------------------------- */

/* f(x·Wᵀ + b) for rows [T,outputs], normed, and the next linear layer's input. */
static struct input transform(const struct pool_thread *thread, const struct pass *pass,
                              const struct linear *linear_of, enum activation activation,
                              const struct norm *norm, size_t outputs)
{
    struct rows rows;
    number *x = pass->room.rows; /* [T,outputs] */
    const struct input input = input_in(&pass->room.input, pass->trace->tokens, outputs);
    linear(thread, &pass->room.input, linear_of, 1, outputs, x);
    while (claim_rows(thread, pass, &rows)) {
        activate(activation, x + rows.first * outputs, rows.count * outputs);
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            norm_row(pass, norm, outputs, x + t * outputs, false, x + t * outputs);
        put_rows(&input, x + rows.first * outputs, rows.first, rows.count);
    }
    pool_barrier(thread);
    return input;
}

/* Devlin et al. 2019, 3.1, task 1, after BertLMPredictionHead in modeling_bert.py:
 *
 *     logits = LayerNorm(f(x·Wᵀ + b))·Eᵀ + c,  E the decoder, most often the word embeddings
 *
 * The head for the word that comes next is the decoder alone. */
static void word_head(const struct pool_thread *thread, const struct pass *pass)
{
    const struct weights *weights = pass->weights;
    const struct trace *trace = pass->trace;
    struct input input = pass->room.input;
    if (weights->mlm_transform.weight.bytes)
        input = transform(thread, pass, &weights->mlm_transform, pass->config->head_activation,
                          &weights->mlm_norm, trace->embedded);
    linear_into_trace(thread, &input, &weights->mlm_decoder, trace->vocabulary, trace_words(trace));
}

/* Clark et al. 2020, 2, the discriminator:  logit_t = f(x_t·Wᵀ + b)·u + c */
static void replaced_head(const struct pool_thread *thread, const struct pass *pass)
{
    const struct norm none = {NULL, NULL};
    const struct input input = transform(thread, pass, &pass->weights->rtd_transform,
                                         pass->config->activation, &none, pass->trace->hidden);
    linear_into_trace(thread, &input, &pass->weights->rtd, 1, pass->trace->rtd_logits);
}

/* The head alone, for rows from anywhere: they are the tokens of a trace that has nothing else. */
struct words_pass {
    struct pass pass;
    const number *rows; /* [T,H] */
};

static void carry_out_words(const struct pool_thread *thread, void *context)
{
    const struct words_pass *words = context;
    put_input(thread, &words->pass, words->pass.trace->layers, words->rows);
    word_head(thread, &words->pass);
}

enum status FORWARD_WORDS(const struct model *model, const struct word_rows *rows,
                          struct error *error)
{
    const struct config *config = model_config(model);
    const size_t H = config->hidden, V = config->vocabulary;
    struct trace trace = {.tokens = rows->count,
                          .layers = 1,
                          .heads = config->heads,
                          .dimensions = H / config->heads,
                          .hidden = H,
                          .embedded = config_embedding(config),
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

/* Devlin et al. 2019, 3.1, task 2, after BertPooler:  pooled = tanh(x_0·Wᵀ + b), and for a pair of
 * sentences  logits = pooled·Uᵀ + c */
static void pooled_heads(const struct pool_thread *thread, const struct pass *pass,
                         const number *x /* [T,H], of which the first row counts */)
{
    const struct weights *weights = pass->weights;
    struct trace *trace = pass->trace;
    const size_t H = trace->hidden;
    const struct input first = input_in(&pass->room.input, 1, H);
    float *logits = trace->nsp_logits ? trace->nsp_logits : trace->sop_logits;
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
        if (trace->pooler_output)
            copy_into_trace(pooled, H, trace->pooler_output);
        put_rows(&first, pooled, 0, 1);
    }
    pool_barrier(thread);
    if (logits)
        linear_into_trace(thread, &first, &weights->pair, 2, logits);
}

/* Reimers and Gurevych 2019: the mean of all tokens, divided by its length; by one thread. Where
 * norms come before, of LayerNorm(x), which lies where the mean takes the first row's place, number
 * by number. */
static void embed_sentence(const struct pass *pass, const number *x /* [T,H] */)
{
    const size_t T = pass->trace->tokens, H = pass->trace->hidden;
    number *mean = pass->room.rows; /* [H] */
    x = pass->config->norm_before ? pass->room.rows : x;
    double square = 0;
    for (size_t i = 0; i < H; i++) {
        double sum = 0;
        for (size_t t = 0; t < T; t++)
            sum += (double)x[t * H + i];
        mean[i] = (number)(sum / (double)T);
        square += (double)mean[i] * (double)mean[i];
    }
    for (size_t i = 0; square > 0 && i < H; i++)
        mean[i] /= (number)sqrt(square);
    copy_into_trace(mean, H, pass->trace->sentence_embedding);
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
