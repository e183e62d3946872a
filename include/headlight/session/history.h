/* history.h: the states that keys led through, and the way back. A state is what a pass is computed
 * of (texts, masks, changes of the network) and the look. Whatever fields.h doesn't mark as a
 * cursor makes a new one; cursors are found where they were when the state was left. */
#pragma once

#include "headlight/session/session.h"

#define HISTORY_MAX 100 /* states kept */

struct moment {
    struct pager pager;
    const void *step; /* of a lesson, by its title; NULL: none */
    struct state state;
};

struct history {
    struct moment moments[HISTORY_MAX]; /* round and round, the oldest one at `first` */
    size_t first, count, at;            /* the present one; those after it were gone back over */
    bool awaits_text;  /* of the present one, which is shown as far as it can be: */
    struct look shown; /* so, unless a key has changed it meanwhile */
};

/* One of them, from 0, the oldest. */
static inline struct moment *history_moment(struct history *history, size_t index)
{
    return &history->moments[(history->first + index) % HISTORY_MAX];
}

/* Before a key or a click: the session's state is the present one; a new one, after which there is
 * nothing, if more than cursors was changed. Not while something is typed, which is one step. False
 * without memory. */
bool history_keep(struct session *session);

/* Goes back to the state before, -1, forward again, 1, or to the present one as it was kept, 0. In
 * a lesson its step isn't left. Returns the bits of session.h. */
unsigned history_go(struct session *session, int step);

/* Once the text of a state that was gone to is there, shows its look, cursors on its tokens. */
void history_arrive(struct session *session);
