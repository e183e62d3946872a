/* request.h: what takes long: loading, a forward pass, measuring the heads. Each is asked for, run
 * (by a worker while the keyboard stays alive, or at once), and then taken or dropped; a newer
 * request ends an older one.
 *
 *     request_pass(session, &request, &error);
 *     worker_start(&worker, request_run, &request, &error);
 *     … when it succeeded:      request_take(session, &request, milliseconds, &error);
 *     … or, where nobody waits: request_settle(session, &error); */
#ifndef HEADLIGHT_SESSION_REQUEST_H
#define HEADLIGHT_SESSION_REQUEST_H

#include "headlight/base/watch.h"
#include "headlight/session/derive.h"
#include "headlight/session/session.h"

struct request {
    enum request_kind kind;
    const struct session *session; /* its model, precision and trace stay while it runs */
    enum status (*load)(void *context, const struct watch *watch, struct error *error);
    void *context;                /* of `load` */
    struct encoded *encoded;      /* of a pass: another text; NULL: the one shown */
    struct trace *trace;          /* of a pass: what is computed, */
    bool in_place;                /* which is the shown text's own */
    struct interventions changes; /* of a pass: a copy, as keys may change the session's */
    struct map *map;              /* made, also by a pass for a view that shows it: */
    struct map_source source;     /* of this, */
    struct look look;             /* as this asks for it */
    struct head_metrics *metrics; /* measured, [L,A] */
    struct asked_prediction on;   /* what effects are measured on, */
    struct effects *effects;      /* and these */
    struct lens_cell *lens;       /* [L,T], what is read so far, and what is to be read; an empty */
    struct lens_area area;        /* area: nothing is; */
    const struct trace *before;   /* and compared with this, or NULL; the session's */
    struct compared *compared;    /* passes for the compare view */
};

/* Asks for the pass that the state calls for. Another text is encoded; the text shown, in another
 * network, only gets a new trace, which already has the layers before the first change. Where
 * nobody sees the trace shown, because it isn't computed yet or nobody is at the keyboard, it is
 * computed in place. Errors as encoded_new: nothing is asked for then. */
enum status request_pass(struct session *session, struct request *request, struct error *error);

/* Whether the pass that the state calls for is shown, and no other is being computed. */
bool request_is_current(const struct session *session);

/* Asks for what is shown besides the pass and is not there yet: what the network computed before it
 * was changed, a map, the heads' metrics or effects, what the layers say at more tokens, what it is
 * compared with; REQUEST_NONE when there is nothing. Errors as forward_prepare: the kind says what
 * was to be asked for. */
enum status request_besides(const struct session *session, struct request *request,
                            struct error *error);

/* Whether nobody needs its result any more: effects on a prediction, or a map, that is no longer
 * chosen. */
bool request_is_stale(const struct session *session, const struct request *request);

/* Runs it, on any thread: only reads the session, and writes what the request holds. */
enum status request_run(void *request, const struct watch *watch, struct error *error);

/* Shows the result of a request that succeeded (a load has none), and drops it. If it can't be
 * shown, all stays as it is. */
enum status request_take(struct session *session, struct request *request, double milliseconds,
                         struct error *error);

/* Frees what it holds, and makes it REQUEST_NONE. */
void request_drop(struct request *request);

/* Says why a request failed, and takes back what asked for it, so that it isn't asked for again. */
void request_fail(struct session *session, enum request_kind kind, const struct error *error);

/* Computes and shows what the state calls for, at once. That a text is too long, or empty, is said
 * in the message and is no error. */
enum status request_settle(struct session *session, struct error *error);

/* Computes at once, for a picture that nobody waits for, what is shown besides. */
enum status request_rest(struct session *session, struct error *error);

/* STATUS_UNSUPPORTED where the map that the look asks for can't be made, and weights are shown;
 * STATUS_USAGE where a mean of it was asked for. */
enum status request_check_map(const struct session *session, struct error *error);

#endif
