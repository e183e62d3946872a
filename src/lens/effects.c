/* effects.c: measures how switching a head off changes an answer. A text goes through the network
 * once; then, for every head, from the head's layer on: as copies, as many in a pass as pay. */
#include "headlight/lens/effects.h"

#include "headlight/base/memory.h"
#include "headlight/lens/predict.h"
#include "headlight/model/batch.h"
#include "headlight/model/head_mask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Answers are in slots: that of the unchanged network in the first, then one without each head of a
 * layer. All passes compute a row alike, so that no difference gives an effect of exactly 0. Of two
 * sentences all slots of the first go before those of the other: their tokens, and so the changes
 * of these, are not the same. */
struct work {
    struct target_source source;
    size_t texts; /* 2: of a similarity, */
    size_t text;  /* and which of them goes through the network */
    struct effects *effects;
    struct head_rows *rows; /* [1+A] of a word, its row of the last layer in each slot; else NULL */
    double *logprobs;       /* [1+A] */
    float *inputs[2];       /* [L,T,H] of each text: what goes into every layer */
    float *vectors;         /* [1+A,W] of the first of two sentences, for the other one */

    struct batch batch;
    struct batch_text *copies; /* [1+A] of a pass, */
    size_t count;              /* their number, */
    size_t slot;               /* and the first one's */
    enum status asked;         /* whether asking went well; if not, */
    struct error *error;       /* why */

    const struct watch *watch;
    struct watch passes; /* that of each pass */
    size_t done;         /* heads */
};

static const struct trace *text_of(const struct work *work)
{
    return work->text == 0 ? work->source.trace : work->source.other;
}

/* ---- What is taken of a pass --------------------------------------------------------------- */

static void take_hidden(void *context, size_t copy, const struct trace *trace, size_t layer)
{
    const struct work *work = context;
    const size_t H = trace->hidden, slot = work->slot + copy;
    const size_t next = (layer + 1) * trace->tokens * H, row = work->effects->on.token * H;
    const float *output = trace->layer[layer].output; /* [T,H] */
    if (layer + 1 == trace->layers && work->rows)
        memcpy(work->rows->hidden + slot * H, output + row, H * sizeof *output);
    else if (layer + 1 < trace->layers && slot == 0)
        memcpy(work->inputs[work->text] + next, output, trace->tokens * H * sizeof *output);
}

/* The unchanged network is asked first, and for what is likeliest, too. */
static enum status ask(const struct work *work, const struct target_source *source, size_t slot)
{
    struct effects *effects = work->effects;
    double *logprob = &work->logprobs[slot];
    if (slot == 0 && target_ask(source, &effects->likeliest, logprob, work->error) != STATUS_OK)
        return work->error->status;
    if (effects->on.id == TARGET_LIKELIEST)
        effects->on = effects->likeliest;
    return target_ask(source, &effects->on, logprob, work->error);
}

static void take_outputs(void *context, size_t copy, const struct trace *trace)
{
    struct work *work = context;
    struct target_source source = work->source;
    struct trace first = *trace;
    const size_t slot = work->slot + copy;
    float *vector = work->vectors + slot * trace->sentence;
    source.trace = trace;
    if (work->texts == 2) {
        first.outputs[OUTPUT_SENTENCE] = vector;
        source.trace = &first;
        source.other = trace;
    }
    if (work->text + 1 < work->texts)
        memcpy(vector, trace->outputs[OUTPUT_SENTENCE], trace->sentence * sizeof *vector);
    else if (work->asked == STATUS_OK)
        work->asked = ask(work, &source, slot);
}

/* ---- Passes -------------------------------------------------------------------------------- */

/* Called for each layer of a pass: only to cancel, as progress counts heads. */
static bool layer_done(void *context, size_t done, size_t total)
{
    const struct work *work = context;
    const struct effects *effects = work->effects;
    (void)done, (void)total;
    return !work->watch || work->watch->step_done(work->watch->context, work->done,
                                                  effects->layers * effects->heads);
}

/* Copies that go through the network together have the following slots. */
static void add_copy(struct work *work, uint64_t off)
{
    const struct trace *text = text_of(work);
    const size_t input = work->batch.first * text->tokens * text->hidden;
    work->copies[work->count++] = (struct batch_text){.ids = text->ids,
                                                      .segments = text->segments,
                                                      .tokens = text->tokens,
                                                      .input = work->inputs[work->text] + input,
                                                      .off = off};
}

static enum status run_copies(struct work *work, struct error *error)
{
    work->batch.changes = &text_of(work)->computed.changes;
    work->error = error;
    if (work->count > 0 && batch_run(&work->batch, work->copies, work->count, error) != STATUS_OK)
        return error->status;
    work->slot += work->count;
    work->count = 0;
    return work->asked;
}

/* Through the head for words, the rows of all slots at once. */
static enum status read_words(struct work *work, struct error *error)
{
    struct effects *effects = work->effects;
    const size_t V = work->source.trace->vocabulary;
    struct prediction best;
    work->rows->count = work->slot;
    if (forward_head(work->source.model, work->source.trace->tokens, work->rows, error) !=
        STATUS_OK)
        return error->status;
    if (effects->likeliest.id == TARGET_LIKELIEST) {
        predict_best(work->rows->logits, V, 0, &best, 1);
        effects->likeliest.id = best.id;
    }
    if (effects->on.id == TARGET_LIKELIEST)
        effects->on = effects->likeliest;
    for (size_t slot = 0; slot < work->slot; slot++) {
        const float *logits = work->rows->logits + slot * V;
        work->logprobs[slot] = (double)logits[effects->on.id] - predict_total(logits, V, NULL);
    }
    return STATUS_OK;
}

