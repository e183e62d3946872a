/* bars.h: the two bars above the picture: of the views, and of the heads. */
#ifndef HEADLIGHT_SESSION_BARS_H
#define HEADLIGHT_SESSION_BARS_H

#include "headlight/session/session.h"

/* The views, as many as there is room for around the current one, and where we are: layer, head,
 * filter, model. */
void bars_draw_views(const struct session *session, struct canvas *canvas);

/* The heads, what is special about the picture and the network, and what is being worked on. */
void bars_draw_heads(const struct session *session, struct canvas *canvas);

/* What is being worked on while the last picture still stands, and how far it is; else how many
 * tokens there are. */
void bars_describe_work(const struct session *session, char *text, size_t size);

#endif
