/* answers.c: scores of classes, whatever answer a trace has, after each layer too, and an answer in
 * a word. */
#include "headlight/lens/answers.h"

#include "headlight/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Classes ------------------------------------------------------------------------------ */

/* Highest first; of equal ones the label of the lower number, as a stable sort has it. */
static int compare_scores(const void *first, const void *second)
{
    const struct class_score *a = first, *b = second;
    if (a->score < b->score || a->score > b->score)
        return a->score < b->score ? 1 : -1;
    return (a->label > b->label) - (a->label < b->label);
}

enum status answer_classes(const struct labels *labels, const float *logits, struct answer **answer,
                           struct error *error)
{
    const size_t L = labels->count;
    *answer = memory_new(1, sizeof **answer, 0, "an answer", error);
    struct class_score *scores = memory_new(L, sizeof *scores, 0, "the scores of classes", error);
    if (!*answer || !scores) {
        free(scores);
        answer_free(*answer);
        *answer = NULL;
        return error->status;
    }
    double total = predict_total(logits, L, NULL);
    for (size_t i = 0; i < L; i++) {
        double logit = (double)logits[i];
        scores[i].label = i;
        scores[i].score = labels->function == SCORE_NONE      ? logit
                          : labels->function == SCORE_SIGMOID ? 1 / (1 + exp(-logit))
                                                              : exp(logit - total);
    }
    qsort(scores, L, sizeof *scores, compare_scores);
    **answer = (struct answer){.kind = ANSWER_CLASSES, .labels = labels, .scores = scores};
    return STATUS_OK;
}

enum status answer_of(const struct checkpoint *checkpoint, const struct encoded *encoded,
                      const struct trace *trace, struct answer **answer, struct error *error)
{
    float *const *outputs = trace->outputs;
    *answer = NULL;
    if (!checkpoint || !encoded->encoding)
        return STATUS_OK;
    const struct labels *labels = &checkpoint->model->labels;
    const struct answer_read read = {checkpoint->tokenizer, encoded->encoding, encoded->texts};
    return outputs[OUTPUT_CLASSES] ? answer_classes(labels, outputs[OUTPUT_CLASSES], answer, error)
           : outputs[OUTPUT_TAGS]  ? answer_tags(&read, labels, outputs[OUTPUT_TAGS], answer, error)
           : outputs[OUTPUT_START] ? answer_span(&read, outputs[OUTPUT_START], outputs[OUTPUT_END],
                                                 SPAN_TOKENS, answer, error)
                                   : STATUS_OK;
}

double answer_score(const struct answer *answer, size_t label)
{
    size_t i = 0;
    while (answer->scores[i].label != label)
        i++;
    return answer->scores[i].score;
}

/* ---- In a word ---------------------------------------------------------------------------- */

/* How many groups have the name of group `index`; 0 if one before it has that name. */
static size_t count_groups(const struct answer *answer, size_t index)
{
    size_t count = 0;
    for (size_t i = 0; i < answer->group_count; i++) {
        bool same = strcmp(answer->groups[i].name, answer->groups[index].name) == 0;
        if (same && i < index)
            return 0;
        count += same;
    }
    return count;
}

/* A span of many words would leave no room in a line. */
void answer_say(const struct answer *answer, char *said, size_t size)
{
    const struct labels *labels = answer->labels;
    const struct class_score *first = answer->scores;
    const struct answer_span *best = answer->spans;
    const struct text shown = best->passage.shown;
    size_t spaces = 0, length = 0;
    for (size_t i = 0; i < shown.length; i++)
        spaces += shown.bytes[i] == ' ';
    if (answer->kind == ANSWER_CLASSES)
        snprintf(said, size, "%s %.2f",
                 labels->count == 1 && !labels->named ? "score" : labels->names[first->label],
                 first->score);
    else if (answer->kind == ANSWER_TAGS)
        snprintf(said, size, "no tags");
    else if (answer->span_count == 0)
        snprintf(said, size, "no second text");
    else if (answer_is_none(answer))
        snprintf(said, size, "no answer %.2f", answer->none);
    else if (spaces > 3)
        snprintf(said, size, "span of %zu words %.2f", spaces + 1, best->score);
    else
        snprintf(said, size, "“%.*s” %.2f", (int)shown.length, shown.bytes, best->score);
    for (size_t i = 0; i < answer->group_count && length < size; i++) {
        size_t count = count_groups(answer, i);
        if (count > 0)
            length += (size_t)snprintf(said + length, size - length, "%s%zu %s",
                                       length > 0 ? ", " : "", count, answer->groups[i].name);
    }
}

/* ---- After each layer --------------------------------------------------------------------- */

/* The head for classes is asked once for each layer, whose rows it reads as if they were the last
 * one's, which are the model's own to the bit. Tags are asked for by the logit lens, which reads a
 * row at a time. */
enum status layer_answers_new(const struct checkpoint *checkpoint, const struct encoded *encoded,
                              const struct trace *trace, const struct trace *before, size_t masked,
                              struct layer_answers **result, struct error *error)
{
    struct layer_answers *answers = *result =
        memory_new(1, sizeof *answers, 0, "the answers", error);
    struct head_rows *rows = NULL;
    struct trace pass = *trace;
    if (!answers)
        return STATUS_MEMORY;
    answers->masked = masked;
    if (masked != NO_TOKEN && predict_pieces(trace, masked, &answers->word, 1) == 0)
        answers->masked = NO_TOKEN; /* there are no logits of words */
    enum status status = answer_of(checkpoint, encoded, trace, &answers->answer, error);
    if (status == STATUS_OK && before)
        status = answer_of(checkpoint, encoded, before, &answers->before, error);
    if (status == STATUS_OK && answers->answer && answers->answer->kind == ANSWER_CLASSES) {
        answers->layers = trace->layers;
        answers->after = memory_new(answers->layers, sizeof(void *), 0, "the answers", error);
        status = answers->after ? forward_head_prepare(checkpoint->model, OUTPUT_CLASSES,
                                                       trace->tokens, &rows, error)
                                : STATUS_MEMORY;
    }
    for (size_t layer = 0; rows && layer < answers->layers && status == STATUS_OK; layer++) {
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
