/* progress.c: the file of progress. It is read anew for each change, as another program may have
 * changed it meanwhile, and replaced as a whole, so reading needs no lock. The lock is a file
 * beside it: the file itself is another one after each change. */
#include "headlight/lesson/progress.h"

#include "headlight/base/file.h"
#include "headlight/base/json.h"
#include "headlight/base/memory.h"
#include "headlight/base/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

char *progress_path(void)
{
    return file_own("XDG_STATE_HOME", ".local/state", "lessons.json");
}

/* Makes the folders of a path. If that fails, opening the file will fail. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* ---- The lock ---- */

#define TRIES    10
#define INTERVAL 20 /* milliseconds between two */

/* Whether the lock on `fd` is that of the file of this name: its last holder may have removed it
 * after this program had opened it. */
static bool is_lock_of(int fd, const char *name)
{
    struct stat here, there;
    return fstat(fd, &here) == 0 && stat(name, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

/* A record lock, which goes with its process. -1: not yet (errno EAGAIN), or there can be none. */
static int try_lock(const char *name)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0600);
    if (fd < 0)
        return -1;
    bool locked = fcntl(fd, F_SETLK, &lock) == 0;
    if (locked && is_lock_of(fd, name))
        return fd;
    int reason = locked || errno == EACCES ? EAGAIN : errno;
    close(fd);
    errno = reason;
    return -1;
}

/* A program that was stopped holds its lock for as long as it likes: so it is waited for only a
 * moment. */
static int take_lock(const char *name)
{
    const struct timespec interval = {0, INTERVAL * 1000000L};
    int fd = try_lock(name);
    for (int i = 0; i < TRIES && fd < 0 && errno == EAGAIN; i++) {
        nanosleep(&interval, NULL);
        fd = try_lock(name);
    }
    return fd;
}

/* ---- Reading ---- */

/* An empty file has nothing that could be lost. */
static enum status read_file(const char *path, cJSON **object, struct error *error)
{
    size_t length;
    char *text;
    *object = NULL;
    if (file_read(path, JSON_BYTES_MAX, &text, &length, error) != STATUS_OK)
        return error->status;
    enum status status = STATUS_OK;
    if (length > 0)
        status = json_parse_object(text, length, path, object, error);
    else if (!(*object = cJSON_CreateObject()))
        status = error_memory(error, path, sizeof **object);
    free(text);
    return status;
}

static void read_lesson(const cJSON *item, struct panel_lesson *lesson)
{
    size_t step;
    if (item && json_is_size(item, &step) && step > 0)
        lesson->left_at = step;
    else if (item && cJSON_IsString(item))
        lesson->done = strcmp(item->valuestring, "done") == 0;
}

void progress_read(struct panel_lesson *lessons, size_t count)
{
    char *path = progress_path();
    struct error error;
    cJSON *object = NULL;
    if (path && read_file(path, &object, &error) == STATUS_OK)
        for (size_t i = 0; i < count; i++)
            read_lesson(json_member(object, lessons[i].name), &lessons[i]);
    cJSON_Delete(object);
    free(path);
}

/* ---- Writing ---- */

/* Puts a file aside that can't be read; another one that was put aside before is kept. */
static enum status put_aside(const char *path, struct error *error)
{
    const struct error inner = *error;
    char *bad = memory_print(error, "%s.bad", path);
    if (!bad)
        return error->status;
    if (file_named(bad))
        error_set(error, STATUS_IO,
                  "%s; lessons.json.bad is there too, so progress isn't kept: delete one of them",
                  inner.message);
    else if (rename(path, bad) != 0)
        error_set(error, STATUS_IO, "%s: cannot be renamed: %s", path, strerror(errno));
    else
        error_set(error, STATUS_FORMAT,
                  "%s: it is kept as lessons.json.bad, and progress begins anew", inner.message);
    free(bad);
    return error->status;
}

