/* gather.c: texts wait until they are enough for a pass together (batch.h), which is what makes
 * short ones cheap; what each head does is added while its layer is computed, so that nothing is
 * kept. Digests of the model and its pieces make sure that only what belongs together is added up.
 */
#include "headlight/survey/gather.h"

#include "headlight/base/format.h"
#include "headlight/base/incbin.h"
#include "headlight/base/memory.h"
#include "headlight/base/watch.h"
#include "headlight/model/encoded.h"
#include "headlight/survey/batch_queue.h"
#include "headlight/tensor/kernels.h"

#include <stdlib.h>
#include <string.h>

/* ---- Which model and which texts a survey is of ---- */

/* Every piece and a line end, by their ids: of a WordPiece model the digest of its vocab.txt. */
void gather_digest_pieces(const struct tokenizer *tokenizer, char digest[SHA256_DIGITS + 1])
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    for (size_t id = 0; id < tokenizer_size(tokenizer); id++) {
        const char *piece = tokenizer_piece(tokenizer, (int32_t)id);
        sha256_update(&hash, strlen(piece), (const uint8_t *)piece);
        sha256_update(&hash, 1, (const uint8_t *)"\n");
    }
    sha256_write(&hash, digest);
}

static enum status name_origin(struct survey_origin *origin, const struct checkpoint *checkpoint,
                               const struct gather_plan *plan, struct error *error)
{
    char model[SHA256_DIGITS + 1], pieces[SHA256_DIGITS + 1];
    static const struct interventions none;
    struct buffer buffer;
    if (buffer_open(&buffer)) {
        fputs(plan->options, buffer.stream);
        const struct intervene_stacks stacks = checkpoint_stacks(checkpoint);
        interventions_write(plan->changes ? plan->changes : &none, &stacks, buffer.stream);
    }
    char *options = origin->options = buffer_close(&buffer);
    if (!options)
        error_memory(error, "the survey", sizeof buffer);
    else if (*options)
        memmove(options, options + 2, strlen(options + 2) + 1); /* without the first ", " */
    model_digest(checkpoint->model, model);
    gather_digest_pieces(checkpoint->tokenizer, pieces);
    origin->model = memory_print(error, "%s", checkpoint->name);
    origin->digest = memory_print(error, "%s", model);
    origin->tokenizer = memory_print(error, "%s", pieces);
    origin->kernels = memory_print(error, "%s", kernels_now()->bits);
    if (plan->against) {
        model_digest(plan->against->model, model);
        origin->against = memory_print(error, "%s", model);
    }
    return origin->model && origin->digest && origin->tokenizer && origin->kernels &&
                   origin->options && (origin->against || !plan->against)
               ? STATUS_OK
               : error->status;
}

enum status gather_begin(const struct checkpoint *checkpoint, const struct gather_plan *plan,
                         struct survey **survey, struct error *error)
{
    const enum site site = checkpoint->decoder ? plan->site : SITE_ONLY;
    const struct config *config = model_config(checkpoint_stack(checkpoint, site)->model);
    const struct survey_key shard = {.kind = ROW_SHARD,
                                     .names[0] = text_of_string(plan->corpus),
                                     .numbers = {(int64_t)plan->part, (int64_t)plan->parts}};
    if (survey_new(site, plan->index ? 0 : config->layers, plan->index ? 0 : config->heads, survey,
                   error) == STATUS_OK &&
        name_origin(&(*survey)->origin, checkpoint, plan, error) == STATUS_OK &&
        survey_insert(*survey, &shard, error) &&
        (!plan->each_head || survey_want(*survey, SURVEY_EFFECT, error) == STATUS_OK) &&
        (!plan->against || survey_want(*survey, SURVEY_MOVED, error) == STATUS_OK))
        return STATUS_OK;
    survey_free(*survey);
    *survey = NULL;
    return error->status;
}

/* ---- Texts that wait ---- */

struct gather {
    const struct checkpoint *checkpoint;
    struct survey *survey;
    struct batch_queue queue, targets; /* of a decoder's texts the sources, and these */
    struct trace sources[QUEUE_MAX];   /* what the encoder made of them: tokens and last rows */
    struct text_rows *rows[QUEUE_MAX]; /* of those that wait */
    size_t count;
};

/* A decoder has two attentions. */
static void take_weights(void *context, size_t text, const struct trace *trace, size_t layer,
                         size_t head)
{
    const struct gather *gather = context;
    if (trace->site == gather->survey->site)
        survey_add_head(gather->survey, gather->rows[text], trace, layer, head);
}

static void take_source(void *context, size_t text, const struct trace *trace, size_t layer)
{
    struct gather *gather = context;
    if (layer + 1 == trace->layers)
        memcpy(gather->sources[text].final, trace_last_rows(trace),
               trace->tokens * trace->hidden * sizeof(float));
}

