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

#include "headlight/session/derived.h"

struct request {
    enum request_kind kind;
    enum status (*load)(void *context, const struct watch *watch, struct error *error);
    void *context; /* of `load` */

    /* Of all others: what is made. The model, the text shown, its trace and the one before a change
     * are the session's, and stay while it runs: whoever replaces them ends the request first. */
    struct draft draft;
};

/* Asks for the pass that the state calls for, see derive_pass.c. Errors as encoded_new: nothing is
 * asked for then. */
enum status request_pass(struct session *session, struct request *request, struct error *error);

/* Whether the pass that the state calls for is shown, and no other is being computed. */
bool request_is_current(const struct session *session);

/* Asks for what the look needs besides the pass and is not there yet; REQUEST_NONE when there is
 * nothing. Errors of preparing it: the kind says what was to be asked for. */
enum status request_besides(const struct session *session, struct request *request,
                            struct error *error);

/* Whether nobody needs its result any more: effects on a prediction, or a map, that is no longer
 * chosen. */
bool request_is_stale(const struct session *session, const struct request *request);

/* Runs it, on any thread: writes only what the request holds. */
enum status request_run(void *request, const struct watch *watch, struct error *error);

/* Shows the result of a request that succeeded (a load has none), and drops it. If it can't be
 * shown, all stays as it is. */
enum status request_take(struct session *session, struct request *request, double milliseconds,
                         struct error *error);

/* Frees what it holds, and makes it REQUEST_NONE. */
void request_drop(struct request *request);

/* Says why a request failed, and takes back what asked for it, so that it isn't asked for again.
 * Where nothing is shown yet, the screen says so itself. */
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
