/* forward_embed.h: from ids to the first layer's input, and what all layers derive from
 * positions. Part of forward_pass.c. */

/* ---- Embeddings --------------------------------------------------------------------------- */

/* Devlin et al. 2019, 3 and figure 2:  x_t = word(id_t) + segment_t + position(t), of the tables
 * that there are; the word times its factor, if it has one. */
static void embed_token(const struct pass *pass, size_t t, float *x /* [E] */)
{
    const struct weights *weights = pass->weights;
    const struct trace *trace = pass->trace;
    const struct forward_text *text = text_of(pass, t);
    const struct interventions *changes = &text->trace->computed.changes;
    const size_t position = position_of(pass, t);
    const float factor =
        trace_word_factor(pass->config, text->trace->ids, text->trace->tokens, position);
    const struct {
        const struct matrix *table;
        size_t row;
        bool left_out;
    } parts[] = {
        {&weights->word_embeddings, (size_t)trace->ids[t], false},
        {&weights->segment_embeddings, (size_t)trace->segments[t], changes->no_segments},
        {&weights->position_embeddings,
         trace->positions ? (size_t)trace->positions[t] : position + pass->config->first_position,
         changes->positions != POSITIONS_LEARNT},
    };
    size_t E = trace->embedded;
    float *part = (float *)(void *)(pass->workspace.rows + t * E); /* [E] */
    for (size_t p = 0; p < LENGTH(parts); p++) {
        if (parts[p].left_out || !parts[p].table->bytes)
            continue;
        matrix_numbers(parts[p].table, parts[p].row * E, E, part);
        for (size_t i = 0; i < E; i++)
            x[i] = p == 0 ? factor * part[i] : x[i] + part[i];
    }
    for (size_t i = 0; changes->positions == POSITIONS_SINUSOIDAL && i < E; i++)
        x[i] += (float)relation_sinusoid(position, i, E);
}

static size_t carry_out_embed(struct pass *pass, const struct operation *of)
{
    for (struct rows rows; claim_rows(pass, &rows);) {
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            embed_token(pass, t, pass->at[of->stage] + t * of->outputs);
        if (of->feeds)
            pack_rows(pass, of->stage, of->outputs, rows);
    }
    return 1;
}

/* ---- Positions between tokens ------------------------------------------------------------- */

/* Su et al. 2021: a query or key x of a token at position t is turned, in the plane of dimensions m
 * and m + r/2. Sines and cosines are rounded to floats, as the models were trained. rotations: for
 * global and for local layers [t,r], r/2 cosines and as many sines. */
static void make_rotations(const struct pass *pass, size_t t)
{
    const size_t r = relation_rotated(pass->config);
    for (size_t kind = 0; kind < 2; kind++) {
        const double stretch = pass->config->rotations[kind].stretch;
        float *row = pass->workspace.rotations + (kind * pass->task->extent.longest + t) * r;
        for (size_t m = 0; m < r / 2; m++) {
            const double angle = (double)relation_angle(pass->config, kind == 1, m, t);
            row[m] = (float)(stretch * cos(angle));
            row[r / 2 + m] = (float)(stretch * sin(angle));
        }
    }
}

/* x of one head at one position. */
static void rotate(const float *rotation, size_t r, float *x /* [r] */)
{
    for (size_t m = 0; m < r / 2; m++) {
        const float first = x[m], second = x[m + r / 2];
        const float cosine = rotation[m], sine = rotation[r / 2 + m];
        x[m] = first * cosine - second * sine;
        x[m + r / 2] = second * cosine + first * sine;
    }
}

/* Queries and keys, in rows of these and values. */
static size_t carry_out_rotate(struct pass *pass, const struct operation *of)
{
    float *projections = pass->at[of->stage];
    const size_t D = pass->trace->dimensions, r = relation_rotated(pass->config);
    const size_t local = pass->config->local[pass->l] ? pass->task->extent.longest : 0;
    const struct heads *raw = &pass->layer->query_unrotated;
    const size_t width = raw->token_stride, stride = stride_of(pass, of, 1);
    for (struct rows rows; claim_rows(pass, &rows);)
        for (size_t t = rows.first; t < rows.first + rows.count; t++) {
            const enum positions positions = text_of(pass, t)->trace->computed.changes.positions;
            float *row = projections + t * stride;
            const float *rotation = pass->workspace.rotations + (local + position_of(pass, t)) * r;
            memcpy(raw->data + t * width, row, width * sizeof *row);
            for (size_t i = 0; positions == POSITIONS_LEARNT && i < width; i += D)
                rotate(rotation, r, row + i);
        }
    return 2;
}

/* The distance is from - to, from -(t-1) to t-1. */
static size_t row_of_distance(const struct pass *pass, size_t from, size_t to)
{
    return pass->workspace.rows_of_distances[from + pass->task->extent.longest - 1 - to];
}

