/* worker.c: one thread for long work. A pipe wakes the event loop, so that it can wait for keys and
 * the worker at the same time. */
#include "headlight/app/worker.h"

#include "headlight/base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes the pipe readable, which ends the event loop's wait. */
static void wake(struct worker *worker)
{
    ssize_t written = write(worker->ends[1], "", 1); /* a full pipe wakes just as well */
    (void)written;
}

/* Called by the work on its own thread; the answer tells it whether to go on. */
static bool step_done(void *context, size_t done, size_t total)
{
    struct worker *worker = context;
    atomic_store(&worker->done, done);
    atomic_store(&worker->total, total);
    wake(worker);
    return !atomic_load(&worker->cancelled);
}

/* The thread. The results are stored before `over`, which is atomic, so whoever sees `over` sees
 * them as well. */
static void *worker_run(void *context)
{
    struct worker *worker = context;
    struct watch watch = {step_done, worker};
    double start = clock_milliseconds();
    worker->status = worker->work(worker->context, &watch, &worker->error);
    worker->milliseconds = clock_milliseconds() - start;
    atomic_store(&worker->over, true);
    wake(worker);
    return NULL;
}

/* If no thread can be started, nothing is left behind. Neither end of the pipe may block: a full
 * one would stop the work, an empty one the keyboard. Programs that are started later don't inherit
 * it.
 */
enum status worker_start(struct worker **out, work_function work, void *context,
                         struct error *error)
{
    struct worker *worker = calloc(1, sizeof *worker);
    *out = NULL;
    if (!worker)
        return error_memory(error, "the computation", sizeof *worker);
    worker->work = work;
    worker->context = context;
    if (pipe(worker->ends) != 0) {
        free(worker);
        return error_set(error, STATUS_IO, "a pipe can't be made: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++) {
        fcntl(worker->ends[i], F_SETFL, O_NONBLOCK);
        fcntl(worker->ends[i], F_SETFD, FD_CLOEXEC);
    }
    int reason = signals_start_thread(&worker->thread, worker_run, worker);
    if (reason != 0) {
        close(worker->ends[0]);
        close(worker->ends[1]);
        free(worker);
        return error_set(error, STATUS_IO, "a thread can't be started: %s", strerror(reason));
    }
    *out = worker;
    return STATUS_OK;
}

/* The work is asked to end; it notices after its current step. */
void worker_cancel(struct worker *worker)
{
    atomic_store(&worker->cancelled, true);
}

/* What was written to the pipe says nothing but that something happened. */
bool worker_poll(struct worker *worker)
{
    char bytes[64];
    while (read(worker->ends[0], bytes, sizeof bytes) > 0)
        ;
    return atomic_load(&worker->over);
}

bool worker_end(struct worker *worker, double milliseconds)
{
    const double end = clock_milliseconds() + milliseconds;
    double left = milliseconds;
    worker_cancel(worker);
    while (!worker_poll(worker) && left > 0) {
        poll(&(struct pollfd){worker->ends[0], POLLIN, 0}, 1, (int)left + 1);
        left = end - clock_milliseconds();
    }
    return atomic_load(&worker->over);
}

/* The work must have ended before its context is freed by the caller, so this waits for it. */
void worker_free(struct worker *worker)
{
    if (!worker)
        return;
    worker_cancel(worker);
    pthread_join(worker->thread, NULL);
    close(worker->ends[0]);
    close(worker->ends[1]);
    free(worker);
}
