/* prompt.h: the lines at the bottom of the screen in which text is edited or asked for. */
#ifndef HEADLIGHT_SESSION_PROMPT_H
#define HEADLIGHT_SESSION_PROMPT_H

#include "headlight/session/session.h"

/* The rows that they take; 0: none. */
int prompt_rows(const struct session *session);

/* Draws them, if any, the last in row `y`. Unknown word pieces, and what exceeds the model's
 * positions, are marked. */
void prompt_draw(const struct session *session, struct canvas *canvas, int y);

#endif
