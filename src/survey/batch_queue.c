/* batch_queue.c: texts wait until they are enough for a pass together, which is what makes short
 * ones cheap. */
#include "headlight/survey/batch_queue.h"

#include "headlight/base/memory.h"

enum status queue_add(struct batch_queue *queue, const struct encoding *encoding,
                      const struct trace *source, const struct interventions *changes,
                      struct error *error)
{
    const size_t T = encoding->count, i = queue->count;
    int32_t *ids = memory_new(2 * T, sizeof *ids, 0, "a text", error);
    if (!ids)
        return error->status;
    for (size_t t = 0; t < T; t++) {
        ids[t] = encoding->tokens[t].id;
        ids[T + t] = encoding->tokens[t].type;
    }
    queue->changes[i] = changes ? *changes : (struct interventions){.unscaled = false};
    queue->texts[i] = (struct batch_text){.name = "a text",
                                          .ids = ids,
                                          .segments = ids + T,
                                          .tokens = T,
                                          .source = source,
                                          .changes = &queue->changes[i]};
    queue->count++;
    queue->tokens += T;
    return STATUS_OK;
}

bool queue_is_full(const struct batch_queue *queue)
{
    return queue->count == QUEUE_MAX || queue->tokens >= batch_rows();
}

enum status queue_run(struct batch_queue *queue, struct error *error)
{
    const enum status status =
        queue->count > 0 ? batch_run(&queue->batch, queue->texts, queue->count, error) : STATUS_OK;
    while (queue->count > 0)
        free((int32_t *)queue->texts[--queue->count].ids);
    queue->tokens = 0;
    return status;
}

void queue_free(struct batch_queue *queue)
{
    while (queue->count > 0)
        free((int32_t *)queue->texts[--queue->count].ids);
    batch_free(&queue->batch);
}
