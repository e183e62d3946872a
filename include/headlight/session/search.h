/* search.h: searching for tokens that contain a text. */
#ifndef HEADLIGHT_SESSION_SEARCH_H
#define HEADLIGHT_SESSION_SEARCH_H

#include "headlight/session/session.h"

/* Opens the line for a text to find, forgetting an earlier one. What is typed marks the tokens that
 * contain it, and goes to the first; Enter keeps them, Esc forgets them. Returns the bits of
 * session.h, as do all below. */
unsigned search_begin(struct session *session);
unsigned search_typed(struct session *session);
unsigned search_keep(struct session *session);
unsigned search_forget(struct session *session);

/* Goes from the cursor to the next token found, or the previous one, also round the ends if
 * `round`; false, with nothing changed, where there is none. */
bool search_step(struct session *session, bool forward, bool round);

/* The same round the ends, or says that there is none. */
unsigned search_go(struct session *session, bool forward);

#endif
