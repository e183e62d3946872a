/* derive_compare.c: the passes that the compare view alone needs. */
#include "headlight/session/derive.h"
#include "headlight/view/comparison.h"

#include <stdlib.h>

bool derive_wants_compared(const struct look *look, const struct data *data)
{
    if (!data->trace || data->compared || data->uncompared[0] || data->stopped ||
        !view_at(look->view)->compares)
        return false;
    enum comparison_kind kind = comparison_kind(data);
    return kind == COMPARISON_MODELS || kind == COMPARISON_TEXTS;
}

/* A token of the pair as it counts in its sentence alone; false for one of the other sentence. */
static bool place_alone(const struct encoded *pair, enum side side, size_t *token)
{
    size_t second = pair->sides[SIDE_LEFT].boundary, added = pair->encoding->tokens[0].added;
    if ((*token >= second) != (side == SIDE_RIGHT))
        return false;
    *token -= side == SIDE_RIGHT ? second - added : 0;
    return true;
}

/* The masked tokens of one sentence of the pair. */
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
        struct reading how = {special, false, &masked};
        if (encoded_new(data->checkpoint, &data->encoded->texts[side], 1, how,
                        &compared->encoded[side], error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* The same texts in the other model, which may cut them up otherwise. */
static enum status encode_against(const struct data *data, bool special, struct compared *compared,
                                  struct error *error)
{
    const struct encoded *shown = data->encoded;
    struct reading how = {special, false, &shown->masked};
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

enum status derive_new_compared(const struct data *data, bool special, struct compared **out,
                                struct error *error)
{
    struct compared *compared = calloc(1, sizeof *compared);
    *out = NULL;
    if (!compared)
        return error_memory(error, "the comparison", sizeof *compared);
    bool alone = comparison_kind(data) == COMPARISON_TEXTS;
    enum status status = (alone ? encode_alone : encode_against)(data, special, compared, error);
    if (status == STATUS_OK) {
        const struct encoded *left = compared->encoded[SIDE_LEFT],
                             *right = compared->encoded[SIDE_RIGHT];
        status = compared_match(&(left ? left : data->encoded)->sides[SIDE_LEFT],
                                &right->sides[SIDE_LEFT], &compared->twins, error);
    }
    if (status == STATUS_OK)
        *out = compared;
    else
        compared_free(compared);
    return status;
}

enum status derive_run_compared(const struct data *data, enum precision precision,
                                const struct watch *watch, struct compared *compared,
                                struct error *error)
{
    enum status status = STATUS_OK;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT && status == STATUS_OK; side++) {
        const struct checkpoint *other = compared->encoded[SIDE_LEFT] ? NULL : data->against;
        if (compared->encoded[side])
            status = forward_run((other ? other : data->checkpoint)->model, NULL, precision, watch,
                                 compared->encoded[side]->trace, error);
    }
    return status;
}

void derive_compared(struct data *data, struct compared *compared)
{
    compared_free(data->compared);
    data->compared = compared;
}
