/* writer.c: writes a file, or a folder, beside its place, syncs and renames it, so that it appears
 * whole or not at all. */
#include "headlight/base/writer.h"

#include "headlight/base/file.h"
#include "headlight/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The length of the path of its folder; 0: the working folder. */
static size_t parent_of(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length;
}

/* "x/y: cannot be DONE: WHY": a folder that isn't there is the one that can be made. */
static enum status cannot(const char *done, const char *path, int reason, struct error *error)
{
    const size_t parent = parent_of(path);
    char *folder = reason == ENOENT && parent > 0 ? strndup(path, parent) : NULL;
    const enum status status =
        folder && !file_is_folder(folder)
            ? error_set(error, STATUS_IO,
                        "%s: cannot be %s: there is no folder %s, which has to be made first", path,
                        done, folder)
            : error_set(error, STATUS_IO, "%s: cannot be %s: %s", path, done,
                        reason ? strerror(reason) : "write error");
    free(folder);
    return status;
}

static enum status cannot_write(const char *path, int reason, struct error *error)
{
    return cannot("written", path, reason, error);
}

static enum status cannot_make(const char *path, int reason, struct error *error)
{
    return cannot("made", path, reason, error);
}

static enum status no_memory(struct error *error)
{
    return error_memory(error, "the output file", BUFSIZ);
}

/* ---- Opening ---- */

/* The longest path on any system. */
#define PATH_SIZE 4096

/* Resolves `name` in the folder of `path`: "folder/name" for "folder/file". */
static char *beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash && name[0] != '/' ? (size_t)(slash - path) + 1 : 0;
    size_t size = strlen(name) + 1;
    char *result = malloc(folder + size);
    if (result) {
        memcpy(result, path, folder);
        memcpy(result + folder, name, size);
    }
    return result;
}

static mode_t without_mask(mode_t mode)
{
    mode_t mask = umask(0);
    umask(mask);
    return (mode_t)(mode & ~mask);
}

/* The old file's permissions, after setting its owner and group as far as the system allows. If
 * the group can't be kept, the new group gets the permissions of others. */
static mode_t inherit(int fd, const struct stat *old)
{
    struct stat now;
    mode_t mode = old->st_mode & 0777, others = mode & 07;
    bool kept = fchown(fd, old->st_uid, old->st_gid) == 0 ||
                fchown(fd, (uid_t)-1, old->st_gid) == 0 ||
                (fstat(fd, &now) == 0 && now.st_gid == old->st_gid);
    return kept ? mode : mode & (0707 | others << 3);
}

static enum status open_stream(struct writer *writer, int fd, struct error *error)
{
    writer->stream = fdopen(fd, "wb");
    if (writer->stream)
        return STATUS_OK;
    close(fd);
    return no_memory(error);
}

/* `old` is the file to be replaced, or NULL. */
static enum status open_temporary(struct writer *writer, const struct stat *old,
                                  struct error *error)
{
    writer->temporary = beside(writer->path, ".headlight-XXXXXX");
    if (!writer->temporary)
        return no_memory(error);
    int fd = leftovers_create(writer->temporary, LEFTOVER_TEMPORARY);
    if (fd < 0)
        return cannot_write(writer->path, errno, error);
    fchmod(fd, old ? inherit(fd, old) : without_mask(0666));
    return open_stream(writer, fd, error);
}

/* A rename would replace even a write-protected file. root may write every file, but one without
 * any write permission is kept all the same. */
static enum status check_writable(const char *path, const struct stat *old, struct error *error)
{
    bool refused = access(path, W_OK) != 0;
    if (refused && errno != EACCES && errno != EPERM)
        return cannot_write(path, errno, error);
    if (refused || (old->st_mode & 0222) == 0)
        return error_set(error, STATUS_IO,
                         "%s: is read-only: expected a file that may be written; allow that, or "
                         "choose another name",
                         path);
    return STATUS_OK;
}

/* A symbolic link is kept: the path becomes that of its target, which may not exist yet. stat
 * has followed the links before, so they end. */
static enum status follow_links(struct writer *writer, struct error *error)
{
    char name[PATH_SIZE];
    ssize_t length;
    while ((length = readlink(writer->path, name, sizeof name - 1)) >= 0) {
        name[length] = '\0';
        char *target = beside(writer->path, name);
        if (!target)
            return no_memory(error);
        free(writer->path);
        writer->path = target;
    }
    return STATUS_OK;
}

/* /dev/stdout and the like may be closed, or lead to a file that others write as well. */
static bool is_standard_output(const struct stat *info)
{
    struct stat standard;
    return fstat(STDOUT_FILENO, &standard) == 0 && info->st_dev == standard.st_dev &&
           info->st_ino == standard.st_ino;
}

static enum status replace(struct writer *writer, const struct stat *old, struct error *error)
{
    if (follow_links(writer, error) != STATUS_OK ||
        check_writable(writer->path, old, error) != STATUS_OK)
        return error->status;
    return open_temporary(writer, old, error);
}

