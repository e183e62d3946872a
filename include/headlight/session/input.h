/* input.h: keys, pasted text and the mouse. */
#ifndef HEADLIGHT_SESSION_INPUT_H
#define HEADLIGHT_SESSION_INPUT_H

#include "headlight/session/act.h"

/* One key, as in actions.h; KEY_ALT may be added. Returns the bits of act.h. */
unsigned input_key(struct session *session, uint32_t key);

/* Pasted text: inserted where text is typed, else refused with a message. */
unsigned input_paste(struct session *session, const char *text, size_t length);

/* A click on what is drawn there (canvas_hit). A token is selected, as a pair if one is selected
 * on the other side; the one under the cursor is pinned. A head is selected; a second click
 * shows it alone, and a third all again. A thumbnail is selected; a second click opens it. A
 * hint of the footer or a line of the menu acts as its key, a line of the list of lessons begins
 * the lesson; a click elsewhere closes the menu or the list. Returns the bits of act.h. */
unsigned session_click(struct session *session, struct hit hit);

/* The mouse moved over what is drawn there: while no token is selected, the one under the mouse
 * is shown as if it were (session_picture). Returns the bits of act.h. */
unsigned session_hover(struct session *session, struct hit hit);

/* Presses the keys of a list such as "Down Down Enter e Ctrl-U"; a word in quotes is typed letter
 * by letter: e "the cat" Enter. Whenever the text or the network changes, it is computed at once.
 * STATUS_USAGE for a word that names no key, and for keys that quit or save; errors of encoded_new
 * and forward_run. */
enum status input_type(struct session *session, const char *keys, struct error *error);

#endif
