/* writer.h: writes output files atomically. */
#pragma once

#include "headlight/base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* An output file. It is written in the folder it will be in, under a temporary name, and moved into
 * place by writer_commit: a failure leaves the old file. A symbolic link stays one: what it leads
 * to is replaced, or made. The new file has the old one's permissions, without set-id bits; other
 * names of the old file (hard links) keep the old one. */
struct writer {
    FILE *stream; /* write here; errors are reported by writer_commit */
    char *path;
    char *target, *temporary; /* its place, and where it is until then; NULL: written directly */
    struct writer *next;      /* of those that aren't in place: an open one must not be moved */
};

/* STATUS_IO also where there is a pipe, a device or a socket: to open it might take for ever. */
enum status writer_open(struct writer *writer, const char *path, struct error *error);

/* The same for an output that the user has named. The path "-" is standard output, and so is any
 * name of the file that it goes to; a device or a pipe is written directly. */
enum status writer_open_output(struct writer *writer, const char *path, struct error *error);

/* All of an output that can't fail but for its file; a path of NULL is none. */
enum status writer_write(const char *path, void (*write)(const void *what, FILE *stream),
                         const void *what, struct error *error);

/* As writer_open in the working folder under the first of headlight-1.svg, headlight-2.svg, … that
 * does not exist, for the ending "svg", which is in writer->path; that file is there meanwhile, and
 * removed unless it becomes whole. */
enum status writer_open_numbered(struct writer *writer, const char *ending, struct error *error);

/* Whether standard output is a pipe that nobody reads any more. */
bool writer_is_unread(void);

/* Flushes, checks every write so far, moves the file into place; or, where `status` says that it
 * isn't whole, discards it. Closes the writer in any case. That status; STATUS_IO; STATUS_UNREAD
 * where standard output could not be written for that reason. */
enum status writer_commit(struct writer *writer, enum status status, struct error *error);

/* Discards what was written. Accepts a closed writer. */
void writer_abort(struct writer *writer);

/* Removes what open writers would leave behind. Unlike the others async-signal-safe;
 * for a handler that ends the program. */
void writer_interrupted(void);
