/* question.c: runs copies of a text together and asks each for the same answer. A pass over a copy
 * gives the bits of a pass of its own, so a change that does nothing has an effect of exactly 0. Of
 * a source the encoder's pass is run first, and then the decoder's on each. */
#include "headlight/lens/question.h"

#include "headlight/base/memory.h"
#include "headlight/lens/predict.h"
#include "headlight/model/batch.h"

/* More copies make no pass faster, and rows of a head for words are as wide as the vocabulary. */
#define COPIES_MAX 64
#define WORD_ROWS  16

struct work {
    const struct question *question;
    struct batch batch;
    size_t done, total; /* variants */
    double *changes;
    size_t first; /* the variant in slot 0 */
    size_t count; /* of slots */
    struct variant *slots;
    int32_t *ids;          /* [slots,2T] ids and segments, T of both texts */
    unsigned char *tokens; /* encodings of spans */
    float *vectors;        /* [slots,2,W] of sentences, or [slots,T,H] the last rows of sources, */
    struct trace *sources; /* [slots] and what the decoder attends to; or [2] of two sentences */

    size_t order[2 * COPIES_MAX]; /* of a pass's texts: twice the slot, plus one of the second */
    struct head_rows *rows;       /* of a head for words: the answer's of each variant; or NULL */
    size_t rows_tokens;           /* of the texts that they are of */
    size_t read;                  /* variants whose rows went through that head */
    enum status status;           /* of asking in a pass */
    struct error *error;
};

enum status question_ask(struct question *question, struct error *error)
{
    question->likeliest = question->on;
    question->likeliest.id = TARGET_LIKELIEST;
    enum status status =
        target_ask(&question->source, &question->likeliest, &question->logprob, error);
    if (question->on.id == TARGET_LIKELIEST)
        question->on = question->likeliest;
    return status == STATUS_OK
               ? target_ask(&question->source, &question->on, &question->logprob, error)
               : status;
}

/* ---- What is taken of a pass --------------------------------------------------------------- */

/* All rows at once: the head's weights are read once for them. */
static enum status read_words(struct work *work, struct error *error)
{
    const struct question *question = work->question;
    const size_t V = question->source.trace->vocabulary;
    if (work->rows->count == 0)
        return STATUS_OK;
    const enum status status =
        forward_head(question->source.model, work->rows_tokens, work->rows, error);
    for (size_t i = 0; status == STATUS_OK && i < work->rows->count; i++) {
        const float *logits = work->rows->logits + i * V;
        work->changes[work->read++] =
            (double)logits[question->on.id] - predict_total(logits, V, NULL) - question->logprob;
    }
    work->rows->count = 0;
    return status;
}

/* Short texts are multiplied by loops of their own. */
static enum status take_word(struct work *work, size_t slot, const struct trace *trace)
{
    struct head_rows *rows = work->rows;
    const size_t H = trace->hidden, row = work->slots[slot].on.token * H;
    enum status status = STATUS_OK;
    if (rows->count == WORD_ROWS ||
        forward_is_few(trace->tokens) != forward_is_few(work->rows_tokens))
        status = read_words(work, work->error);
    work->rows_tokens = trace->tokens;
    memcpy(rows->hidden + rows->count++ * H, trace->layer[trace->layers - 1].output + row,
           H * sizeof *rows->hidden);
    return status;
}

static enum status ask_slot(const struct work *work, size_t slot, const struct trace *trace,
                            const struct trace *other)
{
    struct target_source source = work->question->source;
    double *change = &work->changes[work->first + slot];
    source.trace = trace;
    source.other = other;
    source.encoding = work->slots[slot].encoding;
    const enum status status = target_ask(&source, &work->slots[slot].on, change, work->error);
    *change -= work->question->logprob;
    return status;
}

