/* worker.h: runs long work, such as a forward pass, on a thread, so that the keyboard never waits.
 */
#ifndef HEADLIGHT_APP_WORKER_H
#define HEADLIGHT_APP_WORKER_H

#include "headlight/base/watch.h"

struct worker;

/* The work: calls the watch for each step, and ends early when that returns false. */
typedef enum status (*work_function)(void *context, const struct watch *watch, struct error *error);

/* Starts work. What the context points to belongs to the thread until the work is over.
 * STATUS_MEMORY; STATUS_IO when no thread can be started. */
enum status worker_start(struct worker **worker, work_function work, void *context,
                         struct error *error);

/* A file descriptor that becomes readable after every step and at the end. */
int worker_descriptor(const struct worker *worker);

/* Asks the work to end after its current step. */
void worker_cancel(struct worker *worker);

struct progress {
    size_t done, total;  /* steps; 0 of 0 before the first */
    double milliseconds; /* the work's duration, once over */
};

/* Gets the progress. True when the work is over; *status and *error then say how it ended. */
bool worker_poll(struct worker *worker, struct progress *progress, enum status *status,
                 struct error *error);

/* Cancels, waits, frees. Accepts NULL. */
void worker_free(struct worker *worker);

#endif
