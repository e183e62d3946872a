/* worker.h: work that takes long, such as a forward pass, on its own thread, so that the keyboard
 * never waits. */
#ifndef HEADLIGHT_APP_WORKER_H
#define HEADLIGHT_APP_WORKER_H

#include "headlight/base/watch.h"

struct worker;

/* The work: tells the watch of each step, and ends early when that says so. */
typedef enum status (*work_function)(void *context, const struct watch *watch, struct error *error);

/* Starts it. What the context points to belongs to the thread until the work is over.
 * STATUS_MEMORY; STATUS_IO when there can be no thread. */
enum status worker_start(struct worker **worker, work_function work, void *context,
                         struct error *error);

/* A file descriptor that becomes readable after every step and at the end. */
int worker_descriptor(const struct worker *worker);

/* Asks the work to end after its current step. */
void worker_cancel(struct worker *worker);

struct progress {
    size_t done, total;  /* steps; 0 of 0 before the first */
    double milliseconds; /* that all of it took, once it is over */
};

/* Tells how far it is. True when the work is over: then *status and *error say how it ended. */
bool worker_poll(struct worker *worker, struct progress *progress, enum status *status,
                 struct error *error);

/* Cancels, waits, frees. Accepts NULL. */
void worker_free(struct worker *worker);

#endif
