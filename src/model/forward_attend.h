/* forward_attend.h: self-attention. Part of forward_steps.h. */

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
