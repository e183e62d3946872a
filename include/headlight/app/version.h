/* version.h: what --version prints. */
#ifndef HEADLIGHT_APP_VERSION_H
#define HEADLIGHT_APP_VERSION_H

#include <stdbool.h>
#include <stdio.h>

/* The name and number; then the kernels for this processor, and how many colours and which lines
 * the terminal is given, or why it can't be used. Where the stream and standard input are a
 * terminal, that is asked (curses_ask) and left as it was; *signal is the one that asked to end
 * meanwhile, for the caller to raise, else 0. */
void version_write(FILE *stream, bool ascii, int *signal);

#endif
