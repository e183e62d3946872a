/* forward_single.h: the forward pass in single precision, by all threads of the pool together. */
#ifndef HEADLIGHT_MODEL_FORWARD_SINGLE_H
#define HEADLIGHT_MODEL_FORWARD_SINGLE_H

#include "headlight/model/forward.h"

/* The working space that it needs in the trace, in floats. */
size_t forward_single_scratch(const struct config *config, size_t tokens);

/* As forward_run; `changes` is not NULL, and the layers before `first` are there already. */
enum status forward_single(const struct model *model, const struct interventions *changes,
                           size_t first, const struct watch *watch, struct trace *trace,
                           struct error *error);

#endif
