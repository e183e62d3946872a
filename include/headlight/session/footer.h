/* footer.h: the last line: the keys that matter now, or what is said in their place. */
#ifndef HEADLIGHT_SESSION_FOOTER_H
#define HEADLIGHT_SESSION_FOOTER_H

#include "headlight/session/session.h"

void footer_draw(const struct session *session, struct canvas *canvas);

/* In a lesson, of which something else is shown: only how to come back. */
void footer_draw_away(const struct session *session, struct canvas *canvas);

/* Draws a hint, unless there is no room. Each of its keys, "↑↓" or "< >", answers to a click; the
 * words behind them are the last. */
void footer_hint(struct pen *pen, const struct hint *hint);

#endif
