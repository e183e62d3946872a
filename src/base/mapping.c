/* mapping.c: files used in place by mapping them. */
#include "headlight/base/mapping.h"

#include "headlight/base/file.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

enum status mapping_open(struct mapping *mapping, const char *path, struct error *error)
{
    int fd;
    *mapping = (struct mapping){.path = path};
    if (file_open(path, &fd, &mapping->size, error) != STATUS_OK)
        return error->status;
    fstat(fd, &mapping->opened);
    void *bytes =
        mapping->size > 0 ? mmap(NULL, mapping->size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    const int reason = errno;
    close(fd);
    if (bytes == MAP_FAILED) {
        *mapping = (struct mapping){0};
        return error_set(error, reason == ENOMEM ? STATUS_MEMORY : STATUS_IO,
                         "%s: cannot be mapped: %s", path, strerror(reason));
    }
    mapping->bytes = bytes;
    return STATUS_OK;
}

void mapping_close(struct mapping *mapping)
{
    if (mapping->bytes)
        munmap((void *)(uintptr_t)mapping->bytes, mapping->size);
    *mapping = (struct mapping){0};
}

enum status mapping_check(const struct mapping *mapping, enum status status, struct error *error)
{
    struct stat now;
    if (!mapping->bytes || stat(mapping->path, &now) != 0)
        return status;
    const struct stat *then = &mapping->opened;
    bool same_file = now.st_dev == then->st_dev && now.st_ino == then->st_ino;
    bool written = now.st_size != then->st_size || now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
                   now.st_mtim.tv_nsec != then->st_mtim.tv_nsec;
    if (!same_file || !written)
        return status;
    return error_set(error, STATUS_IO,
                     "%s: has been written to since it was opened: open it again once it is whole",
                     mapping->path);
}
