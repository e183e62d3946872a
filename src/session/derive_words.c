/* derive_words.c: the lens: what each layer predicts at the tokens. Reading it is slow with a
 * large vocabulary, so in an interactive session it is read in portions from the chosen token
 * on. */
#include "headlight/base/size.h"
#include "headlight/session/derive.h"

#include <stdlib.h>
#include <string.h>

static bool shows_lens(const struct look *look, const struct data *data)
{
    return view_at(look->view)->speaks && !data->speechless[0];
}

/* The next token to read, from the chosen one on and wrapping round; a token is read in all
 * layers or in none. The number of tokens when all are read. */
static size_t token_to_read(const struct look *look, const struct data *data)
{
    const size_t chosen = look->from < data->tokens ? look->from : 0;
    for (size_t i = 0; i < data->tokens; i++) {
        const size_t token = (chosen + i) % data->tokens;
        if (!data->lens || data->lens[token].count == 0)
            return token;
    }
    return data->tokens;
}

static bool wants_lens(const struct look *look, const struct data *data)
{
    return data->trace && shows_lens(look, data) && token_to_read(look, data) < data->tokens;
}

static double cost_of_lens(const struct draft *draft)
{
    (void)draft;
    return 2; /* so that the user sees progress */
}

/* Multiply-adds that take a few frames. */
#define LENS_AT_ONCE 1.5e9

/* A token and as many around it as can be read within a few frames. */
static struct lens_area area_around(const struct trace *trace, size_t token)
{
    const double hidden = (double)trace->hidden, words = (double)trace->vocabulary;
    const double cost = (double)trace->layers * hidden * (hidden + words);
    const size_t count = cost < LENS_AT_ONCE ? (size_t)(LENS_AT_ONCE / cost) : 1;
    const size_t first = token - size_min(token, count / 2);
    return (struct lens_area){{0, trace->layers}, {first, size_min(first + count, trace->tokens)}};
}

/* An empty lens, with the pieces that are in the text (also under masks), or that come next. */
static enum status new_lens(struct data *data, struct error *error)
{
    const struct encoded *encoded = data->encoded;
    const size_t tokens = data->trace->tokens;
    if (logit_lens_new(data->trace, data->next, &data->lens, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; encoded->encoding && !data->next && i < data->trace->layers * tokens; i++)
        data->lens[i].id = encoded->encoding->tokens[i % tokens].id;
    return STATUS_OK;
}

/* Existing readings are copied, as they may be freed while a worker reads on. */
static enum status prepare_lens(struct draft *draft, struct error *error)
{
    struct data *data = &draft->data;
    const struct lens_cell *before = data->lens;
    const struct lens_area all = {{0, data->layers}, {0, data->tokens}};
    draft->area =
        draft->interactive ? area_around(data->trace, token_to_read(&draft->look, data)) : all;
    if (new_lens(data, error) != STATUS_OK)
        return error->status;
    if (before)
        memcpy(data->lens, before, data->layers * data->tokens * sizeof *before);
    return STATUS_OK;
}

/* With the predictions from before the network was changed, if known. */
static enum status make_lens(struct draft *draft, const struct watch *watch, struct error *error)
{
    const struct data *data = &draft->data;
    const struct model *model = data->checkpoint->model;
    enum status status =
        logit_lens_read(model, data->trace, false, &draft->area, watch, data->lens, error);
    if (status == STATUS_OK && data->before)
        status = logit_lens_read(model, data->before, true, &draft->area, NULL, data->lens, error);
    return status;
}

const struct derived derived_lens = {.kind = REQUEST_LENS,
                                     .offset = offsetof(struct data, lens),
                                     .release = free,
                                     .sources = SOURCE_TRACE | SOURCE_BEFORE,
                                     .until_stopped = true,
                                     .wants = wants_lens,
                                     .cost = cost_of_lens,
                                     .comes_with_pass = shows_lens,
                                     .prepare = prepare_lens,
                                     .make = make_lens,
                                     .fail = derived_stop};
