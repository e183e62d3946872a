/* single.h: the forward pass in single precision, by all members of the crew together. */
#ifndef HEADLIGHT_MODEL_SINGLE_H
#define HEADLIGHT_MODEL_SINGLE_H

#include "headlight/model/encoder.h"

/* The working space that it needs in the trace, in floats. */
size_t single_scratch(const struct config *config, size_t tokens);

/* As encoder_forward; `changes` is not NULL, and the layers before `first` are there already. */
enum status single_forward(const struct model *model, const struct interventions *changes,
                           size_t first, const struct watch *watch, struct trace *trace,
                           struct error *error);

#endif
