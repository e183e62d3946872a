/* logit_lens.c: applies the head for words to each layer's output. Rows are computed in batches:
 * one by one, the vocabulary's matrix would be read again for each. */
#include "headlight/lens/logit_lens.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/model/forward.h"
#include "headlight/tensor/thread_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status logit_lens_new(const struct trace *trace, bool next, struct lens_cell **cells,
                           struct error *error)
{
    const size_t T = trace->tokens, count = trace->layers * T;
    *cells = memory_new(count, sizeof **cells, 0, "the logit lens", error);
    for (size_t i = 0; *cells && i < count; i++)
        (*cells)[i].id = i % T + next < T ? trace->ids[i % T + next] : LENS_NOTHING;
    return *cells ? STATUS_OK : error->status;
}

/* ---- One cell ----------------------------------------------------------------------------- */

static void read_cell(const float *logits, size_t vocabulary, struct lens_cell *cell)
{
    double total = predict_total(logits, vocabulary, &cell->entropy);
    if (cell->id != LENS_NOTHING) {
        cell->logprob = (double)logits[cell->id] - total;
        cell->rank = predict_rank(logits, vocabulary, (size_t)cell->id);
    }
    cell->count = predict_best(logits, vocabulary, total, cell->best, LENS_BEST);
    if (cell->compared)
        cell->was.logprob = (double)logits[cell->was.id] - total;
}

/* Only the pieces that the cell already shows, with their probabilities in the other network, and
 * the likeliest there. */
static void lens_compare_cell(const float *logits, size_t vocabulary, struct lens_cell *cell)
{
    double total = predict_total(logits, vocabulary, NULL);
    if (cell->id != LENS_NOTHING)
        cell->logprob_before = (double)logits[cell->id] - total;
    predict_best(logits, vocabulary, total, &cell->was, 1);
    cell->was_before = cell->was.logprob;
    cell->was.logprob = NAN;
    for (size_t i = 0; i < cell->count; i++) {
        cell->best_before[i] = (double)logits[cell->best[i].id] - total;
        if (cell->best[i].id == cell->was.id)
            cell->was.logprob = cell->best[i].logprob;
    }
    cell->compared = true;
}

/* ---- A batch of cells --------------------------------------------------------------------- */

/* Cells that go through the head together; their logits take little memory. */
struct batch {
    const struct model *model;
    const struct trace *trace;
    bool tags;              /* are asked for, not words */
    size_t outcomes;        /* V, or C */
    bool compares;          /* `trace` is another than the cells were read from */
    struct head_rows *rows; /* for cells without logits in the trace */
    size_t count;
    struct lens_cell *cells[LENS_ROWS]; /* or, without cells, */
    struct prediction *best[LENS_ROWS]; /* the `top` likeliest alone */
    size_t top;
    const float *logits[LENS_ROWS];
};

/* The actual piece is ranked too, even if it is far from the best ones. */
static void read_cells(const struct pool_thread *thread, void *context)
{
    const struct batch *batch = context;
    const size_t V = batch->outcomes;
    for (size_t i = pool_claim(thread); i < batch->count; i = pool_claim(thread)) {
        const float *logits = batch->logits[i];
        if (batch->top > 0)
            predict_best(logits, V, predict_total(logits, V, NULL), batch->best[i], batch->top);
        else
            (batch->compares ? lens_compare_cell : read_cell)(logits, V, batch->cells[i]);
    }
}

/* Rows from the trace and rows computed now are read alike. */
static enum status lens_flush(struct batch *batch, struct error *error)
{
    if (batch->count == 0)
        return STATUS_OK;
    if (batch->rows->count > 0 &&
        forward_head(batch->model, batch->trace->tokens, batch->rows, error) != STATUS_OK)
        return error->status;
    pool_run(pool_size_for(batch->count * batch->outcomes), read_cells, batch);
    batch->count = batch->rows->count = 0;
    return STATUS_OK;
}

/* Logits of the last layer are the prediction itself, which the pass has computed already. */
static const float *logits_at(struct batch *batch, size_t layer, size_t token)
{
    const struct trace *trace = batch->trace;
    const size_t H = trace->hidden, V = batch->outcomes;
    const float *own = batch->tags ? trace->outputs[OUTPUT_TAGS] : trace_words(trace);
    if (layer + 1 == trace->layers && own)
        return own + token * V;
    memcpy(batch->rows->hidden + batch->rows->count * H, trace->layer[layer].output + token * H,
           H * sizeof *batch->rows->hidden);
    return batch->rows->logits + batch->rows->count++ * V;
}

