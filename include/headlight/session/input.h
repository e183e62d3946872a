/* input.h: what a key means now: to the text being edited, to a prompt, to the help, or as an
 * action. */
#ifndef HEADLIGHT_SESSION_INPUT_H
#define HEADLIGHT_SESSION_INPUT_H

#include "headlight/session/act.h"

/* One key, as in actions.h; KEY_ALT may be added. Returns the bits of act.h. */
unsigned input_key(struct session *session, uint32_t key);

/* Text that was pasted: typed where text is edited or asked for, else refused with a message. */
unsigned input_paste(struct session *session, const char *text, size_t length);

/* The keys of a list such as "Down Down Enter e Ctrl-U" one after the other; a word in quotes is
 * typed letter by letter: e "the cat" Enter. Whenever the text changes it is computed at once.
 * STATUS_USAGE for a word that names no key; errors of encoded_new and of the forward pass. */
enum status input_type(struct session *session, const char *keys, struct error *error);

#endif
