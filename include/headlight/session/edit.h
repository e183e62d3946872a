/* edit.h: editing the session's text in place. */
#ifndef HEADLIGHT_SESSION_EDIT_H
#define HEADLIGHT_SESSION_EDIT_H

#include "headlight/session/act.h"

/* Begins to edit the text that is shown, or says why it can't be; without a text nothing
 * happens. Returns the bits of act.h. */
unsigned edit_begin(struct session *session);

/* One key while editing. Enter ends it; Esc too, and brings the text back that was there before;
 * Tab goes to the other sentence; Up and Down recall texts from the history. SESSION_PASS tells
 * that the text is another one. */
unsigned edit_key(struct session *session, uint32_t key);

/* Text from outside, at the cursor. */
unsigned edit_paste(struct session *session, const char *text, size_t length);

/* Shows the text before this one in the history, or the one after it. */
unsigned edit_go_back(struct session *session, bool back);

/* Brings session->edit.check in line with the lines, while they are edited. It is made when a frame
 * is drawn, not when a key comes: of keys that arrive together only the last one's text is drawn,
 * and encoded. Without memory, what is not known stays not known. */
void edit_check(struct session *session);

#endif
