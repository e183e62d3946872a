/* bits.h: a float and its bits, for arithmetic without branches. */
#ifndef HEADLIGHT_TENSOR_BITS_H
#define HEADLIGHT_TENSOR_BITS_H

#include <stdint.h>
#include <string.h>

static inline float float_of_bits(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline uint32_t bits_of_float(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* All ones, or none. */
static inline uint32_t bits_mask(int condition)
{
    return 0u - (uint32_t)(condition != 0);
}

#endif
