/* act.h: what an action does to a session: the one dispatch of the table of actions. */
#ifndef HEADLIGHT_SESSION_ACT_H
#define HEADLIGHT_SESSION_ACT_H

#include "headlight/session/session.h"

/* What the caller has to do after an action. */
enum {
    SESSION_UNCHANGED = 0,
    SESSION_REDRAW = 1,  /* something on screen is another */
    SESSION_REPAINT = 2, /* paint every cell, the terminal may show something else */
    SESSION_QUIT = 4,
    SESSION_PASS = 8,     /* what state.source says is to be computed and shown (request.h), */
    SESSION_NOW = 16,     /* at once, whatever it costs */
    SESSION_SAVE = 32,    /* the screen is to be saved */
    SESSION_STATE = 64,   /* the state is to be saved */
    SESSION_CANCEL = 128, /* what is being computed is no longer wanted */
};

/* One action; `digit` is for ACTION_HEAD_DIGIT. Returns the bits above. It is handled, or refused
 * with a message that says why. */
unsigned session_act(struct session *session, enum action action, int digit);

/* The handlers that the table of actions names. A look's has a scene to change the look of, which
 * is shown if that works out; the session's do whatever is to be done, and return bits. */
enum acted act_on_tokens(struct scene *scene, enum action action, int digit, struct error *error);
enum acted act_on_heads(struct scene *scene, enum action action, int digit, struct error *error);
enum acted act_on_lines(struct scene *scene, enum action action, int digit, struct error *error);
enum acted act_on_bands(struct scene *scene, enum action action, int digit, struct error *error);
enum acted act_on_metrics(struct scene *scene, enum action action, int digit, struct error *error);
enum acted act_on_picture(struct scene *scene, enum action action, int digit, struct error *error);
unsigned act_on_network(struct session *session, enum action action);
unsigned act_on_text(struct session *session, enum action action);
unsigned act_on_program(struct session *session, enum action action);

#endif
