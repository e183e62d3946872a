/* stage.h: the sentence above a view on a projector, in letters that the back of a room can read.
 *
 *     int rows = stage_write(canvas, false, area, "Looks at the word before (0.990)");
 *
 * Where letters have no room or no shape, as in ASCII, there is bold text in their place. */
#pragma once

#include "headlight/draw/canvas.h"

#define STAGE_BYTES 512 /* of a sentence */

/* Drops clauses from the end of a text, up to a comma, a colon or a semicolon, until large letters
 * have room for it; leaves it whole where none would. */
void stage_shorten(struct area area, bool ascii, char text[STAGE_BYTES]);

/* Writes it from the area's top, as large as all of it fits; what has no room as bold text is cut.
 * Returns the rows that it takes; without a canvas nothing is written. */
int stage_write(struct canvas *canvas, bool ascii, struct area area, const char *text);
