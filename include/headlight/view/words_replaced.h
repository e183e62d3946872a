/* words_replaced.h: what the words view shows of a model that does not say words, but whether those
 * that stand in the text were put in the place of others, such as ELECTRA's discriminator: how
 * probable that is of each token, and beside it all tokens, the likeliest first. */
#ifndef HEADLIGHT_VIEW_WORDS_REPLACED_H
#define HEADLIGHT_VIEW_WORDS_REPLACED_H

#include "headlight/view/scene.h"

bool words_tell_replaced(const struct scene *scene);

void words_draw_replaced(const struct scene *scene, struct canvas *canvas, struct area area);

#endif
