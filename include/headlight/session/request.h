/* request.h: work that takes long: loading, a forward pass, measuring the heads. Each request is
 * prepared, run (by a worker while the keyboard stays responsive, or at once), and then taken or
 * dropped; a newer request ends an older one.
 *
 *     request_pass(session, &request, &error);
 *     worker_start(&worker, request_run, &request, &error);
 *     … when it succeeded:
 *     request_take(session, &request, milliseconds, &error);
 *     … or in a script: request_settle(session, &error); */
#pragma once

#include "headlight/session/derive.h"

struct request {
    enum request_kind kind;

    /* Of all but a load: what is made. The model, the text shown, its trace and the one before a
     * change belong to the session and stay while it runs: end the request before replacing
     * them. */
    struct draft draft;
};

/* Prepares the pass that the state calls for, see derive_pass.c. Errors as encoded_new: then the
 * request is REQUEST_NONE. */
enum status request_pass(struct session *session, struct request *request, struct error *error);

/* Prepares what the look needs besides the pass and is not there yet; REQUEST_NONE when there is
 * nothing. On errors the kind says what was to be made. */
enum status request_besides(const struct session *session, struct request *request,
                            struct error *error);

/* Whether its result is no longer needed: effects on a prediction, or a map, that is no longer
 * chosen. */
bool request_is_stale(const struct session *session, const struct request *request);

/* Runs it, on any thread, unless it is a load: writes only what the request holds. */
enum status request_run(void *request, const struct watch *watch, struct error *error);

/* Shows the result of a request that succeeded (a load has none), and drops it. If it can't be
 * shown, nothing changes. */
enum status request_take(struct session *session, struct request *request, double milliseconds,
                         struct error *error);

/* Frees what it holds, and makes it REQUEST_NONE. */
void request_drop(struct request *request);

/* Says why a request failed, and undoes what asked for it, so that it isn't requested again. If
 * nothing is shown yet, the screen itself says so. */
void request_fail(struct session *session, enum request_kind kind, const struct error *error);

/* Computes and shows what the state calls for, at once. A text that is empty or too long is
 * reported in the message and is no error. */
enum status request_settle(struct session *session, struct error *error);

/* Makes one thing at once, whether the look needs it or not; the session shows a trace. */
enum status request_make(struct session *session, enum request_kind kind, struct error *error);

/* Computes everything else that is shown, at once, for non-interactive pictures. */
enum status request_rest(struct session *session, struct error *error);

/* STATUS_UNSUPPORTED where the map that the look asks for can't be made, and weights are shown;
 * STATUS_UNSUPPORTED or STATUS_MISMATCH where it or a figure can't be compared with another model;
 * STATUS_USAGE where a mean of it was asked for. */
enum status request_check(const struct session *session, struct error *error);
