/* watch.h: how something that takes long tells how far it is, and is told to end; and how long it
 * took. */
#pragma once

#include "headlight/base/error.h"

#include <stdbool.h>
#include <time.h>

/* Since some fixed moment. */
static inline double clock_milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Called after each of `total` steps, on the thread that does them; false ends the work, which
 * then fails with STATUS_CANCELLED. */
struct watch {
    bool (*step_done)(void *context, size_t done, size_t total);
    void *context;
};

/* STATUS_CANCELLED when the watch, which may be NULL, says so. */
static inline enum status watch_step(const struct watch *watch, size_t done, size_t total,
                                     struct error *error)
{
    if (!watch || watch->step_done(watch->context, done, total))
        return STATUS_OK;
    return error_set(error, STATUS_CANCELLED, "cancelled after %zu of %zu", done, total);
}
