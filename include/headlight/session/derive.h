/* derive.h: data follow from the state, and change only here.
 *
 * Each derived thing (a map, the metrics, a comparison) is a row of one table, derived.h. All
 * that the look needs is first made in a draft; then the draft replaces the data. Without memory
 * the draft is dropped, and look and data stay as they were. In an interactive session slow
 * things are left to a request (request.h). */
#ifndef HEADLIGHT_SESSION_DERIVE_H
#define HEADLIGHT_SESSION_DERIVE_H

#include "headlight/session/session.h"

/* Shows another look at the same trace. Tokens that are no longer shown are deselected, and a
 * filter that leaves none is dropped. STATUS_MEMORY. */
enum status derive_look(struct session *session, const struct look *look, struct error *error);

/* Shows an encoded input: a new one, or the current one with a new or newly computed trace. The
 * data own it from now on, and free the previous one. Until it is `computed` only the tokens are
 * shown. STATUS_MEMORY, STATUS_LIMIT: then the caller still owns it. */
enum status derive_pass(struct session *session, struct encoded *encoded, bool computed,
                        struct error *error);

/* Whether the look needs a thing that can be made and isn't there yet. */
bool derive_wants(enum request_kind kind, const struct look *look, const struct data *data);

/* The map that a look asks for: weights in views that show no other, and before there is a
 * trace. */
enum map_kind derive_map_wanted(const struct look *look, bool computed);

/* Frees what the data own. */
void derive_end(struct data *data);

#endif
