/* clock.h: the time since some fixed moment, for durations. */
#ifndef HEADLIGHT_BASE_CLOCK_H
#define HEADLIGHT_BASE_CLOCK_H

#include <time.h>

static inline double clock_milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

#endif
