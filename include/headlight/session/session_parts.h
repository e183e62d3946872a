/* session_parts.h: what session.c and session_show.c have in common. */
#ifndef HEADLIGHT_SESSION_SESSION_PARTS_H
#define HEADLIGHT_SESSION_SESSION_PARTS_H

#include "headlight/session/session.h"

/* Puts in words what is changed in the network. */
void session_describe_changes(struct session *session);

/* Notes what is shown now, which a change of it that fails puts back. */
void session_note_shown(struct session *session);

#endif
