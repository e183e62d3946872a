/* activation.h: the functions between two linear layers, for `count` numbers in place. */
#ifndef HEADLIGHT_MODEL_ACTIVATION_H
#define HEADLIGHT_MODEL_ACTIVATION_H

#include "headlight/model/config.h"

#include <stddef.h>

void activation_apply(enum activation activation, float *x, size_t count);

#endif