/* What is neither a file nor a folder. */
static enum status open_special(struct writer *writer, const struct stat *info, bool output,
                                struct error *error)
{
    if (!output)
        return error_set(error, STATUS_IO, "%s: expected a regular file, found a pipe or a device",
                         writer->path);
    writer->stream = is_standard_output(info) ? stdout : fopen(writer->path, "wb");
    return writer->stream ? STATUS_OK : cannot_write(writer->path, errno, error);
}

static enum status open_target(struct writer *writer, bool output, struct error *error)
{
    struct stat info;
    if (!writer->path[0])
        return error_set(error, STATUS_IO,
                         "expected the name of a file to write, found an empty one");
    if (stat(writer->path, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return error_set(error, STATUS_IO, "%s: expected a file to write, found a folder",
                             writer->path);
        bool replaced = S_ISREG(info.st_mode) && !(output && is_standard_output(&info));
        return replaced ? replace(writer, &info, error)
                        : open_special(writer, &info, output, error);
    }
    if (errno != ENOENT)
        return cannot_write(writer->path, errno, error);
    if (follow_links(writer, error) != STATUS_OK)
        return error->status;
    return open_temporary(writer, NULL, error);
}

static enum status open_path(struct writer *writer, const char *path, bool output,
                             struct error *error)
{
    bool standard = output && strcmp(path, "-") == 0;
    writer->path = strdup(standard ? "standard output" : path);
    if (!writer->path)
        return no_memory(error);
    if (standard) {
        writer->stream = stdout;
        return STATUS_OK;
    }
    enum status status = open_target(writer, output, error);
    if (status != STATUS_OK)
        writer_abort(writer);
    return status;
}

enum status writer_open(struct writer *writer, const char *path, struct error *error)
{
    *writer = (struct writer){0};
    return open_path(writer, path, false, error);
}

enum status writer_open_output(struct writer *writer, const char *path, struct error *error)
{
    *writer = (struct writer){0};
    return open_path(writer, path, true, error);
}

/* O_EXCL lets the system decide which of two programs gets the name. */
static enum status claim_number(struct writer *writer, const char *ending, struct error *error)
{
    size_t number = 1, size = sizeof "headlight-." + 20 + strlen(ending);
    int fd;
    writer->path = malloc(size);
    if (!writer->path)
        return no_memory(error);
    do {
        snprintf(writer->path, size, "headlight-%zu.%s", number, ending);
        fd = leftovers_create(writer->path, LEFTOVER_NAMED);
        number += fd < 0 && errno == EEXIST;
    } while (fd < 0 && (errno == EEXIST || errno == EINTR));
    if (fd < 0)
        return cannot_write(writer->path, errno, error);
    close(fd);
    return STATUS_OK;
}

enum status writer_open_numbered(struct writer *writer, const char *ending, struct error *error)
{
    *writer = (struct writer){0};
    if (claim_number(writer, ending, error) == STATUS_OK &&
        open_temporary(writer, NULL, error) == STATUS_OK)
        return STATUS_OK;
    writer_abort(writer);
    return error->status;
}

/* ---- Closing ---- */

/* The data must be on disk before the rename, or a crash could leave the name with half of them.
 * The rename itself isn't synced (that takes an fsync of the folder): until it is on disk, a
 * crash leaves the old file, whole. */
static bool flush(struct writer *writer)
{
    int result = 0;
    errno = 0; /* and stays so if the system gives no reason */
    if (fflush(writer->stream) != 0 || ferror(writer->stream))
        return false;
    do
        result = writer->temporary ? fsync(fileno(writer->stream)) : 0;
    while (result != 0 && errno == EINTR);
    return result == 0;
}

static bool close_stream(struct writer *writer)
{
    FILE *stream = writer->stream;
    writer->stream = NULL;
    return !stream || stream == stdout || fclose(stream) == 0;
}

/* From here on it is the folder's. */
static bool add_to_folder(struct writer *writer)
{
    *writer->file = (struct writer_file){NULL, writer->temporary, writer->path};
    *writer->folder->end = writer->file;
    writer->folder->end = &writer->file->next;
    *writer = (struct writer){0};
    return true;
}

static bool move_into_place(struct writer *writer)
{
    sigset_t before;
    leftovers_hold(&before);
    bool moved =
        writer->file ? add_to_folder(writer) : rename(writer->temporary, writer->path) == 0;
    if (moved)
        leftovers_forget();
    leftovers_release(&before);
    return moved;
}

/* Asked of the pipe itself: a write that failed in the middle leaves no reason behind. */
bool writer_is_unread(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && output.revents & (POLLERR | POLLHUP);
}

enum status writer_commit(struct writer *writer, struct error *error)
{
    enum status status = STATUS_OK;
    const bool standard = writer->stream == stdout;
    if (!flush(writer) || !close_stream(writer) || (writer->temporary && !move_into_place(writer)))
        status = standard && writer_is_unread()
                     ? error_set(error, STATUS_UNREAD, "%s: nobody reads it", writer->path)
                     : cannot_write(writer->path, errno, error);
    writer_abort(writer);
    return status;
}

void writer_abort(struct writer *writer)
{
    sigset_t before;
    close_stream(writer);
    leftovers_hold(&before);
    leftovers_remove();
    leftovers_release(&before);
    free(writer->temporary);
    free(writer->path);
    free(writer->file);
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
    return writer_commit(&writer, error);
}

/* ---- Folders ---- */

/* Permissions as mkdir would give them; a group that is inherited stays so. */
static enum status make_beside(struct writer_folder *folder, struct error *error)
{
    struct stat info;
    sigset_t before;
    int parent = (int)parent_of(folder->path);
    size_t size = (size_t)parent + sizeof "/.headlight-XXXXXX";
    folder->made = malloc(size);
    if (!folder->made)
        return no_memory(error);
    snprintf(folder->made, size, "%.*s%s.headlight-XXXXXX", parent, folder->path,
             parent > 0 && folder->path[parent - 1] != '/' ? "/" : "");
    leftovers_hold(&before);
    bool made = mkdtemp(folder->made) != NULL;
    leftovers_note_folder(made ? folder : NULL);
    leftovers_release(&before);
    if (!made)
        return cannot_make(folder->path, errno, error);
    if (stat(folder->made, &info) == 0)
        chmod(folder->made, (mode_t)((info.st_mode & 07000) | without_mask(0777)));
    return STATUS_OK;
}

static enum status begin_folder(struct writer_folder *folder, struct error *error)
{
    struct stat info;
    if (file_is_folder(folder->path)) {
        leftovers_note_folder(folder); /* with no files, there is nothing to interrupt */
        return STATUS_OK;
    }
    if (lstat(folder->path, &info) == 0)
        return error_set(error, STATUS_IO, "%s: expected a folder, or nothing yet, found a file",
                         folder->path);
    if (errno != ENOENT || !*folder->path)
        return cannot_make(folder->path, errno, error);
    return make_beside(folder, error);
}

enum status writer_folder_open(struct writer_folder *folder, const char *path, struct error *error)
{
    *folder = (struct writer_folder){.path = strdup(path), .end = &folder->files};
    enum status status = folder->path ? begin_folder(folder, error) : no_memory(error);
    if (status != STATUS_OK)
        writer_folder_abort(folder);
    return status;
}

/* Nobody else writes in a new folder, so a name needs no other one before it. */
static enum status open_in_new(struct writer *writer, const char *name, struct error *error)
{
    writer->temporary = path_join(writer->folder->made, name);
    if (!writer->temporary)
        return no_memory(error);
    int fd = leftovers_create(writer->temporary, LEFTOVER_NAMED);
    return fd < 0 ? cannot_write(writer->path, errno, error) : open_stream(writer, fd, error);
}

enum status writer_open_in(struct writer *writer, struct writer_folder *folder, const char *name,
                           struct error *error)
{
    *writer = (struct writer){.folder = folder,
                              .path = path_join(folder->path, name),
                              .file = malloc(sizeof *writer->file)};
    enum status status = !writer->path || !writer->file ? no_memory(error)
                         : folder->made                 ? open_in_new(writer, name, error)
                                                        : open_target(writer, false, error);
    if (status != STATUS_OK)
        writer_abort(writer);
    return status;
}

/* -1 where a folder can't be locked: files are moved all the same. */
static int lock_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return fd;
}

