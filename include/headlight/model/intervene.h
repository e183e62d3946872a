/* intervene.h: what is changed in the network for one forward pass. All zero is the network as it
 * was trained. */
#ifndef HEADLIGHT_MODEL_INTERVENE_H
#define HEADLIGHT_MODEL_INTERVENE_H

#include "headlight/base/error.h"
#include "headlight/model/config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INTERVENE_LAYERS_MAX CONFIG_LAYERS_MAX

struct interventions {
    bool unscaled; /* scores are q·k, without the division by √D */
    bool causal;   /* a token attends to itself and to tokens before it; other scores are -inf */
    uint64_t
        off[INTERVENE_LAYERS_MAX]; /* bit h of off[l]: head h of layer l gives a zero context */
};

/* Whether the network is changed at all; NULL is no change. */
bool interventions_any(const struct interventions *changes);

/* In words: "changed: causal unscaled 2 heads off". */
void interventions_describe(const struct interventions *changes, char *text, size_t size);

/* The first layer that the two change otherwise; `layers` when they are alike up to there. */
size_t interventions_first_difference(const struct interventions *a, const struct interventions *b,
                                      size_t layers);

/* Adds the heads of a list such as "0.1,2.3" (layer.head, both from 0). STATUS_USAGE for a
 * malformed list or a head that a model of L layers with A heads lacks; *changes is then as it was.
 */
enum status interventions_switch_off(struct interventions *changes, const char *list, size_t layers,
                                     size_t heads, struct error *error);

#endif
