/* steps_parts.h: what the files of the steps share. */
#ifndef HEADLIGHT_LENS_STEPS_PARTS_H
#define HEADLIGHT_LENS_STEPS_PARTS_H

#include "headlight/lens/steps.h"
#include "headlight/model/weights.h"

static inline const struct layer_trace *steps_layer(const struct steps_at *at)
{
    return &at->trace->layer[at->layer];
}

/* What softmax has: the trace's score, or the one computed where it has none. */
static inline double steps_score(const struct steps *steps, size_t to)
{
    const struct steps_at *at = &steps->at;
    return steps_layer(at)->scores
               ? (double)trace_score(at->trace, at->layer, at->head, at->token, to)
               : steps->stage[STAGE_SCORES].numbers[to];
}

static inline bool steps_have_keys(const struct steps_at *at)
{
    return steps_layer(at)->query.data && steps_layer(at)->key.data && at->trace->dimensions > 0;
}

static inline bool steps_have_values(const struct steps_at *at)
{
    return steps_layer(at)->value.data && at->trace->dimensions > 0;
}

/* One of the parts of the token's embedding; zero where the network leaves it out, and false where
 * it has no such part. */
bool steps_embed(struct steps *steps, enum embedded part, double *x /* [E] */);

/* The token's numbers of a stage in the trace, of a head's own stages the head's; NULL where it has
 * none. */
const float *steps_traced(const struct steps_at *at, enum stage stage);

/* What the numbers of another stage are made of: the trace's, or those computed where it has none;
 * of the contexts all heads'. In the steps until the next one. */
const double *steps_source(struct steps *steps, enum stage stage);

/* The layer's inputs of the K tokens around, as the convolution's weights lie: those of token
 * t + k - K/2 at i·K + k; 0 where there is none. In the steps until the next one. */
const double *steps_neighbours(struct steps *steps);

/* How many numbers a linear layer takes. */
size_t steps_inputs(const struct steps_at *at, enum stage stage);

/* A row of a matrix, in the steps until the next one. */
const float *steps_row(struct steps *steps, const struct linear *linear, size_t row,
                       size_t columns);

/* steps_arithmetic, with the terms as they come, and without those of softmax. */
void steps_gather(struct steps *steps, enum stage stage, size_t i, struct arithmetic *arithmetic);

#endif
