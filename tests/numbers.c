#include "numbers.h"

#include <math.h>

/* sign, exponent and fraction as IEEE 754 says them */
static double value_of_half(uint16_t half, int fraction_bits, int bias)
{
    int exponent_bits = 15 - fraction_bits;
    int exponent = (half & 0x7FFF) >> fraction_bits, top = (1 << exponent_bits) - 1;
    int fraction = half & ((1 << fraction_bits) - 1);
    double sign = half & 0x8000 ? -1 : 1;
    if (exponent == top)
        return fraction ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, 1 - bias - fraction_bits);
    return sign * ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

double value_of_f16(uint16_t half)
{
    return value_of_half(half, 10, 15);
}

double value_of_bf16(uint16_t half)
{
    return value_of_half(half, 7, 127);
}

/* Steele and Vigna's splitmix64. */
uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

size_t random_below(uint64_t *state, size_t below)
{
    return (size_t)(random_next(state) % below);
}

void fill_random(float *numbers, size_t count, float range, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = ((float)(random_next(&seed) >> 40) * 0x1p-23f - 1) * range;
}
