/* Any processor: no instruction is asked for that the compiler may not use anyway. Products of any
 * size are the BLAS's here (kernels.c); these are what it is tested against. */
#define TARGET
#define LANES     4
#define WIDE_ROWS 4

typedef float vector __attribute__((vector_size(4 * LANES)));

static inline __attribute__((always_inline)) vector fused(vector a, vector b, vector c)
{
    return a * b + c;
}

#include "kernels_loops.h"

const struct kernels kernels_plain = {.name = "plain C", LOOPS};
