/* derive_answers.c: what the model says of the text, for the answers view and the bar above every
 * view; and of the two sentences of a pair, each by itself, how alike it finds them: two passes of
 * their own, with the changes of the network that mean something to each alone. */
#include "headlight/lens/answers.h"
#include "headlight/session/derive.h"
#include "headlight/view/words.h"

#include <stdlib.h>

static bool wants_layer_answers(const struct look *look, const struct data *data)
{
    (void)look;
    return data->trace && data->checkpoint && !data->layer_answers;
}

static enum status make_layer_answers(struct draft *draft, struct error *error)
{
    struct data *data = &draft->data;
    return layer_answers_new(data->checkpoint, data->encoded, data->trace, data_before(data),
                             words_masked(data), &data->layer_answers, error);
}

/* A few rows of a small matrix for each layer: made at once. */
const struct derived derived_layer_answers = {.offset = offsetof(struct data, layer_answers),
                                              .release = layer_answers_free,
                                              .sources = SOURCE_TRACE | SOURCE_BEFORE,
                                              .wants = wants_layer_answers,
                                              .make = make_layer_answers};

/* ---- Two sentences ---- */

/* Whether the model compares the two texts there are. */
bool derive_has_sentences(const struct data *data)
{
    const struct token_side *side = &data->encoded->sides[SIDE_LEFT];
    return data->checkpoint && data->checkpoint->model->config.sentence &&
           data->encoded->text_count == 2 && side->boundary > 0 && side->boundary < side->count;
}

static bool place_change(const struct encoded *pair, const struct encoded *alone, enum side side,
                         uint32_t *token)
{
    const size_t place = sentence_index(pair->encoding, alone->encoding, side, *token);
    *token = (uint32_t)place;
    return place != NO_TOKEN;
}

/* Both sentences in the network as it was trained, or as it is changed: heads and the rest as they
 * are; hidden tokens and cut connections by their places, which stay in order. */
static enum status run_both(const struct data *data, const struct interventions *changes,
                            const struct watch *watch, struct sentence_pair *sentences,
                            struct error *error)
{
    const struct encoded *pair = data->encoded;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        struct encoded *alone = sentences->encoded[side];
        struct interventions own = changes ? *changes : (struct interventions){0};
        memset(own.hidden, 0, sizeof own.hidden);
        memset(own.cuts, 0, sizeof own.cuts);
        own.hidden_count = own.cut_count = 0;
        for (size_t i = 0; changes && i < changes->hidden_count; i++) {
            uint32_t token = changes->hidden[i];
            if (place_change(pair, alone, side, &token))
                own.hidden[own.hidden_count++] = token;
        }
        for (size_t i = 0; changes && i < changes->cut_count; i++) {
            struct cut cut = changes->cuts[i];
            if (place_change(pair, alone, side, &cut.from) &&
                place_change(pair, alone, side, &cut.to))
                own.cuts[own.cut_count++] = cut;
        }
        if (forward_run(data->checkpoint->model, changes ? &own : NULL, watch, alone->trace,
                        error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

static bool wants_sentences(const struct look *look, const struct data *data)
{
    (void)look; /* the answer stands above every view */
    return data->trace && !data->sentences && derive_has_sentences(data);
}

static enum status prepare_sentences(struct draft *draft, struct error *error)
{
    struct sentence_pair *sentences = draft->data.sentences = calloc(1, sizeof *sentences);
    if (!sentences)
        return error_memory(error, "the two sentences", sizeof *sentences);
    if (derive_alone(&draft->data, draft->session->state.source.special, sentences->encoded,
                     error) != STATUS_OK)
        return error->status;
    for (size_t side = 0; side < 2; side++) {
        const size_t tokens = sentences->encoded[side]->encoding->count;
        sentences->parts[side] = calloc(tokens + 1, sizeof *sentences->parts[side]);
        if (!sentences->parts[side])
            return error_memory(error, "the two sentences", tokens * sizeof **sentences->parts);
    }
    return STATUS_OK;
}

static enum status make_sentences(struct draft *draft, struct error *error)
{
    const struct data *data = &draft->data;
    const struct sentence_model *sentence = data->checkpoint->model->config.sentence;
    const struct interventions *changes = &data->encoded->trace->computed.changes;
    struct sentence_pair *sentences = data->sentences;
    sentences->before = NAN;
    if (run_both(data, NULL, draft->watch, sentences, error) != STATUS_OK)
        return error->status;
    if (interventions_any(changes)) {
        sentences->before =
            sentence_value(sentence, sentences->encoded[0]->trace, sentences->encoded[1]->trace);
        if (run_both(data, changes, draft->watch, sentences, error) != STATUS_OK)
            return error->status;
    }
    sentence_compare(sentence, sentences);
    return STATUS_OK;
}

const struct derived derived_sentences = {REQUESTED("comparing", sentences),
                                          .release = sentence_pair_free,
                                          .sources = SOURCE_TEXT | SOURCE_TRACE,
                                          .passes = true,
                                          .until_stopped = true,
                                          .wants = wants_sentences,
                                          .prepare = prepare_sentences,
                                          .make = make_sentences};
