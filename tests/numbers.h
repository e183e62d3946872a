/* numbers.h: numbers for tests, the same in every run. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Both numbers of a die that is thrown on: Steele and Vigna's splitmix64. */
uint64_t random_next(uint64_t *state);
size_t random_below(uint64_t *state, size_t below);

/* Numbers in -range … range. */
void fill_random(float *numbers, size_t count, float range, uint64_t seed);

/* The float that a half stands for, by its definition and in double precision. */
double value_of_f16(uint16_t half);
double value_of_bf16(uint16_t half);
