/* command.h: what is on the screen as the command line that draws it again. */
#ifndef HEADLIGHT_SESSION_COMMAND_H
#define HEADLIGHT_SESSION_COMMAND_H

#include "headlight/session/session.h"

/* "headlight --layer 3 -- 'time flies'": the model, what differs from the defaults, and the texts,
 * quoted for any POSIX shell. Without lesson and list, and without a size, which is the window's.
 * Allocated; NULL without memory. */
char *command_line(const struct session *session);

/* Draws it, as what lies over the picture (overlay.h). */
void command_draw(const struct session *session, struct canvas *canvas, struct area area);

#endif
