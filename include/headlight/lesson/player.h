/* player.h: leads a session through a lesson, for keys (panel.h), pictures, pages and text. It has
 * the list of lessons with the user's progress, which is kept (progress.h) while the session is
 * interactive, and puts the session into the state of a step.
 *
 *     player_begin(&player, &error);
 *     player_open(&player, "lines", 0, &error);         optional: L opens one too
 *     player_attend(&player, session);                  after session_begin
 *     player_go(&player, player.step, &bits, &error);   at the keyboard: a pass may be needed,
 *     … keys and what is shown come by session->teacher
 *     player_show(&player, 2, &error);                  or a step, all at once
 *     player.panel.text
 *     player_end(&player);
 *
 * What is shown follows from the step alone, except for the user's display settings: theme,
 * presentation, shade, numbers and thumbnails stay as they are unless the step sets them. A setting
 * that doesn't suit the model is left out, which the session's message says. */
#pragma once

#include "headlight/lesson/formula.h"
#include "headlight/lesson/lesson.h"
#include "headlight/session/panel.h"

/* What a step waits for before it can be shown. */
enum awaited {
    AWAITS_NOTHING,
    AWAITS_PASS,      /* its pass, and what formulas in its settings need */
    AWAITS_UNCHANGED, /* before that the unchanged network's, for formulas in its changes */
};

struct player {
    struct teacher teacher;  /* what the session calls */
    struct session *session; /* borrowed */
    size_t count;
    struct lesson **lessons;     /* [count+1]: the linked ones, and one from elsewhere or NULL */
    struct panel_lesson *list;   /* [count] */
    const struct lesson *lesson; /* the open one of them; NULL: none */
    size_t index, step;          /* its place among them, and where it is gone through */
    enum awaited awaits;
    enum formula_state said; /* the worst of the formulas in its text */
    struct panel panel;
    char *texts[LESSON_KINDS]; /* the panel's texts, by enum lesson_kind */
    struct state *state;   /* the session's state as the step set it; differing from it is "away" */
    struct look user_look; /* only its user's fields count (fields_copy) */
    struct error warning;  /* the first setting that doesn't suit the model, or STATUS_OK */
    bool complained;       /* that progress can't be kept; once is enough */
};

/* Reads the linked lessons and the user's progress. STATUS_MEMORY; faults as lesson_read. */
enum status player_begin(struct player *player, struct error *error);

/* Accepts a zeroed player. */
void player_end(struct player *player);

/* Opens a lesson by name, number or file, to start at a step, from 0. Errors as lessons_open;
 * STATUS_USAGE for a step that does not exist. */
enum status player_open(struct player *player, const char *name, size_t step, struct error *error);

/* Opens a lesson that was read elsewhere, which is the player's from now on. */
void player_take(struct player *player, struct lesson *lesson, size_t step);

/* Attaches the player to a session, which it must outlive. */
void player_attend(struct player *player, struct session *session);

/* Goes to a step of the open lesson, on a session that shows a text: sets texts, masks and changes,
 * and if they are shown already, settles at once. *bits: those of session.h. Errors as
 * session_open, and STATUS_UNSUPPORTED for a session without a model; then nothing changes. */
enum status player_go(struct player *player, size_t step, unsigned *bits, struct error *error);

/* To be called when something new is shown: once the step's pass is done and what its settings need
 * is known, applies them and fills in its text. Changes that have formulas come first: then another
 * pass is due (session->pass_due). STATUS_MEMORY. */
enum status player_settle(struct player *player, struct error *error);

/* Whether player_settle has something left to do. */
bool player_is_pending(const struct player *player);

/* Whether the session shows something other than the step: another text, network or look, apart
 * from the user's display settings. */
bool player_is_away(const struct player *player);

/* Shows a step with everything it needs computed at once (request.h). */
enum status player_show(struct player *player, size_t step, struct error *error);
