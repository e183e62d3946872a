/* forward_double.h: the forward pass in double precision, by plain loops.
 *
 * Every number is computed in double precision and rounded once, when it goes into the trace. The
 * order of the sums is fixed: the same bytes from any processor and any number of threads, with the
 * same C library. It is what small passes are computed with, and what the single
 * precision of forward.h is measured against. */
#ifndef HEADLIGHT_MODEL_FORWARD_DOUBLE_H
#define HEADLIGHT_MODEL_FORWARD_DOUBLE_H

#include "headlight/model/forward.h"

/* The working space that it needs in the trace, in floats. */
size_t forward_double_scratch(const struct config *config, size_t tokens);

/* As forward_run; `changes` is not NULL. */
enum status forward_double(const struct model *model, const struct interventions *changes,
                           const struct watch *watch, struct trace *trace, struct error *error);

#endif
