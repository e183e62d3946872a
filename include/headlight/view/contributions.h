/* contributions.h: a panel that lists the dimensions of one pair of tokens by what they contribute:
 *
 *     dim      q      k     q×k              dim      v      Σ     a×v
 *      17  +3.12  +2.50   +7.80 █████         17 +0.312 +0.250  +0.131 █████ */
#ifndef HEADLIGHT_VIEW_CONTRIBUTIONS_H
#define HEADLIGHT_VIEW_CONTRIBUTIONS_H

#include "headlight/lens/dimensions.h"
#include "headlight/view/scene.h"

#define CONTRIBUTIONS_COLUMNS 31

/* Lists query, key and the products that make up the score or, with `valued`, value, context and
 * weighted value; the layer must have what is listed. The dimension `cursor` is marked.
 * STATUS_MEMORY. */
enum status contributions_draw(const struct scene *scene, const struct attending *at, size_t key,
                               bool valued, size_t cursor, struct canvas *canvas, struct area area,
                               struct error *error);

#endif