/* Song et al. 2020, 2.2: a bias for each head and distance. It is checked for non-finite numbers
 * here, because a mask may hide the scores that it is added to. */
static void make_position_bias(const struct pass *pass, size_t t)
{
    const bool own = pass->config->own_relations; /* the layer's */
    struct forward_text *text = pass->texts->begin > 0 ? pass->texts : text_of(pass, t);
    const size_t T = text->trace->tokens, A = text->trace->heads, from = t - text->first;
    const struct matrix *table = own ? &pass->weights->layer[pass->l].relative_positions
                                     : &pass->weights->relative_positions;
    float *bias = own ? text->trace->layer[pass->l].relative : text->trace->position_bias;
    float row[CONFIG_HEADS_MAX] = {0};
    for (size_t to = 0; to < T; to++) {
        if (text->trace->computed.changes.positions == POSITIONS_LEARNT)
            matrix_numbers(table, row_of_distance(pass, from, to) * A, A, row);
        check_finite(pass, text, kernels_now()->finite(A, row),
                     own ? TRACE_relative : TRACE_position_bias);
        for (size_t h = 0; h < A; h++)
            bias[(h * T + from) * T + to] = row[h];
    }
}

/* Of all tokens, as rows that are kept from another text lack the columns of those that follow. */
static void make_position_biases(const struct pass *pass)
{
    for (struct rows rows; claim_of(pass, pass->rows + pass->texts->begin, &rows);)
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            make_position_bias(pass, t);
}

/* As check_rows, of distances: their rows belong to every text that has them. */
static void check_distances(const struct pass *pass, struct rows rows, size_t columns,
                            const float *traced, enum trace_name tensor)
{
    for (size_t r = rows.first; r < rows.first + rows.count; r++) {
        const bool finite = kernels_now()->finite(columns, traced + r * columns);
        for (size_t i = 0; !finite && i < pass->task->extent.texts; i++) {
            const struct trace *text = pass->texts[i].trace;
            const size_t first = text->first_distance - pass->trace->first_distance;
            check_finite(pass, &pass->texts[i], r < first || r >= first + text->distances, tensor);
        }
    }
}

/* The vectors of distances, which every layer projects. */
static void embed_distances(const struct pass *pass)
{
    struct trace *trace = pass->trace;
    const size_t H = trace->hidden;
    float *distances = trace->relative_embedding; /* [R,H] */
    for (struct rows rows; claim_of(pass, trace->distances, &rows);) {
        for (size_t r = rows.first; r < rows.first + rows.count; r++) {
            float *x = distances + r * H;
            matrix_numbers(&pass->weights->relative_positions, (trace->first_distance + r) * H, H,
                           x);
            norm_row(pass, &pass->weights->relative_norm, H, x, false, x);
        }
        check_distances(pass, rows, H, distances, TRACE_relative_embedding);
        pack_put(&pass->workspace.relative, distances + rows.first * H, H, rows.first, rows.count);
    }
}

/* What depends on positions alone and is shared by all layers. */
static void prepare_positions(const struct pass *pass)
{
    const struct config *config = pass->config;
    /* the row, among those the longest text needs, for each distance of two tokens */
    const ptrdiff_t last = (ptrdiff_t)pass->task->extent.longest - 1;
    if (config->relation != RELATION_NONE) {
        for (ptrdiff_t distance = -last; pass->thread->index == 0 && distance <= last; distance++)
            pass->workspace.rows_of_distances[distance + last] =
                (uint32_t)(relation_row(config, distance) - pass->trace->first_distance);
        pool_barrier(pass->thread);
    }
    for (struct rows rows; config->rotary && claim_of(pass, pass->task->extent.longest, &rows);)
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            make_rotations(pass, t);
    if (config->relation == RELATION_BIAS && !config->own_relations)
        make_position_biases(pass);
    if (config->relation == RELATION_DISENTANGLED)
        embed_distances(pass);
}

/* For all threads: the distances of a layer as queries and keys, [R,2H]; zeros where a family that
 * multiplies nothing with them has no projection. */
static void project_distances(const struct pass *pass)
{
    struct trace *trace = pass->trace;
    const struct linear *parts = pass->weights->layer[pass->l].relative;
    const size_t H = trace->hidden, first = parts[QUERY].bias ? QUERY : KEY;
    const size_t end = parts[KEY].bias ? VALUE : KEY;
    float *projected = pass->layer->rel_query.data;
    matmul_linear(pass->thread, &pass->workspace.relative, parts + first, end - first, H,
                  projected + first * H, 2 * H);
    for (struct rows rows; claim_of(pass, trace->distances, &rows);) {
        for (size_t r = rows.first; end - first < VALUE && r < rows.first + rows.count; r++)
            memset(projected + (2 * r + 1 - first) * H, 0, H * sizeof *projected);
        check_distances(pass, rows, 2 * H, projected, TRACE_rel_query);
    }
}
