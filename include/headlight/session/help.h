/* help.h: the keys by group, on as many pages as the screen needs. */
#ifndef HEADLIGHT_SESSION_HELP_H
#define HEADLIGHT_SESSION_HELP_H

#include "headlight/draw/canvas.h"

/* How many pages a screen of that size needs. */
unsigned help_pages(int columns, int rows);

/* Draws a page, from 0; after the last comes the first again. */
void help_draw(struct canvas *canvas, unsigned page);

#endif
