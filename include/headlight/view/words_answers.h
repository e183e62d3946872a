/* words_answers.h: what one layer says at one token: its likeliest pieces with their probabilities,
 * how likely the piece is that stands there, and how sure the layer is. */
#ifndef HEADLIGHT_VIEW_WORDS_ANSWERS_H
#define HEADLIGHT_VIEW_WORDS_ANSWERS_H

#include "headlight/view/words_layout.h"

/* A row of a list: what is told, how probable it is, and was before; the bar of `most` is whole. */
struct words_row {
    const char *name;
    double probability, most;
    const double *before; /* or NULL */
    bool chosen;
    struct hit hit;
};

void words_draw_row(struct canvas *canvas, struct area area, const struct words_row *row);

/* In two columns where they stand below the grid. */
void words_draw_answers(const struct scene *scene, struct canvas *canvas, struct area area,
                        bool beside);

#endif
