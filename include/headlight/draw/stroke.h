/* stroke.h: lines between tokens, for whatever shows the picture to draw as well as it can: dots in
 * cells, or true curves.
 *
 * A stroke runs from the left edge of an area of cells, its field, to the right edge: level for a
 * twentieth of the way, nearly straight, and level again. It says its weight by width first and by
 * brightness second. */
#ifndef HEADLIGHT_DRAW_STROKE_H
#define HEADLIGHT_DRAW_STROKE_H

#include "headlight/draw/style.h"

/* Measured in rows of cells, from the top of the field: the middle of its first row is 0.5. A
 * stroke may begin or end above or below the field, which cuts it off. */
struct stroke {
    float from, to;
    float width;
    struct ink ink; /* its level counts from the faintest that can be seen, see theme_settle */
};

/* How much of its rise, 0 … 1, a stroke has made after this share, 0 … 1, of its way. */
double stroke_risen(double way);

/* The two ways along which it bends from level to straight and back: cubic curves through these
 * shares of the way have the same shape. */
#define STROKE_LEVEL 0.05
#define STROKE_BEND  0.15

#endif
