/* effects.c: measures how switching a head off changes an answer, with one pass per head. It starts
 * at the head's layer, as the layers below stay the same. */
#include "headlight/lens/effects.h"

#include "headlight/base/memory.h"
#include "headlight/lens/predict.h"
#include "headlight/model/forward.h"
#include "headlight/model/head_mask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a head for words the rows of a layer's heads go through it together with that of the unchanged
 * network, so that no difference gives an effect of exactly 0. Other heads are part of a pass. */
struct work {
    struct target_source source;     /* of the unchanged network */
    size_t texts;                    /* 2: of a similarity */
    struct trace *working[2];        /* of each text, without some head */
    struct interventions changes[2]; /* of `working` */
    struct effects *effects;
    struct head_rows *rows; /* the first: unchanged; then one without each head; NULL: no words */
    double *logprobs;       /* [1+A] the same of other heads */
    size_t asked;           /* how many */
    const struct watch *watch;
    size_t done; /* heads */
};

static const struct trace *text_of(const struct work *work, size_t i)
{
    return i == 0 ? work->source.trace : work->source.other;
}

static enum status effects_ask(struct work *work, struct target *target, double *logprob,
                               struct error *error)
{
    struct target_source source = work->source;
    source.trace = work->working[0];
    source.other = work->working[1];
    return target_ask(&source, target, logprob, error);
}

/* Layers go from last to first, so that the working trace keeps valid inputs for each layer's
 * heads. */
static enum status effects_run(struct work *work, const struct watch *watch, struct error *error)
{
    const struct trace *working = work->working[0];
    const size_t H = working->hidden;
    enum precision precision =
        work->source.trace->computed.precise ? PRECISION_DOUBLE : PRECISION_SINGLE;
    for (size_t i = 0; i < work->texts; i++)
        if (forward_run(work->source.model, &work->changes[i], precision, watch, work->working[i],
                        error) != STATUS_OK)
            return error->status;
    if (!work->rows)
        return effects_ask(work, &work->effects->on, &work->logprobs[work->asked++], error);
    const float *output = working->layer[working->layers - 1].output; /* [T,H] */
    memcpy(work->rows->hidden + work->rows->count++ * H, output + work->effects->on.token * H,
           H * sizeof *output);
    return STATUS_OK;
}

/* Called for each layer of a pass: only to cancel, as progress counts heads. */
static bool layer_done(void *context, size_t done, size_t total)
{
    const struct work *work = context;
    const struct effects *effects = work->effects;
    (void)done, (void)total;
    return !work->watch || work->watch->step_done(work->watch->context, work->done,
                                                  effects->layers * effects->heads);
}

/* Through the head for words, all rows at once. */
static enum status effects_read_words(struct work *work, struct error *error)
{
    const size_t V = work->working[0]->vocabulary;
    if (forward_head(work->source.model, work->source.trace->computed.precise, work->rows, error) !=
        STATUS_OK)
        return error->status;
    for (size_t row = 0; row < work->rows->count; row++) {
        const float *logits = work->rows->logits + row * V;
        work->logprobs[row] = (double)logits[work->effects->on.id] - predict_total(logits, V, NULL);
    }
    work->rows->count = 1;
    return STATUS_OK;
}

/* The unchanged network, and what is likeliest there. */
static enum status effects_begin(struct work *work, struct error *error)
{
    struct effects *effects = work->effects;
    struct target asked = effects->on;
    for (size_t i = 0; i < work->texts; i++)
        forward_adopt(text_of(work, i), &work->changes[i], work->working[i]);
    if (effects_run(work, NULL, error) != STATUS_OK)
        return error->status;
    effects->likeliest = asked;
    effects->likeliest.id = TARGET_LIKELIEST;
    if (effects_ask(work, &effects->likeliest, &effects->logprob, error) != STATUS_OK)
        return error->status;
    effects->on = asked.id == TARGET_LIKELIEST ? effects->likeliest : asked;
    return STATUS_OK;
}

/* The effects of a layer's heads, except those that are off already. */
static enum status effects_compare(struct work *work, size_t layer, struct error *error)
{
    struct effects *effects = work->effects;
    size_t row = 1;
    if (work->rows && effects_read_words(work, error) != STATUS_OK)
        return error->status;
    effects->logprob = work->logprobs[0];
    for (size_t head = 0; head < effects->heads; head++)
        if (!head_mask_has(work->source.trace->computed.changes.off[layer], head))
            effects->change[layer * effects->heads + head] =
                work->logprobs[row++] - effects->logprob;
    work->asked = 1;
    return STATUS_OK;
}

static enum status effects_measure_layer(struct work *work, size_t layer, struct error *error)
{
    const size_t heads = work->effects->heads, total = work->effects->layers * heads;
    const uint64_t off = work->changes[0].off[layer];
    const struct watch watch = {layer_done, work};
    for (size_t head = 0; head < heads; head++) {
        work->changes[0].off[layer] = work->changes[1].off[layer] = off | head_mask_of(head);
        if (!head_mask_has(off, head) && effects_run(work, &watch, error) != STATUS_OK)
            return error->status;
        if (watch_step(work->watch, ++work->done, total, error) != STATUS_OK)
            return error->status;
    }
    work->changes[0].off[layer] = work->changes[1].off[layer] = off;
    return effects_compare(work, layer, error);
}

static enum status effects_prepare(struct work *work, const struct target *on, struct error *error)
{
    const struct trace *trace = work->source.trace;
    const struct model *model = work->source.model;
    const size_t most = 1 + trace->heads;
    if (target_prepare(model, on->output, &work->source.rows, error) != STATUS_OK ||
        (target_is_word(on->output) &&
         forward_words_prepare(model, most, &work->rows, error) != STATUS_OK))
        return error->status;
    for (size_t i = 0; i < work->texts; i++) {
        const struct trace *text = text_of(work, i);
        work->changes[i] = text->computed.changes;
        if (forward_prepare(model, text->ids, text->segments, text->tokens, false,
                            &work->working[i], error) != STATUS_OK)
            return error->status;
    }
    work->logprobs = memory_new(most, sizeof *work->logprobs, 0, "the effects of heads", error);
    work->effects = memory_new(trace->layers * trace->heads, sizeof *work->effects->change,
                               sizeof *work->effects, "the effects of the heads", error);
    if (!work->logprobs || !work->effects)
        return error->status;
    *work->effects = (struct effects){trace->layers, trace->heads, .on = *on};
    return STATUS_OK;
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

/* From the last layer down: see effects_run. */
enum status effects_measure(const struct target_source *source, const struct target *on,
                            const struct watch *watch, struct effects **effects,
                            struct error *error)
{
    const struct trace *trace = source->trace;
    struct work work = {.source = *source, .texts = source->other ? 2 : 1, .watch = watch};
    work.source.rows = NULL;
    enum status status = effects_prepare(&work, on, error);
    if (status == STATUS_OK)
        status = effects_begin(&work, error);
    for (size_t layer = trace->layers; status == STATUS_OK && layer-- > 0;)
        status = effects_measure_layer(&work, layer, error);
    *effects = status == STATUS_OK ? work.effects : NULL;
    if (!*effects)
        free(work.effects);
    free(work.working[0]);
    free(work.working[1]);
    free(work.logprobs);
    free(work.rows);
    free(work.source.rows);
    return status;
}
