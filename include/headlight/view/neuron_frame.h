/* neuron_frame.h: what the rows of the neuron view share and what surrounds them: headings, the
 * chosen query and the marks of the dimension above, the legend and the line of numbers below. */
#ifndef HEADLIGHT_VIEW_NEURON_FRAME_H
#define HEADLIGHT_VIEW_NEURON_FRAME_H

#include "headlight/draw/bands.h"
#include "headlight/view/neuron_layout.h"

/* A neuron view while it is drawn. */
struct neuron_sheet {
    const struct scene *scene;
    struct canvas *canvas;
    struct neuron_layout layout;
    struct band_scale scale;          /* of q, k and q×k */
    struct band_scale scale_values;   /* of v */
    struct band_scale scale_weighted; /* of a×v and Σ */
    float *vector;                    /* [D] working space */
    float *context;                   /* [D] Σ a·v */
};

/* The weight of a key for the chosen query, in thousandths. */
unsigned neuron_weight(const struct neuron_sheet *sheet, size_t key);

/* Draws the dimensions on screen of values [D]; nothing if x is -1. */
void neuron_draw_band(const struct neuron_sheet *sheet, int y, int x, int rows, const float *values,
                      struct band_scale scale);

/* Draws a token's label in the column of labels. */
void neuron_draw_label(const struct neuron_sheet *sheet, int y, struct style style,
                       const char *label);

void neuron_draw_headings(const struct neuron_sheet *sheet);

/* The names of the sentences beside their first tokens; how many tokens are above and below those
 * on screen. */
void neuron_draw_beside(const struct neuron_sheet *sheet);

/* The row above the last: how a number becomes a colour. */
void neuron_draw_legend(const struct neuron_sheet *sheet, struct area area);

/* The last row of the area: the current pair, and the dimension under the cursor. */
void neuron_draw_numbers(const struct neuron_sheet *sheet, struct area area);

#endif
