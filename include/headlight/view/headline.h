/* headline.h: what is read from the back of a room below a head that is presented: one pair and its
 * weight, "flies → time 0.58", and a legend of one line. */
#ifndef HEADLIGHT_VIEW_HEADLINE_H
#define HEADLIGHT_VIEW_HEADLINE_H

#include "headlight/view/scene.h"

/* The rows that it takes at the bottom of an area, with those left blank. */
int headline_rows(const struct canvas *canvas, struct area area);

void headline_draw(const struct scene *scene, struct canvas *canvas, struct area area);

#endif