/* The lock is taken first: a signal may end the wait for another program. */
static enum status move_files(const struct writer_folder *folder, struct error *error)
{
    sigset_t before;
    const struct writer_file *file;
    int lock = lock_folder(folder->path);
    leftovers_hold(&before);
    for (file = folder->files; file && rename(file->temporary, file->path) == 0;)
        file = file->next;
    leftovers_release(&before);
    int reason = errno;
    if (lock >= 0)
        close(lock);
    return file ? cannot_write(file->path, reason, error) : STATUS_OK;
}

/* Held, or a handler in another thread could remove files of it meanwhile. */
static bool move_whole(const struct writer_folder *folder)
{
    sigset_t before;
    leftovers_hold(&before);
    bool moved = folder->made && rename(folder->made, folder->path) == 0;
    if (moved)
        leftovers_note_folder(NULL);
    leftovers_release(&before);
    return moved;
}

/* A folder that another program made meanwhile gets the files, as one that was there before. */
enum status writer_folder_commit(struct writer_folder *folder, struct error *error)
{
    enum status status = STATUS_OK;
    bool moved = move_whole(folder);
    if (folder->made && !moved && errno != EEXIST && errno != ENOTEMPTY)
        status = cannot_make(folder->path, errno, error);
    else if (!moved)
        status = move_files(folder, error);
    writer_folder_abort(folder);
    return status;
}

/* After a commit, only names that are left are there to be removed. */
void writer_folder_abort(struct writer_folder *folder)
{
    sigset_t before;
    leftovers_hold(&before);
    leftovers_remove_folder();
    leftovers_release(&before);
    for (struct writer_file *file = folder->files, *next; file; file = next) {
        next = file->next;
        free(file->temporary);
        free(file->path);
        free(file);
    }
    free(folder->path);
    free(folder->made);
    *folder = (struct writer_folder){0};
}
