/* mask.h: [MASK] in place of a token, and the token again. */
#ifndef HEADLIGHT_SESSION_MASK_H
#define HEADLIGHT_SESSION_MASK_H

#include "headlight/session/act.h"

/* Masks the chosen token or every piece of the chosen word, or unmasks it; or the message says why
 * not. Returns the bits of act.h. */
unsigned mask_token(struct session *session);

/* Masks the tokens of a list such as "flies,#3", as --select names them, in the text that is open,
 * which is then encoded anew; as --mask has it. STATUS_USAGE, STATUS_LIMIT; errors as encoded_new.
 */
enum status mask_apply(struct session *session, const char *list, struct error *error);

/* Puts the chosen answer into the text in place of the chosen token. */
unsigned mask_answer(struct session *session);

#endif
