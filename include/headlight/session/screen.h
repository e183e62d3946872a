/* screen.h: the whole screen: bar of views, bar of heads, the view, the footer, the help. */
#ifndef HEADLIGHT_SESSION_SCREEN_H
#define HEADLIGHT_SESSION_SCREEN_H

#include "headlight/session/session.h"

/* Below this size a single line says so. */
#define SCREEN_COLUMNS_MIN 60
#define SCREEN_ROWS_MIN    12

/* Draws the session on a canvas of any size: the same state and size give the same cells. What
 * later frames need too stays in the session's data. STATUS_MEMORY; STATUS_IO when a recording's
 * file is no longer whole. */
enum status screen_draw(struct session *session, struct canvas *canvas, struct error *error);

#endif
