/* derive_effects.c: what an answer of the model depends on: how it changed with the network, and
 * how it does without each head and without each word, which needs passes of its own. */
#include "headlight/lens/answers.h"
#include "headlight/session/derive.h"
#include "headlight/view/words.h"

#include <stdlib.h>

/* ---- On what ---- */

/* The first token with a tag; NO_TOKEN: there is none. */
static size_t token_tagged(const struct data *data)
{
    const struct labels *labels = &data->checkpoint->model->labels;
    const struct trace *trace = data->trace;
    for (size_t token = 0; token < data->tokens; token++) {
        const float *logits = trace->outputs[OUTPUT_TAGS] + token * labels->count;
        const size_t best = predict_likeliest(logits, labels->count);
        if (!data->encoded->sides[SIDE_LEFT].special[token] && !answer_is_outside(labels, best))
            return token;
    }
    return NO_TOKEN;
}

/* The chosen token, else the first that the model was asked about, else the last word. */
static size_t token_predicted(const struct look *look, const struct data *data,
                              enum model_output output)
{
    const bool elsewhere = data->encoded->site == SITE_ENCODER;
    const size_t asked = output == OUTPUT_TAGS ? token_tagged(data) : words_masked(data);
    size_t last = data->tokens - 1;
    if (look->from != NO_TOKEN && !look->query_found && !elsewhere)
        return data->attention->tokens[SIDE_LEFT].of[look->from].first;
    if (encoded_speaker(data->encoded)->said.count > 0)
        return words_asked(look, data);
    if (asked != NO_TOKEN)
        return asked;
    while (last > 0 && data->encoded->sides[SIDE_LEFT].special[last])
        last--;
    return last;
}

enum model_output derive_output(const struct look *look, const struct data *data)
{
    const enum model_output shown = answers_output(look, data);
    const bool asked = shown != OUTPUT_SENTENCE || derive_has_sentences(data);
    return shown != OUTPUT_COUNT && asked ? shown : data->says;
}

struct target derive_target(const struct look *look, const struct data *data,
                            enum model_output output)
{
    struct target target = {.output = output < OUTPUT_COUNT ? output : derive_output(look, data),
                            .id = TARGET_LIKELIEST};
    if (target_has_token(target.output))
        target.token = token_predicted(look, data, target.output);
    if (target.output == OUTPUT_SENTENCE)
        target.id = 0; /* there is one answer */
    else if (look->answer != NO_TOKEN && target.output != OUTPUT_START)
        target.id = (int32_t)look->answer;
    return target;
}

static size_t token_paired(const struct look *look, const struct data *data)
{
    return words_paired(look, data, derive_output(look, data));
}

/* The cursor may move while a worker measures, so the place is noted. */
static enum status prepare_effects(struct draft *draft, struct error *error)
{
    (void)error;
    draft->on = derive_target(&draft->look, &draft->data, OUTPUT_COUNT);
    draft->alone = draft->on.output == OUTPUT_SENTENCE ? draft->data.sentences : NULL;
    draft->paired = token_paired(&draft->look, &draft->data);
    return STATUS_OK;
}

/* Whether the model answers. The passes of two sentences come first, unless they were stopped. */
static bool can_be_asked(const struct look *look, const struct data *data)
{
    return data->trace && data->checkpoint && !*data_silence(data) &&
           (data->sentences || !data->stopped || derive_output(look, data) != OUTPUT_SENTENCE);
}

/* The likeliest answer is that of the network before it was changed, so that the figures stay on
 * one while heads are switched off. */
static enum status find_target(const struct draft *draft, struct target *target,
                               struct error *error)
{
    const struct data *data = &draft->data;
    double logprob;
    *target = draft->on;
    if (target->id != TARGET_LIKELIEST || !data_before(data))
        return STATUS_OK;
    struct target_source source = target_source_of(data->checkpoint, data->encoded, NULL);
    source.trace = encoded_speaker(data->unchanged)->trace;
    return target_ask(&source, target, &logprob, error);
}

/* The likeliest answer is known only after measuring, so it is compared by what it turned out to
 * be. */
static bool is_on(struct target wanted, const struct target *on, const struct target *likeliest)
{
    const bool open = wanted.id == TARGET_LIKELIEST;
    return wanted.output == on->output &&
           (!target_has_token(on->output) || wanted.token == on->token) &&
           (open ? on->id == likeliest->id && on->token == likeliest->token &&
                       on->end == likeliest->end
                 : wanted.id == on->id);
}

static bool is_same_target(const struct draft *draft, const struct session *session)
{
    const struct target now = derive_target(&session->state.look, &session->data, OUTPUT_COUNT);
    return now.output == draft->on.output && now.token == draft->on.token && now.id == draft->on.id;
}

/* ---- What became of the answer after a change of the network ---- */

/* The answer to what the text asks for, in its own pass: behind the first [MASK], of a model that
 * predicts the next word after the last token, and whatever is said of the whole text. False: it
 * asks for nothing. */
static bool is_asked(const struct data *data, struct target *on)
{
    *on = (struct target){.output = data->says};
    if (*data_silence(data) || data->says == OUTPUT_TAGS || data->says == OUTPUT_RTD ||
        data->says == OUTPUT_SENTENCE)
        return false;
    if (target_is_word(data->says))
        on->token = data->says == OUTPUT_LM ? encoded_speaker(data->encoded)->trace->tokens - 1
                                            : words_masked(data);
    return on->token != NO_TOKEN;
}

