/* file.c: reads whole files into memory, up to a limit that the caller sets, since a file may have
 * any size. */
#include "headlight/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stands for a file where a download went wrong; a page's own name says that it is one. */
static enum status refuse_stand_in(const char *path, int fd, struct error *error)
{
    static const struct {
        const char *begins, *found;
    } kinds[] = {
        {"version https://git-lfs",
         "a Git LFS pointer to it: \"git lfs pull\" in its folder fetches "
         "it, or download it again"},
        {"<!DOCTYPE html", "a page of HTML: download it again"},
        {"<html", "a page of HTML: download it again"},
    };
    char bytes[32] = "";
    const bool page = strstr(path, ".htm") != NULL;
    if (pread(fd, bytes, sizeof bytes - 1, 0) <= 0)
        return STATUS_OK;
    for (size_t i = 0; i < (page ? 1 : sizeof kinds / sizeof *kinds); i++)
        if (strncasecmp(bytes, kinds[i].begins, strlen(kinds[i].begins)) == 0)
            return error_set(error, STATUS_FORMAT, "%s: expected the file itself, found %s", path,
                             kinds[i].found);
    return STATUS_OK;
}

enum status file_open(const char *path, int *fd, size_t *size, struct error *error)
{
    struct stat info;
    *size = 0;
    do /* O_NONBLOCK so that opening a pipe without a writer doesn't block */
        *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    while (*fd < 0 && errno == EINTR);
    if (*fd < 0)
        return error_set(error, STATUS_IO, "%s: cannot be opened: %s", path, strerror(errno));
    if (fstat(*fd, &info) != 0) {
        error_set(error, STATUS_IO, "%s: cannot be examined: %s", path, strerror(errno));
    } else if (S_ISDIR(info.st_mode)) {
        error_set(error, STATUS_IO, "%s: expected a file, found a folder", path);
    } else if (!S_ISREG(info.st_mode)) {
        error_set(error, STATUS_IO, "%s: expected a regular file, found a pipe or a device", path);
    } else if ((uintmax_t)info.st_size > SIZE_MAX) {
        error_set(error, STATUS_LIMIT, "%s: too large for this machine's address space", path);
    } else if (refuse_stand_in(path, *fd, error) == STATUS_OK) {
        *size = (size_t)info.st_size;
        return STATUS_OK;
    }
    close(*fd);
    return error->status;
}

enum status file_read(const char *path, size_t limit, char **text, size_t *length,
                      struct error *error)
{
    int fd;
    size_t size;
    *text = NULL;
    if (file_open(path, &fd, &size, error) != STATUS_OK)
        return error->status;
    enum status status = STATUS_OK;
    ssize_t got = 1;
    *length = 0;
    if (size > limit)
        status = error_set(error, STATUS_LIMIT, "%s: expected at most %zu bytes, found %zu", path,
                           limit, size);
    else if (!(*text = malloc(size + 1)))
        status = error_memory(error, path, size + 1);
    while (status == STATUS_OK && *length < size && got != 0) {
        got = read(fd, *text + *length, size - *length);
        if (got > 0)
            *length += (size_t)got;
        else if (got < 0 && errno != EINTR)
            status = error_set(error, STATUS_IO, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (status == STATUS_OK)
        (*text)[*length] = '\0';
    close(fd);
    if (status != STATUS_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool file_named(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

bool file_lies_in(const char *folder, const char *name)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool found = fd >= 0 && faccessat(fd, name, F_OK, 0) == 0;
    if (fd >= 0)
        close(fd);
    return found;
}

bool file_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_same(const char *a, const char *b)
{
    struct stat left, right;
    return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

/* What isn't there yet goes by its name and its folder. */
bool file_is_same(const char *a, const char *b)
{
    const char *left = strrchr(a, '/'), *right = strrchr(b, '/');
    if (strcmp(a, b) == 0 || is_same(a, b))
        return true;
    if (strcmp(left ? left + 1 : a, right ? right + 1 : b) != 0)
        return false;
    char *folder = left ? strndup(a, (size_t)(left - a) + 1) : strdup("."),
         *other = right ? strndup(b, (size_t)(right - b) + 1) : strdup(".");
    const bool same = folder && other && is_same(folder, other);
    free(folder);
    free(other);
    return same;
}

bool file_is_empty(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0;
}

char *file_own(const char *variable, const char *below, const char *name)
{
    const char *chosen = getenv(variable), *home = getenv("HOME");
    const bool known = chosen && *chosen == '/', at_home = !known && home && *home == '/';
    char *parent = at_home ? path_join(home, below) : known ? strdup(chosen) : NULL;
    char *own = parent ? path_join(parent, "headlight") : NULL;
    char *path = own ? path_join(own, name) : NULL;
    free(parent);
    free(own);
    return path;
}

char *path_join(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    size_t size = length + strlen(slash) + strlen(name) + 1;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", folder, slash, name);
    return path;
}

const char *path_within(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

/* ---- Those of a folder, or in memory: nobody who reads one need know where it was ---- */

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
