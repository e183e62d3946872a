/* writer.h: writes output files atomically. */
#ifndef HEADLIGHT_BASE_WRITER_H
#define HEADLIGHT_BASE_WRITER_H

#include "headlight/base/error.h"

#include <stdio.h>

/* An output file. It is written in the folder it will be in, under a temporary name, and moved into
 * place by writer_commit: a failure leaves the old file. A symbolic link stays one: what it leads
 * to is replaced, or made. Only one writer may be open at a time.
 *
 * A file that may not be written is refused, though its folder would let it be replaced. The new
 * file has the old one's permissions without set-id bits, and its owner and group where the system
 * lets the user leave it to them; else it is the user's, and another group gets what others have.
 * Other names of the old file (hard links) keep the old one. */
struct writer {
    FILE *stream; /* write here; errors are reported by writer_commit */
    char *path;
    char *temporary; /* NULL when written directly */
};

/* STATUS_IO also where there is a pipe, a device or a socket: to open it might take for ever. */
enum status writer_open(struct writer *writer, const char *path, struct error *error);

/* The same for an output that the user has named. The path "-" is standard output, and so is any
 * name of the file that it goes to; a device or a pipe is written directly. */
enum status writer_open_output(struct writer *writer, const char *path, struct error *error);

/* As writer_open in the working folder under the first of headlight-1.svg, headlight-2.svg, … that
 * does not exist, for the ending "svg". An empty file reserves the name meanwhile; it is in
 * writer->path. */
enum status writer_open_numbered(struct writer *writer, const char *ending, struct error *error);

/* Flushes, checks every write so far, moves the file into place. Closes the writer in any case. */
enum status writer_commit(struct writer *writer, struct error *error);

/* Discards what was written. Accepts a closed writer. */
void writer_abort(struct writer *writer);

/* Removes what the open writer would leave behind. Unlike the others async-signal-safe; for a
 * handler that ends the program. */
void writer_interrupted(void);

/* Makes a folder inside an existing one unless it is there. STATUS_IO. */
enum status writer_make_folder(const char *path, struct error *error);

#endif
