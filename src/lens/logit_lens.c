/* logit_lens.c: applies the head for words to each layer's output. Rows are computed in batches:
 * one by one, the vocabulary's matrix would be read again for each. */
#include "headlight/lens/logit_lens.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"

enum status logit_lens_new(const struct trace *trace, bool next, struct lens_cell **cells,
                           struct error *error)
{
    const size_t T = trace->tokens, count = trace->layers * T;
    const int32_t *ids = trace_speaker(trace)->ids;
    *cells = memory_new(count, sizeof **cells, 0, "the logit lens", error);
    for (size_t i = 0; *cells && i < count; i++)
        (*cells)[i].id = i % T + next < T ? ids[i % T + next] : LENS_NOTHING;
    return *cells ? STATUS_OK : error->status;
}

/* ---- A batch of rows ---------------------------------------------------------------------- */

/* Rows that go through the head together; their logits take little memory. */
struct batch {
    const struct model *model;
    const struct trace *trace;
    const struct trace *before; /* in another network; or NULL */
    const struct watch *watch;
    size_t total;           /* for the watch */
    bool tags;              /* are asked for, not words */
    size_t top;             /* 0: cells are read; else so many predictions alone */
    size_t outcomes;        /* V, or C */
    struct head_rows *rows; /* for what has no logits in the trace */
    size_t most;            /* of them */
    size_t layer, token;    /* of the last row */
    size_t count;
    const float *logits[LENS_ROWS], *logits_before[LENS_ROWS];
    void *to[LENS_ROWS]; /* a cell, or the predictions */
};

/* With room for at most so many. */
static enum status batch_begin(struct batch *batch, const struct model *model,
                               const struct trace *trace, size_t most, struct error *error)
{
    batch->model = model;
    batch->trace = trace_speaker(trace);
    batch->before = batch->before ? trace_speaker(batch->before) : NULL;
    batch->most = size_min(batch->before ? 2 * most : most, LENS_ROWS);
    batch->outcomes = batch->tags ? trace->labels : trace->vocabulary;
    return batch->tags ? forward_head_prepare(model, OUTPUT_TAGS, batch->most, &batch->rows, error)
                       : forward_words_prepare(model, batch->most, &batch->rows, error);
}

/* The actual piece is ranked too, even if it is far from the best ones. Of another network only the
 * pieces that a cell shows are read, and the likeliest there. */
static void read_rows(const struct pool_thread *thread, void *context)
{
    const struct batch *batch = context;
    const size_t V = batch->outcomes;
    for (size_t i = pool_claim(thread); i < batch->count; i = pool_claim(thread)) {
        const float *logits = batch->logits[i], *before = batch->logits_before[i];
        struct lens_cell *cell = batch->top > 0 ? NULL : batch->to[i];
        const double total = predict_total(logits, V, cell ? &cell->entropy : NULL);
        if (!cell) {
            predict_best(logits, V, total, batch->to[i], batch->top);
            continue;
        }
        if (cell->id != LENS_NOTHING) {
            cell->logprob = (double)logits[cell->id] - total;
            cell->rank = predict_rank(logits, V, (size_t)cell->id);
        }
        cell->count = predict_best(logits, V, total, cell->best, LENS_BEST);
        cell->compared = batch->before;
        if (!cell->compared)
            continue;
        const double total_before = predict_total(before, V, NULL);
        if (cell->id != LENS_NOTHING)
            cell->logprob_before = (double)before[cell->id] - total_before;
        predict_best(before, V, total_before, &cell->was, 1);
        cell->was_before = cell->was.logprob;
        cell->was.logprob = (double)logits[cell->was.id] - total;
        for (size_t k = 0; k < cell->count; k++)
            cell->best_before[k] = (double)before[cell->best[k].id] - total_before;
    }
}

/* Rows from the trace and rows computed now are read alike. */
static enum status lens_flush(struct batch *batch, size_t done, struct error *error)
{
    if (batch->rows->count > 0 &&
        forward_head(batch->model, batch->trace->tokens, batch->rows, error) != STATUS_OK)
        return error->status;
    if (batch->count > 0)
        pool_run(pool_size_for(batch->count * batch->outcomes), read_rows, batch);
    batch->count = batch->rows->count = 0;
    return watch_step(batch->watch, done, batch->total, error);
}

