/* share.h: over how many members of the crew (crew.h) a walk over weights is shared out. */
#ifndef HEADLIGHT_LENS_SHARE_H
#define HEADLIGHT_LENS_SHARE_H

#include "headlight/model/crew.h"

/* With fewer weights the work is done before the others are awake. */
#define SHARE_FROM 400000

static inline size_t share_members(size_t weights)
{
    return weights < SHARE_FROM ? 1 : crew_size();
}

#endif
