/* batch.c: what surrounds a pass over many texts: their traces, which are parts of one, and what is
 * done about texts whose numbers are not finite. */
#include "headlight/model/batch.h"

#include "headlight/base/memory.h"
#include "headlight/base/system.h"
#include "headlight/model/operations.h"
#include "headlight/model/relation.h"

/* ---- Preparation -------------------------------------------------------------------------- */

/* The message begins with the text's name, if it has one. */
static enum status name_text(const struct batch_text *text, enum status status, struct error *error)
{
    char message[sizeof error->message];
    if (status == STATUS_OK || status == STATUS_CANCELLED || !text->name)
        return status;
    memcpy(message, error->message, sizeof message);
    format_cut(error->message, sizeof error->message, "%s: %s", text->name, message);
    return status;
}

static size_t attended_by(const struct batch_text *text)
{
    return text->source ? text->source->tokens : 0;
}

/* The pass that the texts are computed in, and its sizes. */
struct plan {
    struct forward_task task;
    struct trace trace; /* of all */
    bool outputs[OUTPUT_COUNT];
};

/* Each text's trace, and what goes into it. */
static void lay_out_texts(const struct batch_text *texts, const struct plan *plan, size_t index,
                          struct trace *trace)
{
    const struct config *config = &plan->task.model->config;
    struct trace *all = plan->task.trace;
    const size_t first = plan->task.first, sites = all->cross ? 2 : 1, L = all->layers;
    struct layer_trace *layers =
        (struct layer_trace *)(void *)(trace + sites * plan->task.extent.texts);
    struct trace_extent before = {.texts = 0};
    all->computed = (struct computed){.layers = first};
    for (size_t i = 0; i < plan->task.extent.texts; i++, trace += sites, layers += sites * L) {
        const size_t tokens = texts[i].tokens, attended = attended_by(&texts[i]);
        *trace = (struct trace){.layer = layers};
        if (all->cross) {
            trace->cross = trace + 1;
            *trace->cross = (struct trace){.layer = layers + L};
        }
        trace->distances = relation_rows(config, tokens, &trace->first_distance);
        trace_take_part(all, &before, tokens, attended, trace);
        trace->memory = texts[i].source;
        if (texts[i].changes)
            trace->computed.changes = *texts[i].changes;
        if (trace->cross)
            trace->cross->computed = trace->computed;
        forward_fill(config, texts[i].ids, texts[i].segments, trace);
        if (first > 0)
            memcpy(trace->layer[first].input, texts[i].input,
                   tokens * trace->hidden * sizeof *texts[i].input);
        plan->task.texts[i] = (struct forward_text){.trace = trace,
                                                    .index = index + i,
                                                    .first = before.rows,
                                                    .end = tokens,
                                                    .first_attended = before.attended};
        trace_extend(&before, tokens, attended);
    }
}

/* One block: the tensors of all, the texts, and where their traces and layers begin. */
static void *hand_out(struct plan *plan, const struct config *config, struct trace_block *parts)
{
    const size_t texts = plan->task.extent.texts, sites = config->stack == STACK_DECODER ? 2 : 1;
    trace_lay_out(&plan->trace, config, plan->outputs, &plan->task.extent, parts);
    plan->task.texts = trace_block_part(parts, texts, 1, 1, sizeof *plan->task.texts);
    return trace_block_part(parts, texts, sites, 1,
                            sizeof(struct trace) + config->layers * sizeof(struct layer_trace));
}

/* The block grows by more than is missing, as the next texts may be a little longer. Only the size
 * wanted can't overflow. */
static bool lay_out(struct batch *batch, const struct batch_text *texts, size_t index, size_t count,
                    struct plan *plan, struct error *error)
{
    const struct config *config = &batch->model->config;
    const struct trace_extent *extent = &plan->task.extent;
    struct trace_block measured = {.memory = NULL}, parts = measured;
    *plan = (struct plan){.task = {.model = batch->model,
                                   .first = batch->first,
                                   .few = forward_is_few(texts[index].tokens),
                                   .take = &batch->take,
                                   .watch = batch->watch,
                                   .extent = {.one_layer = true},
                                   .error = error}};
    for (size_t i = index; i < index + count; i++) {
        const size_t tokens = texts[i].tokens, attended = attended_by(&texts[i]);
        trace_extend(&plan->task.extent, tokens, attended);
        plan->task.cost += operations_cost(config, tokens, attended);
    }
    if (batch->take.outputs)
        forward_outputs(batch->model, batch->take.words, plan->outputs);
    plan->trace = trace_of_sizes(config, extent->rows);
    plan->task.trace = &plan->trace;
    plan->trace.distances = relation_rows(config, extent->longest, &plan->trace.first_distance);
    plan->trace.scratch_count = forward_scratch(config, extent);
    hand_out(plan, config, &measured);
    size_t bytes = measured.used;
    if (!batch->memory || measured.wanted > (double)batch->bytes || bytes > batch->bytes) {
        batch_free(batch);
        if (trace_check_memory(config, extent->rows, measured.wanted, error) != STATUS_OK)
            return false;
        if (measured.wanted >= (double)SIZE_MAX)
            bytes = SIZE_MAX;
        batch->memory = memory_new(bytes, 1, bytes / 4 + TRACE_LINE, "the texts", error);
        if (!batch->memory)
            return false;
        batch->bytes = bytes + bytes / 4;
        system_large_pages(batch->memory, batch->bytes);
    }
    parts.memory = trace_block_line(batch->memory);
    lay_out_texts(texts + index, plan, index, hand_out(plan, config, &parts));
    return true;
}

/* ---- The pass ----------------------------------------------------------------------------- */

/* In passes of texts that are all short, or all long, and so is what decoders attend to. */
enum status batch_run(struct batch *batch, const struct batch_text *texts, size_t count,
                      struct error *error)
{
    const struct config *config = &batch->model->config;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = name_text(
            &texts[i],
            forward_check(config, texts[i].ids, texts[i].segments, texts[i].tokens, error), error);
    for (size_t first = 0, end; status == STATUS_OK && first < count; first = end) {
        for (end = first + 1;
             end < count &&
             forward_is_few(texts[first].tokens) == forward_is_few(texts[end].tokens) &&
             forward_is_few(attended_by(&texts[first])) ==
                 forward_is_few(attended_by(&texts[end]));)
            end++;
        struct plan plan;
        if (!lay_out(batch, texts, first, end - first, &plan, error)) {
            status = error->status;
            break;
        }
        status = forward_pass(&plan.task);
        status = status == STATUS_FORMAT ? STATUS_OK : status; /* each text is asked for its own */
        for (size_t i = 0; status == STATUS_OK && i < end - first; i++) {
            const struct forward_text *text = &plan.task.texts[i];
            status = name_text(&texts[first + i], forward_finish(&plan.task, text), error);
            if (status == STATUS_OK && batch->take.outputs)
                batch->take.outputs(batch->take.context, text->index, text->trace);
        }
    }
    return store_check(batch->model->store, status, error);
}

void batch_free(struct batch *batch)
{
    free(batch->memory);
    batch->memory = NULL;
    batch->bytes = 0;
}
