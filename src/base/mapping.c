#include "headlight/base/mapping.h"

#include "headlight/base/file.h"
#include "headlight/base/system.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

/* More shards than any checkpoint has; a mapping above it is not guarded. */
#define PLACES 256

/* The mappings that are open. The handler reads start and size, which are set before the bytes are
 * touched; start is 0 in an empty place. */
static struct place {
    atomic_uintptr_t start;
    atomic_size_t size;
    atomic_bool lost;
    char *path;       /* its own */
    struct stat file; /* when it was opened */
} places[PLACES];

static struct sigaction before;

/* ---- The list of mappings ---- */

static void note(const struct mapping *mapping, char *path, const struct stat *file)
{
    uintptr_t empty = 0;
    for (size_t i = 0; i < PLACES; i++)
        if (atomic_load(&places[i].start) == empty) {
            places[i].path = path;
            places[i].file = *file;
            atomic_store(&places[i].lost, false);
            atomic_store(&places[i].size, mapping->size);
            atomic_store(&places[i].start, (uintptr_t)mapping->bytes);
            return;
        }
    free(path);
}

static struct place *place_of(uintptr_t address)
{
    for (size_t i = 0; i < PLACES; i++) {
        uintptr_t start = atomic_load(&places[i].start);
        if (start != 0 && address >= start && address - start < atomic_load(&places[i].size))
            return &places[i];
    }
    return NULL;
}

static void forget(const struct mapping *mapping)
{
    struct place *place = place_of((uintptr_t)mapping->bytes);
    if (!place)
        return;
    atomic_store(&place->start, 0);
    free(place->path);
    place->path = NULL;
}

/* ---- Mapping ---- */

static enum status map(struct mapping *mapping, const char *path, int fd, struct error *error)
{
    struct stat file = {0};
    char *copy = strdup(path);
    if (!copy)
        return error_memory(error, "a file name", strlen(path) + 1);
    void *bytes = mmap(NULL, mapping->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) {
        int reason = errno;
        free(copy);
        return error_set(error, reason == ENOMEM ? STATUS_MEMORY : STATUS_IO,
                         "%s: cannot be mapped: %s", path, strerror(reason));
    }
    fstat(fd, &file);
    mapping->bytes = bytes;
    note(mapping, copy, &file);
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
        forget(mapping);
        munmap((void *)(uintptr_t)mapping->bytes, mapping->size);
    }
    *mapping = (struct mapping){0};
}

/* ---- What is no longer there ---- */

/* Zeros from the page of the address to the end. */
bool mapping_repair(const void *address)
{
    struct place *place = place_of((uintptr_t)address);
    if (!place)
        return false;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t end = atomic_load(&place->start) + atomic_load(&place->size);
    uintptr_t start = (uintptr_t)address / page * page;
    if (!system_map_zeros((void *)start, end - start))
        return false;
    atomic_store(&place->lost, true);
    return true;
}

/* The instruction is carried out again once this returns; where there is none, since somebody sent
 * the signal, it is sent again. */
static void take_bus_error(int number, siginfo_t *info, void *context)
{
    bool sent = info->si_code <= 0 || info->si_code == SI_USER;
    int error = errno;
    (void)context;
    if (sent || !mapping_repair(info->si_addr))
        sigaction(number, &before, NULL);
    if (sent)
        raise(number);
    errno = error;
}

void mapping_guard(void)
{
    struct sigaction action = {.sa_sigaction = take_bus_error, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &before);
}

/* The same file with other bytes. One that took its name leaves the open one as it was. */
static bool is_written_to(const struct place *place)
{
    struct stat now;
    const struct stat *then = &place->file;
    return stat(place->path, &now) == 0 && now.st_dev == then->st_dev &&
           now.st_ino == then->st_ino &&
           (now.st_size != then->st_size || now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
            now.st_mtim.tv_nsec != then->st_mtim.tv_nsec);
}

enum status mapping_check(enum status status, struct error *error)
{
    for (size_t i = 0; i < PLACES; i++) {
        const struct place *place = &places[i];
        if (atomic_load(&place->start) == 0)
            continue;
        if (atomic_load(&place->lost))
            return error_set(error, STATUS_IO,
                             "%s: has become shorter since it was opened, or can no longer be "
                             "read: open it again once it is whole",
                             place->path);
        if (is_written_to(place))
            return error_set(error, STATUS_IO,
                             "%s: has been written to since it was opened: open it again once it "
                             "is whole",
                             place->path);
    }
    return status;
}
