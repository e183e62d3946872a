/* click.h: what the mouse does to a session. */
#ifndef HEADLIGHT_SESSION_CLICK_H
#define HEADLIGHT_SESSION_CLICK_H

#include "headlight/session/act.h"

/* A click on what is drawn there (canvas_hit). A token is chosen, in a pair if one is chosen on the
 * other side; the one under the cursor is pinned. A head is chosen; a second click shows it alone,
 * and a third all again. A thumbnail is selected; a second click opens it. A hint of the footer, or
 * a line of the menu, is its key, and a line of the list of lessons begins that one; beside them a
 * click closes the menu or the list. Returns the bits of act.h. */
unsigned session_click(struct session *session, struct hit hit);

/* The mouse is over what is drawn there: while no token is chosen, the one under the mouse is shown
 * as if it were (session_picture). Returns the bits of act.h. */
unsigned session_hover(struct session *session, struct hit hit);

#endif
