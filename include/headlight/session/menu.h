/* menu.h: the menu of changes to the network (model/intervene.h), over the picture: a letter
 * changes something, a pass follows at once, and the menu stays open. */
#ifndef HEADLIGHT_SESSION_MENU_H
#define HEADLIGHT_SESSION_MENU_H

#include "headlight/session/act.h"

/* Handles a key while the menu is open. False when it isn't one of the menu's; else *bits are
 * those of act.h. A change that doesn't apply now is refused with a message that says why. */
bool menu_key(struct session *session, uint32_t key, unsigned *bits);

/* Undoes all changes at once. Returns the bits of act.h. */
unsigned menu_undo(struct session *session);

/* Draws it, if it is open, in the lower left of an area: in two columns if there are few rows.
 * Each line can be clicked (HIT_KEY). */
void menu_draw(const struct session *session, struct canvas *canvas, struct area area);

#endif
