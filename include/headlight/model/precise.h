/* precise.h: the forward pass in double precision, by plain loops.
 *
 * Every number is computed in double precision and rounded once, when it goes into the trace. It
 * uses no BLAS and no blocks: the same bytes on every machine with the same C library, at a few
 * multiply-adds a nanosecond. It is what small passes are computed with, and what the single
 * precision of encoder.c is measured against. */
#ifndef HEADLIGHT_MODEL_PRECISE_H
#define HEADLIGHT_MODEL_PRECISE_H

#include "headlight/model/encoder.h"

/* Multiply-adds of one forward pass over T tokens; SIZE_MAX when the number does not fit. */
size_t precise_cost(const struct config *config, size_t tokens);

/* As encoder_forward; `changes` is not NULL. */
enum status precise_forward(const struct model *model, const struct interventions *changes,
                            const struct watch *watch, struct trace *trace, struct error *error);

#endif
