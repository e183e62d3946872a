/* soak.h: somebody at the keyboard and the mouse who knows every key and no sense: random actions
 * of the action table, clicks, typing, pastes, sizes and texts, on models and on recordings. After
 * each of them the screen is drawn as the program draws it, and what must hold is looked at.
 *
 *     struct soak_wish wish = {.seed = 1, .actions = 2000, .folder = "tests/vectors/tiny-bert"};
 *     struct soak_report report;
 *     if (!soak_run(&wish, &report)) puts(report.failure);
 *
 * The same seed does the same things. A pass is computed in this thread, some actions after it was
 * asked for, so that keys come in between as they do in the program. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was done so far. */
struct soak_count {
    size_t actions, sessions, recordings, passes, cancelled, clicks, typed, sizes, files, compared;
};

struct soak_wish {
    uint64_t seed;
    size_t actions;
    const char *folder; /* of a small checkpoint */
    size_t stage;       /* after so many actions the session ends, and memory is measured */
    /* Told of each stage: bytes that are allocated when no session is open. NULL: nobody. */
    void (*stage_done)(const struct soak_count *count, size_t allocated);
    bool terminal; /* some screens go through curses to /dev/null too */
};

struct soak_report {
    struct soak_count count;
    size_t allocated_first, allocated_last; /* after the first stage and the last one; 0: unknown */
    char failure[2048];                     /* what didn't hold, and the actions before it */
};

/* False with a failure in the report. Files are written to the working folder, and removed. */
bool soak_run(const struct soak_wish *wish, struct soak_report *report);
