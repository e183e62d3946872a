/* colors.h: how light colours are, for tests of what can be seen. */
#pragma once

#include "headlight/draw/theme.h"

/* A part of sRGB's light, 0 … 1 (IEC 61966-2-1). */
double color_linear(uint8_t part);

/* WCAG 2's relative luminance and contrast ratio. */
double color_luminance(struct rgb color);
double color_contrast(struct rgb a, struct rgb b);

/* CIE 1976 L*. */
double color_lightness(struct rgb color);

/* xterm's colours 16 … 255. */
struct rgb color_of_256(int index);

/* "head hue 3", and the letter that stands for it in a golden screen. */
const char *role_name(unsigned role);
char role_letter(unsigned role);
