/* steps_parts.h: what the files of the steps share. */
#ifndef HEADLIGHT_LENS_STEPS_PARTS_H
#define HEADLIGHT_LENS_STEPS_PARTS_H

#include "headlight/lens/steps.h"
#include "headlight/model/weights.h"

enum embedded { EMBEDDED_WORD, EMBEDDED_POSITION, EMBEDDED_SEGMENT, EMBEDDED_PARTS };

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

/* One of the parts of the token's embedding; zero where the network leaves it out. */
void steps_embed(struct steps *steps, enum embedded part, double *x /* [H] */);

/* A row of a matrix, in the steps until the next one. */
const float *steps_row(struct steps *steps, const struct linear *linear, size_t row,
                       size_t columns);

/* steps_arithmetic, with the terms as they come, and without those of softmax. */
void steps_gather(struct steps *steps, enum stage stage, size_t i, struct arithmetic *arithmetic);

#endif
