/* generate.h: how a text goes on, token by token, in a model that says which comes next.
 *
 *     const struct sampling greedy = {.temperature = 0};
 *     generate_text(model, trace, &greedy, 1, &id, &count, &longer, &error);
 *
 * Greedy, it is the likeliest token, the lowest id of equals. Else one is drawn from the
 * probabilities softmax(logits/temperature): of the `top_k` likeliest, and of these the fewest that
 * have `top_p` of their sum; in this order, and the likeliest first, it is the one in which
 * u·(their sum) lies, with u from splitmix64 (Steele et al. 2014) at the state seed + T·γ. So the
 * same numbers give the same text on every machine, in one go or step by step.
 *
 * A model follows the rules that come with it (config.h), in transformers' order, before anything
 * is chosen: the logit of a token that is there already, of beams its log-probability, is divided
 * by a penalty, or multiplied where it is negative; what is forbidden is as likely as -infinity,
 * and the rest isn't made to sum up to 1 again, unless a rule of beams says so.
 *
 * Source: Fan et al. 2018 (top-k), Holtzman et al. 2020 (top-p); transformers,
 * generation/logits_process.py. */
#pragma once

#include "headlight/model/encoded.h"

struct sampling {
    double temperature; /* 0: greedy */
    double top_p;       /* 0 or 1: all */
    size_t top_k;       /* 0: all */
    uint64_t seed;
    size_t most; /* of a decoder: a token behind so many, its start not counted, is the last that
                    may be, which some models force to be the end; 0: there may be any number */
};

/* The ids behind the tokens of a computed trace of a model that says what comes next: up to `most`,
 * or to an end that it says. `longer` becomes the trace of all but the last, with room for more,
 * which a pass over the longer text takes over (forward_adopt); NULL if there is only one. Free it
 * with free(), also after a failure. STATUS_MEMORY, and as forward_run and forward_head. */
enum status generate_text(const struct model *model, const struct trace *trace,
                          const struct sampling *sampling, size_t most, int32_t *ids, size_t *count,
                          struct trace **longer, struct error *error);

/* Beam search: of `beams` targets at once, those that the sum of their tokens' log-probabilities
 * makes likeliest go on; one that has ended is worth its sum / (its tokens^length_penalty), where
 * the start is no token. It is over when so many have ended and, as `early` says, none that goes
 * on is worth more now (EARLY_FALSE), whatever goes on (EARLY_TRUE), or none could be even at its
 * longest (EARLY_NEVER). Equal ones: the likelier so far, and the lower id, first.
 *
 * Source: transformers, generation/utils.py and beam_search.py. */
#define BEAMS_MAX 16
enum early_stopping { EARLY_FALSE, EARLY_TRUE, EARLY_NEVER };

struct beam_search {
    size_t beams;          /* 1 … BEAMS_MAX */
    double length_penalty; /* 1 is transformers' */
    enum early_stopping early;
    size_t most; /* tokens that a target may have, up to GENERATED_MAX */
};

/* The best target: its ids behind the start, as many as `most` at most. Runs a pass of the decoder
 * for each, on the encoder's computed trace. STATUS_CANCELLED by the watch, after each token;
 * others as generate_text and forward_prepare. */
enum status generate_beams(const struct model *decoder, const struct trace *encoder,
                           const struct interventions *changes, const struct beam_search *how,
                           const struct watch *watch, int32_t *ids, size_t *count,
                           struct error *error);
