/* before_after.c: of an answer the probability, of all vectors the one that turned furthest: layers
 * after the change differ more or less in every token, so only the largest difference says
 * something. */
#include "headlight/lens/before_after.h"

#include "headlight/base/memory.h"
#include "headlight/lens/cosine.h"

#include <stdlib.h>

/* The first by layer and token of those that are equal. */
static void measure_vectors(const struct trace *trace, const struct trace *before,
                            struct before_after *change)
{
    change->cosine = NAN;
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t token = 0; token < trace->tokens; token++) {
            const struct occurrence now = {trace, {token, token + 1}},
                                    was = {before, {token, token + 1}};
            const double cosine = cosine_at(&now, &was, layer + 1);
            if (isnan(cosine) || cosine >= change->cosine)
                continue;
            change->cosine = cosine;
            change->layer = layer;
            change->token = token;
        }
}

/* Which answer it is follows from the network as it was, so that is asked first. */
enum status before_after_measure(const struct target_source *now,
                                 const struct target_source *before, const struct target *on,
                                 struct before_after **change, struct error *error)
{
    struct before_after *made = *change = memory_new(1, sizeof *made, 0, "the outcome", error);
    enum status status = made ? STATUS_OK : STATUS_MEMORY;
    if (made && on) {
        *made = (struct before_after){.is_answer = true, .on = *on, .token = on->token};
        made->on.id = TARGET_LIKELIEST;
        status = target_ask(before, &made->on, &made->logprob_before, error);
        if (status == STATUS_OK)
            status = target_ask(now, &made->on, &made->logprob, error);
    } else if (made) {
        measure_vectors(now->trace, before->trace, made);
    }
    if (status != STATUS_OK) {
        free(made);
        *change = NULL;
    }
    return status;
}
