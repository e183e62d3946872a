/* effects.h: which heads a prediction hangs on: what switching each of them off does to it.
 *
 * Source: Michel et al. 2019, "Are Sixteen Heads Really Better than One?", section 3.2, where heads
 * are masked one at a time; here the measure is the log-probability of one piece at one token.
 *
 *     struct effects *effects;
 *     effects_measure(model, trace, token, id, NULL, &effects, &error);
 *     effects->change[layer * effects->heads + head]
 *     free(effects); */
#ifndef HEADLIGHT_LENS_EFFECTS_H
#define HEADLIGHT_LENS_EFFECTS_H

#include "headlight/base/watch.h"
#include "headlight/model/model.h"
#include "headlight/model/trace.h"

/* In place of a piece: the one that the network, as it is, takes for the likeliest. */
#define EFFECTS_LIKELIEST (-1)

struct effects {
    size_t layers, heads; /* L A */
    size_t token;
    int32_t id;        /* of the piece, */
    int32_t likeliest; /* and of the likeliest one, which it may be */
    double logprob;    /* of the piece at the token, as the network is; natural logarithm */
    double change[];   /* [L,A]  log-probability without the head, less `logprob`; of a head that is
                          off already 0 */
};

/* Measures all heads, on top of the changes that the model's own trace was computed with: a pass
 * for each, from its layer on, in the precision of the trace. Half of L·A passes, then, or in
 * double precision, where no layer is kept, all of them. The watch, which may be NULL, is told how
 * many of the L·A heads are done, within a pass too. *effects is one block, NULL after an error:
 * STATUS_UNSUPPORTED without a head for words, STATUS_CANCELLED, STATUS_MEMORY, and as
 * forward_prepare and forward_run. */
enum status effects_measure(const struct model *model, const struct trace *trace, size_t token,
                            int32_t id, const struct watch *watch, struct effects **effects,
                            struct error *error);

#endif
