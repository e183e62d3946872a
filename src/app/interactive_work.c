#include "headlight/app/interactive_parts.h"

#include "headlight/base/watch.h"
#include "headlight/session/input.h"

#include <stdlib.h>
#include <sys/select.h>

bool work_takes_long(const struct loop *loop)
{
    return clock_milliseconds() - loop->started > PATIENCE;
}

static enum status forward(void *context, const struct watch *watch, struct error *error)
{
    const struct loop *loop = context;
    const struct session *session = loop->session;
    return forward_run(session->checkpoint->model, &loop->changes, session->precision, watch,
                       loop->next->trace, error);
}

static enum status measure(void *context, const struct watch *watch, struct error *error)
{
    struct loop *loop = context;
    const struct scene *scene = &loop->session->scene;
    return metrics_measure_all(scene->trace, scene->separators, watch, &loop->metrics, error);
}

static void drop_next(struct loop *loop)
{
    if (loop->next != loop->session->encoded)
        encoded_free(loop->next);
    loop->next = NULL;
}

void work_stop(struct loop *loop)
{
    worker_free(loop->worker);
    loop->worker = NULL;
    free(loop->metrics);
    loop->metrics = NULL;
    drop_next(loop);
}

static enum status start(struct loop *loop, enum busy busy, work_function work, void *context,
                         struct error *error)
{
    loop->session->busy = busy;
    loop->session->done = loop->session->total = 0;
    loop->started = clock_milliseconds();
    if (worker_start(&loop->worker, work, context, error) != STATUS_OK)
        return error->status;
    if (worker_descriptor(loop->worker) >= FD_SETSIZE || fileno(loop->input) >= FD_SETSIZE)
        return error_set(error, STATUS_LIMIT, "more than %d files are open", FD_SETSIZE);
    return STATUS_OK;
}

static enum status compute(struct loop *loop, struct encoded *encoded, struct error *error)
{
    loop->next = encoded;
    loop->changes = loop->session->changes;
    return start(loop, BUSY_COMPUTING, forward, loop, error);
}

enum status work_compute(struct loop *loop, struct error *error)
{
    struct encoded *encoded;
    work_stop(loop);
    loop->due = 0;
    loop->session->busy = BUSY_NOT;
    loop->pending |= SESSION_REDRAW;
    if (session_wanted(loop->session, &encoded, error) == STATUS_OK)
        return compute(loop, encoded, error);
    session_say(loop->session, "%s", error->message);
    return STATUS_OK;
}

enum status work_load(struct loop *loop, struct error *error)
{
    return start(loop, BUSY_LOADING, loop->start->load, loop->start->context, error);
}

/* Those of the start, once. */
static enum status press_keys(struct loop *loop, struct error *error)
{
    if (loop->typed || !loop->start->keys)
        return STATUS_OK;
    loop->typed = true;
    return input_type(loop->session, loop->start->keys, error);
}

/* The loaded model shows its first text, or the recording is there at once. */
static enum status begin(struct loop *loop, struct error *error)
{
    if (loop->start->begin(loop->start->context, error) != STATUS_OK)
        return error->status;
    loop->session->attended = true;
    if (loop->session->scene.trace)
        return press_keys(loop, error);
    return compute(loop, loop->session->encoded, error);
}

/* What was shown stays, and with it the network that it was computed with. */
static enum status lose_encoded(struct loop *loop, enum status status, const struct error *error)
{
    struct session *session = loop->session;
    drop_next(loop);
    if (!session->scene.trace)
        return status == STATUS_CANCELLED ? STATUS_OK : status;
    session->changes = session->scene.trace->computed.changes;
    session_say(session, "%s", status == STATUS_CANCELLED ? "cancelled" : error->message);
    return STATUS_OK;
}

static enum status take_encoded(struct loop *loop, double milliseconds, struct error *error)
{
    struct encoded *encoded = loop->next;
    loop->next = NULL;
    encoded->milliseconds = milliseconds;
    if (session_take(loop->session, encoded, true, error) == STATUS_OK)
        return press_keys(loop, error);
    return lose_encoded(loop, error->status, error);
}

/* Figures that nobody waits for any more, or that can't be measured, are not asked for again. */
static void take_metrics(struct loop *loop, enum status status, const struct error *error)
{
    struct session *session = loop->session;
    if (status == STATUS_OK) {
        session_take_metrics(session, loop->metrics);
        loop->metrics = NULL;
        return;
    }
    session_say(session, "%s", status == STATUS_CANCELLED ? "cancelled" : error->message);
    session->scene.metric = METRIC_NONE;
    session->scene.sorted = false;
}

enum status work_measure(struct loop *loop, struct error *error)
{
    if (loop->worker || !session_wants_metrics(loop->session))
        return STATUS_OK;
    loop->pending |= SESSION_REDRAW;
    return start(loop, BUSY_MEASURING, measure, loop, error);
}

enum status work_take(struct loop *loop, struct error *error)
{
    struct session *session = loop->session;
    enum status status = STATUS_OK;
    struct progress progress = {0};
    bool over = worker_poll(loop->worker, &progress, &status, error);
    session->done = progress.done;
    session->total = progress.total;
    loop->pending |= work_takes_long(loop) ? SESSION_REDRAW : 0; /* else a layer costs a frame */
    if (!over)
        return STATUS_OK;
    enum busy busy = session->busy;
    worker_free(loop->worker);
    loop->worker = NULL;
    session->busy = BUSY_NOT;
    loop->pending |= SESSION_REDRAW;
    if (busy == BUSY_MEASURING) {
        take_metrics(loop, status, error);
        return STATUS_OK;
    }
    if (busy == BUSY_LOADING)
        return status == STATUS_OK ? begin(loop, error) : status;
    if (status == STATUS_OK)
        return take_encoded(loop, progress.milliseconds, error);
    return lose_encoded(loop, status, error);
}
