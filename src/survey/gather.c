/* gather.c: texts wait until they are enough for a pass together (batch.h), which is what makes
 * short ones cheap; what each head does is added while its layer is computed, so that nothing is
 * kept. */
#include "headlight/survey/gather.h"

#include "headlight/base/incbin.h"
#include "headlight/base/memory.h"
#include "headlight/base/watch.h"
#include "headlight/model/encoded.h"
#include "headlight/survey/waiting.h"

#include <stdlib.h>
#include <string.h>

struct prepared {
    struct encoding *encoding;
    struct survey_prepared *prepared;
};

struct gather {
    const struct checkpoint *checkpoint;
    struct survey *survey;
    struct batch batch;
    struct waiting waiting;
    struct prepared texts[WAITING_MAX]; /* the same, for the survey */
    size_t count;
};

static void take_weights(void *context, size_t text, const struct trace *trace, size_t layer,
                         size_t head)
{
    const struct gather *gather = context;
    survey_add_head(gather->survey, gather->texts[text].prepared, layer, head,
                    trace->layer[layer].weights + head * trace->tokens * trace->tokens);
}

enum status gather_new(const struct checkpoint *checkpoint, struct survey *survey,
                       struct gather **result, struct error *error)
{
    struct gather *gather = *result = memory_new(1, sizeof *gather, 0, "the survey", error);
    if (!gather)
        return error->status;
    gather->checkpoint = checkpoint;
    gather->survey = survey;
    gather->batch = (struct batch){.model = checkpoint->model,
                                   .take = {.context = gather, .weights = take_weights}};
    return STATUS_OK;
}

/* Finishes those that wait, computed or not. */
static enum status let_go(struct gather *gather, enum status status, struct error *error)
{
    struct error later;
    for (size_t i = 0; i < gather->count; i++) {
        const struct prepared *text = &gather->texts[i];
        if (survey_finish(gather->survey, text->prepared, &later) != STATUS_OK &&
            status == STATUS_OK) {
            *error = later;
            status = later.status;
        }
        free(text->encoding);
    }
    gather->count = 0;
    return status;
}

enum status gather_end(struct gather *gather, struct error *error)
{
    return let_go(gather, waiting_run(&gather->waiting, &gather->batch, error), error);
}

/* Owns both from here on. */
static enum status wait_for_others(struct gather *gather, struct encoding *encoding,
                                   struct survey_prepared *prepared,
                                   const struct interventions *changes, struct error *error)
{
    gather->texts[gather->count++] = (struct prepared){encoding, prepared};
    if (waiting_add(&gather->waiting, encoding, changes, error) != STATUS_OK)
        return error->status;
    return waiting_is_enough(&gather->waiting) ? gather_end(gather, error) : STATUS_OK;
}

enum status gather_add(struct gather *gather, const struct corpus_text *text,
                       struct encoding *encoding, const struct interventions *changes,
                       struct error *error)
{
    struct survey_prepared *prepared;
    if ((waiting_differs(&gather->waiting, changes) && gather_end(gather, error) != STATUS_OK) ||
        survey_prepare(gather->survey, 0, text, gather->checkpoint->tokenizer, encoding, &prepared,
                       error) != STATUS_OK) {
        free(encoding);
        return error->status;
    }
    return wait_for_others(gather, encoding, prepared, changes, error);
}

void gather_free(struct gather *gather)
{
    struct error error;
    if (!gather)
        return;
    let_go(gather, STATUS_OK, &error);
    waiting_clear(&gather->waiting);
    batch_free(&gather->batch);
    free(gather);
}

/* ---- Bit by bit ----------------------------------------------------------------------------- */

#define WHILE 250 /* milliseconds: so the picture moves a few times a second */

INCLUDE_FILE(example_corpus, "assets/corpus/english.conllu");

enum status gather_example(struct corpus **corpus, struct error *error)
{
    return corpus_from_memory("english.conllu", text_of_string((const char *)example_corpus_begin),
                              corpus, error);
}

