#include "headlight/draw/stroke.h"

/* Level at either end, and so much of the way on either side of the middle bends into or out of the
 * straight line. */
#define LEVEL 0.05
#define BEND  0.15

/* A line whose slope grows from 0 evenly over the first bend, stays, and shrinks to 0 over the last:
 * the integral of that trapezium, whose area is 1. */
double stroke_risen(double way)
{
    double t = (way - LEVEL) / (1 - 2 * LEVEL);
    if (t <= 0)
        return 0;
    if (t >= 1)
        return 1;
    if (t < BEND)
        return t * t / (2 * BEND * (1 - BEND));
    if (t > 1 - BEND)
        return 1 - (1 - t) * (1 - t) / (2 * BEND * (1 - BEND));
    return (t - BEND / 2) / (1 - BEND);
}
