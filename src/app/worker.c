#include "headlight/app/worker.h"

#include "headlight/app/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct worker {
    struct session *session;
    pthread_t thread;
    int ends[2]; /* a pipe: a byte for every layer, and one for the end */
    atomic_size_t layers_done;
    atomic_bool cancelled, over;
    bool shown;
    enum status status; /* these three are written before `over` */
    struct error error;
    double milliseconds;
};

static void wake(struct worker *worker)
{
    ssize_t written = write(worker->ends[1], "", 1); /* a full pipe wakes just as well */
    (void)written;
}

static bool layer_done(void *context, size_t layer)
{
    struct worker *worker = context;
    atomic_store(&worker->layers_done, layer + 1);
    wake(worker);
    return !atomic_load(&worker->cancelled);
}

static void *compute(void *context)
{
    struct worker *worker = context;
    struct session *session = worker->session;
    struct encoder_watch watch = {layer_done, worker};
    double start = clock_milliseconds();
    worker->status = encoder_forward(session->checkpoint->model, &session->changes,
                                     session->precision, &watch, session->trace, &worker->error);
    worker->milliseconds = clock_milliseconds() - start;
    atomic_store(&worker->over, true);
    wake(worker);
    return NULL;
}

static enum status open_pipe(int *ends, struct error *error)
{
    if (pipe(ends) != 0)
        return error_set(error, STATUS_IO, "a pipe can't be made: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    return STATUS_OK;
}

enum status worker_start(struct worker **out, struct session *session, struct error *error)
{
    struct worker *worker = calloc(1, sizeof *worker);
    *out = NULL;
    if (!worker)
        return error_memory(error, "the computation", sizeof *worker);
    worker->session = session;
    if (open_pipe(worker->ends, error) != STATUS_OK) {
        free(worker);
        return error->status;
    }
    int reason = pthread_create(&worker->thread, NULL, compute, worker);
    if (reason != 0) {
        close(worker->ends[0]);
        close(worker->ends[1]);
        free(worker);
        return error_set(error, STATUS_IO, "a thread can't be started: %s", strerror(reason));
    }
    *out = worker;
    return STATUS_OK;
}

int worker_descriptor(const struct worker *worker)
{
    return worker->ends[0];
}

bool worker_poll(struct worker *worker, enum status *status, struct error *error)
{
    char bytes[64];
    while (read(worker->ends[0], bytes, sizeof bytes) > 0)
        ;
    worker->session->scene.layers_done = atomic_load(&worker->layers_done);
    if (!atomic_load(&worker->over))
        return false;
    *status = worker->status;
    if (worker->status != STATUS_OK)
        *error = worker->error;
    else if (!worker->shown)
        session_show(worker->session, worker->milliseconds);
    worker->shown = true;
    return true;
}

void worker_free(struct worker *worker)
{
    if (!worker)
        return;
    atomic_store(&worker->cancelled, true);
    pthread_join(worker->thread, NULL);
    close(worker->ends[0]);
    close(worker->ends[1]);
    free(worker);
}
