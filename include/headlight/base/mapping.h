/* mapping.h: files that are used where they lie, without being read first.
 *
 * A file that another program makes shorter, or that can no longer be read, has no bytes where it
 * had some: touching them is a SIGBUS. With the guard on, zeros stand there from then on, nothing
 * crashes, and mapping_check says so: whoever has worked with mapped bytes asks it before the
 * result is shown or written. */
#ifndef HEADLIGHT_BASE_MAPPING_H
#define HEADLIGHT_BASE_MAPPING_H

#include "headlight/base/error.h"

#include <stdbool.h>

/* bytes is NULL in an empty or closed one. */
struct mapping {
    const unsigned char *bytes;
    size_t size;
};

/* Maps a file; errors as those of file_open, and STATUS_MEMORY. */
enum status mapping_open(struct mapping *mapping, const char *path, struct error *error);

/* Accepts a closed mapping. */
void mapping_close(struct mapping *mapping);

/* Handles SIGBUS from here on. One that has nothing to do with a mapping goes to the handler that
 * was there before. */
void mapping_guard(void);

/* What that handler does, for a handler that replaces it: returns whether the address was in a
 * mapping, which can now be read there. */
bool mapping_repair(const void *address);

/* To be asked after work with mapped bytes: returns the status that it ended with, or STATUS_IO and
 * the file's name if an open mapping has lost bytes meanwhile, or was written to. A file that took
 * the name of an open one changes nothing. */
enum status mapping_check(enum status status, struct error *error);

#endif
