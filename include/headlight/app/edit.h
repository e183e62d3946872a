/* edit.h: editing the session's text in place, and asking for tokens to find. */
#ifndef HEADLIGHT_APP_EDIT_H
#define HEADLIGHT_APP_EDIT_H

#include "headlight/app/act.h"

/* Begins to edit the text that is shown, or says why it can't be. Returns the bits of act.h. */
unsigned edit_begin(struct session *session);

/* One key while editing. Enter ends it; Esc too, and brings the text back that was there before;
 * Tab goes to the other sentence; Up and Down recall texts from the history. SESSION_TEXT tells
 * that session->wanted is another one. */
unsigned edit_key(struct session *session, uint32_t key);

/* Text from outside, at the cursor. */
unsigned edit_paste(struct session *session, const char *text, size_t length);

/* Shows the text before this one in the history, or the one after it. */
unsigned edit_go_back(struct session *session, bool back);

/* Asks for the tokens to find; each key marks those that hold what is typed and goes to the first.
 * Enter keeps it, Esc forgets it. */
unsigned find_begin(struct session *session);
unsigned find_key(struct session *session, uint32_t key);

/* To the next token that was found, or the one before, from the cursor on and round. */
unsigned find_go(struct session *session, bool forward);

/* Frees what editing and asking hold. */
void edit_end(struct session *session);

#endif
