/* pixels.h: pictures as the bytes that a terminal shows them by: kitty's graphics protocol, or
 * sixel.
 *
 *     struct pixels pixels = {0};
 *     pixels_kitty(&pixels, raster, PIXELS_SECOND, y, x, columns, rows);
 *     pixels_kitty_delete(&pixels, PIXELS_FIRST);        the one that it replaces
 *     … write pixels.bytes …
 *     pixels_free(&pixels);
 *
 * A picture is sent after the cells: text that comes later cuts a sixel picture, and lies below one
 * of kitty's. The cursor and its attributes stay as they were. */
#ifndef HEADLIGHT_TERMINAL_PIXELS_H
#define HEADLIGHT_TERMINAL_PIXELS_H

#include "headlight/draw/raster.h"

/* What is to be written. Every function below appends to it; without memory it appends nothing and
 * returns false. */
struct pixels {
    char *bytes;
    size_t length, room;
};

/* An empty one again, without memory. */
void pixels_free(struct pixels *pixels);

/* Room for so many more bytes: where they are to go, or NULL. Whoever fills it adds to the length.
 */
char *pixels_room(struct pixels *pixels, size_t more);

bool pixels_print(struct pixels *pixels, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Keeps the cursor (ESC 8 brings it back) and puts it at a cell. */
bool pixels_place(struct pixels *pixels, int y, int x);

/* ---- kitty ---- */

/* The numbers that kitty keeps our pictures by. A picture whose number is taken leaves nothing on
 * the screen until all of it has come: a new one takes the other number, then the old one is
 * deleted. */
#define PIXELS_FIRST  26732
#define PIXELS_SECOND 26733

/* Deletes the picture of a number; kitty doesn't mind if there is none. A constant string, for a
 * signal handler too: only for terminals that have the protocol, others may show it. */
#define PIXELS_DELETE(id)      PIXELS_DELETE_TEXT(id)
#define PIXELS_DELETE_TEXT(id) "\033_Ga=d,d=I,i=" #id ",q=2\033\\"
#define PIXELS_DELETE_ALL      PIXELS_DELETE(PIXELS_FIRST) PIXELS_DELETE(PIXELS_SECOND)

/* The picture in so many cells from cell (y, x), over the text there. */
bool pixels_kitty(struct pixels *pixels, const struct raster *raster, unsigned id, int y, int x,
                  int columns, int rows);

bool pixels_kitty_delete(struct pixels *pixels, unsigned id);

/* ---- Sixel ---- */

/* The picture pixel for pixel from cell (y, x), in at most 256 colours: its ground, and the most
 * frequent among those that can be told apart; another pixel takes the nearest one. All pixels are
 * painted, so that the picture replaces what was there. It must end above the last line, or the
 * screen scrolls. */
bool pixels_sixel(struct pixels *pixels, const struct raster *raster, int y, int x);

#endif
