/* forward.h: BERT's forward pass.
 *
 * Source: Devlin et al. 2019, "BERT", and Vaswani et al. 2017, "Attention Is All You Need", with
 * the details (order of LayerNorm, exact GELU, biases) of Hugging Face's modeling_bert.py. */
#pragma once

#include "headlight/model/model.h"
#include "headlight/model/trace_new.h"

#include <stdatomic.h>

/* Numbers are floats, added in an order (kernels.h, matmul.h) that depends neither on the processor
 * nor on the number of threads, nor on whether a text is computed alone or with others: the same
 * model and text give the same bits, but on processors without fused multiply-add (kernels.h). They
 * round after every step, which a sharp softmax can amplify to some 1e-5. */

/* STATUS_LIMIT for no tokens or more than the model's positions. */
enum status forward_check_length(const struct config *config, size_t tokens, struct error *error);

/* Of an encoder–decoder each stack has a trace of its own: the decoder's takes what the encoder's
 * has computed, which it holds on to (trace.h). Both are computed with the same changes.
 *
 *     forward_prepare(model, NULL, ids, NULL, S, false, &encoder, &error);
 *     forward_run(model, NULL, NULL, encoder, &error);
 *     forward_prepare(model->decoder, encoder, target, NULL, T, true, &decoder, &error);
 *     forward_run(model->decoder, NULL, NULL, decoder, &error);
 *
 * A trace for the model, with the T ids and segments (NULL: all 0) and room for the logits that the
 * model can compute; word logits, which can be half of a pass, only if `logits`. STATUS_LIMIT for
 * no tokens or more than the model's positions; STATUS_MISMATCH for an id or a segment outside the
 * model's tables. Free with free(). */
enum status forward_prepare(const struct model *model, const struct trace *encoder,
                            const int32_t *ids, const int32_t *segments, size_t tokens, bool logits,
                            struct trace **trace, struct error *error);

/* Fills every tensor of a prepared trace. Allocates nothing, but where rows are kept a little.
 * `changes` and `watch` may be NULL. STATUS_CANCELLED when the watch, called after each layer, ends
 * the pass; STATUS_FORMAT when a number is not finite, because of a weight or as it grew too large
 * for a float; STATUS_IO when the weights' file has changed or shrunk (mapping.h). The trace then
 * holds the layers computed so far, and later ones must not be read. A trace can be computed again
 * with other changes: the layers before the first change are kept. */
enum status forward_run(const struct model *model, const struct interventions *changes,
                        const struct watch *watch, struct trace *trace, struct error *error);

/* Copies into a prepared trace what of `from` a pass with these changes would compute identically:
 * the layers before the first change, if both have the same tokens; without one, and where tokens
 * see only those before them, the rows of the tokens that both begin with. NULL is no change. */
void forward_adopt(const struct trace *from, const struct interventions *changes,
                   struct trace *trace);

/* A text of so many tokens goes on with one more: computes its rows behind those in *room, a trace
 * with room for more, or where that is full or NULL behind those of a causal model's computed trace
 * `from`, in a new one with the same changes. They have the bits of a pass over all that there is
 * room for; what is behind them must not be read, and no head's output is there. Free *room with
 * free(), and after a failure don't use it. As forward_prepare and forward_run. */
enum status forward_append(const struct model *model, const struct trace *from, size_t tokens,
                           int32_t id, struct trace **longer, struct error *error);

/* Input and output of a head on its own: any hidden rows, such as some of a layer's output, to
 * its logits: a row each, or of a head that pools its rows a single one. */
struct head_rows {
    enum model_output output;
    size_t count;   /* n; initially 0 */
    float *hidden;  /* [n,H], filled in by the caller */
    float *logits;  /* [n,V], or as MODEL_OUTPUTS says with n for T */
    float *scratch; /* for forward_head */
};

/* Whether the model has a word head; STATUS_UNSUPPORTED otherwise, with advice. */
enum status forward_words_check(const struct model *model, struct error *error);

/* Room for at most so many rows of a head that the model has, in one block: free with free().
 * STATUS_MEMORY. For words, whichever head says them: STATUS_UNSUPPORTED when there is none. */
enum status forward_head_prepare(const struct model *model, enum model_output output, size_t most,
                                 struct head_rows **rows, struct error *error);
enum status forward_words_prepare(const struct model *model, size_t most, struct head_rows **rows,
                                  struct error *error);

/* Computes the logits of `count` rows of a text of so many tokens: the last layer's rows give the
 * bits of the trace's logits. Allocates nothing. STATUS_FORMAT, STATUS_LIMIT and STATUS_IO as
 * forward_run. */
enum status forward_head(const struct model *model, size_t tokens, const struct head_rows *rows,
                         struct error *error);

/* ---- The pass (src/model/forward_pass.c), for forward.c and batch.c ---- */

/* Short texts are multiplied by loops of their own (kernels.h). */
static inline bool forward_is_few(size_t tokens)
{
    return tokens <= KERNELS_TOKENS_MAX;
}

/* A pass is over the rows of one or several texts, one after the other. Each text has a trace of
 * its own, whose tensors lie in those of the pass; that of a text alone is the pass's. */
struct forward_text {
    struct trace *trace;
    size_t index;          /* for who takes what is computed of it */
    size_t first, begin;   /* of its rows, and the token that has this one, */
    size_t end;            /* and behind which token they end */
    size_t first_attended; /* of a decoder's, of the rows of what it attends to */
    atomic_uint broken; /* 0, or that some number of it is infinite or NaN, and of which tensor the
                           first one was: forward_rows.h */
};

struct batch_taker;

struct forward_task {
    const struct model *model;
    size_t first;                   /* layer; earlier ones are already computed */
    uint64_t cost;                  /* in multiply-adds */
    bool few;                       /* all texts are short; otherwise none is */
    const struct batch_taker *take; /* batch.h; NULL: everything is computed and kept */
    const struct watch *watch;
    struct trace *trace; /* of all rows */
    struct forward_text *texts;
    struct trace_extent extent;
    struct error *error;
};

/* What forward.c and batch.c have to do before and after a pass. Checks of a text and its ids, and
 * filling them in; segments may be NULL; the outputs that a pass has room for. */
enum status forward_check(const struct config *config, const int32_t *ids, const int32_t *segments,
                          size_t tokens, struct error *error);
void forward_fill(const struct config *config, const int32_t *ids, const int32_t *segments,
                  struct trace *trace);
void forward_outputs(const struct model *model, bool words, bool outputs[OUTPUT_COUNT]);

/* The end of a text: a sentence's vectors, and if a number is not finite an error that names it. */
enum status forward_finish(const struct forward_task *task, const struct forward_text *text);

/* STATUS_FORMAT, without a message, when every text has a number in a layer that is not finite;
 * STATUS_CANCELLED. `forward_scratch` is its working space in the trace, in floats; SIZE_MAX, which
 * no trace has room for, on overflow. */
enum status forward_pass(const struct forward_task *task);
size_t forward_scratch(const struct config *config, const struct trace_extent *extent);
