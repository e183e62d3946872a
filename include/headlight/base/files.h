/* files.h: the files of a model, which lie in a folder or in memory.
 *
 *     const struct files files = {"bert-base-uncased", NULL};
 *     struct file_text file;
 *     if (files_read_object(&files, "config.json", true, &file, &error) == STATUS_OK) … file.json …
 *     file_text_free(&file); */
#ifndef HEADLIGHT_BASE_FILES_H
#define HEADLIGHT_BASE_FILES_H

#include "headlight/base/json.h"

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

#endif
