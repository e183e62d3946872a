/* file.h: files as they come in (whole; mapping.h maps them) and as they go out (whole or not at
 * all). */
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

/* "folder/name" in new memory, or NULL. */
char *path_join(const char *folder, const char *name);

/* An output file. It is written in the same folder, without a name where the system has such files
 * and else under a temporary one, and moved into place by writer_commit, so that a failure leaves
 * the old file. A link stays a link: the file that it leads
 * to is replaced, or made. The path "-" is standard output, and so is any name of the file that it
 * goes to; what exists and is no regular file (a device, a pipe) is written directly. Only one
 * writer may be open at a time.
 *
 * A file that may not be written is refused, though its folder would let it be replaced. The new
 * file has the old one's permission bits without set-id bits, its access list, and its owner and
 * group where the system lets the user leave it to them; else it is the user's, and no other group
 * gets a right that not everybody had. Other names of the old file (hard
 * links) keep the old one. */
struct writer {
    FILE *stream; /* write here; errors are found by writer_commit */
    char *path;
    char *temporary; /* NULL when written directly */
    bool named;      /* that name is in the folder */
};

enum status writer_open(struct writer *writer, const char *path, struct error *error);

/* Flushes, checks every write so far, moves the file into place. Closes the writer either way. */
enum status writer_commit(struct writer *writer, struct error *error);

/* Makes an empty file in the working folder to be written to: the first of headlight-1.svg,
 * headlight-2.svg, … that does not exist, for the ending "svg". STATUS_IO, and an empty name. */
enum status file_claim(const char *ending, char *name, size_t size, struct error *error);

/* Removes the open writer's temporary file if it has a name; for a handler of the signals that end
 * the program, in which only this is safe. */
void writer_interrupted(void);

/* Drops what was written. Accepts a closed writer. */
void writer_abort(struct writer *writer);

#endif
