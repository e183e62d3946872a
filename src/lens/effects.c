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

/* The rows of a layer's heads go through the head for words together with that of the unchanged
 * network, so that no difference gives an effect of exactly 0. */
struct work {
    const struct model *model;
    const struct trace *trace;    /* of the unchanged network */
    struct trace *working;        /* without some head */
    struct interventions changes; /* of `working` */
    struct effects *effects;
    struct head_rows *rows; /* the first: unchanged; then one without each head */
    const struct watch *watch;
    size_t done; /* heads */
};

/* Layers go from last to first, so that the working trace keeps valid inputs for each layer's
 * heads. */
static enum status effects_run(struct work *work, const struct watch *watch, struct error *error)
{
    const struct trace *working = work->working;
    const size_t H = working->hidden;
    enum precision precision = work->trace->computed.precise ? PRECISION_DOUBLE : PRECISION_SINGLE;
    if (forward_run(work->model, &work->changes, precision, watch, work->working, error) !=
        STATUS_OK)
        return error->status;
    const float *output = working->layer[working->layers - 1].output; /* [T,H] */
    memcpy(work->rows->hidden + work->rows->count++ * H, output + work->effects->token * H,
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

/* Of the piece, in a row of the batch. */
static double logprob(const struct work *work, size_t row)
{
    const size_t V = work->trace->vocabulary;
    const float *logits = work->rows->logits + row * V;
    return (double)logits[work->effects->id] - predict_total(logits, V, NULL);
}

/* The unchanged network, and its likeliest piece. */
static enum status effects_begin(struct work *work, struct error *error)
{
    struct effects *effects = work->effects;
    const size_t V = work->trace->vocabulary;
    struct prediction best;
    forward_adopt(work->trace, &work->changes, work->working);
    if (effects_run(work, NULL, error) != STATUS_OK ||
        forward_head(work->model, work->trace->computed.precise, work->rows, error) != STATUS_OK)
        return error->status;
    predict_best(work->rows->logits, V, predict_total(work->rows->logits, V, NULL), &best, 1);
    effects->likeliest = best.id;
    if (effects->id == EFFECTS_LIKELIEST)
        effects->id = best.id;
    return STATUS_OK;
}

/* The effects of a layer's heads, except those that are off already. */
static enum status effects_compare(struct work *work, size_t layer, struct error *error)
{
    struct effects *effects = work->effects;
    size_t row = 1;
    if (forward_head(work->model, work->trace->computed.precise, work->rows, error) != STATUS_OK)
        return error->status;
    effects->logprob = logprob(work, 0);
    for (size_t head = 0; head < effects->heads; head++)
        if (!head_mask_has(work->trace->computed.changes.off[layer], head))
            effects->change[layer * effects->heads + head] =
                logprob(work, row++) - effects->logprob;
    work->rows->count = 1;
    return STATUS_OK;
}

static enum status effects_measure_layer(struct work *work, size_t layer, struct error *error)
{
    const size_t heads = work->effects->heads, total = work->effects->layers * heads;
    const uint64_t off = work->changes.off[layer];
    const struct watch watch = {layer_done, work};
    for (size_t head = 0; head < heads; head++) {
        work->changes.off[layer] = off | head_mask_of(head);
        if (!head_mask_has(off, head) && effects_run(work, &watch, error) != STATUS_OK)
            return error->status;
        if (watch_step(work->watch, ++work->done, total, error) != STATUS_OK)
            return error->status;
    }
    work->changes.off[layer] = off;
    return effects_compare(work, layer, error);
}

static enum status effects_prepare(struct work *work, struct error *error)
{
    const struct trace *trace = work->trace;
    if (forward_words_prepare(work->model, 1 + trace->heads, &work->rows, error) != STATUS_OK ||
        forward_prepare(work->model, trace->ids, trace->segments, trace->tokens, false,
                        &work->working, error) != STATUS_OK)
        return error->status;
    work->effects = memory_new(trace->layers * trace->heads, sizeof *work->effects->change,
                               sizeof *work->effects, "the effects of the heads", error);
    return work->effects ? STATUS_OK : error->status;
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
enum status effects_measure(const struct model *model, const struct trace *trace, size_t token,
                            int32_t id, const struct watch *watch, struct effects **effects,
                            struct error *error)
{
    struct work work = {
        .model = model, .trace = trace, .changes = trace->computed.changes, .watch = watch};
    enum status status = effects_prepare(&work, error);
    if (status == STATUS_OK) {
        *work.effects = (struct effects){trace->layers, trace->heads, token, .id = id};
        status = effects_begin(&work, error);
    }
    for (size_t layer = trace->layers; status == STATUS_OK && layer-- > 0;)
        status = effects_measure_layer(&work, layer, error);
    *effects = status == STATUS_OK ? work.effects : NULL;
    if (!*effects)
        free(work.effects);
    free(work.working);
    free(work.rows);
    return status;
}
