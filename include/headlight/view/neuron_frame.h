/* neuron_frame.h: the parts of the neuron view (neuron.h) and what stands around its rows: headings
 * with the chosen query and the marks of the dimension above, the line of numbers below. */
#ifndef HEADLIGHT_VIEW_NEURON_FRAME_H
#define HEADLIGHT_VIEW_NEURON_FRAME_H

#include "headlight/draw/bands.h"
#include "headlight/view/neuron_layout.h"

/* What the rows share while a view is drawn. */
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

/* A weight of the chosen query, in thousandths. */
unsigned neuron_weight(const struct neuron_sheet *sheet, size_t key);

/* The dimensions on screen of a vector [D]; nothing where x is -1. */
void neuron_draw_band(const struct neuron_sheet *sheet, int y, int x, int rows, const float *values,
                      struct band_scale scale);

/* A token's label in the column of labels. */
void neuron_draw_label(const struct neuron_sheet *sheet, int y, struct style style,
                       const char *label);

void neuron_draw_headings(const struct neuron_sheet *sheet);

/* The last row of the area: the current pair, and the dimension under the cursor. */
void neuron_draw_numbers(const struct neuron_sheet *sheet, struct area area);

#endif
