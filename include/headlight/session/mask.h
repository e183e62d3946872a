/* mask.h: [MASK] in place of a token, and the token again. */
#ifndef HEADLIGHT_SESSION_MASK_H
#define HEADLIGHT_SESSION_MASK_H

#include "headlight/session/act.h"

/* The chosen token, or each piece of the chosen word, is read as [MASK] from now on, or no longer;
 * or the message says why that can't be. Returns the bits of act.h. */
unsigned mask_token(struct session *session);

/* Masks the tokens of a list such as "flies,#3", as --select names them, in the text that is open,
 * which is then encoded anew; as --mask has it. STATUS_USAGE, STATUS_LIMIT; errors as encoded_new.
 */
enum status mask_apply(struct session *session, const char *list, struct error *error);

/* The chosen answer stands in the text from now on, in place of the chosen token. */
unsigned mask_answer(struct session *session);

#endif
