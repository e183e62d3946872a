/* lesson_menu.h: the list of lessons, over the picture: what each is called, how long it takes and
 * where it was left. It closes when one begins. */
#ifndef HEADLIGHT_SESSION_LESSON_MENU_H
#define HEADLIGHT_SESSION_LESSON_MENU_H

#include "headlight/session/act.h"

/* Opens it, with the first lesson that is not done under the cursor; without lessons it says that
 * there are none, or why they can't be read. Returns the bits of act.h. */
unsigned lesson_menu_open(struct session *session);

/* Obeys a key while it is open. False when it is none of the list's; else *bits are those of act.h.
 */
bool lesson_menu_key(struct session *session, uint32_t key, unsigned *bits);

/* Closes it and begins the lesson of that index, if there is one. Returns the bits of act.h. */
unsigned lesson_menu_begin(struct session *session, size_t lesson);

/* Draws it, if it is open, in the lower left of an area; each line can be clicked (HIT_LESSON). */
void lesson_menu_draw(const struct session *session, struct canvas *canvas, struct area area);

#endif