static bool wants_before_after(const struct look *look, const struct data *data)
{
    struct target on;
    (void)look;
    return data->trace && data_before(data) && data->checkpoint && !data->before_after &&
           is_asked(data, &on);
}

/* Multiply-adds that may hold the keyboard up. */
#define BEFORE_AFTER_AT_ONCE 100e6

static double cost_of_before_after(const struct draft *draft)
{
    const struct trace *trace = draft->data.trace;
    const double hidden = (double)trace->hidden, words = (double)trace->vocabulary;
    return 2 * hidden * (hidden + words) / BEFORE_AFTER_AT_ONCE;
}

static enum status make_before_after(struct draft *draft, struct error *error)
{
    struct data *data = &draft->data;
    struct target_source now = target_source_of(data->checkpoint, data->encoded, NULL),
                         before = now;
    struct target on;
    is_asked(data, &on);
    before.trace = encoded_speaker(data->unchanged)->trace;
    return before_after_measure(&now, &before, &on, data->stacks.layers[1] > 0, &data->before_after,
                                error);
}

const struct derived derived_before_after = {REQUESTED(NULL, before_after),
                                             .release = free,
                                             .sources = SOURCE_TRACE | SOURCE_BEFORE,
                                             .until_stopped = true,
                                             .wants = wants_before_after,
                                             .cost = cost_of_before_after,
                                             .make = make_before_after};

/* ---- Heads ---- */

static bool wants_effects(const struct look *look, const struct data *data)
{
    return !data->effects && look->metric == METRIC_EFFECT && derived_shows(look, SHOWN_METRICS) &&
           can_be_asked(look, data);
}

/* A pass for each head, from its layer on. */
static enum status make_effects(struct draft *draft, struct error *error)
{
    struct data *data = &draft->data;
    const struct target_source source =
        target_source_of(data->checkpoint, data->encoded, draft->alone);
    struct target target;
    if (find_target(draft, &target, error) != STATUS_OK ||
        effects_measure(&source, &target, draft->watch, &data->effects, error) != STATUS_OK)
        return error->status;
    if (draft->on.id == TARGET_LIKELIEST)
        data->effects->likeliest = target.id == TARGET_LIKELIEST ? data->effects->on : target;
    return STATUS_OK;
}

static bool effects_serve(const struct look *look, const struct data *data)
{
    return is_on(derive_target(look, data, OUTPUT_COUNT), &data->effects->on,
                 &data->effects->likeliest);
}

const struct derived derived_effects = {REQUESTED("measuring heads", effects),
                                        .release = free,
                                        .sources = SOURCE_TRACE,
                                        .passes = true,
                                        .wants = wants_effects,
                                        .prepare = prepare_effects,
                                        .make = make_effects,
                                        .is_same = is_same_target,
                                        .serves = effects_serve,
                                        .fail = derived_fail_heads};

/* ---- Words ---- */

/* Pairs of another word than the chosen one; those of a word that is no longer chosen stay. */
static bool has_other_pairs(const struct look *look, const struct data *data)
{
    const size_t paired = token_paired(look, data);
    return paired != NO_TOKEN &&
           word_effects_at(data->word_effects, paired) != data->word_effects->paired;
}

/* What is known of each word stays on screen while pairs are measured. */
static bool wants_word_effects(const struct look *look, const struct data *data)
{
    return look->without != WORDS_KEPT && view_at(look->view)->speaks && can_be_asked(look, data) &&
           (!data->word_effects || has_other_pairs(look, data));
}

/* A pass for each word. */
static enum status make_word_effects(struct draft *draft, struct error *error)
{
    struct data *data = &draft->data;
    const struct encoded *read = encoded_attended(data->encoded);
    const struct target_source source = target_source_of(draft->checkpoint, read, draft->alone);
    const struct word_question question = {draft->look.without,
                                           tokenizer_mask(draft->checkpoint->tokenizer),
                                           &read->sides[SIDE_LEFT], draft->paired};
    struct target target;
    if (find_target(draft, &target, error) != STATUS_OK ||
        word_effects_measure(&source, &question, &target, draft->watch, &data->word_effects,
                             error) != STATUS_OK)
        return error->status;
    if (draft->on.id == TARGET_LIKELIEST)
        data->word_effects->likeliest = data->word_effects->on;
    return STATUS_OK;
}

static bool is_same_question(const struct draft *draft, const struct session *session)
{
    const struct look *look = &session->state.look;
    return is_same_target(draft, session) && look->without == draft->look.without &&
           token_paired(look, &session->data) == draft->paired;
}

static bool word_effects_serve(const struct look *look, const struct data *data)
{
    const struct word_effects *effects = data->word_effects;
    return look->without == effects->way &&
           is_on(derive_target(look, data, OUTPUT_COUNT), &effects->on, &effects->likeliest);
}

static void fail_word_effects(struct session *session)
{
    session->state.look.without = WORDS_KEPT;
}

const struct derived derived_word_effects = {REQUESTED("leaving out words", word_effects),
                                             .release = free,
                                             .sources = SOURCE_TRACE,
                                             .passes = true,
                                             .wants = wants_word_effects,
                                             .prepare = prepare_effects,
                                             .make = make_word_effects,
                                             .is_same = is_same_question,
                                             .serves = word_effects_serve,
                                             .fail = fail_word_effects};