static void lens_add(struct batch *batch, struct lens_cell *cell, const float *logits)
{
    batch->cells[batch->count] = cell;
    batch->logits[batch->count++] = logits;
}

/* ---- An area ------------------------------------------------------------------------------ */

static bool is_due(const struct batch *batch, const struct lens_cell *cell)
{
    return batch->compares ? cell->count > 0 && !cell->compared
                           : cell->count == 0 || (cell->compared && isnan(cell->was.logprob));
}

static enum status lens_go_through(struct batch *batch, const struct lens_area *area,
                                   struct lens_cell *cells, const struct watch *watch,
                                   struct error *error)
{
    const size_t width = area->tokens.end - area->tokens.first;
    const size_t total = (area->layers.end - area->layers.first) * width;
    for (size_t i = 0; i < total; i++) {
        const size_t layer = area->layers.first + i / width, token = area->tokens.first + i % width;
        struct lens_cell *cell = &cells[layer * batch->trace->tokens + token];
        if (is_due(batch, cell))
            lens_add(batch, cell, logits_at(batch, layer, token));
        if ((i + 1 == total || batch->count == LENS_ROWS) &&
            (lens_flush(batch, error) != STATUS_OK ||
             watch_step(watch, i + 1, total, error) != STATUS_OK))
            return error->status;
    }
    return STATUS_OK;
}

/* A batch of no cells yet, with room for at most so many. */
static enum status batch_begin(struct batch *batch, const struct model *model,
                               const struct trace *trace, size_t most, struct error *error)
{
    batch->model = model;
    batch->trace = trace;
    batch->outcomes = batch->tags ? trace->labels : trace->vocabulary;
    return batch->tags ? forward_head_prepare(model, OUTPUT_TAGS, most, &batch->rows, error)
                       : forward_words_prepare(model, most, &batch->rows, error);
}

enum status logit_lens_read(const struct model *model, const struct trace *trace, bool compares,
                            const struct lens_area *area, const struct watch *watch,
                            struct lens_cell *cells, struct error *error)
{
    struct batch batch = {.compares = compares, .tags = cells->tags};
    const size_t layers = area->layers.end - area->layers.first;
    const size_t tokens = area->tokens.end - area->tokens.first;
    if (batch_begin(&batch, model, trace, size_min(layers * tokens, LENS_ROWS), error) != STATUS_OK)
        return error->status;
    enum status status = lens_go_through(&batch, area, cells, watch, error);
    free(batch.rows);
    return status;
}

/* ---- Longer lists ------------------------------------------------------------------------- */

enum status logit_lens_best(const struct model *model, const struct trace *trace, size_t top,
                            struct prediction **best, struct error *error)
{
    struct batch batch = {.top = top};
    const size_t T = trace->tokens, count = trace->layers * T;
    *best = NULL;
    if (batch_begin(&batch, model, trace, size_min(count, LENS_ROWS), error) != STATUS_OK)
        return error->status;
    *best = memory_new(count, top * sizeof **best, 0, "the logit lens", error);
    enum status status = *best ? STATUS_OK : error->status;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        batch.best[batch.count] = *best + i * top;
        batch.logits[batch.count] = logits_at(&batch, i / T, i % T);
        if (++batch.count == LENS_ROWS || i + 1 == count)
            status = lens_flush(&batch, error);
    }
    free(batch.rows);
    return status;
}

/* ---- Questions ---------------------------------------------------------------------------- */

static void add_questions(struct batch *batch, size_t token, struct lens_questions *questions)
{
    const float *logits = NULL;
    for (size_t i = 0; i < questions->count; i++) {
        struct lens_question *question = &questions->of[i];
        if (question->trace != batch->trace || question->token != token || question->cell.count > 0)
            continue;
        logits = logits ? logits : logits_at(batch, batch->trace->layers - 1, token);
        lens_add(batch, &question->cell, logits);
    }
}

/* Tokens between two looks at the watch: enough not to be slower for it. */
#define TOKENS_A_STEP 8

enum status logit_lens_answer(const struct model *model, const struct trace *trace,
                              struct lens_questions *questions, const struct watch *watch,
                              struct error *error)
{
    struct batch batch = {0};
    enum status status =
        batch_begin(&batch, model, trace, size_min(questions->count, TOKENS_A_STEP), error);
    for (size_t token = 0; token < trace->tokens && status == STATUS_OK; token++) {
        add_questions(&batch, token, questions);
        if (batch.rows->count < TOKENS_A_STEP && token + 1 < trace->tokens)
            continue;
        status = lens_flush(&batch, error);
        if (status == STATUS_OK)
            status = watch_step(watch, token + 1, trace->tokens, error);
    }
    free(batch.rows);
    return status;
}