static enum status read_unchanged(struct work *work, struct error *error)
{
    for (work->text = 0; work->text < work->texts; work->text++) {
        work->slot = 0;
        add_copy(work, 0);
        if (run_copies(work, error) != STATUS_OK)
            return error->status;
    }
    return work->rows ? read_words(work, error) : STATUS_OK;
}

/* The effects of a layer's heads, except those that are off already. */
static enum status compare(struct work *work, size_t layer, struct error *error)
{
    struct effects *effects = work->effects;
    const uint64_t off = work->source.trace->computed.changes.off[layer];
    size_t slot = 1;
    if (work->rows && read_words(work, error) != STATUS_OK)
        return error->status;
    effects->logprob = work->logprobs[0];
    for (size_t head = 0; head < effects->heads; head++) {
        if (!head_mask_has(off, head))
            effects->change[layer * effects->heads + head] =
                work->logprobs[slot++] - effects->logprob;
        if (watch_step(work->watch, ++work->done, effects->layers * effects->heads, error) !=
            STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* A text without each head of the layer. However long it is, a pass has few rows, or one copy. */
static enum status run_without(struct work *work, size_t layer, struct error *error)
{
    const struct trace *text = text_of(work);
    work->slot = 1;
    for (size_t head = 0; head < work->effects->heads; head++) {
        if (head_mask_has(text->computed.changes.off[layer], head))
            continue;
        if ((work->count + 1) * text->tokens > batch_rows() && run_copies(work, error) != STATUS_OK)
            return error->status;
        add_copy(work, head_mask_of(head));
    }
    return run_copies(work, error);
}

static enum status measure_layer(struct work *work, size_t layer, struct error *error)
{
    work->batch.first = layer;
    for (work->text = 0; work->text < work->texts; work->text++)
        if (run_without(work, layer, error) != STATUS_OK)
            return error->status;
    return compare(work, layer, error);
}

/* ---- All of it ----------------------------------------------------------------------------- */

static bool prepare(struct work *work, const struct target *on, struct error *error)
{
    const struct trace *trace = work->source.trace;
    const struct model *model = work->source.model;
    const size_t slots = 1 + trace->heads;
    const bool word = target_is_word(on->output);
    if (word && forward_words_prepare(model, slots, &work->rows, error) != STATUS_OK)
        return false;
    for (work->text = 0; work->text < work->texts; work->text++) {
        float *inputs =
            memory_new(trace->layers * text_of(work)->tokens, trace->hidden * sizeof *inputs, 0,
                       "the effects of heads", error);
        if (!inputs)
            return false;
        work->inputs[work->text] = inputs;
    }
    work->vectors = memory_new(slots * trace->sentence, sizeof *work->vectors, 0,
                               "the effects of heads", error);
    work->logprobs = memory_new(slots, sizeof *work->logprobs, 0, "the effects of heads", error);
    work->copies = memory_new(slots, sizeof *work->copies, 0, "the effects of heads", error);
    work->effects = memory_new(trace->layers * trace->heads, sizeof *work->effects->change,
                               sizeof *work->effects, "the effects of the heads", error);
    if (!work->vectors || !work->logprobs || !work->copies || !work->effects)
        return false;
    *work->effects = (struct effects){trace->layers, trace->heads, .on = *on, .likeliest = *on};
    work->effects->likeliest.id = TARGET_LIKELIEST;
    work->passes = (struct watch){layer_done, work};
    work->batch = (struct batch){
        .model = model,
        .watch = &work->passes,
        .take = {.context = work, .hidden = take_hidden, .outputs = word ? NULL : take_outputs}};
    return true;
}

/* In thousandths, so that the last bits of a float decide nothing. */
static long size_of_effect(const struct effects *effects, size_t head)
{
    return lround(fabs(effects->change[head]) * 1000);
}

/* How many are larger; equal ones are in the order of the heads. */
static size_t place_by_size(const struct effects *effects, size_t head)
{
    const long size = size_of_effect(effects, head);
    size_t place = 0;
    for (size_t i = 0; i < effects->layers * effects->heads; i++) {
        const long other = size_of_effect(effects, i);
        place += other > size || (other == size && i < head);
    }
    return place;
}

size_t effects_next(const struct effects *effects, size_t from, bool smaller)
{
    const size_t all = effects->layers * effects->heads;
    size_t count = 0, place = smaller ? 0 : SIZE_MAX, head = 0;
    for (size_t i = 0; i < all; i++)
        count += size_of_effect(effects, i) > 0;
    if (count == 0)
        return from < all ? from : 0;
    if (from < all && size_of_effect(effects, from) > 0)
        place = place_by_size(effects, from) + (smaller ? 1 : count - 1);
    place = place == SIZE_MAX ? count - 1 : place % count;
    while (place_by_size(effects, head) != place)
        head++;
    return head;
}

/* From the last layer down. */
enum status effects_measure(const struct target_source *source, const struct target *on,
                            const struct watch *watch, struct effects **effects,
                            struct error *error)
{
    const bool two = source->other && on->output == OUTPUT_SENTENCE;
    struct work work = {.source = *source, .texts = two ? 2 : 1, .watch = watch};
    work.source.rows = NULL;
    const bool ready = prepare(&work, on, error);
    enum status status = ready ? read_unchanged(&work, error) : error->status;
    for (size_t layer = source->trace->layers; ready && status == STATUS_OK && layer-- > 0;)
        status = measure_layer(&work, layer, error);
    *effects = ready && status == STATUS_OK ? work.effects : NULL;
    if (!*effects)
        free(work.effects);
    batch_free(&work.batch);
    free(work.rows);
    free(work.inputs[0]);
    free(work.inputs[1]);
    free(work.vectors);
    free(work.logprobs);
    free(work.copies);
    return status;
}
