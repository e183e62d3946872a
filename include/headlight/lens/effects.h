/* effects.h: which heads an answer depends on: how switching each of them off changes it.
 *
 * Source: Michel et al. 2019, "Are Sixteen Heads Really Better than One?", section 3.2, where heads
 * are masked one at a time; here the measure is the log-probability of one answer (target.h).
 *
 *     struct effects *effects;
 *     effects_measure(&source, &target, NULL, &effects, &error);
 *     effects->change[layer * effects->heads + head]
 *     free(effects); */
#ifndef HEADLIGHT_LENS_EFFECTS_H
#define HEADLIGHT_LENS_EFFECTS_H

#include "headlight/base/watch.h"
#include "headlight/lens/target.h"

struct effects {
    size_t layers, heads;        /* L A */
    struct target on, likeliest; /* the same, unless another answer was asked about */
    double logprob;              /* of the answer in the unchanged network */
    double change[]; /* [L,A] log-probability without the head, minus `logprob`; 0 for a head that
                        is off already */
};

/* Measures all heads, on top of the trace's own changes: copies of the text (of a similarity
 * of each) go through the network from each head's layer on. That costs about half of L·A passes.
 * The watch, which may be NULL, gets the number of heads done, during passes too. The source's rows
 * are not needed. *effects is one block, NULL after an error: STATUS_CANCELLED, STATUS_MEMORY, and
 * as batch_run and target_ask. */
enum status effects_measure(const struct target_source *source, const struct target *on,
                            const struct watch *watch, struct effects **effects,
                            struct error *error);

/* The head, counted over all layers, whose effect is the next smaller one, whatever its sign, or
 * the next larger one; from the last it goes on to the first. Heads without an effect are passed
 * over: from one of these, or from L·A, it goes to the largest, or to the smallest. */
size_t effects_next(const struct effects *effects, size_t from, bool smaller);

#endif
