/* neuron.h: the neuron view. One head, and how one token's query meets every key:
 *
 *     query q   key k   q × k   q·k/√D   softmax   value v   a × v
 *                                                            Σ a·v
 *
 * The bands show each dimension: tanh(|x|/4) of q, k and q×k, tanh(|x|) of v, tanh(4|x|) of a×v and
 * its sum; the chosen query stands out, the others are dim. Where they don't
 * all fit, scene->valued chooses: what makes the weight, or what the weight makes. Where three
 * bands don't fit, the chosen query stands above the keys, as it does where the queries are not the
 * keys; where two don't, a window of the dimensions is shown that follows the cursor inside the
 * bands. Beside them scene->listed lists the dimensions that count most (contributions.h). */
#ifndef HEADLIGHT_VIEW_NEURON_H
#define HEADLIGHT_VIEW_NEURON_H

#include "headlight/view/scene.h"

/* STATUS_MEMORY. */
enum status neuron_view_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                             struct error *error);

#endif
