/* player.h: a step of a lesson on a session: what it asks for, and what it says.
 *
 *     player_begin(&player, lesson, &error);
 *     player_go(&player, session, 2, &bits, &error);       at the keyboard: a pass may be needed,
 *     … when it is shown:   player_settle(&player, session, &error);
 *
 *     player_show(&player, session, 2, &error);            or all at once
 *     player.panel.text
 *     player_end(&player);
 *
 * What a step shows follows from the step alone, but for how the user likes to see pictures: theme,
 * presentation, shade, numbers and thumbnails stay his where the step says nothing of them. */
#ifndef HEADLIGHT_LESSON_PLAYER_H
#define HEADLIGHT_LESSON_PLAYER_H

#include "headlight/lesson/lesson.h"
#include "headlight/session/panel.h"

struct player {
    const struct lesson *lesson; /* borrowed */
    size_t step;
    bool coming;         /* its pass is asked for: settle when it is shown */
    bool partial;        /* some of its settings, */
    bool unfinished;     /* or numbers in its text, are pending */
    bool unknown;        /* or can't be told of this model */
    struct panel panel;  /* what it says, */
    char *said[3];       /* whose texts these are, by enum lesson_kind */
    struct state *kept;  /* the session's as the step left it; what differs from it is "away" */
    struct look own;     /* of which the user's fields hold */
    struct error lacked; /* what doesn't suit the model, for settling to say; or STATUS_OK */
    char *values[FIELD_COUNT]; /* of the step's look, formulas filled in; NULL: not given, or not
                                * known yet */
};

/* STATUS_MEMORY. */
enum status player_begin(struct player *player, const struct lesson *lesson, struct error *error);

/* Asks for a step: sets texts, masks and changes; where they are those shown, it settles at once.
 * *bits gets those of act.h. Errors as session_open, and STATUS_UNSUPPORTED for a session without a
 * model: nothing is changed then. */
enum status player_go(struct player *player, struct session *session, size_t step, unsigned *bits,
                      struct error *error);

/* To be called when something new is shown: applies the step's settings once its pass is there, and
 * fills in its text. STATUS_USAGE for what doesn't suit the model: then the step is shown without
 * that, and the error says so. */
enum status player_settle(struct player *player, struct session *session, struct error *error);

/* Whether the session shows something else than the step: another text, network or look, but for
 * what is the user's. */
bool player_is_away(const struct player *player, const struct session *session);

/* A step with all that it shows, computed at once (request.h). What doesn't suit the model is said
 * in the session's message. */
enum status player_show(struct player *player, struct session *session, size_t step,
                        struct error *error);

/* Accepts a zeroed player. */
void player_end(struct player *player);

#endif
