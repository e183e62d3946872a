/* version.h: what --version prints. */
#ifndef HEADLIGHT_APP_VERSION_H
#define HEADLIGHT_APP_VERSION_H

#include <stdbool.h>
#include <stdio.h>

/* Writes name and version, the kernels for this processor, and the colours and kind of lines used
 * on this terminal, or why it can't be used. If the stream and standard input are a terminal, it is
 * asked (curses_ask) and left as it was. *signal: a signal that arrived meanwhile, for the caller
 * to raise, or 0. */
void version_write(FILE *stream, bool ascii, int *signal);

#endif
