/* player.h: puts a session into the state of a lesson's step, and writes the step's text.
 *
 *     player_begin(&player, lesson, session, &error);
 *     player_go(&player, 2, &bits, &error);       interactively: a pass may be needed,
 *     … once it is shown:   player_settle(&player, &error);
 *
 *     player_show(&player, 2, &error);            or all at once
 *     player.panel.text
 *     player_end(&player);
 *
 * What is shown follows from the step alone, except for the user's display settings: theme,
 * presentation, shade, numbers and thumbnails stay as they are unless the step sets them. */
#ifndef HEADLIGHT_LESSON_PLAYER_H
#define HEADLIGHT_LESSON_PLAYER_H

#include "headlight/lesson/lesson.h"
#include "headlight/session/panel.h"

struct player {
    const struct lesson *lesson; /* borrowed, as is the session */
    struct session *session;
    size_t step;
    bool awaits_pass;    /* the step's pass is under way; player_settle goes on once it is shown */
    bool awaits_changes; /* that pass is the unchanged network's, for formulas in the changes */
    bool settings_pending; /* formulas in its settings wait for a result */
    bool text_pending;     /* formulas in its text do */
    bool text_unknown;     /* the text has a formula without a value for this model */
    struct panel panel;
    char *texts[LESSON_KINDS]; /* the panel's texts, by enum lesson_kind */
    struct state *state;   /* the session's state as the step set it; differing from it is "away" */
    struct look user_look; /* only its user's fields count (fields_copy_user) */
    struct error warning;  /* the first setting that doesn't suit the model, or STATUS_OK */
    char *values[FIELD_COUNT]; /* of the step's look, formulas filled in; NULL: not given or
                                * pending */
};

/* STATUS_MEMORY. */
enum status player_begin(struct player *player, const struct lesson *lesson,
                         struct session *session, struct error *error);

/* Goes to a step: sets texts, masks and changes, and if they are shown already, settles at once.
 * *bits: those of session.h. Errors as session_open, and STATUS_UNSUPPORTED for a session without a
 * model; then nothing changes. */
enum status player_go(struct player *player, size_t step, unsigned *bits, struct error *error);

/* To be called when something new is shown: applies the step's settings once its pass is done, and
 * fills in its text. Changes that have formulas come first: then another pass is due
 * (session->pass_due). STATUS_USAGE: a setting doesn't suit the model; the step is shown without
 * it. */
enum status player_settle(struct player *player, struct error *error);

/* Whether player_settle has something left to do. */
bool player_is_pending(const struct player *player);

/* Whether the session shows something other than the step: another text, network or look, apart
 * from the user's display settings. */
bool player_is_away(const struct player *player);

/* Shows a step with everything it needs computed at once (request.h). Settings that don't suit the
 * model are named in the session's message. */
enum status player_show(struct player *player, size_t step, struct error *error);

/* Accepts a zeroed player. */
void player_end(struct player *player);

#endif
