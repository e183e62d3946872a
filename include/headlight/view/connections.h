/* connections.h: the strongest connections as a list beside the head, matrix and model view. */
#ifndef HEADLIGHT_VIEW_CONNECTIONS_H
#define HEADLIGHT_VIEW_CONNECTIONS_H

#include "headlight/view/scene.h"

/* The columns of a view's area that the list takes, without the rule; 0: no room for both. */
int connections_columns(struct area area);

/* Draws the list in the area, and a rule in the column left of it. STATUS_MEMORY. */
enum status connections_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                             struct error *error);

#endif