enum status gather_new(const struct checkpoint *checkpoint, struct survey *survey,
                       struct gather **result, struct error *error)
{
    struct gather *gather = *result = memory_new(1, sizeof *gather, 0, "the survey", error);
    if (!gather)
        return error->status;
    gather->checkpoint = checkpoint;
    gather->survey = survey;
    const struct batch batch = {.model = checkpoint_stack(checkpoint, survey->site)->model,
                                .take = {.context = gather, .weights = take_weights}};
    gather->queue.batch = batch;
    if (batch.model == checkpoint->model)
        return STATUS_OK;
    gather->targets.batch = batch;
    gather->queue.batch = (struct batch){.model = checkpoint->model,
                                         .take = {.context = gather, .hidden = take_source}};
    return STATUS_OK;
}

/* Finishes those that wait, computed or not. */
static enum status release_batch(struct gather *gather, enum status status, struct error *error)
{
    struct error later;
    while (gather->count > 0) {
        free(gather->sources[--gather->count].final);
        if (survey_finish(gather->survey, gather->rows[gather->count], &later) != STATUS_OK &&
            status == STATUS_OK) {
            *error = later;
            status = later.status;
        }
    }
    return status;
}

enum status gather_end(struct gather *gather, struct error *error)
{
    const enum status status = queue_run(&gather->queue, error);
    return release_batch(gather, status == STATUS_OK ? queue_run(&gather->targets, error) : status,
                         error);
}

/* What the decoder attends to: computed with all others that wait. */
static enum status add_pair(struct gather *gather, const struct encoding *encoding,
                            const struct encoding *target, const struct interventions *changes,
                            struct error *error)
{
    const size_t tokens = encoding->count, hidden = model_config(gather->checkpoint->model)->hidden;
    struct trace *source = &gather->sources[gather->count - 1];
    *source = (struct trace){.tokens = tokens};
    source->final = memory_new(tokens * hidden, sizeof(float), 0, "a source", error);
    return source->final &&
                   queue_add(&gather->queue, encoding, NULL, changes, error) == STATUS_OK &&
                   queue_add(&gather->targets, target, source, changes, error) == STATUS_OK
               ? STATUS_OK
               : error->status;
}

enum status gather_add(struct gather *gather, const struct corpus_text *text,
                       struct encoding *encoding, struct encoding *target,
                       const struct interventions *changes, struct error *error)
{
    const struct checkpoint *checkpoint = gather->checkpoint;
    const struct checkpoint *stack = checkpoint_stack(checkpoint, gather->survey->site);
    const struct survey_target read = {stack->tokenizer, target};
    const bool crosses = gather->survey->site == SITE_CROSS;
    gather->survey->past =
        !crosses && (model_config(stack->model)->causal || (changes && changes->causal));
    enum status status =
        survey_prepare(gather->survey, text, (crosses ? checkpoint : stack)->tokenizer,
                       target && !crosses ? target : encoding, crosses ? &read : NULL,
                       &gather->rows[gather->count], error);
    if (status == STATUS_OK) {
        gather->count++;
        status = target ? add_pair(gather, encoding, target, changes, error)
                        : queue_add(&gather->queue, encoding, NULL, changes, error);
    }
    free(encoding);
    free(target);
    return status == STATUS_OK && (queue_is_full(&gather->queue) || queue_is_full(&gather->targets))
               ? gather_end(gather, error)
               : status;
}

void gather_free(struct gather *gather)
{
    struct error error;
    if (!gather)
        return;
    release_batch(gather, STATUS_OK, &error);
    queue_free(&gather->queue);
    queue_free(&gather->targets);
    free(gather);
}

/* Models of sentences cut what is too long for them. What no model could read is refused by the
 * same sentence as one text alone. */
enum status gather_encode(const struct checkpoint *checkpoint, const struct corpus_text *text,
                          struct gather_reading how, struct encoding **encoding, size_t *whole,
                          struct error *error)
{
    const struct config *config = model_config(checkpoint->model);
    const size_t longest = encoded_longest(config, text->text_count);
    const size_t count = checkpoint->decoder ? 1 : text->text_count;
    enum status status =
        tokenizer_encode(checkpoint->tokenizer, text->texts, count, how.special, encoding, error);
    if (status != STATUS_OK)
        return status;
    *whole = (*encoding)->count;
    if (*whole == 0)
        status = error_set(error, STATUS_FORMAT, "the text has no tokens");
    else if (*whole > longest && !how.whole && !how.cut && !encoded_cuts(config))
        status = forward_check_length(config, *whole, error);
    else if (*whole > longest && !how.whole && !encoding_cut(*encoding, longest))
        status = error_set(error, STATUS_LIMIT, "the model has no positions for any word");
    if (status != STATUS_OK)
        free(*encoding);
    return status;
}

enum status gather_encode_target(const struct checkpoint *checkpoint,
                                 const struct corpus_text *text, bool special,
                                 struct encoding **target, struct error *error)
{
    const struct config *config = model_config(checkpoint->decoder->model);
    if (text->text_count < 2)
        return error_set(error, STATUS_FORMAT,
                         "expected a source as \"a\" and a target as \"b\", found no target");
    if (tokenizer_encode(checkpoint->decoder->tokenizer, &text->texts[1], 1, special, target,
                         error) != STATUS_OK)
        return error->status;
    if (encoded_begin_target(target, config, true, error) == STATUS_OK &&
        forward_check_length(config, (*target)->count, error) == STATUS_OK)
        return STATUS_OK;
    free(*target);
    *target = NULL;
    return error->status;
}

