/* session.h: all that is behind the screen. Snapshots and key presses go the same way: a new state,
 * the data that follow from it, a picture.
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
#include "headlight/session/edit.h"
#include "headlight/session/state.h"
#include "headlight/view/views.h"

struct teacher;
struct panel;

/* What takes long: see request.h. */
enum request_kind {
    REQUEST_NONE,
    REQUEST_LOAD,
    REQUEST_PASS,
    REQUEST_BEFORE,
    REQUEST_MAP,
    REQUEST_METRICS,
    REQUEST_EFFECTS,
    REQUEST_LENS,
    REQUEST_COMPARE
};

struct session {
    struct state state; /* what the user chose */
    struct data data;   /* what follows from it */

    const struct checkpoint *checkpoint; /* borrowed; NULL for a recording */
    const struct recording *recording;   /* borrowed; NULL for a model */
    enum precision precision;
    bool logits; /* passes compute the model's heads too; nothing on screen needs them */

    struct edit edit;       /* texts being edited */
    struct history history; /* the texts shown so far */
    struct editor *prompt;  /* for a text to find; NULL: not asking */
    struct hit hover;       /* what the mouse is over */

    enum request_kind busy; /* what a worker is doing, */
    size_t done, total;     /* and how many of its steps are done */
    bool attended;          /* somebody waits at the keyboard, and a worker does what takes long */

    bool first_head_due;   /* nobody has chosen a head or touched a key: the first picture does, */
    bool first_head_named; /* and the footer names the head until the next key or click */

    const struct teacher *teacher; /* of lessons (panel.h); borrowed, NULL: there are none */
    bool teacher_at_work;          /* and isn't told of what it shows itself */
    const struct panel *panel;     /* what it says, in a lesson; borrowed, or NULL */

    const char *state_path; /* where the state is saved, or NULL. Borrowed */
    int columns, rows;      /* of the screen, once they are known */
    unsigned help;          /* page of the help shown, from 1; 0: none */
    bool help_all;          /* of all keys, not of the view's */
    bool menu;              /* of changes in the network is open */
    bool lessons;           /* the list of lessons is open, */
    size_t lesson;          /* with this one under the cursor */
    int typed;              /* the digit just typed, which may be the first of two; or 0 */
    bool still;             /* drawn for a reader without a keyboard: no footer of keys */
    char message[512];      /* in place of the footer until the next key; see session_say */
    struct error refused;   /* why something asked for was not done or shown; or STATUS_OK */
};

/* A session without a text. */
void session_begin(struct session *session, const struct checkpoint *checkpoint, bool special,
                   const struct interventions *changes);

/* What the compare view compares the model with; it must outlive the session. */
void session_set_against(struct session *session, const struct checkpoint *against);

/* A session that shows a recording, which must outlive it: nothing is computed, and the text can't
 * be changed. STATUS_MEMORY. */
enum status session_begin_recording(struct session *session, const struct recording *recording,
                                    struct error *error);

/* STATUS_IO when the recording, which is drawn straight from its mapped file, has been written to.
 */
enum status session_check(const struct session *session, struct error *error);

/* Accepts a zeroed session. */
void session_end(struct session *session);

/* Encodes one or two texts; the trace is not computed yet. Errors as encoded_new, and STATUS_LIMIT
 * for a text over TEXT_LIMIT. */
enum status session_open(struct session *session, const struct text *texts, size_t count,
                         struct error *error);

/* Runs the forward pass for what is shown, and shows its trace. Errors as forward_run. */
enum status session_compute(struct session *session, const struct watch *watch,
                            struct error *error);

/* Takes over an encoded input, with its trace computed or not, and shows it. The cursor stays where
 * it was, as far as there are tokens. STATUS_MEMORY, STATUS_LIMIT: then what was shown stays, and a
 * new input is freed. */
enum status session_take(struct session *session, struct encoded *encoded, bool computed,
                         struct error *error);

/* After another text or trace is shown: chooses the first head, if that is still to be done. */
void session_begin_picture(struct session *session);

/* Changes the look. False without memory: that is refused, and the look stays what it was. */
bool session_show(struct session *session, const struct look *look);

/* Tells the teacher, if there is one, that something new is shown, unless that is its own doing. */
void session_shown(struct session *session);

/* Begins with the opening head (metrics.h), alone where the view draws the heads that are on, and
 * says so; before there is a trace, as soon as there is one, unless a key or a click comes first.
 */
void session_tell(struct session *session);

/* Switches to a view. */
void session_set_view(struct session *session, enum view_kind view);

/* Sets the message; one that is too long is cut between letters. */
void session_say(struct session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says how to leave what is presented: nothing on screen does. */
void session_say_presented(struct session *session);

/* Says why something asked for is not done or shown, and keeps the error for session_result, as
 * without a screen nobody reads messages. The second: there is no memory for `bytes` bytes of
 * `what`. */
void session_refuse(struct session *session, const struct error *error);
void session_lacks_memory(struct session *session, const char *what, size_t bytes);

/* The last refusal, or STATUS_OK. */
enum status session_result(const struct session *session, struct error *error);

/* Whether a text is typed, or something chosen from a list: keys mean nothing else. */
bool session_is_asking(const struct session *session);

/* The view whose keys the help shows; NULL: it shows all keys. */
const struct view *session_help(const struct session *session);

/* What a view is given: the look and the data as they are. */
struct scene session_scene(const struct session *session);

/* The same as drawn: with the token under the mouse where none is chosen, and with root shade at
 * least for the lines of a mean, whose weights are small. */
struct scene session_picture(const struct session *session);

#endif
