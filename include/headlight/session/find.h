/* find.h: tokens by their text. */
#ifndef HEADLIGHT_SESSION_FIND_H
#define HEADLIGHT_SESSION_FIND_H

#include "headlight/session/act.h"

/* The token of a --select argument: its text, or else its index, "7" or (whatever the texts are)
 * "#7"; of equal texts the first on that side of the screen. NO_TOKEN when there is none. */
size_t find_token(const struct scene *scene, const char *name, enum side side);

/* Asks for the tokens to find; each key marks those that hold what is typed and goes to the first.
 * Enter keeps it, Esc forgets it. Returns the bits of act.h, as all that follow do. */
unsigned find_begin(struct session *session);
unsigned find_key(struct session *session, uint32_t key);

/* Text from outside, at the cursor. */
unsigned find_paste(struct session *session, const char *text, size_t length);

/* To the next token that was found, or the one before, from the cursor on and round. */
unsigned find_go(struct session *session, bool forward);

#endif
