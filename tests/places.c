/* places.c: where a test was when it crashed. Check writes a message to a file at each assertion
 * that holds, which is half the time of a suite that looks at every cell. Here the place goes into
 * memory that a test shares with the runner, and becomes a message only where one may be read: when
 * a test exits, or has been ended by a signal. */
#include "places.h"

#ifdef __linux__

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct place {
    const char *file; /* a literal: the same in the runner, which forks the tests */
    int line;
} * place;
static pid_t runner;

/* The linker's names: __real_NAME is the library's, __wrap_NAME is what calls of NAME reach. */
void __real__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line);

void __wrap__mark_point(const char *file, int line)
{
    if (place)
        *place = (struct place){file, line};
    else
        __real__mark_point(file, line);
}

static void tell(void)
{
    if (place->file)
        __real__mark_point(place->file, place->line);
    place->file = NULL;
}

/* A test ends by exit(), whether it wanted to or not; one that fails by _exit(), after it has
 * written where. */
static void tell_at_exit(void)
{
    if (getpid() != runner)
        tell();
}

/* Check waits with it for each test: it takes the place of the C library's, also for a libcheck.so.
 */
pid_t waitpid(pid_t pid, int *status, int options)
{
    int how = 0;
    pid_t ended = wait4(pid, &how, options, NULL);
    if (status)
        *status = how;
    if (place && ended > 0 && getpid() == runner) {
        if (WIFSIGNALED(how))
            tell();
        place->file = NULL;
    }
    return ended;
}

void places_begin(void)
{
    void *shared =
        mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || atexit(tell_at_exit) != 0)
        return;
    place = shared;
    runner = getpid();
}

#else

void places_begin(void)
{
}

#endif
