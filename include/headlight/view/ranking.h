/* ranking.h: all heads of the model, ranked by the weight between the two chosen tokens. */
#ifndef HEADLIGHT_VIEW_RANKING_H
#define HEADLIGHT_VIEW_RANKING_H

#include "headlight/view/views.h"

struct ranked_head {
    size_t layer, head;
    unsigned weight; /* thousandths */
};

/* All L·A heads, heaviest first, equal ones by layer, head. The caller frees them with free(). NULL
 * without memory, or when no pair of tokens is chosen. */
struct ranked_head *ranking_new(const struct scene *scene);

#endif
