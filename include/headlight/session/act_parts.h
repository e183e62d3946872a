/* act_parts.h: the parts of act.h: what actions do to the tokens, to the two grids, to the ranking
 * and to the network. Each returns whether the action was one of its own. */
#ifndef HEADLIGHT_SESSION_ACT_PARTS_H
#define HEADLIGHT_SESSION_ACT_PARTS_H

#include "headlight/session/actions.h"
#include "headlight/session/session.h"

#define ACT_PAGE 10 /* tokens */

/* Moves the cursor by `steps` tokens, within what the filter shows; the first press only brings it
 * in. */
void act_move_cursor(struct scene *scene, ptrdiff_t steps);

bool act_on_tokens(struct scene *scene, enum action action);

/* The model view and the matrix view: two directions. */
bool act_in_grid(struct session *session, enum action action);

/* Begins the ranking of heads by the weight between the two chosen tokens, or says what is missing
 * for it. */
void act_begin_ranking(struct session *session);

/* Keys that the ranking doesn't know close it, and then mean what they always mean. */
bool act_in_ranking(struct session *session, enum action action);

/* What is changed in the network; *bits is the result of session_act, which is to compute anew. */
bool act_on_network(struct session *session, enum action action, unsigned *bits);

#endif
