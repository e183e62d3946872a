/* figure.h: a head's figures as text. */
#ifndef HEADLIGHT_VIEW_FIGURE_H
#define HEADLIGHT_VIEW_FIGURE_H

#include "headlight/view/scene.h"

/* The value of one figure; 0 for FIGURE_NONE. */
double figure_of(const struct head_figures *figures, enum figure figure);

/* "previous", "entropy", … as heads_name has it, and what it says in half a sentence. */
const char *figure_name(enum figure figure);
const char *figure_meaning(enum figure figure);

/* " bits", " tokens", or "" for a weight. */
const char *figure_unit(enum figure figure);

/* Whether it is an attention weight, 0 … 1. */
bool figure_is_weight(enum figure figure);

/* Whether a head could be named after it: a weight of at least HEADS_NAMED in thousandths. */
bool figure_stands_out(enum figure figure, double value);

/* Writes a value in at most `width` signs, 2 or more, with as many digits as that leaves: "0.86",
 * ".86", ".9"; "1.24"; "3.1". */
void figure_print(char *text, size_t size, enum figure figure, double value, int width);

#endif
