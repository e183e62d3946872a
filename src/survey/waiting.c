/* waiting.c: texts that wait until they are enough for a pass together, which is what makes short
 * ones cheap. */
#include "headlight/survey/waiting.h"

#include "headlight/base/memory.h"

#include <stdlib.h>

enum status waiting_add(struct waiting *waiting, const struct encoding *encoding,
                        const struct interventions *changes, struct error *error)
{
    const size_t T = encoding->count, i = waiting->count;
    int32_t *ids = memory_new(2 * T, sizeof *ids, 0, "a text", error);
    if (!ids)
        return error->status;
    for (size_t t = 0; t < T; t++) {
        ids[t] = encoding->tokens[t].id;
        ids[T + t] = encoding->tokens[t].type;
    }
    waiting->ids[i] = ids;
    waiting->changes[i] = changes ? *changes : *forward_no_changes();
    waiting->texts[i] = (struct batch_text){.name = "a text",
                                            .ids = ids,
                                            .segments = ids + T,
                                            .tokens = T,
                                            .changes = &waiting->changes[i]};
    waiting->count++;
    waiting->tokens += T;
    return STATUS_OK;
}

bool waiting_is_enough(const struct waiting *waiting)
{
    return waiting->count == WAITING_MAX || waiting->tokens >= batch_rows();
}

void waiting_clear(struct waiting *waiting)
{
    for (size_t i = 0; i < waiting->count; i++)
        free(waiting->ids[i]);
    waiting->count = waiting->tokens = 0;
}

enum status waiting_run(struct waiting *waiting, struct batch *batch, struct error *error)
{
    const enum status status =
        waiting->count > 0 ? batch_run(batch, waiting->texts, waiting->count, error) : STATUS_OK;
    waiting_clear(waiting);
    return status;
}
