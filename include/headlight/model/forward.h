/* forward.h: BERT's forward pass.
 *
 * Source: Devlin et al. 2019, "BERT", and Vaswani et al. 2017, "Attention Is All You Need", with
 * the details (order of LayerNorm, exact GELU, biases) of Hugging Face's modeling_bert.py. */
#ifndef HEADLIGHT_MODEL_FORWARD_H
#define HEADLIGHT_MODEL_FORWARD_H

#include "headlight/base/watch.h"
#include "headlight/model/intervene.h"
#include "headlight/model/model.h"
#include "headlight/model/trace.h"

/* The built-in model and larger ones are computed in single precision. It rounds after every step,
 * which a sharp softmax can amplify to some 1e-5; so a pass that costs next to nothing (at most
 * FORWARD_DOUBLE_COST multiply-adds) is computed in double precision and rounded once. What single
 * precision has no room for on the way, such as the squares of large embeddings, is computed again
 * in double precision; if single precision was asked for, only to know whether to advise that.
 *
 * The last bits of single precision differ between processors, and could change a rounded digit.
 * What is to be the same bytes on any processor is computed in double precision unless the pass
 * would take many seconds (more than FORWARD_SAME_COST). */
enum precision {
    PRECISION_AUTO,
    PRECISION_SINGLE,
    PRECISION_DOUBLE,
    PRECISION_SAME, /* on any processor */
};

#define FORWARD_DOUBLE_COST ((uint64_t)1 << 23)
#define FORWARD_SAME_COST   ((uint64_t)1 << 32)

/* A trace that fits the model, with room for the logits that the model can compute, those of the
 * masked-word head, which can be half of a pass, only if `logits`; holding the T ids and segments.
 * STATUS_LIMIT for no tokens or more than the model's positions; STATUS_MISMATCH for an id or a
 * segment that the model's tables lack. Free with free(). */
enum status forward_prepare(const struct model *model, const int32_t *ids, const int32_t *segments,
                            size_t tokens, bool logits, struct trace **trace, struct error *error);

/* Fills every tensor of a prepared trace. Allocates nothing. `changes` and `watch` may be NULL.
 * STATUS_CANCELLED when the watch, told of each layer, said so; STATUS_FORMAT when a weight is NaN
 * or infinite and STATUS_LIMIT when a number becomes too large for a float, of which double
 * precision is said to be of help only if it is; STATUS_IO when the weights' file is no longer
 * whole (mapping.h). The trace then holds the layers done so far, and nothing may be read behind
 * them. A trace can be computed again, with other changes: in single precision what lies before the
 * first change is kept. */
enum status forward_run(const struct model *model, const struct interventions *changes,
                        enum precision precision, const struct watch *watch, struct trace *trace,
                        struct error *error);

/* Copies into a prepared trace what a pass with these changes would compute just as `from` has it:
 * the layers before the first change, if both are of the same tokens. NULL is no change. */
void forward_adopt(const struct trace *from, const struct interventions *changes,
                   struct trace *trace);

/* What the head for words takes and says: any hidden rows, such as some of a layer's output, to
 * logits of the word that stands there or comes next. */
struct word_rows {
    size_t count;   /* n; at first 0 */
    float *hidden;  /* [n,H], to be filled in */
    float *logits;  /* [n,V] */
    float *scratch; /* forward_words' own */
};

/* Whether the model has such a head; without one STATUS_UNSUPPORTED, which tells what to get. */
enum status forward_words_check(const struct model *model, struct error *error);

/* Room for at most so many rows, one block: free with free(). STATUS_UNSUPPORTED when the model has
 * no such head, STATUS_MEMORY. */
enum status forward_words_prepare(const struct model *model, size_t most, struct word_rows **rows,
                                  struct error *error);

/* Fills in the logits of `count` rows: in double precision if `precise`, as the trace was that the
 * rows come from (trace->computed), else in single precision, and again in double where that
 * overflows. Allocates nothing. The last layer's rows give the trace's logits: the same bits in
 * single precision if all T are asked for together, else within 1e-5 of logits up to 10, as fewer
 * rows may be summed up in another order, and as a trace holds doubles rounded. STATUS_FORMAT,
 * STATUS_LIMIT and STATUS_IO as forward_run. */
enum status forward_words(const struct model *model, bool precise, const struct word_rows *rows,
                          struct error *error);

/* ---- The pass as it is compiled for each precision (src/model/forward_pass.c), for forward.c ----
 */

struct forward_task {
    const struct model *model;
    const struct interventions *changes; /* not NULL */
    size_t first; /* layer; those before it are there already: none for doubles */
    const struct watch *watch;
    struct trace *trace;
    struct error *error;
};

/* The working space that a pass needs in the trace, in floats. */
size_t forward_float_scratch(const struct config *config, size_t tokens);
size_t forward_double_scratch(const struct config *config, size_t tokens);

/* STATUS_FORMAT, without a message, when a number of a layer is not finite; STATUS_CANCELLED.
 *
 * Doubles are computed by plain loops and rounded once, when they go into the trace. The order of
 * the sums is fixed: the same bytes from any processor and any number of threads, with the same C
 * library. It is what the other precision is measured against. */
enum status forward_float_pass(const struct forward_task *task);
enum status forward_double_pass(const struct forward_task *task);

/* The head for words alone: the rows are the tokens of a trace that has nothing but their logits.
 */
void forward_float_words(const struct model *model, const struct word_rows *rows,
                         struct trace *trace);
void forward_double_words(const struct model *model, const struct word_rows *rows,
                          struct trace *trace);

#endif
