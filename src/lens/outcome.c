/* outcome.c: of an answer the probability, of all vectors the one that turned furthest: layers
 * after the change differ more or less in every token, so only the largest difference says
 * something. */
#include "headlight/lens/outcome.h"

#include "headlight/lens/cosine.h"
#include "headlight/lens/logit_lens.h"

#include <stdlib.h>

/* Which piece it is follows from the network as it was, so that is asked first. */
static enum status ask_both(const struct model *model, const struct trace *trace,
                            struct outcome *outcome, struct lens_questions *asked,
                            struct error *error)
{
    struct lens_question *before = &asked->of[0], *now = &asked->of[1];
    if (logit_lens_answer(model, before->trace, asked, NULL, error) != STATUS_OK)
        return error->status;
    outcome->id = before->cell.best[0].id;
    outcome->logprob_before = before->cell.best[0].logprob;
    *now = (struct lens_question){trace, outcome->token, {.id = outcome->id}};
    asked->count++;
    if (logit_lens_answer(model, trace, asked, NULL, error) != STATUS_OK)
        return error->status;
    outcome->logprob = now->cell.logprob;
    return STATUS_OK;
}

static enum status measure_answer(const struct model *model, const struct trace *trace,
                                  const struct trace *before, struct outcome *outcome,
                                  struct error *error)
{
    struct lens_questions *asked = calloc(1, sizeof *asked);
    if (!asked)
        return error_memory(error, "the model's answer", sizeof *asked);
    asked->count = 1;
    asked->of[0] = (struct lens_question){before, outcome->token, {.id = LENS_NOTHING}};
    enum status status = ask_both(model, trace, outcome, asked, error);
    free(asked);
    return status;
}

/* The first by layer and token of those that are equal. */
static void measure_vectors(const struct trace *trace, const struct trace *before,
                            struct outcome *outcome)
{
    outcome->cosine = NAN;
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t token = 0; token < trace->tokens; token++) {
            const struct occurrence now = {trace, {token, token + 1}},
                                    was = {before, {token, token + 1}};
            const double cosine = cosine_at(&now, &was, layer + 1);
            if (isnan(cosine) || cosine >= outcome->cosine)
                continue;
            outcome->cosine = cosine;
            outcome->layer = layer;
            outcome->token = token;
        }
}

enum status outcome_measure(const struct model *model, const struct trace *trace,
                            const struct trace *before, size_t token, struct outcome **outcome,
                            struct error *error)
{
    struct outcome *made = calloc(1, sizeof *made);
    *outcome = NULL;
    if (!made)
        return error_memory(error, "the outcome", sizeof *made);
    made->is_answer = token != NO_TOKEN;
    made->token = token;
    if (!made->is_answer) {
        measure_vectors(trace, before, made);
    } else if (measure_answer(model, trace, before, made, error) != STATUS_OK) {
        free(made);
        return error->status;
    }
    *outcome = made;
    return STATUS_OK;
}