/* What a survey of all texts does with one that can't be read or is too long (texts_run.c). */
static enum status pass_over(struct survey *survey, enum status status)
{
    int64_t *all = status == STATUS_LIMIT ? &survey->too_long : &survey->refused;
    int64_t *here = status == STATUS_LIMIT ? &survey->corpora->too_long : &survey->corpora->refused;
    if (status != STATUS_LIMIT && status != STATUS_FORMAT)
        return status;
    ++*all;
    ++*here;
    return STATUS_OK;
}

/* Models of sentences cut what is too long for them. */
static enum status add_text(struct gather *gather, const struct corpus_text *text,
                            const struct gather_source *source, struct error *error)
{
    const struct config *config = model_config(gather->checkpoint->model);
    const size_t longest = encoded_longest(config, text->text_count);
    struct encoding *encoding;
    const enum status status =
        tokenizer_encode(gather->checkpoint->tokenizer, text->texts, text->text_count,
                         source->special, &encoding, error);
    if (status != STATUS_OK)
        return pass_over(gather->survey, status);
    const bool empty = encoding->count == 0;
    if (!empty &&
        (encoding->count <= longest || (encoded_cuts(config) && encoding_cut(encoding, longest))))
        return gather_add(gather, text, encoding, &source->changes, error);
    free(encoding);
    return pass_over(gather->survey, empty ? STATUS_FORMAT : STATUS_LIMIT);
}

/* To the end of the pass in which the time is over, the first of all without any. */
static enum status add_some(struct gather *gather, const struct gather_source *source,
                            double milliseconds, struct error *error)
{
    const double end = clock_milliseconds() + milliseconds;
    const struct corpus_text *text;
    for (;;) {
        enum status status = corpus_next(source->corpus, &text, error);
        gather->survey->whole = !text && status == STATUS_OK;
        if (gather->survey->whole)
            return gather_end(gather, error);
        status = text && status != STATUS_OK ? pass_over(gather->survey, status)
                 : status == STATUS_OK       ? add_text(gather, text, source, error)
                                             : status;
        if (status != STATUS_OK)
            return status;
        if (gather->count == 0 && gather->survey->texts > 0 && clock_milliseconds() >= end)
            return STATUS_OK;
    }
}

/* Layers, which a pass counts, are no progress here. */
static bool goes_on(void *context, size_t done, size_t total)
{
    const struct watch *watch = context;
    (void)done;
    (void)total;
    return !watch || watch->step_done(watch->context, 0, 0);
}

/* From the place where the sums so far end, as what was begun after it may have been dropped. */
static enum status gather_some(const struct gather_source *source, const struct watch *watch,
                               struct survey *survey, double milliseconds, struct error *error)
{
    const struct watch inner = {goes_on, (void *)watch};
    struct gather *gather;
    if (corpus_back(source->corpus, survey->next, error) != STATUS_OK ||
        gather_new(source->checkpoint, survey, &gather, error) != STATUS_OK)
        return error->status;
    gather->batch.watch = &inner;
    const enum status status = add_some(gather, source, milliseconds, error);
    gather_free(gather);
    survey->next = corpus_here(source->corpus);
    return status == STATUS_OK ? survey_sort(survey, error) : status;
}

enum status gather_more(const struct gather_source *source, const struct watch *watch,
                        const struct survey *before, struct survey **result, struct error *error)
{
    const struct corpus_choice choice = corpus_chosen(source->corpus);
    const struct gather_plan plan = {.corpus = corpus_name(source->corpus),
                                     .part = choice.part,
                                     .parts = choice.parts,
                                     .options = "",
                                     .changes = &source->changes};
    enum status status = before ? survey_copy(before, result, error)
                                : gather_begin(source->checkpoint, &plan, result, error);
    if (status != STATUS_OK)
        return status;
    (*result)->next = before ? before->next : (struct corpus_place){0};
    (*result)->changes = source->changes;
    status = gather_some(source, watch, *result, before ? WHILE : 0, error);
    if (status != STATUS_OK) {
        survey_free(*result);
        *result = NULL;
    }
    return status;
}
