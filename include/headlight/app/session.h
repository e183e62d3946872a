/* session.h: everything that changes on screen. A snapshot and a key press end in the same thing:
 * a new session state, drawn.
 *
 *     session_begin(&session, &checkpoint, true, &changes);
 *     session_open(&session, texts, count, &error);
 *     session_compute(&session, NULL, &error);
 *     session_act(&session, ACTION_LAYER_NEXT, 0);      (act.h)
 *     screen_draw(&session, canvas, &error);
 *     session_end(&session); */
#ifndef HEADLIGHT_APP_SESSION_H
#define HEADLIGHT_APP_SESSION_H

#include "headlight/app/passage.h"
#include "headlight/view/scene.h"
#include "headlight/view/theme.h"

struct session {
    const struct checkpoint *checkpoint; /* borrowed; NULL for a recording */
    struct interventions changes;
    enum precision precision;
    bool special; /* texts are encoded with [CLS] and [SEP] */
    char changes_text[96];
    struct passage *passage;     /* what is shown, or will be as soon as it is computed */
    struct attention *attention; /* the scene's */
    struct attention *mean;      /* the scene's */
    struct shape shape;          /* what `attention` was made with */
    struct scene scene;
    const struct theme *theme;
    bool help;
    bool still;        /* drawn for a reader without a keyboard: no footer of keys */
    char message[160]; /* in place of the footer until the next key */
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

/* Encodes one or two texts; the trace is not computed yet. Errors as passage_new. */
enum status session_open(struct session *session, const struct text *texts, size_t count,
                         struct error *error);

/* Runs the forward pass and shows its trace. */
enum status session_compute(struct session *session, const struct watch *watch,
                            struct error *error);

/* Shows a passage, which becomes the session's own, and whose trace is computed or not. The cursor
 * stays where it was, as far as there are tokens. STATUS_MEMORY: then the passage is freed, and
 * what was shown stays. */
enum status session_take(struct session *session, struct passage *passage, bool computed,
                         struct error *error);

/* Brings what the scene shows in line with its state (shape, mean, filter); whatever changes that
 * state calls it. Where memory is short the state is put back, and the message says so. */
void session_refresh(struct session *session);

/* The token of a --select argument: its text, or else its index; of equal texts the first on that
 * side of the screen. NO_TOKEN when there is none. */
size_t session_find_token(const struct session *session, const char *name, enum side side);

#endif
