/* generate.h: how a text goes on, token by token, in a model that says which comes next.
 *
 *     const struct sampling greedy = {.temperature = 0};
 *     generate_next(model, trace, &greedy, &id, &error);
 *
 * Greedy, it is the likeliest token, the lowest id of equals. Else one is drawn from the
 * probabilities softmax(logits/temperature): of the `top_k` likeliest, and of these the fewest that
 * have `top_p` of their sum; in this order, and the likeliest first, it is the one in which
 * u·(their sum) lies, with u from splitmix64 (Steele et al. 2014) at the state seed + T·γ. So the
 * same numbers give the same text on every machine, in one go or step by step.
 *
 * Source: Fan et al. 2018 (top-k), Holtzman et al. 2020 (top-p); transformers,
 * generation/logits_process.py. */
#ifndef HEADLIGHT_LENS_GENERATE_H
#define HEADLIGHT_LENS_GENERATE_H

#include "headlight/model/model.h"
#include "headlight/model/trace.h"

struct sampling {
    double temperature; /* 0: greedy */
    double top_p;       /* 0 or 1: all */
    size_t top_k;       /* 0: all */
    uint64_t seed;
};

/* The id behind the last token of a computed trace of a model that says which comes next.
 * STATUS_MEMORY, and as forward_head. */
enum status generate_next(const struct model *model, const struct trace *trace,
                          const struct sampling *sampling, int32_t *id, struct error *error);

#endif
