/* system.c: the calls beyond POSIX, each with its stand-in for other systems. The only source that
 * asks the headers for them; HEADLIGHT_PLAIN takes the stand-ins on Linux, for tests. */
#ifndef HEADLIGHT_PLAIN
#define _GNU_SOURCE /* for the #ifdefs below */
#endif

#include "headlight/base/system.h"

#include "headlight/base/size.h"

#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- Memory ---- */

/* The kernel's own estimate, "MemAvailable:   24282160 kB"; where that isn't told, all memory. */
size_t system_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    size_t available = SIZE_MAX, all;
#ifndef HEADLIGHT_PLAIN
    char line[128];
    uintmax_t kilobytes;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && available == SIZE_MAX && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNuMAX, &kilobytes) == 1 && kilobytes < SIZE_MAX / 1024)
            available = (size_t)kilobytes * 1024;
    if (file)
        fclose(file);
#endif
    if (available == SIZE_MAX && pages > 0 && size > 0 &&
        size_multiply((size_t)pages, (size_t)size, &all))
        available = all;
    return available;
}

size_t system_address_space(void)
{
#ifdef RLIMIT_AS
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < SIZE_MAX) /* with 32-bit size_t, limits still have 64 bits */
        return (size_t)limit.rlim_cur;
#endif
    return SIZE_MAX;
}

void system_large_pages(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)2 << 20;
    uintptr_t first = ((uintptr_t)block + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)block + bytes) / page * page;
    if (end > first)
        madvise((unsigned char *)block + (first - (uintptr_t)block), end - first, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

/* ---- Processors ---- */

size_t system_processors(void)
{
#ifdef CPU_COUNT
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (size_t)CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : 1;
}

#if defined(__linux__) && !defined(HEADLIGHT_PLAIN)

_Static_assert(sizeof(cpu_set_t) == sizeof(((struct processors *)NULL)->set), "a bit each");

struct processors system_stay(void)
{
    const int here = sched_getcpu();
    struct processors processors = {.own = here < 0 ? CPU_SETSIZE : (size_t)here};
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(processors.own, &own); /* nothing from CPU_SETSIZE on */
    if (sched_getaffinity(0, sizeof processors.set, (cpu_set_t *)(void *)processors.set) != 0 ||
        sched_setaffinity(0, sizeof own, &own) != 0)
        return (struct processors){.own = 0};
    return processors;
}

void system_roam(pthread_t thread, const struct processors *processors, bool apart)
{
    cpu_set_t set;
    memcpy(&set, processors->set, sizeof set);
    if (apart)
        CPU_CLR(processors->own, &set);
    if (CPU_COUNT(&set) > 0)
        pthread_setaffinity_np(thread, sizeof set, &set);
}

#else

struct processors system_stay(void)
{
    return (struct processors){.own = 0};
}

void system_roam(pthread_t thread, const struct processors *processors, bool apart)
{
    (void)thread, (void)processors, (void)apart;
}

#endif
