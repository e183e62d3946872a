/* derive_answers.c: what the model says of the text, for the answers view and the bar above every
 * view. */
#include "headlight/lens/told.h"
#include "headlight/session/derive.h"
#include "headlight/view/words.h"

static bool wants_told(const struct look *look, const struct data *data)
{
    (void)look;
    return data->trace && data->checkpoint && !data->told;
}

static enum status make_told(struct draft *draft, const struct watch *watch, struct error *error)
{
    struct data *data = &draft->data;
    (void)watch;
    return told_new(data->checkpoint, data->encoded, data->trace, data->before, words_masked(data),
                    &data->told, error);
}

static void release_told(void *told)
{
    told_free(told);
}

/* A few rows of a small matrix for each layer: made at once. */
const struct derived derived_told = {.offset = offsetof(struct data, told),
                                     .release = release_told,
                                     .sources = SOURCE_TRACE | SOURCE_BEFORE,
                                     .wants = wants_told,
                                     .make = make_told};
