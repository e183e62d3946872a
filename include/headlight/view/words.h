/* words.h: what a model says about a text, as the words view lists it: the likeliest pieces of a
 * layer at a token or, of a model that does not say words, such as ELECTRA's discriminator, whether
 * those that stand in the text were put in the place of others. */
#ifndef HEADLIGHT_VIEW_WORDS_H
#define HEADLIGHT_VIEW_WORDS_H

#include "headlight/lens/logit_lens.h"
#include "headlight/view/scene.h"

/* What a layer says at a token; NULL before it is read. */
const struct lens_cell *words_cell(const struct scene *scene, size_t layer, size_t token);

/* A piece of the vocabulary. */
const char *words_piece(const struct scene *scene, int32_t id);

/* The likeliest pieces of the chosen cell with their probabilities, how likely the piece is that
 * stands there, and how sure the layer is; in two columns where they stand below the grid. */
void words_draw_answers(const struct scene *scene, struct canvas *canvas, struct area area,
                        bool beside);

/* Whether the model says of each token if it was replaced; and how probable that is of each, beside
 * a list of all of them, the likeliest first. */
bool words_tell_replaced(const struct scene *scene);
void words_draw_replaced(const struct scene *scene, struct canvas *canvas, struct area area);

#endif
