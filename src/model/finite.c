#include "headlight/model/finite.h"

#include "headlight/model/weights.h"
#include "headlight/tensor/kernels.h"

#include <stdio.h>

static bool all_finite(size_t count, const float *numbers)
{
    return kernels_now()->finite(count, numbers);
}

/* [A,T,T], of which a causal mask leaves the part up to the diagonal. */
static bool finite_scores(const struct trace *trace, const float *scores, bool causal)
{
    size_t T = trace->tokens;
    for (size_t row = 0; row < trace->heads * T; row++)
        if (!all_finite(causal ? row % T + 1 : T, scores + row * T))
            return false;
    return true;
}

bool finite_layer(const struct trace *trace, size_t layer, bool causal)
{
    const struct layer_trace *l = &trace->layer[layer];
    const size_t states = trace->tokens * trace->hidden, T = trace->tokens;
    return all_finite(states, l->input) &&
           all_finite(3 * states, l->query.data) && /* key and value too */
           finite_scores(trace, l->scores, causal) &&
           all_finite(trace->heads * T * T, l->weights) && all_finite(states, l->context) &&
           all_finite(states, l->attention_output) && all_finite(states, l->output);
}

bool finite_logits(const struct trace *trace)
{
    return (!trace->mlm_logits ||
            all_finite(trace->tokens * trace->vocabulary, trace->mlm_logits)) &&
           (!trace->nsp_logits || all_finite(2, trace->nsp_logits));
}

/* ---- The cause ---------------------------------------------------------------------------- */

static enum status too_large(const struct trace *trace, const char *where, struct error *error)
{
    return error_set(error, STATUS_LIMIT,
                     "%s: more than a float holds (3.4e38) is computed from weights that are "
                     "finite: %s",
                     where,
                     trace->computed.precise
                         ? "is this checkpoint complete, and of this configuration?"
                         : "compute it in double precision (--precision double)");
}

static enum status explain_layer(const struct model *model, const struct trace *trace, size_t l,
                                 struct error *error)
{
    char where[32];
    if (weights_check_layer(model_config(model), model_store(model), l, error) != STATUS_OK)
        return error->status;
    snprintf(where, sizeof where, "layer %zu", l);
    return too_large(trace, where, error);
}

enum status finite_explain(const struct model *model, const struct trace *trace,
                           struct error *error)
{
    const struct config *config = model_config(model);
    const struct store *store = model_store(model);
    size_t l = trace->computed.layers;
    if (l == 0 && !all_finite(trace->tokens * trace->hidden, trace->embedding)) {
        if (weights_check_embeddings(config, store, trace, error) != STATUS_OK)
            return error->status;
        return too_large(trace, "the embeddings", error);
    }
    if (l < trace->layers)
        return explain_layer(model, trace, l, error);
    if (weights_check_heads(config, store, trace, error) != STATUS_OK)
        return error->status;
    return too_large(trace, "the masked-word or next-sentence head", error);
}