static void take_source(void *context, size_t text, const struct trace *trace)
{
    const struct work *work = context;
    struct trace *source = &work->sources[text];
    source->tokens = trace->tokens;
    source->final =
        work->vectors + text * work->question->source.trace->memory->tokens * trace->hidden;
    memcpy(source->final, trace_last_rows(trace), trace->tokens * trace->hidden * sizeof(float));
}

static void take_outputs(void *context, size_t text, const struct trace *trace)
{
    struct work *work = context;
    const size_t at = work->order[text], W = trace->sentence;
    if (work->question->source.other)
        memcpy(work->vectors + at * W, trace->outputs[OUTPUT_SENTENCE], W * sizeof(float));
    else if (work->status == STATUS_OK)
        work->status =
            work->rows ? take_word(work, at / 2, trace) : ask_slot(work, at / 2, trace, NULL);
}

/* ---- Copies -------------------------------------------------------------------------------- */

static size_t ids_of_slot(const struct question *question)
{
    const struct trace *other = question->source.other;
    return 2 * (target_text(&question->source, 0)->tokens + (other ? other->tokens : 0));
}

static size_t encoding_bytes(const struct encoding *encoding)
{
    return sizeof *encoding + encoding->count * sizeof *encoding->tokens;
}

/* ---- Passes -------------------------------------------------------------------------------- */

/* Called for each layer of a pass: only to cancel, as progress counts variants. */
static bool layer_done(void *context, size_t done, size_t total)
{
    const struct work *work = context;
    const struct watch *watch = work->question->watch;
    (void)done, (void)total;
    return !watch || watch->step_done(watch->context, work->done, work->total);
}

/* By the encoder, and in place of each the target that the decoder reads, with the same changes. */
static enum status run_sources(struct work *work, struct batch_text *texts, size_t count,
                               struct error *error)
{
    const struct target_source *source = &work->question->source;
    const struct batch decoder = work->batch;
    work->batch.model = source->encoder;
    work->batch.take.outputs = take_source;
    const enum status status = batch_run(&work->batch, texts, count, error);
    work->batch.model = decoder.model;
    work->batch.take = decoder.take;
    work->batch.first = 0;
    for (size_t i = 0; i < count; i++)
        texts[i] = (struct batch_text){.ids = source->trace->ids,
                                       .segments = source->trace->segments,
                                       .tokens = source->trace->tokens,
                                       .source = &work->sources[i],
                                       .changes = texts[i].changes};
    return status;
}

/* Of two sentences, first all that are of the first. Asked for the vectors of both, one that is not
 * changed has that of the source. */
static enum status run_slots(struct work *work, size_t count, struct error *error)
{
    const struct question *question = work->question;
    const size_t first = work->batch.first = work->slots[0].first;
    struct batch_text texts[2 * COPIES_MAX];
    size_t used = 0;
    for (size_t i = 0; i < 2; i++)
        for (size_t slot = 0; slot < count; slot++) {
            const struct variant_text *text = &work->slots[slot].texts[i];
            if (text->tokens == 0)
                continue;
            const struct trace *trace = target_text(&question->source, i);
            work->order[used] = 2 * slot + i;
            texts[used++] = (struct batch_text){.ids = text->ids,
                                                .segments = text->segments,
                                                .tokens = text->tokens,
                                                .input = trace->layer[first].input,
                                                .source = trace->memory,
                                                .changes = &text->changes};
        }
    enum status status =
        question->source.encoder ? run_sources(work, texts, used, error) : STATUS_OK;
    status = status == STATUS_OK ? batch_run(&work->batch, texts, used, error) : status;
    status = status == STATUS_OK ? work->status : status;
    for (size_t slot = 0; slot < count && status == STATUS_OK; slot++) {
        if (question->source.other) {
            struct trace *traces = work->sources;
            traces[0] = *question->source.trace;
            traces[1] = *question->source.other;
            for (size_t i = 0; i < 2; i++)
                if (work->slots[slot].texts[i].tokens > 0)
                    traces[i].outputs[OUTPUT_SENTENCE] =
                        work->vectors + (2 * slot + i) * traces[i].sentence;
            status = ask_slot(work, slot, &traces[0], &traces[1]);
        }
        if (status == STATUS_OK)
            status = watch_step(question->watch, ++work->done, work->total, error);
    }
    return status;
}

