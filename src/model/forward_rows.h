/* forward_rows.h: what the steps of a pass share: claiming rows, copying them into the trace,
 * LayerNorm, softmax, activations, and what is handed out. Part of forward_pass.c. */

/* Every thread runs every step, and a step is complete when it returns. Rows are claimed in
 * groups of the size in which panels are packed, by lines if there are enough for all threads. */
struct rows {
    size_t first, count;
};

/* The next of `count` rows; false when there are none left and all threads have done theirs. */
static bool claim_of(const struct pass *pass, size_t count, struct rows *rows)
{
    const size_t most = count < PACK_LINE * pass->thread->count ? PACK_TOKENS : PACK_LINE;
    const size_t first = pool_claim(pass->thread) * most;
    *rows = (struct rows){first, size_min(count - first, most)};
    if (first >= count)
        pool_barrier(pass->thread);
    return first < count;
}

static bool claim_rows(const struct pass *pass, struct rows *rows)
{
    return claim_of(pass, pass->rows, rows);
}

/* The first tensor of the pass that isn't finite is noted; that is read at the end of a layer. */
static void check_finite(const struct pass *pass, struct forward_text *text, bool finite,
                         enum trace_name tensor)
{
    const size_t layer = pass->l + (pass->cross ? pass->trace->layers : 0);
    unsigned whole = 0;
    if (!finite)
        atomic_compare_exchange_strong_explicit(&text->broken, &whole,
                                                1 + tensor + TRACE_NAMES * (unsigned)layer,
                                                memory_order_relaxed, memory_order_relaxed);
}

/* Checks the tensors to which any other non-finite float would spread (see forward.c), while
 * they are in the cache. */
static void check_rows(const struct pass *pass, struct rows rows, size_t columns,
                       const float *traced, enum trace_name tensor)
{
    const float *row = traced + rows.first * columns;
    if (kernels_now()->finite(rows.count * columns, row))
        return;
    for (size_t t = rows.first; t < rows.first + rows.count; t++, row += columns)
        check_finite(pass, text_of(pass, t), kernels_now()->finite(columns, row), tensor);
}

/* For one row, after Ba et al. 2016: y = LayerNorm(x + y), or of x alone if not `add`; y may be x.
 * Without weights, x is copied unchanged. */
static void norm_row(const struct pass *pass, const struct norm *norm, size_t columns,
                     const float *x, bool add, float *y)
{
    const float epsilon = pass->config->layer_norm_eps;
    if (!norm->weight) {
        memmove(y, x, columns * sizeof *y);
        return;
    }
    kernels_now()->layer_norm(x, add, columns, norm->weight, norm->bias, epsilon, y);
}

/* Rows of a stage become an input of linear layers. */
static void pack_rows(const struct pass *pass, enum stage stage, size_t columns, struct rows rows)
{
    const struct packed input = packed_of(pass, stage, columns);
    pack_put(&input, pass->at[stage] + rows.first * columns, columns, rows.first, rows.count);
}

/* ---- What is taken ------------------------------------------------------------------------ */

/* Whether a text has no float yet that is infinite or NaN. */
static bool is_whole(const struct forward_text *text)
{
    return !atomic_load_explicit(&text->broken, memory_order_relaxed);
}

/* Whether nobody takes what would be computed after this layer's weights. */
static bool is_last_wanted(const struct pass *pass)
{
    return pass->l == pass->last_wanted;
}

/* A thread has a head of all texts, so whoever adds something up needs no lock. Which texts are
 * whole doesn't change meanwhile. */
static void give_weights(const struct pass *pass)
{
    const size_t heads = pass->trace->heads, l = pass->l;
    const bool cross = pass->cross;
    if (!pass->task->take || !pass->task->take->weights)
        return;
    for (size_t head = pool_claim(pass->thread); head < heads; head = pool_claim(pass->thread))
        for (size_t i = 0; i < pass->task->extent.texts; i++) {
            struct forward_text *text = &pass->texts[i];
            if (is_whole(text))
                pass->task->take->weights(pass->task->take->context, text->index,
                                          cross ? text->trace->cross : text->trace, l, head);
        }
    pool_barrier(pass->thread);
}

/* After a layer. */
static void give_hidden(const struct pass *pass)
{
    const size_t texts = pass->task->extent.texts;
    if (!pass->task->take || !pass->task->take->hidden)
        return;
    for (size_t i = pool_claim(pass->thread); i < texts; i = pool_claim(pass->thread)) {
        const struct forward_text *text = &pass->texts[i];
        if (is_whole(text))
            pass->task->take->hidden(pass->task->take->context, text->index, text->trace, pass->l);
    }
    pool_barrier(pass->thread);
}
