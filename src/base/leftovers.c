/* leftovers.c: what a signal would leave behind of the files that are being written. It is noted
 * for the signal's handler, under a lock: the handler may run in another thread than the one that
 * writes. */
#include "headlight/base/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static const char *leftovers[LEFTOVERS];

/* Whose written files are not in their places yet. */
static const struct writer_folder *unfinished;

/* Held while a file is created, removed or renamed and the change is noted. Signals are blocked
 * meanwhile; but the system may deliver one to another thread, whose handler then waits here. */
static atomic_flag held = ATOMIC_FLAG_INIT;

void leftovers_hold(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
    while (atomic_flag_test_and_set(&held))
        continue; /* for the length of a system call */
}

/* Keeps errno. */
void leftovers_release(const sigset_t *before)
{
    int reason = errno;
    atomic_flag_clear(&held);
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = reason;
}

void leftovers_remove(void)
{
    for (int i = 0; i < LEFTOVERS; i++) {
        if (leftovers[i])
            unlink(leftovers[i]);
        leftovers[i] = NULL;
    }
}

void leftovers_forget(void)
{
    for (int i = 0; i < LEFTOVERS; i++)
        leftovers[i] = NULL;
}

void leftovers_note_folder(const struct writer_folder *folder)
{
    unfinished = folder;
}

void leftovers_remove_folder(void)
{
    for (const struct writer_file *file = unfinished ? unfinished->files : NULL; file;
         file = file->next)
        unlink(file->temporary);
    if (unfinished && unfinished->made)
        rmdir(unfinished->made);
    unfinished = NULL;
}

/* Never released: the program ends, and until it does no thread may create another file. */
void writer_interrupted(void)
{
    while (atomic_flag_test_and_set(&held))
        continue;
    leftovers_remove();
    leftovers_remove_folder();
}

int leftovers_create(char *name, enum leftover kind)
{
    sigset_t before;
    leftovers_hold(&before);
    int fd = kind == LEFTOVER_TEMPORARY ? mkstemp(name)
                                        : open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0)
        leftovers[kind] = name;
    leftovers_release(&before);
    return fd;
}
