/* widen.h: 16-bit floating-point numbers to 32-bit ones. Both conversions are exact: every half has
 * a float of the same value, subnormals, infinities and signed zeros included; NaN stays NaN. */
#ifndef HEADLIGHT_TENSOR_WIDEN_H
#define HEADLIGHT_TENSOR_WIDEN_H

#include <stddef.h>

/* `halves` are `count` little-endian numbers of 2 bytes, aligned or not. */
void widen_f16(const unsigned char *halves, size_t count, float *numbers);
void widen_bf16(const unsigned char *halves, size_t count, float *numbers);

/* widen_f16 on a processor without instructions for it. Public so that the tests reach it. */
void widen_f16_portable(const unsigned char *halves, size_t count, float *numbers);

#endif
