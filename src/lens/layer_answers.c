/* layer_answers.c: asks the head for a task once for each layer. Tags are asked for by the logit
 * lens, which reads a row at a time. */
#include "headlight/lens/layer_answers.h"

#include "headlight/base/memory.h"
#include "headlight/model/forward.h"

#include <stdlib.h>
#include <string.h>

/* The head reads a layer's rows as if they were the last one's, which are the model's own to the
 * bit. */
static enum status ask_layers(const struct checkpoint *checkpoint, const struct encoded *encoded,
                              const struct trace *trace, struct layer_answers *answers,
                              struct error *error)
{
    struct head_rows *rows = NULL;
    struct trace pass = *trace;
    answers->layers = trace->layers;
    answers->after = memory_new(answers->layers, sizeof(void *), 0, "the answers", error);
    if (!answers->after)
        return STATUS_MEMORY;
    enum status status =
        forward_head_prepare(checkpoint->model, OUTPUT_CLASSES, trace->tokens, &rows, error);
    for (size_t layer = 0; layer < answers->layers && status == STATUS_OK; layer++) {
        const bool last = layer + 1 == answers->layers;
        rows->count = trace->tokens;
        memcpy(rows->hidden, trace->layer[layer].output,
               trace->tokens * trace->hidden * sizeof *rows->hidden);
        pass.outputs[OUTPUT_CLASSES] = last ? trace->outputs[OUTPUT_CLASSES] : rows->logits;
        if (!last)
            status = forward_head(checkpoint->model, trace->tokens, rows, error);
        if (status == STATUS_OK)
            status = answer_of(checkpoint, encoded, &pass, &answers->after[layer], error);
    }
    free(rows);
    return status;
}

enum status layer_answers_new(const struct checkpoint *checkpoint, const struct encoded *encoded,
                              const struct trace *trace, const struct trace *before, size_t masked,
                              struct layer_answers **result, struct error *error)
{
    struct layer_answers *answers = *result =
        memory_new(1, sizeof *answers, 0, "the answers", error);
    if (!answers)
        return STATUS_MEMORY;
    answers->masked = masked;
    if (masked != NO_TOKEN && predict_pieces(trace, masked, &answers->word, 1) == 0)
        answers->masked = NO_TOKEN; /* there are no logits of words */
    enum status status = answer_of(checkpoint, encoded, trace, &answers->answer, error);
    if (status == STATUS_OK && before)
        status = answer_of(checkpoint, encoded, before, &answers->before, error);
    if (status == STATUS_OK && answers->answer && answers->answer->kind == ANSWER_CLASSES)
        status = ask_layers(checkpoint, encoded, trace, answers, error);
    if (status != STATUS_OK) {
        layer_answers_free(answers);
        *result = NULL;
    }
    return status;
}

void layer_answers_free(struct layer_answers *answers)
{
    if (!answers)
        return;
    for (size_t layer = 0; answers->after && layer < answers->layers; layer++)
        answer_free(answers->after[layer]);
    free(answers->after);
    answer_free(answers->answer);
    answer_free(answers->before);
    free(answers);
}
