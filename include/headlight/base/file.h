/* file.h: reading whole files (mapping.h maps them), and file names. */
#pragma once

#include "headlight/base/json.h"

/* Opens a regular file for reading; *fd is the caller's to close, *size its bytes. STATUS_IO when
 * there is none, or it is a folder, a pipe or a device; STATUS_FORMAT for a Git LFS pointer, and
 * for a page of HTML under another name. */
enum status file_open(const char *path, int *fd, size_t *size, struct error *error);

/* Reads a whole regular file of at most `limit` bytes. *text is the caller's to free; a NUL follows
 * its *length bytes. */
enum status file_read(const char *path, size_t limit, char **text, size_t *length,
                      struct error *error);

/* Whether the file exists; links are followed. */
bool file_exists(const char *path);

/* The same, but a dangling link counts too: opening it reports the problem. */
bool file_named(const char *path);

/* As file_exists, for a file in a folder, without allocating its path. */
bool file_lies_in(const char *folder, const char *name);

/* Whether the folder exists; links are followed. */
bool file_is_folder(const char *path);

/* Whether both paths lead to one file, or would if it were there. */
bool file_is_same(const char *a, const char *b);

/* Whether it is a regular file without a byte; links are followed. */
bool file_is_empty(const char *path);

/* The path of a file of the user's own: "headlight/name" in the folder that an environment variable
 * names, unless it is relative (XDG Base Directory Specification), or else in that one below the
 * home. Allocated; NULL: there is neither, or no memory. */
char *file_own(const char *variable, const char *below, const char *name);

/* "folder/name", allocated; NULL without memory. */
char *path_join(const char *folder, const char *name);

/* What follows the folder in a path, or in a message that begins with one; else all of it. */
const char *path_within(const char *path, const char *folder);

/* ---- The files of a model, which lie in a folder or in memory ----
 *
 *     const struct files files = {"bert-base-uncased", NULL};
 *     struct file_text file;
 *     if (files_read_object(&files, "config.json", true, &file, &error) == STATUS_OK) … file.json …
 *     file_text_free(&file); */

struct file_given {
    const char *name;
    const void *bytes;
    size_t size;
};

struct files {
    const char *folder; /* before their names, in messages and on the disk */
    const struct file_given
        *given; /* in memory, the last of no name; NULL: they lie in the folder */
};

struct file_text {
    const char *path;  /* for messages; allocated */
    const char *bytes; /* NULL: there is no such file */
    size_t length;
    char *read; /* the bytes, if they were */
    cJSON *json;
};

/* Of the files in memory; NULL: it is none of them. */
const struct file_given *files_given(const struct files *files, const char *name);

/* Reads a file of at most `limit` bytes, which may be missing unless it is needed; the other one
 * parses it, too. It is to be freed also after an error, which is of file_read, STATUS_MEMORY or of
 * json_parse_object. */
enum status files_read(const struct files *files, const char *name, size_t limit, bool needed,
                       struct file_text *file, struct error *error);
enum status files_read_object(const struct files *files, const char *name, bool needed,
                              struct file_text *file, struct error *error);

/* Accepts one that is all zero. */
void file_text_free(struct file_text *file);
