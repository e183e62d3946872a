/* session.h: everything that changes on screen. A snapshot and a key press end in the same thing:
 * a new session state, drawn.
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
#include "headlight/model/encoded.h"
#include "headlight/session/editor.h"
#include "headlight/session/history.h"
#include "headlight/view/scene.h"

/* Texts being edited. */
struct edit {
    bool active;
    struct editor *lines[2]; /* the second one is NULL until it is asked for */
    size_t line;             /* which one the keys go to */
    struct check *check;     /* of the lines, see edit.h */
    size_t recalled;         /* how far back in the history; 0: what is being typed */
    struct pair before;      /* what Esc brings back */
    struct pair draft;       /* what was typed, while an older text is recalled */
};

/* The maps that a mean is of: the heads of the mask in the layers first … end-1. */
struct mean_of {
    struct token_range layers;
    uint64_t heads;
};

/* What a worker does for the session. */
enum busy { BUSY_NOT, BUSY_LOADING, BUSY_COMPUTING, BUSY_MEASURING };

struct session {
    const struct checkpoint *checkpoint; /* borrowed; NULL for a recording */
    struct interventions changes;
    enum precision precision;
    bool special; /* texts are encoded with [CLS] and [SEP] */
    bool logits;  /* passes end with the model's heads: nothing on screen needs them */
    char changes_text[96];
    const char *changed;         /* the scene's `changes`: that text or a recording's; NULL: none */
    struct encoded *encoded;     /* what is shown, or will be as soon as it is computed */
    struct attention *attention; /* the scene's */
    struct attention *mean;      /* the scene's */
    struct mean_of mean_of;      /* what `mean` was made of, besides `attention` */
    struct shape shape;          /* what `attention` was made with */
    struct scene scene;
    struct head_metrics *metrics;  /* the scene's, [L,A] */
    struct thumbnails *thumbnails; /* the scene's, see screen_prepare */
    const struct theme *theme;
    struct edit edit;
    struct pair wanted;     /* the text to be shown next, see SESSION_TEXT */
    struct history history; /* the texts that were shown */
    struct editor *prompt;  /* of the tokens to find; NULL: not asking */
    char found[64];         /* what was asked for: the scene's `find` */
    struct hit hover;       /* what the mouse is over */
    bool query_found;       /* the scene's query is the neuron view's own, not chosen by the user */
    enum busy busy;
    bool attended;          /* somebody waits at the keyboard, and a worker does what takes long */
    size_t done, total;     /* steps of it */
    const char *origin;     /* the folder or file it was opened from; NULL: built-in. Borrowed */
    const char *state_path; /* where the state is saved, or NULL. Borrowed */
    int columns, rows;      /* of the screen, as far as that is known */
    unsigned help;          /* page of the help that is shown, from 1; 0: none */
    bool still;             /* drawn for a reader without a keyboard: no footer of keys */
    char message[512];      /* in place of the footer until the next key; see session_say */
    struct error refused;   /* STATUS_OK, or why something asked for was not done or shown */
    struct scene shown;     /* the scene before the last change; put back where one fails */
    bool shown_query_found; /* its query_found */
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

/* Runs the forward pass and shows its trace. */
enum status session_compute(struct session *session, const struct watch *watch,
                            struct error *error);

/* Shows a encoded input, which becomes the session's own, and whose trace is computed or not. The
 * cursor stays where it was, as far as there are tokens. STATUS_MEMORY, STATUS_LIMIT: then a
 * encoded input that is not the session's yet is freed, and what was shown stays. */
enum status session_take(struct session *session, struct encoded *encoded, bool computed,
                         struct error *error);

/* Brings what the scene shows in line with its state (shape, mean, filter); whatever changes that
 * state calls it. Where memory is short the state is put back as it was, and that is refused. */
void session_refresh(struct session *session);

/* Whether metrics of the heads are shown that are not measured yet: of a long text, while the
 * session is attended. Then whoever has a worker measures them and hands them over. */
bool session_wants_metrics(const struct session *session);
void session_take_metrics(struct session *session, struct head_metrics *metrics);

/* Sets the message; what there is no room for is cut at a letter. */
void session_say(struct session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What was asked for is not done or shown: says why, and keeps it for who has no eye on the screen.
 * Of what there was no memory for, with `bytes` of it. */
void session_refuse(struct session *session, const struct error *error);
void session_lacks_memory(struct session *session, const char *what, size_t bytes);

/* STATUS_OK unless something was refused; then the last refusal. */
enum status session_result(const struct session *session, struct error *error);

/* The scene as it is to be drawn: where no token is chosen, with the one under the mouse; the
 * lines of a mean, whose weights are small, in root shade at least. */
struct scene session_scene(const struct session *session);

/* The text that is shown, as a pair of its own. False without memory. */
bool session_pair(const struct session *session, struct pair *pair);

/* The encoded input of the text that is wanted; its trace is not computed yet, but for what it
 * shares with the one that is shown. No worker may be at that one. Errors as encoded_new. */
enum status session_wanted(const struct session *session, struct encoded **encoded,
                           struct error *error);

#endif
