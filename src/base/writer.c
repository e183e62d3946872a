/* writer.c: writes a file beside its place, syncs and renames it, so that it appears whole or not
 * at all. What isn't in its place stands in a list for the
 * handler of a signal, which may run in another thread than the one that writes. */
#include "headlight/base/writer.h"

#include "headlight/base/file.h"
#include "headlight/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Messages ---- */

/* "x/y: cannot be written: WHY": a folder that isn't there is the one that can be made. */
static enum status cannot(const char *path, int reason, struct error *error)
{
    char *copy = reason == ENOENT ? strdup(path) : NULL, *folder = copy ? dirname(copy) : NULL;
    const enum status status =
        folder && !file_is_folder(folder)
            ? error_set(error, STATUS_IO,
                        "%s: cannot be written: there is no folder %s, which has to be made first",
                        path, folder)
            : error_set(error, STATUS_IO, "%s: cannot be written: %s", path,
                        reason ? strerror(reason) : "write error");
    free(copy);
    return status;
}

static enum status no_memory(struct error *error)
{
    return error_memory(error, "the output file", BUFSIZ);
}

/* ---- What a signal removes ---- */

static struct writer *opened; /* those of files that aren't in place, the latest first */

/* Held while a file is created, removed or renamed and the change is noted. Signals are blocked
 * meanwhile; but the system may deliver one to another thread, whose handler then waits here. */
static atomic_flag held = ATOMIC_FLAG_INIT;

static void hold(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
    while (atomic_flag_test_and_set(&held))
        continue; /* for the length of a system call */
}

/* Keeps errno. */
static void release(const sigset_t *before)
{
    const int reason = errno;
    atomic_flag_clear(&held);
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = reason;
}

/* Never released: the program ends, and until it does no thread may create another file. */
void writer_interrupted(void)
{
    while (atomic_flag_test_and_set(&held))
        continue;
    for (const struct writer *writer = opened; writer; writer = writer->next)
        unlink(writer->temporary);
}

/* Creates a file under a temporary name, which is made one that isn't taken, or under its `own` if
 * that isn't taken, and takes over the name; -1, with errno. */
static int create(struct writer *writer, char *temporary, bool own)
{
    sigset_t before;
    hold(&before);
    const int fd =
        own ? open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : mkstemp(temporary);
    if (fd >= 0) {
        writer->temporary = temporary;
        writer->next = opened;
        opened = writer;
    }
    release(&before);
    return fd;
}

/* Moves the file into place; or removes it, also one that is written under its own name. */
static bool settle(struct writer *writer, bool whole)
{
    sigset_t before;
    struct writer **at = &opened;
    char *temporary = writer->temporary;
    if (!temporary)
        return true;
    hold(&before);
    const bool settled = (whole ? rename(temporary, writer->target) : unlink(temporary)) == 0;
    if (settled || !whole) {
        while (*at != writer)
            at = &(*at)->next;
        *at = writer->next;
        writer->temporary = NULL;
    }
    release(&before);
    if (!writer->temporary)
        free(temporary);
    return settled;
}

/* ---- Opening ---- */

/* Resolves `name` in the folder of `path`: "folder/name" for "folder/file". */
static char *beside(const char *path, const char *name, struct error *error)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(path, '/');
    return memory_print(error, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, name);
}

static enum status open_temporary(struct writer *writer, mode_t mode, struct error *error)
{
    char *temporary = beside(writer->target, ".headlight-XXXXXX", error);
    const int fd = temporary ? create(writer, temporary, false) : -1;
    if (fd < 0) {
        const enum status status = temporary ? cannot(writer->target, errno, error) : STATUS_MEMORY;
        free(temporary);
        return status;
    }
    fchmod(fd, mode);
    writer->stream = fdopen(fd, "wb");
    if (writer->stream)
        return STATUS_OK;
    close(fd);
    return no_memory(error);
}

