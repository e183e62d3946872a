/* session.h: everything that changes on screen. A snapshot and a key press end in the same thing:
 * a new session state, drawn.
 *
 *     session_begin(&session, &checkpoint, texts, count, true, &changes, &error);
 *     session_compute(&session, NULL, &error);
 *     session_act(&session, ACTION_LAYER_NEXT, 0);      (act.h)
 *     screen_draw(&session, canvas, &error);
 *     session_end(&session); */
#ifndef HEADLIGHT_APP_SESSION_H
#define HEADLIGHT_APP_SESSION_H

#include "headlight/app/checkpoint.h"
#include "headlight/model/encoder.h"
#include "headlight/view/scene.h"
#include "headlight/view/theme.h"

struct session {
    const struct checkpoint *checkpoint; /* borrowed */
    struct text texts[2];                /* its own, valid UTF-8 */
    size_t text_count;
    struct encoding *encoding;
    const char **labels; /* [T], the pieces */
    struct interventions changes;
    enum precision precision;
    char changes_text[96];
    struct trace *trace;
    struct scene scene;
    const struct theme *theme;
    bool help;
    bool still; /* drawn for a reader without a keyboard: no footer of keys */
};

/* Copies and encodes one or two texts and makes room for the trace. STATUS_LIMIT when the text is
 * longer than the model's positions, or empty without special tokens. */
enum status session_begin(struct session *session, const struct checkpoint *checkpoint,
                          const struct text *texts, size_t count, bool special,
                          const struct interventions *changes, struct error *error);

/* Accepts a session that failed to begin, or all zero. */
void session_end(struct session *session);

/* Runs the forward pass and shows its trace. */
enum status session_compute(struct session *session, const struct encoder_watch *watch,
                            struct error *error);

/* Shows a trace that was computed elsewhere (the session's own trace, on another thread). */
void session_show(struct session *session, double milliseconds);

/* The token of a --select argument: its text, or else its index; of equal texts the first on that
 * side of the screen. NO_TOKEN when there is none. */
size_t session_find_token(const struct session *session, const char *name, enum side side);

#endif
