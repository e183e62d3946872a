/* processes.h: whole processes, from their start on. */
#ifndef HEADLIGHT_BENCH_PROCESSES_H
#define HEADLIGHT_BENCH_PROCESSES_H

#include "sample.h"

/* argv, with NULL after the last. */
typedef const char *const *command;

/* Runs until the command's end, with its output thrown away. */
struct timing processes_run(command argv, const struct effort *effort);

/* The most memory that one run of the command has at a time, in MB (1e6 bytes); NAN where it can't
 * be told, as when the bench itself holds more: a process starts as a copy of its parent. */
double processes_memory(command argv);

/* Runs in a terminal of 120×40: until there is a screen, whatever is on it, and until there are the
 * lines of the head view. */
struct screen_timings {
    struct timing first, picture;
};
struct screen_timings processes_show(command argv, const struct effort *effort);

/* Called before each run: makes the page cache forget these files. */
void processes_chill(const char *const *paths, size_t count);

/* The share of their pages, 0 … 1, that was still there at most after the last calls of that; 1
 * where it can't be done. Forgets what it knows. */
double processes_chill_left(void);

#endif
