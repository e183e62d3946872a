/* derive_compare.c: the passes for the compare view: each sentence by itself, or the text in
 * another model. */
#include "headlight/base/format.h"
#include "headlight/session/derive.h"
#include "headlight/view/comparison.h"

#include <stdlib.h>

static bool wants_compared(const struct look *look, const struct data *data)
{
    if (!data->trace || data->compared || data->uncompared[0] || !view_at(look->view)->compares)
        return false;
    enum comparison_kind kind = comparison_kind(data);
    return kind == COMPARISON_MODELS || kind == COMPARISON_TEXTS;
}

/* Maps a token of the pair to its sentence alone; false for a token of the other sentence. */
static bool place_alone(const struct encoded *pair, enum side side, size_t *token)
{
    size_t second = pair->sides[SIDE_LEFT].boundary, added = pair->encoding->tokens[0].added;
    if ((*token >= second) != (side == SIDE_RIGHT))
        return false;
    *token -= side == SIDE_RIGHT ? second - added : 0;
    return true;
}

/* The masked tokens of one sentence alone. */
static struct masked masked_alone(const struct encoded *pair, enum side side)
{
    struct masked masked = {0};
    for (size_t i = 0; i < pair->masked.count; i++) {
        size_t token = pair->masked.tokens[i];
        if (place_alone(pair, side, &token))
            masked.tokens[masked.count++] = token;
    }
    return masked;
}

/* Sentence A on the left, B on the right. */
static enum status encode_alone(const struct data *data, bool special, struct compared *compared,
                                struct error *error)
{
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        struct masked masked = masked_alone(data->encoded, side);
        struct reading how = {special, false, &masked, NULL};
        if (encoded_new(data->checkpoint, &data->encoded->texts[side], 1, how,
                        &compared->encoded[side], error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* The same texts in the other model, which may tokenise them differently. */
static enum status encode_against(const struct data *data, bool special, struct compared *compared,
                                  struct error *error)
{
    const struct encoded *shown = data->encoded;
    struct reading how = {special, false, &shown->masked, NULL};
    if (encoded_new(data->against, shown->texts, shown->text_count, how,
                    &compared->encoded[SIDE_RIGHT], error) != STATUS_OK)
        return error->status;
    if (shown->masked.count > 0 &&
        compared->encoded[SIDE_RIGHT]->encoding->count != shown->encoding->count)
        return error_set(error, STATUS_MISMATCH,
                         "%s cuts the text up into other tokens: a masked one has no place there",
                         data->against->name);
    return STATUS_OK;
}

static enum status prepare_compared(struct draft *draft, struct error *error)
{
    struct data *data = &draft->data;
    struct compared *compared = data->compared = calloc(1, sizeof *compared);
    if (!compared)
        return error_memory(error, "the comparison", sizeof *compared);
    bool alone = comparison_kind(data) == COMPARISON_TEXTS;
    if ((alone ? encode_alone : encode_against)(data, draft->source->special, compared, error) !=
        STATUS_OK)
        return error->status;
    const struct encoded *left = compared->encoded[SIDE_LEFT],
                         *right = compared->encoded[SIDE_RIGHT];
    return compared_match(&(left ? left : data->encoded)->sides[SIDE_LEFT],
                          &right->sides[SIDE_LEFT], &compared->twins, error);
}

static enum status make_compared(struct draft *draft, const struct watch *watch,
                                 struct error *error)
{
    const struct data *data = &draft->data;
    const struct compared *compared = data->compared;
    enum status status = STATUS_OK;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT && status == STATUS_OK; side++) {
        const struct checkpoint *other = compared->encoded[SIDE_LEFT] ? NULL : data->against;
        if (compared->encoded[side])
            status = forward_run((other ? other : data->checkpoint)->model, NULL, draft->precision,
                                 watch, compared->encoded[side]->trace, error);
    }
    return status;
}

/* The view explains why this text has no comparison. */
static void fail_compared(struct session *session, const struct error *error)
{
    struct data *data = &session->data;
    if (error->status == STATUS_CANCELLED)
        derived_stop(session, error);
    else
        format_cut(data->uncompared, sizeof data->uncompared, "%s", session->message);
}

static void release_compared(void *compared)
{
    compared_free(compared);
}

const struct derived derived_compared = {.kind = REQUEST_COMPARE,
                                         .work = "comparing",
                                         .offset = offsetof(struct data, compared),
                                         .release = release_compared,
                                         .sources = SOURCE_TEXT,
                                         .passes = true,
                                         .until_stopped = true,
                                         .wants = wants_compared,
                                         .prepare = prepare_compared,
                                         .make = make_compared,
                                         .fail = fail_compared};
