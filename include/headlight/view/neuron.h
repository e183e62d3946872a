/* neuron.h: the neuron view. One head, and how one token's query meets every key:
 *
 *     query q   key k   q × k   q·k/√D   softmax
 *
 * The bands show each dimension; the chosen query stands out, the others are dim. Where three bands
 * don't fit, the chosen query stands above the keys; where two don't, a window of the dimensions is
 * shown that follows the cursor inside the bands. */
#ifndef HEADLIGHT_VIEW_NEURON_H
#define HEADLIGHT_VIEW_NEURON_H

#include "headlight/view/scene.h"

enum status neuron_view_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                             struct error *error);

#endif
