/* theme_luminance.h: how bright a colour is, and how much two of them differ (WCAG 2.1). */
#ifndef HEADLIGHT_DRAW_THEME_LUMINANCE_H
#define HEADLIGHT_DRAW_THEME_LUMINANCE_H

#include "headlight/draw/theme.h"

/* Relative luminance, 0 to 1. */
double theme_luminance(struct rgb color);

/* The contrast ratio of two luminances, 1 to 21, in either order. */
double theme_contrast(double a, double b);

#endif
