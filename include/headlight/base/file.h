/* file.h: files as they come in, whole (mapping.h maps them), and their names. */
#ifndef HEADLIGHT_BASE_FILE_H
#define HEADLIGHT_BASE_FILE_H

#include "headlight/base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Opens a regular file for reading; *fd is the caller's to close, *size its bytes. STATUS_IO when
 * there is none, or it is a folder, a pipe or a device. */
enum status file_open(const char *path, int *fd, size_t *size, struct error *error);

/* Reads a whole regular file of at most `limit` bytes. *text is the caller's to free; a NUL follows
 * its *length bytes. */
enum status file_read(const char *path, size_t limit, char **text, size_t *length,
                      struct error *error);

/* Whether there is such a file; a link is one if what it leads to exists. */
bool file_exists(const char *path);

/* The same, but a link that leads nowhere counts too: opening it says what is wrong. */
bool file_named(const char *path);

/* As file_exists, for a file of a folder, without memory for its path. */
bool file_lies_in(const char *folder, const char *name);

/* Whether there is such a folder, or a link to one. */
bool file_is_folder(const char *path);

/* "folder/name" in new memory, or NULL. */
char *path_join(const char *folder, const char *name);

#endif
