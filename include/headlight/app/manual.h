/* manual.h: the manual page headlight(1). */
#ifndef HEADLIGHT_APP_MANUAL_H
#define HEADLIGHT_APP_MANUAL_H

#include <stddef.h>
#include <stdio.h>

/* In the man macros of roff; `man -l` shows it. */
void manual_write(FILE *stream);

/* One of its examples, a line for a shell; NULL past the last. */
const char *manual_example(size_t index);

#endif