/* What is in the file, or in a new one. STATUS_FORMAT: it was put aside, and *object is new. */
static enum status begin_change(const char *path, cJSON **object, struct error *error)
{
    enum status status = STATUS_OK;
    *object = NULL;
    if (file_named(path)) {
        status = read_file(path, object, error);
        if (status == STATUS_FORMAT || status == STATUS_LIMIT)
            status = put_aside(path, error);
    }
    if (!*object && (status == STATUS_OK || status == STATUS_FORMAT) &&
        !(*object = cJSON_CreateObject()))
        status = error_memory(error, path, sizeof **object);
    return status;
}

static bool set_lesson(cJSON *object, const struct panel_lesson *lesson)
{
    struct panel_lesson there = {.done = false};
    cJSON *item = cJSON_GetObjectItemCaseSensitive(object, lesson->name);
    read_lesson(item, &there);
    cJSON *now = there.done || lesson->done ? cJSON_CreateString("done")
                                            : cJSON_CreateNumber((double)lesson->left_at);
    if (now && (item ? cJSON_ReplaceItemInObjectCaseSensitive(object, lesson->name, now)
                     : cJSON_AddItemToObject(object, lesson->name, now)))
        return true;
    cJSON_Delete(now);
    return false;
}

/* On one line, as people have come to expect it. */
static bool write_object(FILE *stream, const cJSON *object)
{
    const char *separator = "{";
    const cJSON *item;
    fputs(object->child ? "" : "{", stream);
    cJSON_ArrayForEach(item, object)
    {
        char *value = cJSON_PrintUnformatted(item);
        if (!value)
            return false;
        fputs(separator, stream);
        json_write_text(stream, item->string);
        fprintf(stream, ": %s", value);
        separator = ", ";
        cJSON_free(value);
    }
    fputs("}\n", stream);
    return true;
}

static enum status write_file(const char *path, const cJSON *object, struct error *error)
{
    struct writer writer;
    if (writer_open(&writer, path, error) != STATUS_OK)
        return error->status;
    if (write_object(writer.stream, object))
        return writer_commit(&writer, error);
    writer_abort(&writer);
    return error_memory(error, path, sizeof *object);
}

/* With the lock. `lesson` NULL: only an empty file where there is none. */
static enum status change(const char *path, const struct panel_lesson *lesson, struct error *error)
{
    cJSON *object;
    struct error inner;
    enum status status = begin_change(path, &object, error);
    if (object) {
        enum status written = lesson && !set_lesson(object, lesson)
                                  ? error_memory(&inner, path, sizeof *object)
                                  : write_file(path, object, &inner);
        if (written != STATUS_OK) {
            *error = inner;
            status = written;
        }
    }
    cJSON_Delete(object);
    return status;
}

/* Takes the lock, changes the file, and removes the lock's file before the lock goes with it. */
static enum status change_locked(char *path, const struct panel_lesson *lesson, struct error *error)
{
    char *name = memory_print(error, "%s.lock", path);
    if (!name)
        return error->status;
    make_folders(path);
    int fd = take_lock(name);
    enum status status;
    if (fd >= 0)
        status = change(path, lesson, error);
    else if (errno == EAGAIN)
        status = error_set(error, STATUS_IO,
                           "%s: another program is changing it, so this step isn't noted", path);
    else
        status = error_set(error, STATUS_UNSUPPORTED, "%s: %s", name, strerror(errno));
    if (fd >= 0) {
        unlink(name);
        close(fd);
    }
    free(name);
    return status;
}

enum status progress_write(const struct panel_lesson *lesson, struct error *error)
{
    char *path = progress_path();
    enum status status = path ? change_locked(path, lesson, error)
                              : error_set(error, STATUS_UNSUPPORTED, "no folder for progress");
    free(path);
    return status;
}

/* If the empty file can't be written, it isn't the first time: the hint would come at every start.
 */
bool progress_first_time(void)
{
    struct error error;
    char *path = progress_path();
    bool absent = path && !file_named(path);
    free(path);
    return absent && progress_write(NULL, &error) == STATUS_OK;
}
