/* pixels.h: pictures as the bytes that a terminal shows them by: kitty's graphics protocol, or
 * sixel.
 *
 *     char *bytes = pixels_kitty(raster, PIXELS_SECOND, cells, 0, PIXELS_DELETE(PIXELS_FIRST));
 *     … write them …
 *     free(bytes);
 *
 * A picture is sent after the cells: text that comes later cuts a sixel picture, and lies below one
 * of kitty's. The cursor and its attributes stay as they were. */
#pragma once

#include "headlight/draw/raster.h"

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

/* The picture over so many cells, which it is stretched to, above their text, followed by the bytes
 * `more`. Its colours are those of a sixel picture; or, where the terminal is far away, fewer, and
 * the pixels take at most `most` bytes (0: it is near). To be freed; NULL without memory, or if
 * they take more. */
char *pixels_kitty(const struct raster *raster, unsigned id, struct area cells, size_t most,
                   const char *more);

/* The same in all its colours, in shared memory, of which the terminal is told the name: it has to
 * be on this machine. NULL if that can't be, too. */
char *pixels_shared(const struct raster *raster, unsigned id, struct area cells, const char *more);

/* Puts bytes into shared memory under a new name, for a terminal on this machine, which reads them
 * and unlinks it, and takes away what this place, 0 or 1, had. Returns the name, valid until the
 * place's next call, or NULL: nothing can be shared here. */
const char *pixels_put(unsigned place, const void *bytes, size_t size);

/* Takes away what the terminal has not read; safe in a signal handler. */
void pixels_clear_shared(void);

/* Asks the terminal whether it reads shared memory: the answer is number 32, OK. Empty if nothing
 * can be shared. */
const char *pixels_ask_shared(void);

/* ---- Sixel ---- */

/* The picture pixel for pixel from cell (y, x), in at most 256 colours: its ground, and the most
 * frequent among those that can be told apart; another pixel takes the nearest one. All pixels are
 * painted, so that the picture replaces what was there. It must end above the last line, or the
 * screen scrolls. To be freed; NULL without memory. */
char *pixels_sixel(const struct raster *raster, int y, int x);
