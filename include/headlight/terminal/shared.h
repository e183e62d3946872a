/* shared.h: bytes for a terminal on the same machine, in shared memory. The terminal is told a
 * name, reads what is there, and unlinks it. What it has not read is unlinked here.
 *
 *     const char *name = shared_put(0, pixels, size);
 *     … tell the terminal; later …
 *     shared_clear(); */
#ifndef HEADLIGHT_TERMINAL_SHARED_H
#define HEADLIGHT_TERMINAL_SHARED_H

#include <stddef.h>

/* Used in turn: a terminal that lags behind still finds what it was told before the last. */
#define SHARED_PLACES 2

/* Puts bytes there under a new name, and takes away what this place had. Returns the name, valid
 * until the place's next call, or NULL: nothing can be shared here. */
const char *shared_put(unsigned place, const void *bytes, size_t size);

/* Takes away what both places have; safe in a signal handler. */
void shared_clear(void);

#endif
