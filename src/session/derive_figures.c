/* derive_figures.c: numbers for each head, metrics of its attention and how far it moved; and the
 * lens, what each layer predicts at the tokens. */
#include "headlight/session/derive.h"
#include "headlight/view/answers.h"
#include "headlight/view/comparison.h"

#include <stdlib.h>

/* Multiply-adds for the questions about one text that may hold the keyboard up, by and by. */
#define WORDS_AT_ONCE 100e6

void derived_fail_heads(struct session *session)
{
    session->state.look.metric = METRIC_NONE;
    session->state.look.effect_sought = 0;
    session->state.look.sorted = false;
}

/* ---- Metrics ---- */

/* Number of weights for which all heads' metrics take a few milliseconds. */
#define METRICS_AT_ONCE 400e3

/* Effects and what moved have rows of their own, as they need passes. */
static bool wants_metrics(const struct look *look, const struct data *data)
{
    return data->trace && !data->metrics && look->metric != METRIC_NONE &&
           look->metric < METRIC_EFFECT && derived_shows(look, SHOWN_METRICS);
}

/* In proportion to the number of weights, L·A·T². */
static double cost_of_metrics(const struct draft *draft)
{
    const struct trace *trace = draft->data.trace;
    return (double)trace->layers * (double)trace->heads * (double)trace->tokens *
           (double)trace->attended / METRICS_AT_ONCE;
}

static enum status make_metrics(struct draft *draft, struct error *error)
{
    return metrics_measure_all(draft->data.trace, &draft->data.encoded->kinds, draft->watch,
                               &draft->data.metrics, error);
}

const struct derived derived_metrics = {REQUESTED("measuring heads", metrics),
                                        .release = free,
                                        .sources = SOURCE_TRACE,
                                        .wants = wants_metrics,
                                        .cost = cost_of_metrics,
                                        .make = make_metrics,
                                        .fail = derived_fail_heads};

/* ---- How far they are from the other model's ---- */

static bool wants_divergence(const struct look *look, const struct data *data)
{
    return data->trace && !data->divergence && look->metric == METRIC_MOVED &&
           derived_shows(look, SHOWN_METRICS) && data_against(data) &&
           comparison_other(data, data->encoded->site);
}

static enum status make_divergence(struct draft *draft, struct error *error)
{
    const struct data *data = &draft->data;
    return divergence_measure(data->trace, comparison_other(data, data->encoded->site),
                              draft->watch, &draft->data.divergence, error);
}

const struct derived derived_divergence = {REQUESTED("measuring heads", divergence),
                                           .release = free,
                                           .sources = SOURCE_TRACE | SOURCE_COMPARED,
                                           .wants = wants_divergence,
                                           .cost = cost_of_metrics,
                                           .make = make_divergence,
                                           .fail = derived_fail_heads};

/* ---- The lens ----
 *
 * Reading it is slow with a large vocabulary, so in an interactive session it is read in portions
 * from the chosen token on. */

/* Only in views that show words or tags, and for models that say some. */
static bool shows_lens(const struct look *look, const struct data *data)
{
    const enum answers kind = answers_shown(look, data);
    return view_at(look->view)->speaks && (kind == ANSWERS_WORDS || kind == ANSWERS_TAGS);
}

/* One is read of tags, the other of words, where a model has both. */
static bool lens_serves(const struct look *look, const struct data *data)
{
    return data->lens->tags == (answers_shown(look, data) == ANSWERS_TAGS);
}

/* The next token to read, from the chosen one on and wrapping round; a token is read in all
 * layers or in none. The number of tokens when all are read. */
