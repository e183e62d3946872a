/* chance.h: a small generator: the same seed gives the same numbers on every machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chance {
    uint64_t state;
};

/* Steele et al. 2014, "Fast Splittable Pseudorandom Number Generators": SplitMix64. */
static inline uint64_t chance_next(struct chance *chance)
{
    uint64_t mixed = chance->state += UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

/* One of 0 … count-1. */
static inline size_t chance_below(struct chance *chance, size_t count)
{
    return (size_t)(chance_next(chance) % count);
}

/* first … last */
static inline int chance_between(struct chance *chance, int first, int last)
{
    return first + (int)chance_below(chance, (size_t)(last - first + 1));
}

/* True once in so many times. */
static inline bool chance_one_in(struct chance *chance, size_t times)
{
    return chance_below(chance, times) == 0;
}
