/* mapping.h: files that are used where they lie, without being read first.
 *
 * A file that another program makes shorter, or that can no longer be read, has no bytes where it
 * had some: touching them is a SIGBUS, which ends the program (terminal/restore.h). One that is
 * written over has other bytes: whoever worked with them asks mapping_check before the result is
 * shown or written. */
#pragma once

#include "headlight/base/error.h"

#include <sys/stat.h>

/* bytes is NULL if it is empty or closed. */
struct mapping {
    const unsigned char *bytes;
    size_t size;
    const char *path;   /* the caller's */
    struct stat opened; /* what the file was then */
};

/* Maps a file, whose path must outlive *mapping; errors as file_open, and STATUS_MEMORY. */
enum status mapping_open(struct mapping *mapping, const char *path, struct error *error);

/* Accepts a closed mapping. */
void mapping_close(struct mapping *mapping);

/* Called after work with mapped bytes: returns the status of the work, or STATUS_IO and the
 * file's name if the file has been written to since it was opened. Replacing the file by a
 * rename is harmless; a closed mapping is always fine. */
enum status mapping_check(const struct mapping *mapping, enum status status, struct error *error);