/* ---- Bit by bit ----------------------------------------------------------------------------- */

#define SLICE_MS 250 /* so the picture moves a few times a second */

INCLUDE_FILE(example_corpus, "assets/corpus/english.conllu");

/* Runs whole passes until the time is up, but at least one. */
static enum status add_some(struct gather *gather, const struct gather_source *source,
                            double milliseconds, struct error *error)
{
    const double end = clock_milliseconds() + milliseconds;
    const struct gather_reading how = {.special = source->special};
    const struct corpus_text *text;
    struct encoding *encoding;
    size_t tokens;
    for (;;) {
        enum status status = corpus_next(source->corpus, &text, error);
        gather->survey->whole = !text && status == STATUS_OK;
        if (gather->survey->whole)
            return gather_end(gather, error);
        if (status == STATUS_OK)
            status = gather_encode(gather->checkpoint, text, how, &encoding, &tokens, error);
        if (text && (status == STATUS_LIMIT || status == STATUS_FORMAT))
            survey_count_refused(gather->survey, status == STATUS_LIMIT, status == STATUS_FORMAT);
        else if (status != STATUS_OK ||
                 gather_add(gather, text, encoding, NULL, &source->changes, error) != STATUS_OK)
            return error->status;
        if (gather->count == 0 && survey_total(gather->survey, SURVEY_TEXTS) > 0 &&
            clock_milliseconds() >= end)
            return STATUS_OK;
    }
}

/* Layers, which a pass counts, are no progress here. */
static bool watch_without_progress(void *context, size_t done, size_t total)
{
    const struct watch *watch = context;
    (void)done;
    (void)total;
    return !watch || watch->step_done(watch->context, 0, 0);
}

/* From where the survey begins: what was read after it may have been dropped. */
static enum status gather_some(const struct gather_source *source, const struct watch *watch,
                               struct survey *survey, double milliseconds, struct error *error)
{
    const struct watch inner = {watch_without_progress, (void *)watch};
    struct gather *gather;
    if (corpus_back(source->corpus, survey->begin, error) != STATUS_OK ||
        gather_new(source->checkpoint, survey, &gather, error) != STATUS_OK)
        return error->status;
    gather->queue.batch.watch = &inner;
    const enum status status = add_some(gather, source, milliseconds, error);
    gather_free(gather);
    survey->next = corpus_here(source->corpus);
    survey_prune(survey);
    return status;
}

/* Of the same model and shard. */
static enum status begin_after(const struct survey *before, struct survey **result,
                               struct error *error)
{
    enum status status = survey_new(SITE_ONLY, before->layers, before->heads, result, error);
    for (size_t i = 0; i < SURVEY_ORIGINS && status == STATUS_OK; i++)
        if (before->origin.all[i] &&
            !((*result)->origin.all[i] = memory_print(error, "%s", before->origin.all[i])))
            status = error->status;
    if (status == STATUS_OK &&
        !survey_insert(*result, &survey_at(before, ROW_SHARD, 0)->key, error))
        status = error->status;
    if (status == STATUS_OK)
        (*result)->begin = before->next;
    return status;
}

enum status gather_more(const struct gather_source *given, const struct watch *watch,
                        struct survey **survey, struct error *error)
{
    struct gather_source source = *given;
    struct survey *more = NULL;
    enum status status = STATUS_OK;
    if (!source.corpus)
        status =
            corpus_from_memory("english.conllu", text_of_string((const char *)example_corpus_begin),
                               &source.corpus, error);
    if (status == STATUS_OK && *survey) {
        status = begin_after(*survey, &more, error);
    } else if (status == STATUS_OK) {
        const struct corpus_choice choice = corpus_chosen(source.corpus);
        const struct gather_plan plan = {.corpus = corpus_name(source.corpus),
                                         .part = choice.part,
                                         .parts = choice.parts,
                                         .options = "",
                                         .changes = &source.changes};
        status = gather_begin(source.checkpoint, &plan, &more, error);
    }
    if (status == STATUS_OK && more) { /* NULL only for an analyser */
        more->changes = source.changes;
        status = gather_some(&source, watch, more, *survey ? SLICE_MS : 0, error);
    }
    if (!given->corpus)
        corpus_close(source.corpus);
    if (status == STATUS_OK)
        *survey = more;
    else
        survey_free(more);
    return status;
}

enum status gather_join(struct survey *survey, struct survey **more, struct error *error)
{
    const bool first = !survey && (*more)->begin.number == 0;
    const bool follows = survey && survey->next.number == (*more)->begin.number &&
                         strcmp(survey->origin.options, (*more)->origin.options) == 0;
    if (first)
        return STATUS_OK;
    if (follows && survey_append(survey, *more, error) != STATUS_OK)
        return error->status;
    if (follows) {
        survey->next = (*more)->next;
        survey->whole = (*more)->whole;
    }
    survey_free(*more);
    *more = NULL;
    return STATUS_OK;
}
