/* worker.h: the forward pass on a thread of its own, so that the keyboard is never kept waiting.
 *
 * While it runs the session's trace belongs to the thread; session_show hands it to the scene. */
#ifndef HEADLIGHT_APP_WORKER_H
#define HEADLIGHT_APP_WORKER_H

#include "headlight/app/session.h"

struct worker;

/* Starts the session's forward pass. STATUS_IO when there can be no thread. */
enum status worker_start(struct worker **worker, struct session *session, struct error *error);

/* A file descriptor that becomes readable after every layer and at the end. */
int worker_descriptor(const struct worker *worker);

/* Takes note of the layers done so far (in the scene). True when the pass is over: then it is shown
 * in the session, or failed with *status and *error. */
bool worker_poll(struct worker *worker, enum status *status, struct error *error);

/* Cancels after the current layer (or the masked-word head after the last), waits, frees. Accepts
 * NULL. */
void worker_free(struct worker *worker);

#endif
