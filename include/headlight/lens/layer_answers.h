/* layer_answers.h: what a model says of a text, where it is more than a row of words: what the head
 * for its task says, after each layer too, as the logit lens does with words; and the word behind
 * the first mask. */
#ifndef HEADLIGHT_LENS_LAYER_ANSWERS_H
#define HEADLIGHT_LENS_LAYER_ANSWERS_H

#include "headlight/lens/answers.h"
#include "headlight/lens/predict.h"

struct layer_answers {
    struct answer *answer; /* the model's; NULL: it has no head for a task, or there are no texts */
    struct answer *before; /* of the network before it was changed; NULL: not known */
    struct answer **after; /* [L] of classes, were each layer the last; NULL: of others */
    size_t layers;

    size_t masked; /* the first masked token, or NO_TOKEN */
    struct prediction word;
};

/* `masked` is such a token, or NO_TOKEN; `before` may be NULL. Free with layer_answers_free.
 * STATUS_MEMORY, and as forward_head. */
enum status layer_answers_new(const struct checkpoint *checkpoint, const struct encoded *encoded,
                              const struct trace *trace, const struct trace *before, size_t masked,
                              struct layer_answers **answers, struct error *error);

/* Accepts NULL. */
void layer_answers_free(struct layer_answers *answers);

#endif
