/* telling.h: the head to begin with: the one that shows best what attention is about.
 *
 * Of all heads of all layers, the one whose content tokens attend most sharply to other content
 * tokens: the mean, over the attending tokens that are not special, of the largest weight on a
 * token that is not special either, nor the same token or a neighbour of it. So heads that look at
 * [CLS] and [SEP], at the token itself, at the previous or the next one, have little. Compared in
 * thousandths; of equal ones the first by layer, then head. */
#ifndef HEADLIGHT_LENS_TELLING_H
#define HEADLIGHT_LENS_TELLING_H

#include "headlight/model/side.h"
#include "headlight/model/trace.h"

/* The most weights, L·A·T·S, that are read for it: a few milliseconds. */
#define TELLING_MOST 16e6

/* Finds it. False when there are more weights than that, or no such weight reaches a thousandth, as
 * in a text of three tokens. */
bool telling_head(const struct trace *trace, const struct token_side sides[2], size_t *layer,
                  size_t *head);

#endif
