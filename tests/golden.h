/* golden.h: screens kept as text, compared cell by cell.
 *
 * A golden is tests/golden/NAME.screen: the glyphs, then one plane each for the role and level of
 * foreground and background and for bold, one character a cell. Colours are not in it: a golden
 * says what is meant, the theme's own tests say how it looks. But that lines can be seen is looked
 * at here, on all that views draw. */
#pragma once

#include "headlight/draw/canvas.h"

#include <stdbool.h>

/* Whether every cell of the canvas's lines stands out from what lies behind it, in every theme, in
 * direct colour and among 256, and the canvas equals the golden. Prints the cell; or a unified
 * diff, a plane of letters (X glyph, f foreground, b background, a attribute, w width), where the
 * actual screen was written, and how to accept it. With HEADLIGHT_ACCEPT set the golden is written
 * instead. */
bool golden_equal(const struct canvas *canvas, const char *name);

/* Whether tests/golden holds the named screens and no others; prints those that are stale. */
bool golden_none_stale(const char *const *names, size_t count);
