/* batch.h: many texts in one forward pass, for what is asked of a corpus. Short texts cost as much
 * a token as long ones: the weights are read once for all of them. Only what somebody takes is
 * computed, and memory holds a layer at a time.
 *
 *     struct batch batch = {.model = model, .take = {.context = …, .weights = add_weights}};
 *     batch_run(&batch, texts, count, &error);      as often as there are texts
 *     batch_free(&batch);
 *
 * What is computed of a text are the same bits as in a pass of its own (forward.h); only a BLAS's
 * products may differ in the last bit, as its order of summation is its own. */
#pragma once

#include "headlight/base/size.h"
#include "headlight/model/forward.h"

struct batch_text {
    const char *name;        /* in messages; NULL: it has none */
    const int32_t *ids;      /* [tokens] */
    const int32_t *segments; /* [tokens]; NULL: all 0 */
    size_t tokens;
    const float *input;         /* [T,H] of layer `first` of the batch, unless that is 0 */
    const struct trace *source; /* of a decoder's what it attends to: tokens and last rows */
    const struct interventions *changes; /* NULL: none */
};

/* Takes what was computed of a text, by its index; NULL: that isn't computed. Of the trace, whose
 * other layers and tensors may hold anything, it is valid until the function returns. Threads of
 * the pool call them. */
struct batch_taker {
    void *context;

    /* The weights [T,S] of a head, trace->layer[layer].weights + head·T·S; of a decoder's layer
     * those of its own attention, and then those of trace->site SITE_CROSS. One thread has a head
     * of a layer for all texts, in their order; others have other heads meanwhile. */
    void (*weights)(void *context, size_t text, const struct trace *trace, size_t layer,
                    size_t head);

    /* trace->layer[layer].output [T,H], and .context [T,H], of which that is made. One thread has a
     * text; others have other texts meanwhile. */
    void (*hidden)(void *context, size_t text, const struct trace *trace, size_t layer);

    /* trace->outputs, without those of words unless `words`. By the caller's thread, at the end. */
    void (*outputs)(void *context, size_t text, const struct trace *trace);
    bool words;
};

struct batch {
    const struct model *model;
    struct batch_taker take;
    size_t first; /* layer: those below it are given */
    const struct watch *watch;

    void *memory; /* batch.c's, and so is its size: at first none */
    size_t bytes;
};

/* So many tokens are worth a pass of their own: more make it no faster. */
static inline size_t batch_rows(void)
{
    return size_min(128 * pool_size(), 512);
}

/* Computes the texts, at least one.
 *
 * STATUS_LIMIT, STATUS_MISMATCH, STATUS_FORMAT, STATUS_CANCELLED, STATUS_IO as forward_prepare and
 * forward_run, of the first text that can't be computed, with its name; some of what others need
 * may have been taken. STATUS_LIMIT and STATUS_MEMORY, too, when the texts need more memory than
 * there is. */
enum status batch_run(struct batch *batch, const struct batch_text *texts, size_t count,
                      struct error *error);

void batch_free(struct batch *batch);
