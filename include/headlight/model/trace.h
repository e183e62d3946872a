/* trace.h: everything that one forward pass computed, for all layers at once, in one block.
 *
 * Axis letters, here and everywhere:
 *
 *     T tokens   H hidden size   A heads   D = H/A dimensions of a head
 *     L layers   V vocabulary    F feed-forward size   E embedding size
 *     R distances between tokens, of which several may count as one
 *     S tokens that are attended to: T, but for recorded cross-attention
 *
 * All numbers are row-major F32. The heads of query, key and value are strided views of one
 * [T,3H] product, never transposed copies.
 *
 * A trace is computed (trace_new, forward.h) and then has every tensor, or it was recorded
 * elsewhere (trace_read.h) and has what its file has. Of a recording only the weights are sure to
 * be there: each other pointer may be NULL, in one layer and not in another, a size that no tensor
 * tells (D, H, V) is 0, and nothing may be written to. */
#ifndef HEADLIGHT_MODEL_TRACE_H
#define HEADLIGHT_MODEL_TRACE_H

#include "headlight/base/error.h"
#include "headlight/model/config.h"
#include "headlight/model/family.h"
#include "headlight/model/intervene.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* A view [A,T,D]: element (a,t,d) is data[a·head_stride + t·token_stride + d]. */
struct heads {
    float *data;
    size_t head_stride, token_stride;
};

/* The D numbers of one head for one token. */
static inline float *heads_row(const struct heads *view, size_t head, size_t token)
{
    return view->data + head * view->head_stride + token * view->token_stride;
}

/* Every tensor that a trace can have, in the order in which they are computed, those of the layers
 * between those of the whole. A row holds:
 *
 *     kind    INTEGERS, NUMBERS, or HEADS for a strided view
 *     name    of the member, and after "layer.N." of the tensor
 *     axes    a letter each, or "2" for that many
 *     room    how many tensors of this size lie in its memory; 0: it lies in that of another
 *
 * A pointer is NULL where the tensor is not there. */
#define TRACE_TENSORS_BEFORE(ROW)                                                                  \
    ROW(INTEGERS, ids, "T", 1)                                                                     \
    ROW(INTEGERS, segments, "T", 1)                                                                \
    ROW(INTEGERS, positions, "T", 1)          /* where they are not 0, 1, 2 … */                 \
    ROW(NUMBERS, embedding, "TE", 1)          /* before it is projected, if it is */               \
    ROW(NUMBERS, position_bias, "ATT", 1)     /* of each distance, added to all layers' scores */  \
    ROW(NUMBERS, relative_embedding, "RH", 1) /* of the distances that the text has */
#define TRACE_LAYER_TENSORS(ROW)                                                                   \
    ROW(NUMBERS, input, "TH", 0)          /* the embedding, or the output of the layer before */   \
    ROW(NUMBERS, normed, "TH", 1)         /* its LayerNorm, where that comes before attention */   \
    ROW(HEADS, query_unrotated, "ATD", 2) /* and key, where positions turn them */                 \
    ROW(HEADS, key_unrotated, "ATD", 0)                                                            \
    ROW(HEADS, query, "ATD", 3) /* and key and value: [T,3H] */                                    \
    ROW(HEADS, key, "ASD", 0)                                                                      \
    ROW(HEADS, value, "ASD", 0)                                                                    \
    ROW(HEADS, rel_query, "ARD", 2) /* and rel_key: of the distances */                            \
    ROW(HEADS, rel_key, "ARD", 0)                                                                  \
    ROW(NUMBERS, relative, "ATT", 1)        /* what distances add to the scores */                 \
    ROW(NUMBERS, scores, "ATS", 1)          /* q·k/√D (+ distance, mask), before softmax */     \
    ROW(NUMBERS, weights, "ATS", 1)         /* rows (queries) sum to 1, unless recorded */         \
    ROW(NUMBERS, context, "TH", 1)          /* heads side by side, before the projection */        \
    ROW(NUMBERS, attention_output, "TH", 1) /* after projection, residual and LayerNorm */         \
    ROW(NUMBERS, before_conv, "TH", 1)      /* the output that a convolution is added to */        \
    ROW(NUMBERS, output, "TH", 1)           /* after the feed-forward block */
