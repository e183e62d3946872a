/* gather.c: texts wait until they are enough for a pass together (batch.h), which is what makes
 * short ones cheap; what each head does is added while its layer is computed, so that nothing is
 * kept. */
#include "headlight/survey/gather.h"

#include "headlight/base/incbin.h"
#include "headlight/base/memory.h"
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

enum status gather_new(const struct checkpoint *checkpoint, enum precision precision,
                       struct survey *survey, struct gather **result, struct error *error)
{
    struct gather *gather = *result = memory_new(1, sizeof *gather, 0, "the survey", error);
    if (!gather)
        return error->status;
    gather->checkpoint = checkpoint;
    gather->survey = survey;
    gather->batch = (struct batch){.model = checkpoint->model,
                                   .take = {.context = gather, .weights = take_weights},
                                   .precision = precision};
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
                                   struct survey_prepared *prepared, struct error *error)
{
    gather->texts[gather->count++] = (struct prepared){encoding, prepared};
    if (waiting_add(&gather->waiting, encoding, error) != STATUS_OK)
        return error->status;
    return waiting_is_enough(&gather->waiting) ? gather_end(gather, error) : STATUS_OK;
}

enum status gather_add(struct gather *gather, const struct corpus_text *text,
                       struct encoding *encoding, struct error *error)
{
    struct survey_prepared *prepared;
    if (survey_prepare(gather->survey, 0, text, gather->checkpoint->tokenizer, encoding, &prepared,
                       error) != STATUS_OK) {
        free(encoding);
        return error->status;
    }
    return wait_for_others(gather, encoding, prepared, error);
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

/* ---- The corpus that is linked into the program --------------------------------------------- */

INCLUDE_FILE(example_corpus, "assets/corpus/english.conllu");

#define EXAMPLE_NAME  "english.conllu"
#define EXAMPLE_TEXTS 200

static enum status add_example(struct gather *gather, const struct corpus_text *text,
                               struct error *error)
{
    const struct checkpoint *checkpoint = gather->checkpoint;
    struct encoding *encoding;
    if (tokenizer_encode(checkpoint->tokenizer, text->texts, 1, true, &encoding, error) !=
        STATUS_OK)
        return error->status;
    if (encoding->count <= model_config(checkpoint->model)->positions)
        return gather_add(gather, text, encoding, error);
    free(encoding);
    gather->survey->too_long++;
    gather->survey->corpora->too_long++;
    return STATUS_OK;
}

static enum status add_examples(struct gather *gather, struct corpus *corpus,
                                const struct watch *watch, struct error *error)
{
    const struct corpus_text *text;
    for (size_t done = 0;; done++) {
        if (corpus_next(corpus, &text, error) != STATUS_OK)
            return error->status;
        if (!text)
            return gather_end(gather, error);
        if (add_example(gather, text, error) != STATUS_OK ||
            watch_step(watch, done, EXAMPLE_TEXTS, error) != STATUS_OK)
            return error->status;
    }
}

/* INCLUDE_FILE defines the two ends of a file's bytes. */
static struct text bytes_between(const unsigned char *begin, const unsigned char *end)
{
    return (struct text){(const char *)begin, (size_t)(end - begin)};
}

enum status gather_example(const struct checkpoint *checkpoint, const struct watch *watch,
                           struct survey **result, struct error *error)
{
    const struct gather_plan plan = {
        .corpus = EXAMPLE_NAME, .parts = 1, .precision = PRECISION_SINGLE, .options = ""};
    const struct text bytes = bytes_between(example_corpus_begin, example_corpus_end);
    struct survey *survey = NULL;
    struct corpus *corpus = NULL;
    struct gather *gather = NULL;
    enum status status = gather_begin(checkpoint, &plan, &survey, error);
    if (status == STATUS_OK)
        status = corpus_from_memory(EXAMPLE_NAME, bytes, &corpus, error);
    if (status == STATUS_OK)
        status = gather_new(checkpoint, plan.precision, survey, &gather, error);
    if (status == STATUS_OK)
        status = add_examples(gather, corpus, watch, error);
    gather_free(gather);
    corpus_close(corpus);
    if (status == STATUS_OK)
        status = survey_sort(survey, error);
    if (status != STATUS_OK) {
        survey_free(survey);
        survey = NULL;
    }
    *result = survey;
    return status;
}
