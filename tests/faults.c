#define _GNU_SOURCE /* fopencookie */

#include "faults.h"

#include "suites.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fault fault;
static atomic_bool armed;
static atomic_size_t calls, failed, asked;

void faults_begin(const struct fault *wanted)
{
    fault = *wanted;
    atomic_store(&calls, 0);
    atomic_store(&failed, 0);
    atomic_store(&asked, 0);
    atomic_store(&armed, true);
}

size_t faults_end(void)
{
    atomic_store(&armed, false);
    return atomic_load(&failed);
}

size_t faults_bytes(void)
{
    return atomic_load(&asked);
}

#ifdef __linux__

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

static bool watched(enum fault_kind kind)
{
    return atomic_load(&armed) && fault.kind == kind;
}

/* Counts a call; true: it is one that fails. */
static bool fails(enum fault_kind kind)
{
    if (!watched(kind))
        return false;
    size_t call = atomic_fetch_add(&calls, 1) + 1;
    bool hit = fault.lasts ? call >= fault.nth : call == fault.nth;
    if (hit && fault.kills && kind != FAULT_WRITE)
        raise(SIGKILL);
    if (hit) {
        atomic_fetch_add(&failed, 1);
        errno = fault.reason ? fault.reason : ENOMEM;
    }
    return hit;
}

/* The linker's names: __real_NAME is the library's, __wrap_NAME is what calls of NAME reach. */
#define WRAPPED(kind, failure, type, name, parameters, arguments)                                  \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return fails(kind) ? (failure) : __real_##name arguments;                                  \
    }

/* What glibc's headers call it where files may be larger than 2 GB. */
#define WRAPPED_LARGE(type, name, parameters)                                                      \
    type __wrap_##name##64 parameters;                                                             \
    type __wrap_##name##64 parameters __attribute__((alias("__wrap_" #name)));

/* ---- Memory ---- */

/* Returns the size of an element. */
static size_t count_bytes(size_t count, size_t size)
{
    if (atomic_load(&armed))
        atomic_fetch_add(&asked, count * size);
    return size;
}

WRAPPED(FAULT_MEMORY, NULL, void *, malloc, (size_t size), (count_bytes(1, size)))
WRAPPED(FAULT_MEMORY, NULL, void *, calloc, (size_t count, size_t size),
        (count, count_bytes(count, size)))
WRAPPED(FAULT_MEMORY, NULL, void *, realloc, (void *block, size_t size),
        (block, count_bytes(1, size)))
WRAPPED(FAULT_MEMORY, NULL, char *, strdup, (const char *text), (text))
WRAPPED(FAULT_MEMORY, NULL, char *, strndup, (const char *text, size_t size), (text, size))
WRAPPED(FAULT_MEMORY, NULL, FILE *, fopen, (const char *path, const char *mode), (path, mode))
WRAPPED(FAULT_MEMORY, NULL, FILE *, tmpfile, (void), ())
WRAPPED_LARGE(FILE *, fopen, (const char *path, const char *mode))
WRAPPED_LARGE(FILE *, tmpfile, (void))
WRAPPED(FAULT_MEMORY, (locale_t)0, locale_t, newlocale, (int mask, const char *name, locale_t base),
        (mask, name, base))

/* A stream in memory whose growing is counted as well. */
struct memory_stream {
    char **text, *bytes;
    size_t *length, used, room;
};

static ssize_t write_memory(void *context, const char *bytes, size_t size)
{
    struct memory_stream *stream = context;
    if (stream->used + size + 1 > stream->room) {
        size_t room = 2 * (stream->used + size) + 64;
        char *grown = __wrap_realloc(stream->bytes, room);
        if (!grown)
            return 0;
        stream->bytes = grown;
        stream->room = room;
    }
    memcpy(stream->bytes + stream->used, bytes, size);
    stream->used += size;
    stream->bytes[stream->used] = '\0';
    return (ssize_t)size;
}

/* Only where it is, as ftell asks. */
static int seek_memory(void *context, off64_t *offset, int whence)
{
    const struct memory_stream *stream = context;
    if (whence != SEEK_CUR || *offset != 0)
        return -1;
    *offset = (off64_t)stream->used;
    return 0;
}

static int close_memory(void *context)
{
    struct memory_stream *stream = context;
    *stream->text = stream->bytes;
    *stream->length = stream->used;
    free(stream);
    return 0;
}

FILE *__real_open_memstream(char **text, size_t *length);
FILE *__wrap_open_memstream(char **text, size_t *length);
FILE *__wrap_open_memstream(char **text, size_t *length)
{
    const cookie_io_functions_t functions = {
        .write = write_memory, .seek = seek_memory, .close = close_memory};
    if (!watched(FAULT_MEMORY))
        return __real_open_memstream(text, length);
    struct memory_stream *stream = __wrap_calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    *stream = (struct memory_stream){.text = text, .length = length};
    stream->bytes = __wrap_calloc(1, 1); /* the real one has a text before anything is written */
    if (!stream->bytes) {
        free(stream);
        return NULL;
    }
    return fopencookie(stream, "w", functions);
}

/* ---- Threads ---- */

WRAPPED(FAULT_THREAD, fault.reason, int, pthread_create,
        (pthread_t * thread, const pthread_attr_t *with, void *(*run)(void *), void *context),
        (thread, with, run, context))
WRAPPED(FAULT_THREAD, -1, int, pipe, (int ends[2]), (ends))

