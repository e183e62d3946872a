/* files.c: files of a folder, or those in memory that stand for them: nobody who reads one need
 * know where it was. */
#include "headlight/base/files.h"

#include "headlight/base/file.h"

#include <stdlib.h>
#include <string.h>

const struct file_given *files_given(const struct files *files, const char *name)
{
    for (const struct file_given *given = files->given; given && given->name; given++)
        if (strcmp(given->name, name) == 0)
            return given;
    return NULL;
}

enum status files_read(const struct files *files, const char *name, size_t limit, bool needed,
                       struct file_text *file, struct error *error)
{
    const struct file_given *given = files_given(files, name);
    *file = (struct file_text){.path = path_join(files->folder, name)};
    if (!file->path)
        return error_memory(error, "a file name", strlen(files->folder));
    if (given) {
        file->bytes = given->bytes;
        file->length = given->size;
    } else if (needed || (!files->given && file_named(file->path))) {
        const enum status status = file_read(file->path, limit, &file->read, &file->length, error);
        file->bytes = file->read;
        return status;
    }
    return STATUS_OK;
}

enum status files_read_object(const struct files *files, const char *name, bool needed,
                              struct file_text *file, struct error *error)
{
    const enum status status = files_read(files, name, JSON_BYTES_MAX, needed, file, error);
    return status == STATUS_OK && file->bytes
               ? json_parse_object(file->bytes, file->length, file->path, &file->json, error)
               : status;
}

void file_text_free(struct file_text *file)
{
    cJSON_Delete(file->json);
    free(file->read);
    free((char *)file->path);
    *file = (struct file_text){0};
}
