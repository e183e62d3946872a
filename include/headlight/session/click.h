/* click.h: what a click does to a session. */
#ifndef HEADLIGHT_SESSION_CLICK_H
#define HEADLIGHT_SESSION_CLICK_H

#include "headlight/session/act.h"

/* A click on what the drawing marked there (canvas_hit). On a token: chooses it; where one of the
 * other side is chosen, both make a pair; on the one under the cursor: pins it. On a head: as its
 * digit. On a thumbnail: goes there, and then opens it. Returns the bits of act.h. */
unsigned session_click(struct session *session, struct hit hit);

/* The mouse is over what was marked there: while no token is chosen, the one under the mouse is
 * shown as if it were (session_scene). Returns the bits of act.h. */
unsigned session_hover(struct session *session, struct hit hit);

#endif
