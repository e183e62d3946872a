/* translation.h: a source and its target, as an encoder–decoder computes them. */
#ifndef HEADLIGHT_APP_TRANSLATION_H
#define HEADLIGHT_APP_TRANSLATION_H

#include "headlight/app/program.h"

/* Whether the program's model is one of two stacks. */
bool translation_is_due(const struct program *program);

/* Begins the session on the three attentions of one pass, at the decoder's to its encoder: of a
 * source and the target that is given, or that the model makes where there is one text.
 * STATUS_UNSUPPORTED for options that would change the network, or that ask it more; others as
 * encoded_stacks, encoded_run and generate_text. */
enum status translation_begin(struct program *program, struct error *error);

#endif
