/* stroke.c: the one curve that all strokes follow, whoever draws them: in dots, half blocks, pixels
 * or SVG. */
#include "headlight/draw/stroke.h"

/* A line whose slope grows from 0 evenly over the first bend, stays, and shrinks to 0 over the
 * last: the integral of that trapezium, whose area is 1. */
double stroke_risen(double way)
{
    const double bend = STROKE_BEND;
    double t = (way - STROKE_LEVEL) / (1 - 2 * STROKE_LEVEL);
    if (t <= 0)
        return 0;
    if (t >= 1)
        return 1;
    if (t < bend)
        return t * t / (2 * bend * (1 - bend));
    if (t > 1 - bend)
        return 1 - (1 - t) * (1 - t) / (2 * bend * (1 - bend));
    return (t - bend / 2) / (1 - bend);
}