#define TRACE_TENSORS_AFTER(ROW)                                                                   \
    ROW(NUMBERS, final, "TH", 1)        /* after the last LayerNorm, where norms come before */    \
    ROW(NUMBERS, mlm_logits, "TV", 1)   /* with a masked-word head */                              \
    ROW(NUMBERS, lm_logits, "TV", 1)    /* of the word that comes next */                          \
    ROW(NUMBERS, rtd_logits, "T", 1)    /* above 0: the token was replaced */                      \
    ROW(NUMBERS, pooler_output, "H", 1) /* where no head takes it */                               \
    ROW(NUMBERS, sentence_embedding, "H", 1) /* the tokens' mean, of length 1 */                   \
    ROW(NUMBERS, nsp_logits, "2", 1)         /* with a next-sentence head; index 0: B follows A */ \
    ROW(NUMBERS, sop_logits, "2", 1)         /* with a sentence-order head; index 0: A before B */

#define TRACE_INTEGERS                       int32_t *
#define TRACE_NUMBERS                        float *
#define TRACE_HEADS                          struct heads
#define TRACE_MEMBER(kind, name, axes, room) TRACE_##kind name;

struct layer_trace {
    TRACE_LAYER_TENSORS(TRACE_MEMBER)
};

/* How much of a trace holds results, and of what. */
struct computed {
    size_t layers; /* the first so many */
    bool whole;    /* the logits too */
    bool precise;  /* in double precision */
    struct interventions changes;
};

struct trace {
    size_t tokens, layers, heads, dimensions, hidden, vocabulary; /* T L A D H V */
    size_t attended;                                              /* S */
    size_t embedded;                                              /* E */
    size_t distances, first_distance; /* R, and the row of the model's table that is the first */
    size_t terms; /* products that scores are the sum of; 0 where a recording doesn't tell */
    TRACE_TENSORS_BEFORE(TRACE_MEMBER)
    struct layer_trace *layer; /* [L] */
    TRACE_TENSORS_AFTER(TRACE_MEMBER)
    float *scratch; /* the forward pass's own working space; NULL in a recording */
    size_t scratch_count;
    struct computed computed; /* the forward pass's own; of a recording only what divides scores */
};

/* A trace for T tokens, which attend to each other (S = T), all zero, one block: free with free().
 * It has room for what the configuration makes of them and for the heads in `outputs`
 * [OUTPUT_COUNT], NULL for none; `scratch` is the working space in floats. STATUS_LIMIT when its
 * size overflows or is more than the memory that is free, STATUS_MEMORY when there is not enough
 * all the same; both say how much it needs. */
enum status trace_new(const struct config *config, size_t tokens, const bool *outputs,
                      size_t scratch, struct trace **trace, struct error *error);

/* Copies the embedding and the first so many layers. False, and nothing is copied, when the two are
 * not of the same tokens and sizes, or `from` was recorded. */
bool trace_copy_layers(const struct trace *from, size_t layers, struct trace *to);

/* What the model says of words, the one that stands at each token or the one that comes next:
 * logits [T,V], NULL where there are none. */
static inline float *trace_words(const struct trace *trace)
{
    return trace->mlm_logits ? trace->mlm_logits : trace->lm_logits;
}

/* weights[head][from][to] of a layer. */
static inline float trace_weight(const struct trace *trace, size_t layer, size_t head, size_t from,
                                 size_t to)
{
    return trace->layer[layer].weights[(head * trace->tokens + from) * trace->attended + to];
}

/* Before softmax; only where the layer has scores. */
static inline float trace_score(const struct trace *trace, size_t layer, size_t head, size_t from,
                                size_t to)
{
    return trace->layer[layer].scores[(head * trace->tokens + from) * trace->attended + to];
}

/* Whether a score is that of a token which a mask hides: minus infinity. */
static inline bool trace_is_masked(float score)
{
    return isinf(score) && score < 0;
}

/* One tensor of a trace by its public name ("layer.3.weights", "mlm_logits", "ids"). At most one of
 * numbers and integers is set; element (i,j,k) lies at i·stride[0] + j·stride[1] + k·stride[2],
 * where the last stride is 1. */
struct trace_tensor {
    char name[40];
    size_t rank; /* 1 … 3 */
    size_t shape[3], stride[3];
    const float *numbers;
    const int32_t *integers;
};

/* The tensors that are there, in the order in which they are computed; what every export and test
 * walks over. */
size_t trace_tensor_count(const struct trace *trace);
void trace_tensor_at(const struct trace *trace, size_t index, struct trace_tensor *tensor);

/* A layer's tensor by the name of its member, whether it is there or not. */
struct trace_tensor trace_layer_tensor(const struct trace *trace, size_t layer, const char *name);

#endif
