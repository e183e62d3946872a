/* mask.h: masking tokens of the text with [MASK], and unmasking them. */
#ifndef HEADLIGHT_SESSION_MASK_H
#define HEADLIGHT_SESSION_MASK_H

#include "headlight/session/act.h"

/* Masks or unmasks the chosen token, or every piece of the chosen word; or the message says why
 * not. Returns the bits of act.h. */
unsigned mask_token(struct session *session);

/* Masks the tokens of a list such as "flies,#3", named as for --select, in the open text, which
 * is then encoded anew; for --mask. STATUS_USAGE, STATUS_LIMIT; errors as encoded_new. */
enum status mask_apply(struct session *session, const char *list, struct error *error);

/* Puts the chosen answer into the text in place of the chosen token. */
unsigned mask_answer(struct session *session);

#endif
