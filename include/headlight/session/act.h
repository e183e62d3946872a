/* act.h: carries out the actions of the table. */
#ifndef HEADLIGHT_SESSION_ACT_H
#define HEADLIGHT_SESSION_ACT_H

#include "headlight/session/session.h"

/* What the caller has to do after a key or click. */
enum {
    SESSION_UNCHANGED = 0,
    SESSION_REDRAW = 1,  /* something on screen changed */
    SESSION_REPAINT = 2, /* paint every cell: the terminal may show something else */
    SESSION_QUIT = 4,
    SESSION_PASS = 8,     /* compute and show what state.source asks for (request.h) */
    SESSION_NOW = 16,     /* without waiting for a pause in typing */
    SESSION_SAVE = 32,    /* save the screen */
    SESSION_STATE = 64,   /* save the state */
    SESSION_CANCEL = 128, /* stop the computation */
};

/* Carries out an action, or refuses it with a message that says why; `digit` is for
 * ACTION_HEAD_DIGIT. Returns the bits above. */
unsigned session_act(struct session *session, enum action action, int digit);

/* The handlers in the table of actions. Those of the look change a scene's look, which is then
 * shown if possible; those of the session do the rest, and return bits. */
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
