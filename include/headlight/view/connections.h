/* connections.h: the strongest connections as a list beside the head, matrix and model view. */
#ifndef HEADLIGHT_VIEW_CONNECTIONS_H
#define HEADLIGHT_VIEW_CONNECTIONS_H

#include "headlight/view/scene.h"

/* Columns that the list takes of a view's area, without the rule; 0: there is no room for both. */
int connections_columns(struct area area);

/* A rule stands in the column left of the area. STATUS_MEMORY. */
enum status connections_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                             struct error *error);

#endif
