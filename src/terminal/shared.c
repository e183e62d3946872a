/* shared.c: shared memory by name. A name lives on when the program has ended, so there are never
 * more than two, and whatever ends the program unlinks them (restore.c). Only KILL leaves them. */
#include "headlight/terminal/shared.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* macOS takes up to 31 bytes. */
static char names[SHARED_PLACES][32];
static atomic_bool taken[SHARED_PLACES];

/* It may be gone already, if the terminal has read it. */
static void take_away(unsigned place)
{
    if (taken[place])
        shm_unlink(names[place]);
    taken[place] = false;
}

/* A name is never used twice: a terminal that lags behind finds nothing under an old one, rather
 * than what belongs to a new one. Written rather than mapped: without room that is an error, and
 * not a signal. Some systems can't write there, and so share nothing. */
const char *shared_put(unsigned place, const void *bytes, size_t size)
{
    static uint32_t count;
    take_away(place);
    snprintf(names[place], sizeof names[place], "/headlight-%ld-%u", (long)getpid(), count++);
    taken[place] = true;
    int fd = shm_open(names[place], O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
    if (fd < 0) {
        taken[place] = false; /* or somebody else's */
        return NULL;
    }
    size_t at = 0;
    for (ssize_t written = 1; at < size && written > 0; at += written > 0 ? (size_t)written : 0)
        written = write(fd, (const char *)bytes + at, size - at);
    close(fd);
    if (at < size)
        take_away(place);
    return at == size ? names[place] : NULL;
}

void shared_clear(void)
{
    for (unsigned place = 0; place < SHARED_PLACES; place++)
        take_away(place);
}
