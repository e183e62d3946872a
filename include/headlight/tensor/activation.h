/* activation.h: the functions between two linear layers, for `count` numbers in place. */
#ifndef HEADLIGHT_TENSOR_ACTIVATION_H
#define HEADLIGHT_TENSOR_ACTIVATION_H

#include <stddef.h>

enum activation {
    ACTIVATION_GELU,     /* x·Φ(x), with erf */
    ACTIVATION_GELU_NEW, /* the tanh approximation of GPT-2 */
    ACTIVATION_RELU,
};

void activation_apply(enum activation activation, float *x, size_t count);

#endif
