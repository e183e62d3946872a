/* help.h: the keys by group, on as many pages as the screen needs: those that do something in a
 * view, with what its picture means and what the mouse does; or all of them. */
#ifndef HEADLIGHT_SESSION_HELP_H
#define HEADLIGHT_SESSION_HELP_H

#include "headlight/view/views.h"

/* How many pages a screen of that size needs for a view; NULL: for all keys. */
unsigned help_pages(const struct view *view, int columns, int rows);

/* Draws a page, from 0; after the last comes the first again. `led`: through a lesson, which takes
 * Space for itself. */
void help_draw(struct canvas *canvas, const struct view *view, unsigned page, bool led);

#endif
