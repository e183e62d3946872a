/* derive_answers.c: what the model says of the text, for the answers view and the bar above every
 * view. */
#include "headlight/lens/answers.h"
#include "headlight/session/derive.h"
#include "headlight/view/words.h"

static bool wants_layer_answers(const struct look *look, const struct data *data)
{
    (void)look;
    return data->trace && data->checkpoint && !data->layer_answers;
}

static enum status make_layer_answers(struct draft *draft, const struct watch *watch,
                                      struct error *error)
{
    struct data *data = &draft->data;
    (void)watch;
    return layer_answers_new(data->checkpoint, data->encoded, data->trace, data_before(data),
                             words_masked(data), &data->layer_answers, error);
}

static void release_layer_answers(void *answers)
{
    layer_answers_free(answers);
}

/* A few rows of a small matrix for each layer: made at once. */
const struct derived derived_layer_answers = {.offset = offsetof(struct data, layer_answers),
                                              .release = release_layer_answers,
                                              .sources = SOURCE_TRACE | SOURCE_BEFORE,
                                              .wants = wants_layer_answers,
                                              .make = make_layer_answers};