/* Logits of the last layer are the prediction itself, which the pass has computed already. */
static const float *lens_row(struct batch *batch, const struct trace *trace, size_t layer,
                             size_t token)
{
    const size_t H = trace->hidden, V = batch->outcomes;
    const float *own = batch->tags ? trace->outputs[OUTPUT_TAGS] : trace_words(trace);
    if (layer + 1 == trace->layers && own)
        return own + token * V;
    memcpy(batch->rows->hidden + batch->rows->count * H, trace->layer[layer].output + token * H,
           H * sizeof *batch->rows->hidden);
    return batch->rows->logits + batch->rows->count++ * V;
}

/* Of what is asked about one token twice the logits are the same row. `done` were there before. */
static enum status lens_add(struct batch *batch, size_t layer, size_t token, void *to, size_t done,
                            struct error *error)
{
    const bool again = batch->count > 0 && batch->layer == layer && batch->token == token;
    const size_t rows = batch->rows->count + (again ? 0 : batch->before ? 2 : 1);
    if ((batch->count == LENS_ROWS || rows > batch->most) &&
        lens_flush(batch, done, error) != STATUS_OK)
        return error->status;
    batch->logits[batch->count] = again && batch->count > 0
                                      ? batch->logits[batch->count - 1]
                                      : lens_row(batch, batch->trace, layer, token);
    if (batch->before)
        batch->logits_before[batch->count] = lens_row(batch, batch->before, layer, token);
    batch->layer = layer;
    batch->token = token;
    batch->to[batch->count++] = to;
    return STATUS_OK;
}

static enum status batch_end(struct batch *batch, enum status status, struct error *error)
{
    if (status == STATUS_OK)
        status = lens_flush(batch, batch->total, error);
    free(batch->rows);
    return status;
}

/* ---- What is read ------------------------------------------------------------------------- */

enum status logit_lens_read(const struct model *model, const struct trace *trace,
                            const struct trace *before, const struct lens_area *area,
                            const struct watch *watch, struct lens_cell *cells, struct error *error)
{
    const size_t width = area->tokens.end - area->tokens.first;
    struct batch batch = {.watch = watch,
                          .total = (area->layers.end - area->layers.first) * width,
                          .before = before,
                          .tags = cells->tags};
    enum status status = batch_begin(&batch, model, trace, batch.total, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < batch.total && status == STATUS_OK; i++) {
        const size_t layer = area->layers.first + i / width, token = area->tokens.first + i % width;
        struct lens_cell *cell = &cells[layer * trace->tokens + token];
        if (cell->count == 0)
            status = lens_add(&batch, layer, token, cell, i, error);
    }
    return batch_end(&batch, status, error);
}

enum status logit_lens_best(const struct model *model, const struct trace *trace, size_t top,
                            struct prediction **best, struct error *error)
{
    const size_t T = trace->tokens;
    struct batch batch = {.top = top, .total = trace->layers * T};
    *best = NULL;
    if (batch_begin(&batch, model, trace, batch.total, error) != STATUS_OK)
        return error->status;
    *best = memory_new(batch.total, top * sizeof **best, 0, "the logit lens", error);
    enum status status = *best ? STATUS_OK : error->status;
    for (size_t i = 0; i < batch.total && status == STATUS_OK; i++)
        status = lens_add(&batch, i / T, i % T, *best + i * top, i, error);
    return batch_end(&batch, status, error);
}

/* Tokens between two looks at the watch: enough not to be slower for it. */
#define TOKENS_A_STEP 8

enum status logit_lens_answer(const struct model *model, const struct trace *trace,
                              struct lens_questions *questions, const struct watch *watch,
                              struct error *error)
{
    struct batch batch = {.watch = watch, .total = trace->tokens};
    enum status status =
        batch_begin(&batch, model, trace, size_min(questions->count, TOKENS_A_STEP), error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < trace->tokens * questions->count && status == STATUS_OK; i++) {
        struct lens_question *question = &questions->of[i % questions->count];
        const size_t token = i / questions->count;
        if (question->trace == trace && question->token == token && question->cell.count == 0)
            status = lens_add(&batch, trace->layers - 1, token, &question->cell, token, error);
    }
    return batch_end(&batch, status, error);
}
