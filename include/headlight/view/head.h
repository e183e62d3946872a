/* head.h: the head view. Attending tokens on the left, attended ones on the right, a line for each
 * attention weight worth drawing. With a token chosen: its lines alone, and a bar per active head
 * beside the tokens of the other side.
 *
 * What is drawn: all heads' edges together are an unreadable carpet, so with one head the edges
 * from 0.05 up, with several the 2.5·T heaviest of all active heads; both change with the scene's
 * detail. With a token chosen, all its edges from 0.01 up. A threshold says it itself; but no more
 * than the 200,000 heaviest, which fill any screen, and the rest counts as hidden. */
#ifndef HEADLIGHT_VIEW_HEAD_H
#define HEADLIGHT_VIEW_HEAD_H

#include "headlight/view/scene.h"

/* STATUS_MEMORY. */
enum status head_view_draw(const struct scene *scene, struct canvas *canvas, struct area area,
                           struct error *error);

#endif
