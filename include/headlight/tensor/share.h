/* share.h: over how many threads of the pool (thread_pool.h) a walk over weights is shared out. */
#ifndef HEADLIGHT_TENSOR_SHARE_H
#define HEADLIGHT_TENSOR_SHARE_H

#include "headlight/tensor/thread_pool.h"

/* With fewer weights the work is done before the others are awake. */
#define SHARE_FROM 400000

static inline size_t share_members(size_t weights)
{
    return weights < SHARE_FROM ? 1 : pool_size();
}

#endif
