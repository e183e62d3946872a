/* system.h: what Linux has beyond POSIX, with what stands in for it elsewhere.
 *
 * Everything else in src/ is POSIX.1-2008 with XSI, but for what is named below. On Linux the
 * Makefile asks the system's headers for no more than that, so a call that belongs here does not
 * compile in any other file. With -DHEADLIGHT_PLAIN the stand-ins are taken on Linux too: that is
 * how they are tested (`make check-plain`).
 *
 *   function              on Linux                           elsewhere (macOS, the BSDs)
 *   system_memory         MemAvailable in /proc/meminfo:     _SC_PHYS_PAGES: all memory, also what
 *                         what can be had without swapping   is in use: a refusal comes too late
 *   system_processors     sched_getaffinity: those that      _SC_NPROCESSORS_ONLN: all; the same
 *                         taskset or a container leave       call where there is a CPU_COUNT
 *   system_stay, …        pthread_setaffinity_np: threads    nothing: the threads stay where the
 *                         of a pass don't share a CPU        scheduler puts them
 *   system_large_pages    MADV_HUGEPAGE: fewer page faults   nothing; FreeBSD does it unasked
 *   system_address_space  RLIMIT_AS, as on most others       OpenBSD: unbounded
 *
 * Neither POSIX nor Linux's alone, and where it is used, since macOS and the BSDs all have it:
 *   - getopt_long (app/options.c), TIOCGWINSZ (terminal/ask.c, terminal/curses.c) and FIONREAD
 *     (app/interactive.c);
 *   - signals that only some have: SIGWINCH, SIGINFO, SIGEMT, SIGPWR, NSIG (base/signals.[ch]).
 * And where a system says the same in other words, which are no calls:
 *   - the assembler's name of a section (base/incbin.h), struct stat's of a time
 *     (base/mapping.c) and the header of locale_t (base/locale.h) on macOS. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Bytes of available memory as far as the system can tell; SIZE_MAX: unknown. */
size_t system_memory(void);

/* The process's limit of address space in bytes (ulimit -v); SIZE_MAX: none. */
size_t system_address_space(void);

/* The number of processors that this process may use, at least 1. */
size_t system_processors(void);

/* Where a thread may run, and the processor on which it is; all zero where that can't be told. */
struct processors {
    unsigned char set[128]; /* a bit each, as the system lays them out */
    size_t own;
};

/* Keeps the calling thread on the processor on which it is. Returns where it may run otherwise, to
 * which system_roam lets a thread go again; or, apart from that processor, any other thread, unless
 * it is the only one. */
struct processors system_stay(void);
void system_roam(pthread_t thread, const struct processors *processors, bool apart);

/* A hint: large pages cause a few hundred times fewer page faults. */
void system_large_pages(void *block, size_t bytes);
