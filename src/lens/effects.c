/* effects.c: how switching a head off changes an answer: copies of the text go through the network
 * from the head's layer on, those of all heads of a layer together. */
#include "headlight/lens/effects.h"

#include "headlight/base/memory.h"
#include "headlight/lens/question.h"
#include "headlight/model/head_mask.h"

#include <math.h>
#include <stdlib.h>

/* The heads of a layer that are not off already. */
struct layer_heads {
    size_t layer, count;
    size_t heads[CONFIG_HEADS_MAX];
};

static enum status switch_off(const void *context, size_t index, struct variant *variant,
                              struct error *error)
{
    const struct layer_heads *on = context;
    (void)error;
    for (size_t i = 0; i < 2; i++)
        variant->texts[i].changes.off[on->layer] |= head_mask_of(on->heads[index]);
    return STATUS_OK;
}

static enum status measure_layer(struct question *question, size_t layer, double *change /* [A] */,
                                 struct error *error)
{
    const struct trace *trace = question->source.trace;
    struct layer_heads on = {.layer = layer};
    double changes[CONFIG_HEADS_MAX];
    for (size_t head = 0; head < trace->heads; head++)
        if (!head_mask_has(trace->computed.changes.off[layer], head))
            on.heads[on.count++] = head;
    question->done += trace->heads - on.count;
    const enum status status = question_vary(
        question, &(struct variants){on.count, layer, switch_off, &on}, changes, error);
    for (size_t i = 0; status == STATUS_OK && i < on.count; i++)
        change[on.heads[i]] = changes[i];
    return status;
}

/* From the last layer down. */
enum status effects_measure(const struct target_source *source, const struct target *on,
                            const struct watch *watch, struct effects **effects,
                            struct error *error)
{
    const size_t L = source->trace->layers, A = source->trace->heads;
    struct question question = {.source = *source, .on = *on, .watch = watch, .total = L * A};
    struct effects *made = *effects =
        memory_new(L * A, sizeof *made->change, sizeof *made, "the effects of heads", error);
    if (!made)
        return STATUS_MEMORY;
    enum status status = question_ask(&question, error);
    for (size_t layer = L; status == STATUS_OK && layer-- > 0;)
        status = measure_layer(&question, layer, made->change + layer * A, error);
    batch_free(&question.batch);
    made->layers = L;
    made->heads = A;
    made->on = question.on;
    made->likeliest = question.likeliest;
    made->logprob = question.logprob;
    if (status != STATUS_OK) {
        free(made);
        *effects = NULL;
    }
    return status;
}

/* ---- The order ----------------------------------------------------------------------------- */

/* In thousandths, so that the last bits of a float decide nothing. */
static long size_of_effect(const struct effects *effects, size_t head)
{
    return lround(fabs(effects->change[head]) * 1000);
}

/* How many are larger; equal ones are in the order of the heads. */
static size_t rank_by_size(const struct effects *effects, size_t head)
{
    const long size = size_of_effect(effects, head);
    size_t rank = 0;
    for (size_t i = 0; i < effects->layers * effects->heads; i++) {
        const long other = size_of_effect(effects, i);
        rank += other > size || (other == size && i < head);
    }
    return rank;
}

size_t effects_next(const struct effects *effects, size_t from, bool smaller)
{
    const size_t all = effects->layers * effects->heads;
    size_t count = 0, rank = smaller ? 0 : SIZE_MAX, head = 0;
    for (size_t i = 0; i < all; i++)
        count += size_of_effect(effects, i) > 0;
    if (count == 0)
        return from < all ? from : 0;
    if (from < all && size_of_effect(effects, from) > 0)
        rank = rank_by_size(effects, from) + (smaller ? 1 : count - 1);
    rank = rank == SIZE_MAX ? count - 1 : rank % count;
    while (rank_by_size(effects, head) != rank)
        head++;
    return head;
}
