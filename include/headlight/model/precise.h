/* precise.h: the forward pass in double precision, by plain loops.
 *
 * Every number is computed in double precision and rounded once, when it goes into the trace. The
 * order of the sums is fixed: the same bytes from any processor and any number of threads, with the
 * same C library. It is what small passes are computed with, and what the single
 * precision of encoder.c is measured against. */
#ifndef HEADLIGHT_MODEL_PRECISE_H
#define HEADLIGHT_MODEL_PRECISE_H

#include "headlight/model/encoder.h"

/* The working space that it needs in the trace, in floats. */
size_t precise_scratch(const struct config *config, size_t tokens);

/* As encoder_forward; `changes` is not NULL. */
enum status precise_forward(const struct model *model, const struct interventions *changes,
                            const struct watch *watch, struct trace *trace, struct error *error);

#endif
