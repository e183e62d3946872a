#include "headlight/app/interactive_parts.h"

#include "headlight/base/watch.h"
#include "headlight/session/input.h"

#include <sys/select.h>

bool work_takes_long(const struct loop *loop)
{
    return clock_milliseconds() - loop->started > PATIENCE;
}

void work_stop(struct loop *loop)
{
    worker_free(loop->worker);
    loop->worker = NULL;
    loop->session->busy = REQUEST_NONE;
    request_drop(&loop->request);
}

/* ---- Asking ---- */

static enum status start(struct loop *loop, struct error *error)
{
    struct session *session = loop->session;
    session->busy = loop->request.kind;
    session->done = session->total = 0;
    loop->started = loop->told = clock_milliseconds();
    loop->pending |= SESSION_REDRAW;
    if (worker_start(&loop->worker, request_run, &loop->request, error) != STATUS_OK)
        return error->status;
    if (worker_descriptor(loop->worker) >= FD_SETSIZE || fileno(loop->input) >= FD_SETSIZE)
        return error_set(error, STATUS_LIMIT, "more than %d files are open", FD_SETSIZE);
    return STATUS_OK;
}

enum status work_load(struct loop *loop, struct error *error)
{
    loop->request = (struct request){
        .kind = REQUEST_LOAD, .load = loop->start->load, .context = loop->start->context};
    return start(loop, error);
}

enum status work_compute(struct loop *loop, struct error *error)
{
    work_stop(loop);
    loop->due = 0;
    loop->pending |= SESSION_REDRAW;
    if (request_pass(loop->session, &loop->request, error) == STATUS_OK)
        return start(loop, error);
    session_say(loop->session, "%s", error->message);
    return STATUS_OK;
}

enum status work_besides(struct loop *loop, struct error *error)
{
    if (loop->worker && request_is_stale(loop->session, &loop->request))
        work_stop(loop);
    if (loop->worker)
        return STATUS_OK;
    if (request_besides(loop->session, &loop->request, error) != STATUS_OK) {
        request_fail(loop->session, loop->request.kind, error); /* it is shown without that */
        request_drop(&loop->request);
        return STATUS_OK;
    }
    return loop->request.kind == REQUEST_NONE ? STATUS_OK : start(loop, error);
}

/* ---- Taking ---- */

/* Those of the start, once there is a picture. */
static enum status press_keys(struct loop *loop, struct error *error)
{
    if (loop->typed || !loop->start->keys || !loop->session->data.trace)
        return STATUS_OK;
    loop->typed = true;
    return input_type(loop->session, loop->start->keys, error);
}

/* The loaded model shows its first text, or the recording is there at once. A theme that nobody
 * chose is that of the screen that told of loading. */
static enum status begin(struct loop *loop, struct error *error)
{
    size_t theme = loop->session->state.look.theme;
    if (loop->start->begin(loop->start->context, error) != STATUS_OK)
        return error->status;
    if (!loop->start->theme_chosen)
        loop->session->state.look.theme = theme;
    loop->session->attended = true;
    return loop->session->data.trace ? press_keys(loop, error) : work_compute(loop, error);
}

/* Without a picture there is nothing to go on with, unless it was cancelled. */
static enum status fail(struct loop *loop, enum request_kind kind, const struct error *error)
{
    request_drop(&loop->request);
    if (kind == REQUEST_LOAD || (!loop->session->data.trace && error->status != STATUS_CANCELLED))
        return error->status;
    request_fail(loop->session, kind, error);
    return STATUS_OK;
}

enum status work_take(struct loop *loop, struct error *error)
{
    struct session *session = loop->session;
    enum status status = STATUS_OK;
    struct progress progress = {0};
    bool over = worker_poll(loop->worker, &progress, &status, error);
    session->done = progress.done;
    session->total = progress.total;
    if (clock_milliseconds() - loop->told > PATIENCE) { /* else each step costs a frame */
        loop->told = clock_milliseconds();
        loop->pending |= SESSION_REDRAW;
    }
    if (!over)
        return STATUS_OK;
    loop->pending |= SESSION_REDRAW;
    enum request_kind kind = loop->request.kind;
    worker_free(loop->worker);
    loop->worker = NULL;
    session->busy = REQUEST_NONE;
    if (status == STATUS_OK)
        status = request_take(session, &loop->request, progress.milliseconds, error);
    if (status != STATUS_OK)
        return fail(loop, kind, error);
    return kind == REQUEST_LOAD ? begin(loop, error) : press_keys(loop, error);
}
