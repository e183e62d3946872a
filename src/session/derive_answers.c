/* derive_answers.c: what the model says of the text, for the answers view and the bar above every
 * view; and of the two sentences of a pair, each by itself, how alike it finds them: two passes of
 * their own, with the changes of the network that mean something to each alone. */
#include "headlight/lens/answers.h"
#include "headlight/lens/question.h"
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

/* Where a token stands in its sentence by itself; false: it is of the other one. */
static bool find_alone(const struct encoded *pair, const struct encoded *alone, enum side side,
                       uint32_t *token)
{
    const size_t own = sentence_index(pair->encoding, alone->encoding, side, *token);
    *token = (uint32_t)own;
    return own != NO_TOKEN;
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

static enum status as_trained(const void *context, size_t index, struct variant *variant,
                              struct error *error)
{
    (void)context, (void)index, (void)error;
    for (size_t i = 0; i < LENGTH(variant->texts); i++)
        variant->texts[i].changes = (struct interventions){.unscaled = false};
    return STATUS_OK;
}

/* Both sentences in the network as it is changed: heads and the rest as they are; hidden tokens and
 * cut connections by their places. What it said before is asked of a variant. */
static enum status make_sentences(struct draft *draft, struct error *error)
{
    const struct data *data = &draft->data;
    const struct encoded *pair = data->encoded;
    const struct interventions *changes = &pair->trace->computed.changes;
    struct sentence_pair *sentences = data->sentences;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        struct encoded *alone = sentences->encoded[side];
        struct interventions own = interventions_of_all(changes);
        for (size_t i = 0; i < changes->hidden_count; i++) {
            uint32_t token = changes->hidden[i];
            if (find_alone(pair, alone, side, &token))
                interventions_hide(&own, token, error);
        }
        for (size_t i = 0; i < changes->cut_count; i++) {
            struct cut cut = changes->cuts[i];
            if (find_alone(pair, alone, side, &cut.from) && find_alone(pair, alone, side, &cut.to))
                interventions_cut(&own, cut, error);
        }
        if (encoded_run(data->checkpoint, &own, draft->watch, alone, error) != STATUS_OK)
            return error->status;
    }
    sentence_compare(data->checkpoint->model->config.sentence, sentences);
    sentences->before = NAN;
    if (!interventions_any(changes))
        return STATUS_OK;
    const struct question question = {.source = target_source_of(data->checkpoint, pair, sentences),
                                      .on = {.output = OUTPUT_SENTENCE},
                                      .watch = draft->watch};
    return question_vary(&question, &(struct variants){1, as_trained, NULL}, &sentences->before,
                         error);
}

const struct derived derived_sentences = {REQUESTED("comparing", sentences),
                                          .release = sentence_pair_free,
                                          .sources = SOURCE_TEXT | SOURCE_TRACE,
                                          .passes = true,
                                          .until_stopped = true,
                                          .wants = wants_sentences,
                                          .prepare = prepare_sentences,
                                          .make = make_sentences};
