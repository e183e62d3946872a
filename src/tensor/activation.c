#include "headlight/tensor/activation.h"

#include "headlight/tensor/kernels.h"

#include <math.h>

/* Hendrycks and Gimpel 2016, the approximation, as GPT-2 has it:
 *
 *     x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))) */
static void gelu_new(float *x, size_t count)
{
    const float sqrt_two_over_pi = 0.79788456f;
    for (size_t i = 0; i < count; i++) {
        float inner = sqrt_two_over_pi * (x[i] + 0.044715f * x[i] * x[i] * x[i]);
        x[i] = 0.5f * x[i] * (1 + tanhf(inner));
    }
}

void activation_apply(enum activation activation, float *x, size_t count)
{
    switch (activation) {
    case ACTIVATION_GELU:
        kernels_now()->gelu(x, count);
        break;
    case ACTIVATION_GELU_NEW:
        gelu_new(x, count);
        break;
    case ACTIVATION_RELU:
        for (size_t i = 0; i < count; i++)
            x[i] = x[i] > 0 ? x[i] : 0 * x[i] + 0; /* NaN for NaN and -inf, and never -0 */
        break;
    }
}
