#include "headlight/terminal/restore.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static FILE *held;
static atomic_int held_fd = -1, stderr_before = -1; /* any thread may crash and replay */

void restore_hold_stderr(void)
{
    fflush(stderr);
    held = tmpfile();
    held_fd = held ? fileno(held) : -1;
    stderr_before = held ? dup(STDERR_FILENO) : -1;
    if (stderr_before >= 0)
        dup2(held_fd, STDERR_FILENO);
}

void restore_replay_stderr(void)
{
    char text[512];
    if (stderr_before < 0)
        return;
    lseek(held_fd, 0, SEEK_SET);
    for (ssize_t got; (got = read(held_fd, text, sizeof text)) > 0;)
        if (write(stderr_before, text, (size_t)got) != got)
            return;
}

void restore_release_stderr(void)
{
    fflush(stderr);
    restore_replay_stderr();
    if (stderr_before >= 0) {
        dup2(stderr_before, STDERR_FILENO);
        close(stderr_before);
    }
    if (held)
        fclose(held);
    held = NULL;
    held_fd = stderr_before = -1;
}
