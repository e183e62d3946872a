/* input.h: what a key means now: to the text being edited, to a prompt, to the help, or as an
 * action. */
#ifndef HEADLIGHT_SESSION_INPUT_H
#define HEADLIGHT_SESSION_INPUT_H

#include "headlight/session/act.h"

/* One key, as in actions.h; KEY_ALT may be added. Returns the bits of act.h. */
unsigned input_key(struct session *session, uint32_t key);

/* Pasted text: inserted where text is edited or asked for, else refused with a message. */
unsigned input_paste(struct session *session, const char *text, size_t length);

/* Presses the keys of a list such as "Down Down Enter e Ctrl-U"; a word in quotes is typed letter
 * by letter: e "the cat" Enter. Whenever the text or the network changes, it is computed at once.
 * STATUS_USAGE for a word that names no key, and for keys that quit or save; errors of encoded_new
 * and forward_run. */
enum status input_type(struct session *session, const char *keys, struct error *error);

#endif
