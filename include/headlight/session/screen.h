/* screen.h: the whole screen: bar of views, bar of heads, the view, the footer, the help. */
#ifndef HEADLIGHT_SESSION_SCREEN_H
#define HEADLIGHT_SESSION_SCREEN_H

#include "headlight/session/session.h"

/* Below this size one line says so. */
#define SCREEN_COLUMNS_MIN 60
#define SCREEN_ROWS_MIN    12

/* Works out ahead what drawing the session on this canvas needs and later frames need again;
 * without it each frame works it out anew. STATUS_MEMORY. */
enum status screen_prepare(struct session *session, const struct canvas *canvas,
                           struct error *error);

/* Draws the session on a canvas of any size. The same state and size give the same cells. */
enum status screen_draw(const struct session *session, struct canvas *canvas, struct error *error);

#endif
