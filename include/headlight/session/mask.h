/* mask.h: [MASK] in place of a token, and the token again. */
#ifndef HEADLIGHT_SESSION_MASK_H
#define HEADLIGHT_SESSION_MASK_H

#include "headlight/session/act.h"

/* The chosen token, or each piece of the chosen word, is read as [MASK] from now on, or no longer;
 * or the message says why that can't be. Returns the bits of act.h. */
unsigned mask_token(struct session *session);

/* The chosen answer stands in the text from now on, in place of the chosen token. */
unsigned mask_answer(struct session *session);

#endif
