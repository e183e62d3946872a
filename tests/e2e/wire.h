/* wire.h: what the program sends to a terminal, byte by byte. */
#pragma once

#include <stddef.h>

/* Fails unless the bytes are such as curses sends for TERM=xterm-256color and headlight itself
 * documents (curses.c): characters that are seen, in UTF-8, and of the controls and sequences these
 * alone, each where it belongs. On the alternate screen nothing is printed while the cursor is
 * visible; synchronized updates and that screen begin and end in turn. */
void wire_check(const char *bytes, size_t length, const char *what);
