/* act.h: what an action does to a session. */
#ifndef HEADLIGHT_SESSION_ACT_H
#define HEADLIGHT_SESSION_ACT_H

#include "headlight/session/actions.h"
#include "headlight/session/session.h"

/* What the caller has to do after an action. */
enum {
    SESSION_UNCHANGED = 0,
    SESSION_REDRAW = 1,  /* the state changed */
    SESSION_REPAINT = 2, /* paint every cell, the terminal may show something else */
    SESSION_QUIT = 4,
    SESSION_TEXT = 8,     /* session->wanted is a text to be computed and shown, */
    SESSION_NOW = 16,     /* at once, whatever it costs */
    SESSION_SAVE = 32,    /* the screen is to be saved */
    SESSION_STATE = 64,   /* the state is to be saved */
    SESSION_CANCEL = 128, /* what is being computed is no longer wanted */
};

/* One action; `digit` is for ACTION_HEAD_DIGIT. Returns the bits above. */
unsigned session_act(struct session *session, enum action action, int digit);

/* Goes to a view, and gives it the state that it needs. */
void session_set_view(struct session *session, enum view_kind view);

#endif
