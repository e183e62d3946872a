#include "headlight/model/finite.h"

#include "headlight/model/weights.h"
#include "headlight/tensor/kernels.h"

#include <stdio.h>

static bool all_finite(size_t count, const float *numbers)
{
    return kernels_now()->finite(count, numbers);
}

bool finite_logits(const struct trace *trace)
{
    const size_t words = trace->tokens * trace->vocabulary;
    const struct {
        const float *numbers;
        size_t count;
    } logits[] = {{trace->mlm_logits, words},
                  {trace->lm_logits, words},
                  {trace->rtd_logits, trace->tokens},
                  {trace->nsp_logits, 2},
                  {trace->sop_logits, 2}};
    for (size_t i = 0; i < sizeof logits / sizeof *logits; i++)
        if (logits[i].numbers && !all_finite(logits[i].count, logits[i].numbers))
            return false;
    return true;
}

/* ---- The cause ---------------------------------------------------------------------------- */

/* In single precision the advice may be wrong; forward_run tries whether it is. */
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
    if (l == 0 && weights_check_embeddings(config, store, trace, error) != STATUS_OK)
        return error->status;
    if (l == 0 && !all_finite(trace->tokens * trace->embedded, trace->embedding))
        return too_large(trace, "the embeddings", error);
    if (l < trace->layers)
        return explain_layer(model, trace, l, error);
    if (weights_check_heads(config, store, trace, error) != STATUS_OK)
        return error->status;
    return too_large(trace, "the model's heads", error);
}
