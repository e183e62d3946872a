/* operations.h: what one layer computes, as a list of operations, one for each stage on a token's
 * way through one head of it: Vaswani et al. 2017, section 3, and Devlin et al. 2019, with whatever
 * the model's family does otherwise; and after the last layer what makes one of the model's answers
 * of its output. The forward pass (forward_pass.c) carries the same list out for all tokens at
 * once, fused and on many threads; the tests recompute every tensor of its trace from this list, in
 * each family.
 *
 *     operation_of(model, trace, layer, output, STAGE_QUERY)   x·W_qᵀ + b, the trace's "query" */
#ifndef HEADLIGHT_MODEL_OPERATIONS_H
#define HEADLIGHT_MODEL_OPERATIONS_H

#include "headlight/model/model.h"
#include "headlight/model/sentence.h"
#include "headlight/model/trace.h"
#include "headlight/model/weights.h"

/* stage, its name, the letter of its size (trace.h, config.h; of what follows the last layer 'h' is
 * as wide as the head is there, and 'l' how many things it may say), in the order in which they are
 * computed. No layer has all of them. */
#define STAGES(STAGE)                                                                              \
    STAGE(EMBEDDING, "embedding", 'E') /* of the first layer */                                    \
    STAGE(NARROW, "e", 'E')            /* if it is projected */                                    \
    STAGE(INPUT, "x", 'H')                                                                         \
    STAGE(NORMED, "normed", 'H')   /* where norms come before */                                   \
    STAGE(RAW_QUERY, "raw_q", 'D') /* where positions rotate them */                               \
    STAGE(RAW_KEY, "raw_k", 'D')                                                                   \
    STAGE(QUERY, "q", 'D')                                                                         \
    STAGE(KEY, "k", 'D')                                                                           \
    STAGE(VALUE, "v", 'D')                                                                         \
    STAGE(SCORES, "scores", 'S')                                                                   \
    STAGE(WEIGHTS, "weights", 'S')                                                                 \
    STAGE(CONTEXT, "context", 'D')                                                                 \
    STAGE(HEADS, "heads", 'H')                                                                     \
    STAGE(ADDED, "added", 'A')                                                                     \
    STAGE(ATTENTION, "attention", 'H')                                                             \
    STAGE(RENORMED, "normed2", 'H') /* where norms come before */                                  \
    STAGE(FORWARD, "forward", 'F')                                                                 \
    STAGE(GATE, "gate", 'F') /* where feed-forward is gated */                                     \
    STAGE(ACTIVE, "active", 'F')                                                                   \
    STAGE(BACK, "back", 'H')                                                                       \
    STAGE(JOINED, "joined", 'H') /* where a convolution is beside the layer */                     \
    STAGE(NEARBY, "nearby", 'H')                                                                   \
    STAGE(CONVOLVED, "conv", 'H')                                                                  \
    STAGE(OUTPUT, "output", 'H')                                                                   \
    STAGE(FINAL, "final", 'H')   /* of the last layer, where norms come before, as all below */    \
    STAGE(POOLED, "pooled", 'h') /* where the answer is of the text */                             \
    STAGE(DENSE, "dense", 'h')   /* where the head has such a layer */                             \
    STAGE(BENT, "active2", 'h')                                                                    \
    STAGE(EVENED, "normed3", 'h')                                                                  \
    STAGE(UNIT, "unit", 'h') /* where it is a vector, brought to length 1 */                       \
    STAGE(LOGITS, "logits", 'l')                                                                   \
    STAGE(ANSWER, "answer", 'l')

enum stage {
#define STAGE(stage, name, axis) STAGE_##stage,
    STAGES(STAGE)
#undef STAGE
        STAGE_COUNT,
    STAGE_NONE = STAGE_COUNT
};

const char *stage_name(enum stage stage);

/* How the numbers of a stage are computed from earlier ones. */
enum operation_kind {
    OPERATION_ABSENT,   /* the layer has no such stage */
    OPERATION_TAKE,     /* the output of the layer before */
    OPERATION_EMBED,    /* rows of the tables, added up */
    OPERATION_LINEAR,   /* from·Wᵀ + b; of CONTEXT all heads', side by side */
    OPERATION_CONVOLVE, /* the same, of the K tokens around */
    OPERATION_NORM,     /* LayerNorm(from), or LayerNorm(from + with) */
    OPERATION_ADD,      /* from + with */
    OPERATION_ROTATE,   /* `from`, rotated by the token's position */
    OPERATION_SCORE,    /* q·k/√D, and what the distance of the tokens adds */
    OPERATION_SOFTMAX,  /* of `from` */
    OPERATION_WEIGH,    /* Σ from·with over the tokens */
    OPERATION_LENGTH,   /* the length of the vector that each head adds */
    OPERATION_ACTIVATE, /* f(from), or f(from)·with */
    OPERATION_POOL,     /* of the rows of all tokens the first, their mean … */
    OPERATION_UNIT,     /* from / its length */
    OPERATION_SHARE,    /* softmax of `from`, of a span of the tokens' */
    OPERATION_SIGMOID,  /* of `from` */
};

struct operation {
    enum operation_kind kind;
    enum stage from, with; /* or STAGE_NONE */
    const char *tensor;    /* the member of the trace that has it (trace.h), or NULL */
    const char *matrix;    /* the name of W: "W_q"; or NULL */
    size_t inputs;         /* how many numbers of `from` go into each number */
    size_t outputs;        /* the size of the stage; 0 if no tensor tells */

    /* Of a model; NULL or GELU for a recording. */
    const struct linear *linear;
    const struct norm *norm;
    enum activation activation;
    const bool *pools; /* [POOLING_COUNT] whose numbers are put side by side; NULL: not POOL */
};

/* The operation of a stage in a layer, and behind the last one on the way to an output of the
 * model's; one that the model hasn't has no stages. Without a model, for a recording, as far as its
 * tensors tell. OUTPUT_START is a span: its logits are those of its start and of its end. */
struct operation operation_of(const struct model *model, const struct trace *trace, size_t layer,
                              enum model_output output, enum stage stage);

#endif
