/* heat.h: small heat maps of a head's weights, in dots: two a cell, one above the other, or one
 * where there is no colour to tell them apart. */
#ifndef HEADLIGHT_VIEW_HEAT_H
#define HEADLIGHT_VIEW_HEAT_H

#include "headlight/view/scene.h"

struct heat {
    const float *weights; /* [R,C] of one head */
    size_t attended;      /* C */
    size_t head;
    enum tone tone;
    struct token_range from, to;
    int rows, columns; /* in dots; a dot that stands for several weights shows the largest */
    bool on;           /* whether the head is on: else the map is dim */
};

/* The map of a head under the scene's filter; rows and columns are the caller's to set. */
struct heat heat_of(const struct scene *scene, size_t layer, size_t head);

/* Dots that a cell has, one above the other. */
int heat_per_row(const struct canvas *canvas);

/* Draws a map whose first dot is (y, x), counted in dots. */
void heat_draw(const struct heat *heat, struct canvas *canvas, int y, int x);

/* Colours one dot; the other one of its cell keeps its colour. */
void heat_dot(struct canvas *canvas, int y, int x, struct ink ink);

#endif
