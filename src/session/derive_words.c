/* derive_words.c: what the model says at the tokens, as derive.h has it. */
#include "headlight/base/size.h"
#include "headlight/session/derive.h"

/* ---- What is wanted ---- */

static size_t token_asked(const struct look *look, const struct data *data)
{
    const int32_t *ids = data->encoded->trace->ids, /* [T] */
        mask = tokenizer_mask(data->checkpoint->tokenizer);
    size_t last = data->tokens - 1;
    if (look->from != NO_TOKEN && !look->query_found)
        return data->attention->tokens[SIDE_LEFT].of[look->from].first;
    for (size_t token = 0; token < data->tokens; token++)
        if (ids[token] == mask)
            return token;
    while (last > 0 && data->encoded->sides[SIDE_LEFT].special[last])
        last--;
    return last;
}

struct asked_prediction derive_prediction(const struct look *look, const struct data *data)
{
    bool chosen = look->answer != NO_TOKEN;
    return (struct asked_prediction){token_asked(look, data),
                                     chosen ? (int32_t)look->answer : EFFECTS_LIKELIEST};
}

bool derive_shows_lens(const struct look *look, const struct data *data)
{
    return view_at(look->view)->speaks && !data->speechless[0];
}

/* A token is read in all layers or in none. */
static bool is_read(const struct data *data, size_t token)
{
    return data->lens && data->lens[token].count > 0;
}

/* Multiply-adds that take a few frames. */
#define LENS_AT_ONCE 1.5e9

struct lens_area derive_lens_area(const struct trace *trace, size_t token)
{
    const double hidden = (double)trace->hidden, words = (double)trace->vocabulary;
    const double cost = (double)trace->layers * hidden * (hidden + words);
    const size_t count = cost < LENS_AT_ONCE ? (size_t)(LENS_AT_ONCE / cost) : 1;
    const size_t first = token < trace->tokens ? token - size_min(token, count / 2) : 0;
    return (struct lens_area){{0, trace->layers}, {first, size_min(first + count, trace->tokens)}};
}

/* The chosen token and its neighbours first, then what follows them, and so round. */
bool derive_wants_lens(const struct look *look, const struct data *data, struct lens_area *area)
{
    size_t chosen = look->from < data->tokens ? look->from : 0, read = 0;
    if (!data->trace || data->stopped || !derive_shows_lens(look, data))
        return false;
    while (read < data->tokens && is_read(data, (chosen + read) % data->tokens))
        read++;
    if (read == data->tokens)
        return false;
    *area = derive_lens_area(data->trace, (chosen + read) % data->tokens);
    return true;
}

/* ---- Making it ---- */

enum status derive_new_lens(const struct encoded *encoded, bool next, struct lens_cell **lens,
                            struct error *error)
{
    const struct trace *trace = encoded->trace;
    if (logit_lens_new(trace, next, lens, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; encoded->encoding && !next && i < trace->layers * trace->tokens; i++)
        (*lens)[i].id = encoded->encoding->tokens[i % trace->tokens].id;
    return STATUS_OK;
}

enum status derive_read_lens(const struct model *model, const struct trace *trace,
                             const struct trace *before, const struct lens_area *area,
                             const struct watch *watch, struct lens_cell *lens, struct error *error)
{
    enum status status = logit_lens_read(model, trace, area, watch, lens, error);
    if (status == STATUS_OK && before)
        status = logit_lens_compare(model, before, area, NULL, lens, error);
    return status;
}
