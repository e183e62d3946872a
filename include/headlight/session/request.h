/* request.h: what takes long: loading, a forward pass, measuring the heads. All three are asked
 * for, run (by a worker beside the keyboard, or at once), and then taken or dropped; a newer
 * request ends an older one.
 *
 *     request_pass(session, &request, &error);
 *     worker_start(&worker, request_run, &request, &error);
 *     … when it is over, with its status:  request_take(session, &request, milliseconds, &error);
 *     … or, where nobody waits:            request_settle(session, &error); */
#ifndef HEADLIGHT_SESSION_REQUEST_H
#define HEADLIGHT_SESSION_REQUEST_H

#include "headlight/base/watch.h"
#include "headlight/session/session.h"

struct request {
    enum request_kind kind;
    const struct session *session; /* which does not change while it is run */
    enum status (*load)(void *context, const struct watch *watch, struct error *error);
    void *context;                /* of `load` */
    struct encoded *encoded;      /* of a pass: another text; NULL: the one that is shown */
    struct trace *trace;          /* of a pass: what is computed, */
    bool in_place;                /* which is the shown text's own */
    struct interventions changes; /* of a pass: keys may change the session's meanwhile */
    struct head_metrics *metrics; /* of measuring */
};

/* The pass of what the state says now. Of another text it encodes the text; of the one that is
 * shown, in another network, it only makes a trace, in which the layers before the first change are
 * there already. Where nobody looks at the one that is shown, because it isn't computed yet or
 * nobody is attended, that one is computed in place. Errors as encoded_new: nothing is requested
 * then. */
enum status request_pass(struct session *session, struct request *request, struct error *error);

void request_metrics(const struct session *session, struct request *request);

/* Runs it, on any thread: reads the session, and writes nothing but the request. */
enum status request_run(void *request, const struct watch *watch, struct error *error);

/* Shows what a request that ended well has brought; of a load there is nothing to show. When that
 * can't be shown, all stays as it is. */
enum status request_take(struct session *session, struct request *request, double milliseconds,
                         struct error *error);

/* Frees what it holds; it is REQUEST_NONE then. */
void request_drop(struct request *request);

/* What was asked for is not shown, for that reason: it is said, and asked for no longer. */
void request_fail(struct session *session, enum request_kind kind, const struct error *error);

/* Computes and shows what the state says, at once. What can't be encoded is said, and no error. */
enum status request_settle(struct session *session, struct error *error);

#endif