/* Copies the source for each variant, which changes it. */
static enum status run_all(struct work *work, const struct variants *variants, struct error *error)
{
    const struct question *question = work->question;
    const struct encoding *encoding = question->source.encoding;
    enum status status = STATUS_OK;
    for (size_t count; work->first < variants->count && status == STATUS_OK; work->first += count) {
        const size_t most = size_min(work->count, variants->count - work->first);
        for (count = 0; count < most && status == STATUS_OK; count++) {
            struct variant *variant = &work->slots[count];
            int32_t *ids = work->ids + count * ids_of_slot(question);
            *variant = (struct variant){.on = question->on};
            for (size_t i = 0; i < 2 && target_text(&question->source, i); i++) {
                const struct trace *trace = target_text(&question->source, i);
                const size_t T = trace->tokens;
                variant->texts[i] =
                    (struct variant_text){ids, ids + T, T, .changes = trace->computed.changes};
                memcpy(ids, trace->ids, T * sizeof *ids);
                memcpy(ids + T, trace->segments, T * sizeof *ids);
                ids += 2 * T;
            }
            if (encoding && question->on.output == OUTPUT_START) {
                variant->encoding = (void *)(work->tokens + count * encoding_bytes(encoding));
                memcpy(variant->encoding, encoding, encoding_bytes(encoding));
            }
            status = variants->change(variants->context, work->first + count, variant, error);
            if (variant->first != work->slots[0].first)
                break;
        }
        if (status == STATUS_OK)
            status = run_slots(work, count, error);
    }
    return status == STATUS_OK && work->rows ? read_words(work, error) : status;
}

enum status question_vary(const struct question *question, const struct variants *variants,
                          double *changes, struct error *error)
{
    static const char what[] = "copies of a text";
    const struct trace *trace = question->source.trace, *other = question->source.other;
    const struct trace *memory = question->source.encoder ? trace->memory : NULL;
    const struct encoding *encoding = question->source.encoding;
    const size_t beside = memory ? memory->tokens : other ? other->tokens : 1;
    const size_t most = batch_rows() / size_max(trace->tokens, beside);
    const size_t numbers = memory ? memory->tokens * memory->hidden : 2 * trace->sentence;
    const size_t count = size_max(1, size_min(COPIES_MAX, most));
    struct work work = {
        .question = question,
        .total = variants->count,
        .changes = changes,
        .count = count,
        .slots = memory_new(count, sizeof *work.slots, 0, what, error),
        .ids = memory_new(count, ids_of_slot(question) * sizeof *work.ids, 0, what, error),
        .tokens = memory_new(count, encoding ? encoding_bytes(encoding) : 0, 0, what, error),
        .vectors = memory_new(count, numbers * sizeof *work.vectors, 0, what, error),
        .sources = memory_new(memory ? count : 2, sizeof *work.sources, 0, what, error),
        .error = error};
    const struct watch watch = {layer_done, &work};
    work.batch = (struct batch){.model = question->source.model,
                                .watch = &watch,
                                .take = {.context = &work, .outputs = take_outputs}};
    enum status status = work.slots && work.ids && work.tokens && work.vectors && work.sources
                             ? STATUS_OK
                             : STATUS_MEMORY;
    if (status == STATUS_OK && target_is_word(question->on.output))
        status = forward_words_prepare(question->source.model, WORD_ROWS, &work.rows, error);
    if (status == STATUS_OK)
        status = run_all(&work, variants, error);
    batch_free(&work.batch);
    free(work.slots);
    free(work.ids);
    free(work.tokens);
    free(work.vectors);
    free(work.sources);
    free(work.rows);
    return status;
}
