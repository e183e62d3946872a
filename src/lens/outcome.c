/* outcome.c: of an answer the probability, of all vectors the one that turned furthest: layers
 * after the change differ more or less in every token, so only the largest difference says
 * something. */
#include "headlight/lens/outcome.h"

#include "headlight/lens/cosine.h"

#include <stdlib.h>

/* Which one it is follows from the network as it was, so that is asked first. */
static enum status outcome_ask(const struct target_source *now, const struct target_source *before,
                               struct outcome *outcome, struct error *error)
{
    struct target_source passes[] = {*before, *now};
    struct head_rows *rows;
    outcome->on.id = TARGET_LIKELIEST;
    if (target_prepare(now->model, outcome->on.output, &rows, error) != STATUS_OK)
        return error->status;
    passes[0].rows = passes[1].rows = rows;
    enum status status = target_ask(&passes[0], &outcome->on, &outcome->logprob_before, error);
    if (status == STATUS_OK)
        status = target_ask(&passes[1], &outcome->on, &outcome->logprob, error);
    free(rows);
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

enum status outcome_measure(const struct target_source *now, const struct target_source *before,
                            const struct target *on, struct outcome **outcome, struct error *error)
{
    struct outcome *made = calloc(1, sizeof *made);
    *outcome = NULL;
    if (!made)
        return error_memory(error, "the outcome", sizeof *made);
    if (on) {
        made->is_answer = true;
        made->on = *on;
        made->token = on->token;
    } else {
        measure_vectors(now->trace, before->trace, made);
    }
    if (on && outcome_ask(now, before, made, error) != STATUS_OK) {
        free(made);
        return error->status;
    }
    *outcome = made;
    return STATUS_OK;
}