/* ---- Libraries ---- */

WRAPPED(FAULT_LIBRARY, NULL, void *, dlopen, (const char *path, int mode), (path, mode))

/* ---- Keys ---- */

WRAPPED(FAULT_KEY, -1, int, wgetch, (void *window), (window))

/* ---- Files ---- */

WRAPPED(FAULT_SYNC, -1, int, fsync, (int fd), (fd))
WRAPPED(FAULT_RENAME, -1, int, rename, (const char *from, const char *to), (from, to))
WRAPPED(FAULT_MAKE, -1, int, mkstemp, (char *path), (path))
WRAPPED_LARGE(int, mkstemp, (char *path))

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return fails(FAULT_OPEN) ? -1 : __real_open(path, flags, mode);
}
WRAPPED_LARGE(int, open, (const char *path, int flags, ...))

void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (fails(FAULT_MAP) || fails(FAULT_MEMORY))
        return MAP_FAILED;
    return __real_mmap(at, size, protection, flags, fd, offset);
}
WRAPPED_LARGE(void *, mmap,
              (void *at, size_t size, int protection, int flags, int fd, off_t offset))

ssize_t __real_read(int fd, void *bytes, size_t size);
ssize_t __wrap_read(int fd, void *bytes, size_t size);
ssize_t __wrap_read(int fd, void *bytes, size_t size)
{
    bool hit = fails(FAULT_READ);
    if (hit && !fault.brief)
        return -1;
    return __real_read(fd, bytes, hit && size > 1 ? 1 : size);
}

/* Streams to files whose writes and whose closing can fail, by the descriptor, which is what the
 * C library hands back. */
static FILE *disk_streams[64];

static ssize_t write_disk(void *context, const char *bytes, size_t size)
{
    const int fd = (int)(intptr_t)context;
    size_t written = 0;
    bool full = fails(FAULT_WRITE); /* after half of it */
    size = full ? size / 2 : size;
    while (written < size) {
        ssize_t now = write(fd, bytes + written, size - written);
        if (now < 0)
            return 0;
        written += (size_t)now;
    }
    if (full && fault.kills)
        raise(SIGKILL);
    return full ? 0 : (ssize_t)size;
}

static int close_disk(void *context)
{
    const int fd = (int)(intptr_t)context, result = close(fd);
    disk_streams[fd] = NULL;
    return fails(FAULT_CLOSE) ? -1 : result;
}

FILE *__real_fdopen(int fd, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode)
{
    const cookie_io_functions_t functions = {.write = write_disk, .close = close_disk};
    if (fails(FAULT_MEMORY))
        return NULL;
    if ((!watched(FAULT_WRITE) && !watched(FAULT_CLOSE)) || fd >= 64)
        return __real_fdopen(fd, mode);
    return disk_streams[fd] = fopencookie((void *)(intptr_t)fd, mode, functions);
}

int __real_fileno(FILE *stream);
int __wrap_fileno(FILE *stream);
int __wrap_fileno(FILE *stream)
{
    for (int fd = 0; fd < 64; fd++)
        if (disk_streams[fd] == stream)
            return fd;
    return __real_fileno(stream);
}

#endif

/* `volatile`, or a compiler leaves the pair of calls out. */
bool faults_work(void)
{
    faults_begin(&(struct fault){.nth = 1});
    void *volatile block = malloc(1);
    size_t hits = faults_end();
    free(block);
    if (hits == 0)
        skip("calls that fail, which this machine's linker can't bring about");
    return hits > 0;
}

/* ---- Each call in turn ---- */

static enum status act(const struct trial *trial, struct error *error)
{
    error->status = STATUS_OK;
    error->message[0] = '\0';
    return trial->act(error);
}

/* Returns whether anything failed. */
static bool try_once(const struct trial *trial, const struct fault *wanted)
{
    struct error error;
    if (trial->begin)
        trial->begin();
    faults_begin(wanted);
    enum status status = act(trial, &error);
    size_t hits = faults_end();
    if (status == STATUS_OK && hits > 0 && !(trial->tolerates && trial->tolerates()))
        ck_abort_msg("%s: allocation %zu failed, and nothing is said", trial->name, wanted->nth);
    if (status != STATUS_OK) {
        ck_assert_msg(hits > 0, "%s: %s", trial->name, error.message);
        ck_assert_msg(status == STATUS_MEMORY && error.status == status && error.message[0],
                      "%s: allocation %zu failed: status %d, \"%s\"", trial->name, wanted->nth,
                      (int)status, error.message);
        if (trial->check_failed)
            trial->check_failed();
        status = act(trial, &error);
        ck_assert_msg(status == STATUS_OK, "%s, again after allocation %zu failed: %s", trial->name,
                      wanted->nth, error.message);
    }
    if (trial->end)
        trial->end();
    return hits > 0;
}

void faults_try(const struct trial *trial)
{
    size_t tries = 0;
    for (int lasts = 0; lasts < 2; lasts++)
        for (size_t nth = 1; try_once(trial, &(struct fault){.nth = nth, .lasts = lasts}); tries++)
            nth += trial->stride > 0 && nth >= FAULTS_EACH ? trial->stride : 1;
    ck_assert_msg(tries > 0, "%s allocates nothing", trial->name);
    if (getenv("HEADLIGHT_FAULTS"))
        printf("%6zu faults: %s\n", tries, trial->name);
}
