/* gather.c: texts wait until they are enough for a pass together (batch.h), which is what makes
 * short ones cheap; what each head does is added while its layer is computed, so that nothing is
 * kept. Digests of the model and its pieces make sure that only what belongs together is added up.
 */
#include "headlight/survey/gather.h"

#include "headlight/base/incbin.h"
#include "headlight/base/memory.h"
#include "headlight/survey/batch_queue.h"

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

enum status gather_begin(const struct checkpoint *checkpoint, const struct gather_plan *plan,
                         struct survey **survey, struct error *error)
{
    const enum site site = checkpoint->decoder ? plan->site : SITE_ONLY;
    const struct config *config = &checkpoint_stack(checkpoint, site)->model->config;
    const struct intervene_stacks stacks = checkpoint_stacks(checkpoint);
    const struct survey_key shard = {.kind = ROW_SHARD,
                                     .names[0] = text_of_string(plan->corpus),
                                     .numbers = {(int64_t)plan->part, (int64_t)plan->parts}};
    static const struct interventions none;
    char digests[3][SHA256_DIGITS + 1];
    struct buffer buffer;
    *survey = NULL;
    if (buffer_open(&buffer)) {
        fputs(plan->options, buffer.stream);
        interventions_write(plan->changes ? plan->changes : &none, &stacks, buffer.stream);
    }
    char *options = buffer_close(&buffer);
    if (!options)
        return error_memory(error, "the survey", sizeof buffer);
    if (!plan->begun) {
        model_digest(checkpoint->model, digests[0]);
        gather_digest_pieces(checkpoint->tokenizer, digests[1]);
    }
    if (plan->against)
        model_digest(plan->against->model, digests[2]);
    /* of the options without the ", " in front of the first */
    const char *const origin[SURVEY_ORIGINS] = {checkpoint->name,
                                                digests[0],
                                                digests[1],
                                                kernels_now()->bits,
                                                *options ? options + 2 : options,
                                                plan->against ? digests[2] : NULL};
    enum status status = survey_new(site, plan->index ? 0 : config->layers,
                                    plan->index ? 0 : config->heads, survey, error);
    if (status == STATUS_OK && plan->begun)
        status = survey_name_origin(*survey, (const char *const *)plan->begun->origin.all, error);
    if (status == STATUS_OK)
        status = survey_name_origin(*survey, origin, error);
    free(options);
    if (status == STATUS_OK && !survey_insert(*survey, &shard, error))
        status = error->status;
    if (status == STATUS_OK && config->causal && site != SITE_CROSS && !plan->index)
        status = survey_want_beside(*survey, error);
    if (status == STATUS_OK && plan->each_head)
        status = survey_want(*survey, METRIC_EFFECT, error);
    if (status == STATUS_OK && plan->against)
        status = survey_want(*survey, METRIC_MOVED, error);
    if (status != STATUS_OK) {
        survey_free(*survey);
        *survey = NULL;
    }
    return status;
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

enum status gather_add(struct gather *gather, const struct corpus_text *text,
                       struct encoding *encoding, struct encoding *target,
                       const struct interventions *changes, struct error *error)
{
    const struct checkpoint *checkpoint = gather->checkpoint;
    const struct checkpoint *stack = checkpoint_stack(checkpoint, gather->survey->site);
    const struct survey_target read = {stack->tokenizer, target};
    const bool crosses = gather->survey->site == SITE_CROSS;
    gather->survey->past =
        !crosses && (stack->model->config.causal || (changes && changes->causal));
    enum status status =
        survey_prepare(gather->survey, text, (crosses ? checkpoint : stack)->tokenizer,
                       target && !crosses ? target : encoding, crosses ? &read : NULL,
                       &gather->rows[gather->count], error);
    struct trace *source = &gather->sources[gather->count];
    gather->count += status == STATUS_OK;
    if (status == STATUS_OK && target) { /* it attends to what is computed with all that wait */
        const size_t hidden = checkpoint->model->config.hidden;
        *source = (struct trace){.tokens = encoding->count};
        source->final = memory_new(source->tokens * hidden, sizeof(float), 0, "a source", error);
        status = source->final ? queue_add(&gather->targets, target, source, changes, error)
                               : error->status;
    }
    if (status == STATUS_OK)
        status = queue_add(&gather->queue, encoding, NULL, changes, error);
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
    const struct config *config = &checkpoint->model->config;
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
    const struct config *config = &checkpoint->decoder->model->config;
    if (text->text_count < 2)
        return error_set(error, STATUS_FORMAT,
                         "expected a source and target (\"a\", \"b\" in .jsonl), found no target");
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

INCLUDE_FILE(example_corpus, "assets/corpus/english.conllu");

/* Layers, which a pass counts, are no progress here. */
static bool watch_without_progress(void *context, size_t done, size_t total)
{
    const struct watch *watch = context;
    (void)done;
    (void)total;
    return !watch || watch->step_done(watch->context, 0, 0);
}

/* From where the survey begins, as what was read after it may have been dropped: one pass. */
static enum status gather_some(const struct gather_source *source, const struct watch *watch,
                               struct survey *survey, struct error *error)
{
    const struct watch inner = {watch_without_progress, (void *)watch};
    const struct gather_reading how = {.special = source->special};
    const struct corpus_text *text;
    struct encoding *encoding;
    struct gather *gather;
    size_t tokens;
    enum status status = corpus_back(source->corpus, survey->begin, error);
    if (status != STATUS_OK || gather_new(source->checkpoint, survey, &gather, error) != STATUS_OK)
        return error->status;
    gather->queue.batch.watch = &inner;
    do {
        status = corpus_next(source->corpus, &text, error);
        survey->whole = !text && status == STATUS_OK;
        if (text && status == STATUS_OK)
            status = gather_encode(gather->checkpoint, text, how, &encoding, &tokens, error);
        if (survey->whole) {
            status = gather_end(gather, error);
        } else if (text && (status == STATUS_LIMIT || status == STATUS_FORMAT)) {
            survey_count_refused(survey, status == STATUS_LIMIT, status == STATUS_FORMAT);
            status = STATUS_OK;
        } else if (status == STATUS_OK) {
            status = gather_add(gather, text, encoding, NULL, &source->changes, error);
        }
    } while (status == STATUS_OK && !survey->whole &&
             (gather->count > 0 || survey_total(survey, SURVEY_TEXTS) == 0));
    gather_free(gather);
    survey->next = corpus_here(source->corpus);
    return status;
}

enum status gather_more(const struct gather_source *given, const struct watch *watch,
                        struct survey **survey, struct error *error)
{
    struct gather_source source = *given;
    struct survey *more = NULL;
    enum status status = STATUS_OK;
    const struct corpus_choice all = {.parts = 1,
                                      .bytes = text_of_string((const char *)example_corpus_begin)};
    if (!source.corpus)
        status = corpus_open("english.conllu", &all, &source.corpus, error);
    if (status == STATUS_OK) {
        const struct corpus_choice choice = corpus_chosen(source.corpus);
        const struct gather_plan plan = {.corpus = corpus_name(source.corpus),
                                         .part = choice.part,
                                         .parts = choice.parts,
                                         .options = "",
                                         .changes = &source.changes,
                                         .begun = *survey};
        status = gather_begin(source.checkpoint, &plan, &more, error);
    }
    if (status == STATUS_OK && more) { /* NULL only for an analyser */
        more->changes = source.changes;
        if (*survey)
            more->begin = (*survey)->next;
        status = gather_some(&source, watch, more, error);
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