static size_t token_to_read(const struct look *look, const struct data *data)
{
    const size_t chosen = look->from < data->tokens ? look->from : 0;
    for (size_t i = 0; i < data->tokens; i++) {
        const size_t token = (chosen + i) % data->tokens;
        if (!data->lens || !lens_serves(look, data) || data->lens[token].count == 0)
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

/* A token and as many around it as can be read within a few frames. The lens is empty, with the
 * pieces that are in the text (also under masks), or that come next; no text has tags. Existing
 * readings are copied, as they may be freed while a worker reads on. */
static enum status prepare_lens(struct draft *draft, struct error *error)
{
    struct data *data = &draft->data;
    const struct trace *trace = data->trace;
    const struct encoding *encoding = data->encoded->encoding;
    const struct lens_cell *before =
        data->lens && lens_serves(&draft->look, data) ? data->lens : NULL;
    const double hidden = (double)trace->hidden, words = (double)trace->vocabulary;
    const double cost = (double)trace->layers * hidden * (hidden + words);
    const size_t count = cost < LENS_AT_ONCE ? (size_t)(LENS_AT_ONCE / cost) : 1,
                 token = token_to_read(&draft->look, data),
                 first = token - size_min(token, count / 2);
    const bool tags = answers_shown(&draft->look, data) == ANSWERS_TAGS;
    draft->area = (struct lens_area){{0, data->layers}, {0, data->tokens}};
    if (draft->interactive)
        draft->area.tokens = (struct token_range){first, size_min(first + count, trace->tokens)};
    if (logit_lens_new(trace, data->next, &data->lens, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < trace->layers * trace->tokens; i++)
        if (tags)
            data->lens[i] = (struct lens_cell){.tags = true, .id = LENS_NOTHING};
        else if (encoding && !data->next)
            data->lens[i].id = encoding->tokens[i % trace->tokens].id;
    if (before)
        memcpy(data->lens, before, data->layers * data->tokens * sizeof *before);
    return STATUS_OK;
}

/* With the predictions from before the network was changed, if known. */
static enum status make_lens(struct draft *draft, struct error *error)
{
    const struct data *data = &draft->data;
    return logit_lens_read(data->checkpoint->model, data->trace, data_before(data), &draft->area,
                           draft->watch, data->lens, error);
}

const struct derived derived_lens = {
    REQUESTED(NULL, lens),   .release = free,         .sources = SOURCE_TRACE | SOURCE_BEFORE,
    .until_stopped = true,   .wants = wants_lens,     .cost = cost_of_lens,
    .comes_with_pass = true, .prepare = prepare_lens, .make = make_lens,
    .serves = lens_serves};

/* ---- Words that formulas ask for ---- */

/* Those that are unread are the last. */
static bool wants_words(const struct look *look, const struct data *data)
{
    const struct lens_questions *asked = data->questions;
    (void)look;
    return data->trace && asked && asked->count > 0 && asked->of[asked->count - 1].cell.count == 0;
}

/* Of all questions so far: else many small delays would make a long one. */
static double cost_of_words(const struct draft *draft)
{
    const struct trace *trace = draft->data.trace;
    const double hidden = (double)trace->hidden, words = (double)trace->vocabulary;
    return (double)draft->data.questions->count * hidden * (hidden + words) / WORDS_AT_ONCE;
}

/* A copy: more may be asked while a worker answers. */
static enum status prepare_words(struct draft *draft, struct error *error)
{
    struct lens_questions *copy = malloc(sizeof *copy);
    if (!copy)
        return error_memory(error, "a lesson's words", sizeof *copy);
    *copy = *draft->data.questions;
    draft->data.questions = copy;
    return STATUS_OK;
}

static enum status make_words(struct draft *draft, struct error *error)
{
    const struct data *data = &draft->data;
    const struct model *model = data->checkpoint->model;
    enum status status =
        logit_lens_answer(model, data->trace, data->questions, draft->watch, error);
    if (status == STATUS_OK && data_before(data))
        status = logit_lens_answer(model, data_before(data), data->questions, draft->watch, error);
    return status;
}

/* What has no answer isn't asked again. */
static void fail_words(struct session *session)
{
    struct lens_questions *asked = session->data.questions;
    derived_stop(session);
    while (asked && asked->count > 0 && asked->of[asked->count - 1].cell.count == 0)
        asked->count--;
}

const struct derived derived_words = {REQUESTED("predicting", questions),
                                      .release = free,
                                      .sources = SOURCE_TRACE | SOURCE_BEFORE,
                                      .until_stopped = true,
                                      .wants = wants_words,
                                      .cost = cost_of_words,
                                      .prepare = prepare_words,
                                      .make = make_words,
                                      .fail = fail_words};

static struct lens_question *find_question(const struct data *data, const struct trace *trace,
                                           size_t token, int32_t id)
{
    struct lens_questions *asked = data->questions;
    for (size_t i = 0; asked && i < asked->count; i++)
        if (asked->of[i].trace == trace && asked->of[i].token == token &&
            asked->of[i].cell.id == id)
            return &asked->of[i];
    return NULL;
}

const struct lens_cell *derive_ask_words(struct session *session, const struct trace *trace,
                                         size_t token, int32_t id)
{
    struct data *data = &session->data;
    struct error error;
    if (!find_question(data, trace, token, id) && !data->stopped) {
        struct lens_questions *asked = data->questions;
        if (!asked)
            asked = data->questions = calloc(1, sizeof *asked);
        if (asked) { /* without room those of earlier steps are dropped; they can be asked again */
            asked->count %= LENS_ROWS;
            asked->of[asked->count++] = (struct lens_question){trace, token, {.id = id}};
        }
        if (!asked || derive_look(session, &session->state.look, &error) != STATUS_OK)
            fail_words(session);
    }
    const struct lens_question *found = find_question(data, trace, token, id);
    return found && found->cell.count > 0 ? &found->cell : NULL;
}
