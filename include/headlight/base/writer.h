/* writer.h: writes output files atomically. */
#ifndef HEADLIGHT_BASE_WRITER_H
#define HEADLIGHT_BASE_WRITER_H

#include "headlight/base/error.h"

#include <signal.h>
#include <stdbool.h>
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
    char *temporary;          /* NULL when written directly */
    struct writer_file *file; /* of a folder's writer: where it is kept from its commit */
    struct writer_folder *folder;
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
 * does not exist, for the ending "svg". An empty file reserves the name meanwhile; it is in
 * writer->path. */
enum status writer_open_numbered(struct writer *writer, const char *ending, struct error *error);

/* Whether standard output is a pipe that nobody reads any more. */
bool writer_is_unread(void);

/* Flushes, checks every write so far, moves the file into place. Closes the writer in any case.
 * STATUS_IO; STATUS_UNREAD where standard output could not be written for that reason. */
enum status writer_commit(struct writer *writer, struct error *error);

/* Discards what was written. Accepts a closed writer. */
void writer_abort(struct writer *writer);

/* Removes what the open writer and folder would leave behind. Unlike the others async-signal-safe;
 * for a handler that ends the program. */
void writer_interrupted(void);

/* ---- Folders ---- */

/* A file of a folder that is written, but isn't in its place yet. */
struct writer_file {
    struct writer_file *next;
    char *temporary, *path;
};

/* Files that appear together, whose writers are opened by writer_open_in. A new folder is written
 * under a temporary name beside its place and renamed, whole. In a folder that is there the files
 * are moved into place one after the other, in the order of their commits, once all are written;
 * other files in it stay. Two programs that write the same folder do so in turn. One folder may be
 * open at a time; it is not to be copied. */
struct writer_folder {
    char *path;
    char *made; /* the new folder's temporary name; NULL: it was there */
    struct writer_file *files, **end;
};

/* Its parent must exist. STATUS_IO, STATUS_MEMORY. */
enum status writer_folder_open(struct writer_folder *folder, const char *path, struct error *error);

/* As writer_open, for a name without folders. */
enum status writer_open_in(struct writer *writer, struct writer_folder *folder, const char *name,
                           struct error *error);

/* Moves everything into place, or fails; closes the folder in any case. */
enum status writer_folder_commit(struct writer_folder *folder, struct error *error);

/* Removes what was written. Accepts a closed folder. */
void writer_folder_abort(struct writer_folder *folder);

/* ---- Between writer.c and leftovers.c ---- */

/* The temporary file, and one that has its name already: the empty file that reserves a number, or
 * a new folder's. */
enum leftover { LEFTOVER_TEMPORARY, LEFTOVER_NAMED, LEFTOVERS };

/* Held while a file is removed or renamed and the change is noted. */
void leftovers_hold(sigset_t *before);
void leftovers_release(const sigset_t *before);

/* Opens a new file, whose name must last. -1, with errno. */
int leftovers_create(char *name, enum leftover kind);

/* While held: the files are in their places; or they are removed; a folder is begun, or NULL: it is
 * whole; or its files are removed. */
void leftovers_forget(void);
void leftovers_remove(void);
void leftovers_note_folder(const struct writer_folder *folder);
void leftovers_remove_folder(void);

#endif
