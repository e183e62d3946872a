/* generate.h: the text goes on as the model would have it (lens/generate.h). In an interactive
 * session each token is shown before the next one is chosen. */
#ifndef HEADLIGHT_SESSION_GENERATE_H
#define HEADLIGHT_SESSION_GENERATE_H

#include "headlight/session/session.h"

/* Whether there can be so many tokens more. STATUS_USAGE: the model doesn't say which come next;
 * STATUS_LIMIT: it has no positions for them, or has ended the text. */
enum status generate_check(const struct session *session, size_t count, struct error *error);

/* Asks for one token more. These two return bits of session.h. */
unsigned generate_more(struct session *session);

/* Once a pass is there: chooses the next of those asked for, or all, and asks for the pass with
 * them. */
unsigned generate_go(struct session *session);

/* Sets the tokens behind a text that was opened and has none, by their ids, with commas between; on
 * failure it has none. STATUS_USAGE, and as session_open. */
enum status generate_apply(struct session *session, const char *list, struct error *error);

#endif
