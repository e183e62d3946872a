/* stage.h: the sentence above a view on a projector, in letters that the back of a room can read.
 *
 *     int rows = stage_write(canvas, area, "Looks at the word before (0.990)");
 *
 * Where letters have no room or no shape, as in ASCII, there is bold text in their place. */
#ifndef HEADLIGHT_VIEW_STAGE_H
#define HEADLIGHT_VIEW_STAGE_H

#include "headlight/draw/canvas.h"

/* The rows that it takes of an area. */
int stage_rows(struct area area, bool ascii, const char *text);

/* Writes it from the area's top, as large as all of it fits; what has no room as bold text is cut.
 * Returns the rows. */
int stage_write(struct canvas *canvas, struct area area, const char *text);

#endif
