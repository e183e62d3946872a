/* hangs.h: functions of the program that never come back when a test wants it. The runner is linked
 * so that their calls come here first, as those of faults.h do; and with the program's main, which
 * a test starts in a process of its own. */
#pragma once

#include "headlight/session/session.h"

#include <stdbool.h>

struct hang {
    const char *function;   /* "screen_draw", or "request_run": */
    enum request_kind kind; /* only for this kind of request, on a worker's thread */
    bool busy;              /* it computes for ever; else it waits */
};

/* For processes that are forked from here on. */
void hangs_begin(const struct hang *hang);

/* Whether one of them hangs. */
bool hangs_now(void);

/* The program. */
int headlight_main(int argc, char **argv);
