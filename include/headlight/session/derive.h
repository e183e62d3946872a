/* derive.h: from what the user chose to what is shown of it: the one place that writes data.
 *
 * All of it is derived, or nothing: when memory is short, look and data stay as they were. */
#ifndef HEADLIGHT_SESSION_DERIVE_H
#define HEADLIGHT_SESSION_DERIVE_H

#include "headlight/view/views.h"

/* Brings the data in line with another look at the same trace, and the look in line with them: the
 * chosen tokens are those that are still shown, a filter that leaves none is dropped. `attended`
 * says that somebody waits: then metrics that take long are left out, see derive_wants_metrics.
 * STATUS_MEMORY. */
enum status derive_look(struct look *look, struct data *data, bool attended, struct error *error);

/* The same for an encoded input: another one, or the one that is shown whose trace is another, or
 * is computed now. It becomes the data's own, and the one before is freed. Before it is `computed`
 * only the tokens are shown. STATUS_MEMORY, STATUS_LIMIT: then it is still the caller's. */
enum status derive_pass(struct look *look, struct data *data, struct encoded *encoded,
                        bool computed, bool attended, struct error *error);

/* Only the tokens are shown from now on: the trace is about to be written to. */
void derive_uncover(struct data *data);

/* Whether metrics of the heads are shown that are not measured yet. Then whoever has a worker
 * measures them (request.h) and hands them over. */
bool derive_wants_metrics(const struct look *look, const struct data *data);
void derive_metrics(struct data *data, struct head_metrics *metrics);

/* Frees what the data own. */
void derive_end(struct data *data);

#endif
