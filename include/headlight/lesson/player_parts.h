/* player_parts.h: what a player (player.h) is made of. */
#ifndef HEADLIGHT_LESSON_PLAYER_PARTS_H
#define HEADLIGHT_LESSON_PLAYER_PARTS_H

#include "headlight/lesson/player.h"

const struct lesson_step *player_step_of(const struct player *player);

/* Keeps what doesn't suit the model, of several the first, for settling to say. */
void player_lack(struct player *player, const struct error *error);

/* Whether two sources lead to the same pass of one model. */
bool player_same_source(const struct source *a, const struct source *b);

/* Lets the session want the step's text, masks and changes, and keeps them as the step's. What
 * doesn't suit the model is left out and kept (player_lack). Errors as session_open: nothing is
 * changed then. */
enum status player_ask(struct player *player, struct session *session, struct error *error);

#endif
