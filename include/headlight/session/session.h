/* session.h: everything that changes on screen. A snapshot and a key press end in the same thing:
 * a new state, and what follows from it, drawn.
 *
 *     session_begin(&session, &checkpoint, true, &changes);
 *     session_open(&session, texts, count, &error);
 *     session_compute(&session, NULL, &error);
 *     session_act(&session, ACTION_LAYER_NEXT, 0);      (act.h)
 *     screen_draw(&session, canvas, &error);
 *     session_end(&session); */
#ifndef HEADLIGHT_SESSION_SESSION_H
#define HEADLIGHT_SESSION_SESSION_H

#include "headlight/draw/theme.h"
#include "headlight/session/edited.h"
#include "headlight/session/state.h"
#include "headlight/view/views.h"

/* What takes long: see request.h. */
enum request_kind { REQUEST_NONE, REQUEST_LOAD, REQUEST_PASS, REQUEST_METRICS };

struct session {
    struct state state; /* what the user chose */
    struct data data;   /* what follows from it */

    const struct checkpoint *checkpoint; /* borrowed; NULL for a recording */
    enum precision precision;
    bool logits; /* passes end with the model's heads: nothing on screen needs them */

    struct edit edit;       /* texts being edited */
    struct history history; /* the texts that were shown */
    struct editor *prompt;  /* of the tokens to find; NULL: not asking */
    struct hit hover;       /* what the mouse is over */

    enum request_kind busy; /* what a worker is at, */
    size_t done, total;     /* and how many steps of it are done */
    bool attended;          /* somebody waits at the keyboard, and a worker does what takes long */

    const char *state_path; /* where the state is saved, or NULL. Borrowed */
    int columns, rows;      /* of the screen, as far as that is known */
    unsigned help;          /* page of the help that is shown, from 1; 0: none */
    bool still;             /* drawn for a reader without a keyboard: no footer of keys */
    char message[512];      /* in place of the footer until the next key; see session_say */
    struct error refused;   /* STATUS_OK, or why something asked for was not done or shown */
};

/* A session without a text. */
void session_begin(struct session *session, const struct checkpoint *checkpoint, bool special,
                   const struct interventions *changes);

/* A session that shows a recording, which must outlive it: nothing is computed, and the text can't
 * be changed. STATUS_MEMORY. */
enum status session_begin_recording(struct session *session, const struct recording *recording,
                                    struct error *error);

/* Accepts a session that is all zero. */
void session_end(struct session *session);

/* Encodes one or two texts; the trace is not computed yet. Errors as encoded_new. */
enum status session_open(struct session *session, const struct text *texts, size_t count,
                         struct error *error);

/* Runs the forward pass of what is shown, and shows its trace. */
enum status session_compute(struct session *session, const struct watch *watch,
                            struct error *error);

/* Shows an encoded input, which becomes the session's own, and whose trace is computed or not. The
 * cursor stays where it was, as far as there are tokens. STATUS_MEMORY, STATUS_LIMIT: then what was
 * shown stays, and an input that is not the session's yet is freed. */
enum status session_take(struct session *session, struct encoded *encoded, bool computed,
                         struct error *error);

/* Shows what is there in another look. Where memory is short that is refused, and the look stays
 * what it was. False then. */
bool session_show(struct session *session, const struct look *look);

/* Goes to a view. */
void session_set_view(struct session *session, enum view_kind view);

/* Sets the message; what there is no room for is cut at a letter. */
void session_say(struct session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What was asked for is not done or shown: says why, and keeps it for who has no eye on the screen.
 * Of what there was no memory for, with `bytes` of it. */
void session_refuse(struct session *session, const struct error *error);
void session_lacks_memory(struct session *session, const char *what, size_t bytes);

/* STATUS_OK unless something was refused; then the last refusal. */
enum status session_result(const struct session *session, struct error *error);

/* What a view is given: the look and the data as they are. */
struct scene session_scene(const struct session *session);

/* The same as it is drawn: where no token is chosen, with the one under the mouse; the lines of a
 * mean, whose weights are small, in root shade at least. */
struct scene session_picture(const struct session *session);

#endif
