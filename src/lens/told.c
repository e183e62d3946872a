/* told.c: asks the head for a task once for each layer. Tags are asked for by the logit lens, which
 * reads a row at a time. */
#include "headlight/lens/told.h"

#include "headlight/base/memory.h"
#include "headlight/model/forward.h"

#include <stdlib.h>
#include <string.h>

/* The head reads a layer's rows as if they were the last one's, which are the model's own to the
 * bit. */
static enum status ask_layers(const struct checkpoint *checkpoint, const struct encoded *encoded,
                              const struct trace *trace, struct told *told, struct error *error)
{
    struct head_rows *rows = NULL;
    struct trace pass = *trace;
    told->layers = trace->layers;
    told->after = memory_new(told->layers, sizeof(void *), 0, "the answers", error);
    if (!told->after)
        return STATUS_MEMORY;
    enum status status =
        forward_head_prepare(checkpoint->model, OUTPUT_CLASSES, trace->tokens, &rows, error);
    for (size_t layer = 0; layer < told->layers && status == STATUS_OK; layer++) {
        const bool last = layer + 1 == told->layers;
        rows->count = trace->tokens;
        memcpy(rows->hidden, trace->layer[layer].output,
               trace->tokens * trace->hidden * sizeof *rows->hidden);
        pass.outputs[OUTPUT_CLASSES] = last ? trace->outputs[OUTPUT_CLASSES] : rows->logits;
        if (!last)
            status = forward_head(checkpoint->model, trace->tokens, rows, error);
        if (status == STATUS_OK)
            status = answer_of(checkpoint, encoded, &pass, &told->after[layer], error);
    }
    free(rows);
    return status;
}

enum status told_new(const struct checkpoint *checkpoint, const struct encoded *encoded,
                     const struct trace *trace, const struct trace *before, size_t masked,
                     struct told **result, struct error *error)
{
    struct told *told = *result = memory_new(1, sizeof *told, 0, "the answers", error);
    if (!told)
        return STATUS_MEMORY;
    told->masked = masked;
    if (masked != NO_TOKEN && predict_pieces(trace, masked, &told->word, 1) == 0)
        told->masked = NO_TOKEN; /* there are no logits of words */
    enum status status = answer_of(checkpoint, encoded, trace, &told->answer, error);
    if (status == STATUS_OK && before)
        status = answer_of(checkpoint, encoded, before, &told->before, error);
    if (status == STATUS_OK && told->answer && told->answer->kind == ANSWER_CLASSES)
        status = ask_layers(checkpoint, encoded, trace, told, error);
    if (status != STATUS_OK) {
        told_free(told);
        *result = NULL;
    }
    return status;
}

void told_free(struct told *told)
{
    if (!told)
        return;
    for (size_t layer = 0; told->after && layer < told->layers; layer++)
        answer_free(told->after[layer]);
    free(told->after);
    answer_free(told->answer);
    answer_free(told->before);
    free(told);
}
