/* derive.h: data follow from the state: here they are made, and here alone they change.
 *
 * A thing that is derived (a map, the metrics, a comparison) is a row of one table, derived.h. All
 * that the look needs is made first, in a draft; then the draft takes the place of the data.
 * Without memory the draft goes, and look and data stay as they were. What takes long is left to a
 * request (request.h) where somebody waits at the keyboard. */
#ifndef HEADLIGHT_SESSION_DERIVE_H
#define HEADLIGHT_SESSION_DERIVE_H

#include "headlight/session/session.h"

/* Shows another look at the same trace. Only tokens that are still shown stay chosen, and a filter
 * that leaves none is dropped. STATUS_MEMORY. */
enum status derive_look(struct session *session, const struct look *look, struct error *error);

/* Shows an encoded input: a new one, or the one shown with a new trace or one computed since. The
 * data own it from now on, and free the one before. Until it is `computed` only the tokens are
 * shown. STATUS_MEMORY, STATUS_LIMIT: then it is still the caller's. */
enum status derive_pass(struct session *session, struct encoded *encoded, bool computed,
                        struct error *error);

/* Whether the look needs a thing that can be made and isn't there yet. */
bool derive_wants(enum request_kind kind, const struct look *look, const struct data *data);

/* The map that a look asks for: weights in views that show no other, and before there is a trace.
 */
enum map_kind derive_map_wanted(const struct look *look, bool computed);

/* Frees what the data own. */
void derive_end(struct data *data);

#endif
