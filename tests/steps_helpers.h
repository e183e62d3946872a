/* steps_helpers.h: what tests of the steps of a layer share. Every function fails the running test
 * when what it looks at is wrong. */
#pragma once

#include "headlight/lens/steps.h"

#define STEPS_TOKENS 11

/* A trace holds floats, and a pass in single precision rounds after every step: as in
 * check_model_forward.c, by about 1e-7 of the largest number, which a sharp softmax amplifies. */
#define STEPS_TOLERANCE 2e-5

/* Every stage of one in so many tokens, heads and layers is the trace's; the arithmetic of fewer,
 * which would take long, adds up. `name` is for messages. */
void steps_check(const struct model *model, const struct trace *trace, const char *name,
                 size_t every);

/* Whether stages behind the last layer lead to an output. */
bool steps_lead_to(const struct model *model, enum model_output output);

/* What the trace has of a stage; NULL where it has nothing. Of a span until the next call. */
const float *stage_traced(const struct steps_at *at, enum stage stage);

/* The sum of what the terms of `arithmetic` multiply. */
double terms_sum(const struct arithmetic *arithmetic);
