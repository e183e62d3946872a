/* version.h: what --version prints. */
#ifndef HEADLIGHT_APP_VERSION_H
#define HEADLIGHT_APP_VERSION_H

#include <stdbool.h>
#include <stdio.h>

/* The name and the number, then what a report of a fault needs, one fact a line. What is missing,
 * such as a terminal, is said so. Where the stream and standard input are a terminal, that is asked
 * what it shows (curses_ask) and left as it was; *signal is the one that asked to end meanwhile,
 * for the caller to raise, else 0. */
void version_write(FILE *stream, bool ascii, int *signal);

#endif
