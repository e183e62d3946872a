/* ranking.h: which heads link two tokens: all heads of the model, ranked by the weight between the
 * two tokens that are chosen. */
#ifndef HEADLIGHT_VIEW_RANKING_H
#define HEADLIGHT_VIEW_RANKING_H

#include "headlight/view/views.h"

struct ranked_head {
    size_t layer, head;
    unsigned weight; /* thousandths */
};

/* All L·A heads, the heaviest first; of equal ones the first by layer, head. The caller frees them.
 * NULL without memory, or when no pair of tokens is chosen. */
struct ranked_head *ranking_new(const struct scene *scene);

#endif
