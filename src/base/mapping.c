/* mapping.c: files used in place by mapping them.
 *
 * A signal handler has to find the file from the faulting address while other threads open and
 * close mappings. So each open mapping has a slot of atomics; everything else about it is only
 * touched by its owner. */
#include "headlight/base/mapping.h"

#include "headlight/base/file.h"
#include "headlight/base/format.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

struct mapped_file {
    struct stat opened; /* when it was opened */
    char *loss;         /* for mapping_loss */
    char path[];        /* followed by loss */
};

static const char has_shrunk[] = ": has become shorter since it was opened, or can no longer be "
                                 "read: open it again once it is whole";

/* ---- Slots ---- */

/* More than the shards of any checkpoint; for further files the message has no name. */
#define SLOTS    256
#define RESERVED 1 /* no mapping begins there */

static struct slot {
    atomic_uintptr_t start; /* 0: free */
    atomic_size_t size;
    _Atomic(const char *) loss;
} slots[SLOTS];

/* Between mmap and munmap, so that no two slots overlap. */
static void mapping_publish(const struct mapping *mapping)
{
    for (size_t i = 0; i < SLOTS; i++) {
        uintptr_t start = 0;
        if (atomic_compare_exchange_strong(&slots[i].start, &start, RESERVED)) {
            atomic_store(&slots[i].size, mapping->size);
            atomic_store(&slots[i].loss, mapping->file->loss);
            atomic_store(&slots[i].start, (uintptr_t)mapping->bytes);
            return;
        }
    }
}

/* The handler's own mapping stays open, so its slot stays too. A slot that changes meanwhile
 * belongs to another mapping, which the second look at its start detects. */
const char *mapping_loss(const void *address)
{
    for (size_t i = 0; i < SLOTS; i++) {
        uintptr_t start = atomic_load(&slots[i].start);
        size_t size = atomic_load(&slots[i].size);
        const char *loss = atomic_load(&slots[i].loss);
        if (start > RESERVED && (uintptr_t)address - start < size &&
            atomic_load(&slots[i].start) == start)
            return loss;
    }
    return NULL;
}

/* ---- Opening ---- */

/* Prepared in advance, because a signal handler can't make text safe. */
static void write_loss(char *loss, const char *path)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)path;
    utf8proc_int32_t code;
    while (*at) {
        utf8proc_ssize_t used = utf8proc_iterate(at, -1, &code);
        bool shown = used > 0 && !is_unseen(code);
        size_t length = shown ? (size_t)used : 1;
        memcpy(loss, shown ? (const char *)at : "?", length);
        loss += length;
        at += used > 0 ? used : 1;
    }
    memcpy(loss, has_shrunk, sizeof has_shrunk);
}

static struct mapped_file *mapped_file_new(const char *path, int fd)
{
    size_t length = strlen(path) + 1;
    struct mapped_file *file = malloc(sizeof *file + 2 * length + sizeof has_shrunk);
    if (!file)
        return NULL;
    file->loss = file->path + length;
    memcpy(file->path, path, length);
    write_loss(file->loss, path);
    fstat(fd, &file->opened);
    return file;
}

static enum status map(struct mapping *mapping, const char *path, int fd, struct error *error)
{
    mapping->file = mapped_file_new(path, fd);
    if (!mapping->file)
        return error_memory(error, "a file name", strlen(path) + 1);
    void *bytes = mmap(NULL, mapping->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) {
        int reason = errno;
        free(mapping->file);
        return error_set(error, reason == ENOMEM ? STATUS_MEMORY : STATUS_IO,
                         "%s: cannot be mapped: %s", path, strerror(reason));
    }
    mapping->bytes = bytes;
    mapping_publish(mapping);
    return STATUS_OK;
}

enum status mapping_open(struct mapping *mapping, const char *path, struct error *error)
{
    int fd;
    *mapping = (struct mapping){0};
    if (file_open(path, &fd, &mapping->size, error) != STATUS_OK)
        return error->status;
    enum status status = mapping->size > 0 ? map(mapping, path, fd, error) : STATUS_OK;
    close(fd);
    if (status != STATUS_OK)
        *mapping = (struct mapping){0};
    return status;
}

void mapping_close(struct mapping *mapping)
{
    if (mapping->bytes) {
        for (size_t i = 0; i < SLOTS; i++)
            if (atomic_load(&slots[i].start) == (uintptr_t)mapping->bytes)
                atomic_store(&slots[i].start, 0);
        munmap((void *)(uintptr_t)mapping->bytes, mapping->size);
        free(mapping->file);
    }
    *mapping = (struct mapping){0};
}

enum status mapping_check(const struct mapping *mapping, enum status status, struct error *error)
{
    struct stat now;
    if (!mapping->bytes || stat(mapping->file->path, &now) != 0)
        return status;
    const struct stat *then = &mapping->file->opened;
    bool same_file = now.st_dev == then->st_dev && now.st_ino == then->st_ino;
    bool written = now.st_size != then->st_size || now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
                   now.st_mtim.tv_nsec != then->st_mtim.tv_nsec;
    if (!same_file || !written)
        return status;
    return error_set(error, STATUS_IO,
                     "%s: has been written to since it was opened: open it again once it is whole",
                     mapping->file->path);
}
