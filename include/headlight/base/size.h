/* size.h: sizes that come from a file are multiplied and added with a check; the smaller and the
 * larger of two, also of places on a screen. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* How many items an array has. */
#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* *product = a·b; false when it does not fit. */
static inline bool size_multiply(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* *sum = a + b; false when it does not fit. */
static inline bool size_add(size_t a, size_t b, size_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

static inline size_t size_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t size_max(size_t a, size_t b)
{
    return a > b ? a : b;
}

static inline int int_min(int a, int b)
{
    return a < b ? a : b;
}

static inline int int_max(int a, int b)
{
    return a > b ? a : b;
}

/* `value`, but no less than `least`, and if that allows it, no more than `most`. */
static inline int int_clamp(int value, int least, int most)
{
    return int_max(least, int_min(value, most));
}
