/* told.c: asks the head for a task once for each layer. Tags are asked for by the logit lens, which
 * reads a row at a time. */
#include "headlight/lens/told.h"

#include "headlight/base/memory.h"
#include "headlight/model/forward.h"

#include <stdlib.h>
#include <string.h>

/* The head reads a layer's rows as if they were the last one's. */
static enum status ask_layer(const struct checkpoint *checkpoint, const struct encoded *encoded,
                             const struct trace *trace, size_t layer, struct head_rows *rows,
                             struct answer **answer, struct error *error)
{
    struct trace asked = *trace;
    rows->count = trace->tokens;
    memcpy(rows->hidden, trace->layer[layer].output,
           trace->tokens * trace->hidden * sizeof *rows->hidden);
    asked.outputs[OUTPUT_CLASSES] = rows->logits;
    if (forward_head(checkpoint->model, trace->tokens, rows, error) != STATUS_OK)
        return error->status;
    return answer_of(checkpoint, encoded, &asked, answer, error);
}

/* The last layer's is the model's own, to the bit. */
static enum status ask_layers(const struct checkpoint *checkpoint, const struct encoded *encoded,
                              const struct trace *trace, struct told *told, struct error *error)
{
    struct head_rows *rows;
    told->layers = trace->layers;
    told->after = memory_new(told->layers, sizeof(void *), 0, "the answers", error);
    if (!told->after || forward_head_prepare(checkpoint->model, OUTPUT_CLASSES, trace->tokens,
                                             &rows, error) != STATUS_OK)
        return error->status;
    enum status status =
        answer_of(checkpoint, encoded, trace, &told->after[told->layers - 1], error);
    for (size_t layer = 0; layer + 1 < told->layers && status == STATUS_OK; layer++)
        status = ask_layer(checkpoint, encoded, trace, layer, rows, &told->after[layer], error);
    free(rows);
    return status;
}

static enum status ask(const struct checkpoint *checkpoint, const struct encoded *encoded,
                       const struct trace *trace, const struct trace *before, struct told *told,
                       struct error *error)
{
    if (told->masked != NO_TOKEN && predict_pieces(trace, told->masked, &told->word, 1) == 0)
        told->masked = NO_TOKEN; /* there are no logits of words */
    if (answer_of(checkpoint, encoded, trace, &told->answer, error) != STATUS_OK ||
        (before && answer_of(checkpoint, encoded, before, &told->before, error) != STATUS_OK) ||
        (told->answer && told->answer->kind == ANSWER_CLASSES &&
         ask_layers(checkpoint, encoded, trace, told, error) != STATUS_OK))
        return error->status;
    return STATUS_OK;
}

enum status told_new(const struct checkpoint *checkpoint, const struct encoded *encoded,
                     const struct trace *trace, const struct trace *before, size_t masked,
                     struct told **told, struct error *error)
{
    *told = memory_new(1, sizeof **told, 0, "the answers", error);
    if (!*told)
        return error->status;
    (*told)->masked = masked;
    if (ask(checkpoint, encoded, trace, before, *told, error) == STATUS_OK)
        return STATUS_OK;
    told_free(*told);
    *told = NULL;
    return error->status;
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
