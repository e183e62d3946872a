/* worker.h: runs long work, such as a forward pass, on a thread, so that the keyboard never waits.
 */
#pragma once

#include "headlight/base/watch.h"

#include <pthread.h>
#include <stdatomic.h>

/* The work: calls the watch for each step, and ends early when that returns false. */
typedef enum status (*work_function)(void *context, const struct watch *watch, struct error *error);

struct worker {
    work_function work;
    void *context;
    pthread_t thread;
    int ends[2]; /* a pipe, whose first end can be read after every step and at the end */
    atomic_size_t done, total; /* steps; 0 of 0 before the first */
    atomic_bool cancelled, over;
    enum status status; /* these three are valid once it is over: how it ended, */
    struct error error;
    double milliseconds; /* and how long it took */
};

/* Starts work. What the context points to belongs to the thread until the work is over.
 * STATUS_MEMORY; STATUS_IO when no thread can be started. */
enum status worker_start(struct worker **worker, work_function work, void *context,
                         struct error *error);

/* Asks the work to end after its current step. */
void worker_cancel(struct worker *worker);

/* Empties the pipe; true when the work is over. */
bool worker_poll(struct worker *worker);

/* Cancels, and waits for so long. False: the work has not ended, and still needs its context. */
bool worker_end(struct worker *worker, double milliseconds);

/* Cancels, waits, frees. Accepts NULL. */
void worker_free(struct worker *worker);