/* Takes over the path, which is NULL without memory. */
static enum status open_path(struct writer *writer, char *path, bool output, struct error *error)
{
    struct stat info, standard;
    enum status status = STATUS_OK;
    *writer = (struct writer){.path = path};
    const bool there = path && stat(path, &info) == 0;
    if (!path)
        status = no_memory(error);
    else if (!path[0])
        status =
            error_set(error, STATUS_IO, "expected the name of a file to write, found an empty one");
    else if (!there && errno != ENOENT)
        status = cannot(path, errno, error);
    else if (there && S_ISDIR(info.st_mode))
        status = error_set(error, STATUS_IO, "%s: expected a file to write, found a folder", path);
    /* /dev/stdout and the like may be closed, or lead to a file that others write as well */
    else if (there && output && fstat(STDOUT_FILENO, &standard) == 0 &&
             info.st_dev == standard.st_dev && info.st_ino == standard.st_ino)
        writer->stream = stdout;
    else if (!there || S_ISREG(info.st_mode)) {
        /* what a symbolic link leads to, which may not exist yet: stat has followed the links
         * before, so they end */
        char name[4096], *target = strdup(path);
        ssize_t length;
        while (target && (length = readlink(target, name, sizeof name - 1)) >= 0) {
            name[length] = '\0';
            char *next = beside(target, name, error);
            free(target);
            target = next;
        }
        /* the new file is of the user's group: what another one was let is not for it */
        const mode_t kept = there && info.st_gid == getegid() ? 0777 : 0707;
        const mode_t mask = umask(0);
        umask(mask);
        writer->target = target;
        status = target ? open_temporary(writer, there ? info.st_mode & kept : 0666 & ~mask, error)
                        : no_memory(error);
    } else if (!output) {
        status = error_set(error, STATUS_IO,
                           "%s: expected a regular file, found a pipe or a device", path);
    } else if (!(writer->stream = fopen(path, "wb"))) {
        status = cannot(path, errno, error);
    }
    if (status != STATUS_OK)
        writer_abort(writer);
    return status;
}

enum status writer_open(struct writer *writer, const char *path, struct error *error)
{
    return open_path(writer, strdup(path), false, error);
}

enum status writer_open_output(struct writer *writer, const char *path, struct error *error)
{
    if (strcmp(path, "-") != 0)
        return open_path(writer, strdup(path), true, error);
    *writer = (struct writer){.stream = stdout, .path = strdup("standard output")};
    return writer->path ? STATUS_OK : no_memory(error);
}

/* O_EXCL lets the system decide which of two programs gets the name. */
enum status writer_open_numbered(struct writer *writer, const char *ending, struct error *error)
{
    int fd = -1;
    *writer = (struct writer){0};
    for (size_t number = 1; fd < 0; number++) {
        char *name = memory_print(error, "headlight-%zu.%s", number, ending);
        fd = name ? create(writer, name, true) : -1;
        if (fd < 0 && (!name || errno != EEXIST)) {
            const enum status status = name ? cannot(name, errno, error) : STATUS_MEMORY;
            free(name);
            return status;
        }
        if (fd < 0)
            free(name);
    }
    writer->path = strdup(writer->temporary);
    writer->target = strdup(writer->temporary);
    writer->stream = fdopen(fd, "wb");
    if (writer->path && writer->target && writer->stream)
        return STATUS_OK;
    if (!writer->stream)
        close(fd);
    writer_abort(writer);
    return no_memory(error);
}

/* ---- Closing ---- */

/* The data must be on disk before the rename, or a crash could leave the name with half of them.
 * The rename itself isn't synced (that takes an fsync of the folder): until it is on disk, a
 * crash leaves the old file, whole. */
static bool flush(struct writer *writer)
{
    errno = 0; /* and stays so if the system gives no reason */
    return fflush(writer->stream) == 0 && !ferror(writer->stream) &&
           (!writer->temporary || fsync(fileno(writer->stream)) == 0);
}

static bool close_stream(struct writer *writer)
{
    FILE *stream = writer->stream;
    writer->stream = NULL;
    return !stream || stream == stdout || fclose(stream) == 0;
}

/* Asked of the pipe itself: a write that failed in the middle leaves no reason behind. */
bool writer_is_unread(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && output.revents & (POLLERR | POLLHUP);
}

enum status writer_commit(struct writer *writer, enum status status, struct error *error)
{
    const bool standard = writer->stream == stdout;
    if (status == STATUS_OK && (!flush(writer) || !close_stream(writer) || !settle(writer, true)))
        status = standard && writer_is_unread()
                     ? error_set(error, STATUS_UNREAD, "%s: nobody reads it", writer->path)
                     : cannot(writer->path, errno, error);
    writer_abort(writer);
    return status;
}

void writer_abort(struct writer *writer)
{
    close_stream(writer);
    settle(writer, false);
    free(writer->target);
    free(writer->path);
    *writer = (struct writer){0};
}

enum status writer_write(const char *path, void (*write)(const void *what, FILE *stream),
                         const void *what, struct error *error)
{
    struct writer writer;
    if (!path)
        return STATUS_OK;
    if (writer_open_output(&writer, path, error) != STATUS_OK)
        return error->status;
    write(what, writer.stream);
    return writer_commit(&writer, STATUS_OK, error);
}
