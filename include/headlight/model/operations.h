/* operations.h: what one layer computes, as a list of operations in the order in which they are
 * carried out: Vaswani et al. 2017, section 3, and Devlin et al. 2019, with whatever the model's
 * family does otherwise; and after the last layer what makes one of the model's answers of its
 * output. Each makes a stage on a token's way through one head. The list is all there is to know of
 * a network: the forward pass (forward_pass.c) executes it for all tokens at once, fused and on
 * many threads; a trace has the tensors that it names (trace_new.c); the steps (lens/steps.h)
 * compute it again, number by number; a pass costs what its products are.
 *
 *     operations_of_layer(&network, layer, output, &operations);
 *     operations_find(&operations, STAGE_QUERY)   x·W_qᵀ + b, the trace's "query" */
#pragma once

#include "headlight/model/model.h"

/* stage, its name, the letter of its size (trace.h, config.h; 'd' is D of the heads of keys, 'M' S
 * of a decoder's second attention; of what follows the last layer 'h' is as wide as the head is
 * there, and 'l' how many things it may say), in the order in which they are shown. No layer has
 * all of them. */
#define STAGES(STAGE)                                                                              \
    STAGE(EMBEDDING, "embedding", 'E') /* of the first layer */                                    \
    STAGE(NARROW, "e", 'E')            /* if it is projected */                                    \
    STAGE(INPUT, "x", 'H')                                                                         \
    STAGE(NORMED, "normed", 'H')          /* where norms come before */                            \
    STAGE(PROJECTED_QUERY, "proj_q", 'D') /* where they have a norm */                             \
    STAGE(PROJECTED_KEY, "proj_k", 'd')                                                            \
    STAGE(RAW_QUERY, "raw_q", 'D') /* where positions rotate them */                               \
    STAGE(RAW_KEY, "raw_k", 'd')                                                                   \
    STAGE(QUERY, "q", 'D')                                                                         \
    STAGE(KEY, "k", 'd')                                                                           \
    STAGE(VALUE, "v", 'd')                                                                         \
    STAGE(RAW_SCORES, "raw_scores", 'S') /* where they are capped */                               \
    STAGE(SCORES, "scores", 'S')                                                                   \
    STAGE(WEIGHTS, "weights", 'S')                                                                 \
    STAGE(CONTEXT, "context", 'D')                                                                 \
    STAGE(HEADS, "heads", 'H')                                                                     \
    STAGE(ADDED, "added", 'A')                                                                     \
    STAGE(HEADS_NORMED, "heads_norm", 'H') /* where what is added has a norm */                    \
    STAGE(ATTENTION, "attention", 'H')                                                             \
    STAGE(CROSS_NORMED, "cross_normed", 'H') /* of a decoder, to the text of its encoder */        \
    STAGE(CROSS_QUERY, "cross_q", 'D')                                                             \
    STAGE(MEMORY, "memory", 'H') /* what the encoder made of each of its tokens */                 \
    STAGE(CROSS_KEY, "cross_k", 'd')                                                               \
    STAGE(CROSS_VALUE, "cross_v", 'd')                                                             \
    STAGE(CROSS_SCORES, "cross_scores", 'M')                                                       \
    STAGE(CROSS_WEIGHTS, "cross_weights", 'M')                                                     \
    STAGE(CROSS_CONTEXT, "cross_context", 'D')                                                     \
    STAGE(CROSS_HEADS, "cross_heads", 'H')                                                         \
    STAGE(CROSS_ADDED, "cross_added", 'A')                                                         \
    STAGE(CROSS_ATTENTION, "cross", 'H')                                                           \
    STAGE(RENORMED, "normed2", 'H') /* where norms come before */                                  \
    STAGE(FORWARD, "forward", 'F')                                                                 \
    STAGE(GATE, "gate", 'F') /* where feed-forward is gated */                                     \
    STAGE(ACTIVE, "active", 'F')                                                                   \
    STAGE(BACK, "back", 'H')                                                                       \
    STAGE(BACK_NORMED, "back_norm", 'H')                                                           \
    STAGE(JOINED, "joined", 'H') /* where a convolution is beside the layer */                     \
    STAGE(NEARBY, "nearby", 'H')                                                                   \
    STAGE(CONVOLVED, "conv", 'H')                                                                  \
    STAGE(OUTPUT, "output", 'H')                                                                   \
    STAGE(FINAL, "final", 'H')   /* of the last layer, where norms come before, as all below */    \
    STAGE(POOLED, "pooled", 'h') /* where the answer is of the text */                             \
    STAGE(DENSE, "dense", 'h')   /* where the head has such a layer */                             \
    STAGE(HEAD_ACTIVE, "head_active", 'h')                                                         \
    STAGE(HEAD_MEAN, "head_mean", 'h') /* where the text's is made of all tokens' */               \
    STAGE(HEAD_NORMED, "head_normed", 'h')                                                         \
    STAGE(HEAD_SCALED, "head_scaled", 'h')                                                         \
    STAGE(UNIT, "unit", 'h')             /* where it is a vector, brought to length 1 */           \
    STAGE(RAW_LOGITS, "raw_logits", 'l') /* where they are capped */                               \
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
    OPERATION_ABSENT,   /* the layer has no such stage; and behind the last operation of a list */
    OPERATION_TAKE,     /* the output of the layer before */
    OPERATION_EMBED,    /* rows of the tables, added up */
    OPERATION_MEMORY,   /* the rows that the encoder made of its text */
    OPERATION_LINEAR,   /* from·Wᵀ + b; of CONTEXT all heads', side by side */
    OPERATION_CONVOLVE, /* the same, of the K tokens around */
    OPERATION_NORM,     /* LayerNorm(from), or LayerNorm(from + with) */
    OPERATION_ADD,      /* from + with */
    OPERATION_SCALE,    /* from·factor */
    OPERATION_CAP,      /* factor·tanh(from/factor) */
    OPERATION_ROTATE,   /* `from`, rotated by the token's position */
    OPERATION_SCORE,    /* q·k/√D, and what the distance of the tokens adds */
    OPERATION_SOFTMAX,  /* of `from` */
    OPERATION_WEIGH,    /* Σ from·with over the tokens */
    OPERATION_LENGTH,   /* the length of the vector that each head adds: for the steps alone */
    OPERATION_ACTIVATE, /* f(from), or f(from)·with */
    OPERATION_POOL,     /* of the rows of all tokens the first, their mean … */
    OPERATION_UNIT,     /* from / its length */
    OPERATION_SHARE,    /* softmax of `from`, of a span of the tokens' */
    OPERATION_SIGMOID,  /* of `from` */
};
#define OPERATION_KINDS (OPERATION_SIGMOID + 1)

struct operation {
    enum operation_kind kind;
    enum stage stage;       /* what it makes, */
    enum stage from, with;  /* of these; or STAGE_NONE */
    enum trace_name tensor; /* the tensor that has it; TRACE_NAMES: the trace has none */
    enum trace_name memory; /* the tensor in whose memory the pass makes it, which is that of a
                             later operation that changes it in place; or TRACE_NAMES */
    bool cross;             /* these are of trace->cross */
    bool feeds;             /* a linear layer takes it */
    const char *matrix;     /* the name of W: "W_q"; or NULL */
    size_t inputs;          /* how many numbers of `from` go into each number */
    size_t outputs;         /* the size of the stage; 0 if no tensor tells */
    size_t heads;           /* so many of this size lie side by side; 1 where heads are one */

    /* Of a model; NULL or GELU otherwise. */
    const struct linear *linear;
    const struct norm *norm;
    enum activation activation;
    double factor;     /* of SCALE and CAP */
    const bool *pools; /* [POOLING_COUNT] whose numbers are put side by side; NULL: not POOL */
};

struct operations {
    size_t count;
    struct operation list[STAGE_COUNT + 1];
};

/* Whose: a model's; of a configuration, which has no weights and no heads; or without both of a
 * recording, as far as its tensors tell. The trace gives the sizes. */
struct network {
    const struct model *model;
    const struct config *config; /* NULL: the model's */
    const struct trace *trace;
    bool alone; /* of a decoder's two attentions the trace's own alone, as if there were no other:
                   what that one makes is taken over */
};

/* The operations of a layer, and behind the last one on the way to an output of the model's; one
 * that the model hasn't, as OUTPUT_COUNT, has none. OUTPUT_START is a span: its logits are those of
 * its start and of its end. */
void operations_of_layer(const struct network *network, size_t layer, enum model_output output,
                         struct operations *operations);

/* The operations behind the last layer alone. */
void operations_of_head(const struct network *network, enum model_output output,
                        struct operations *operations);

/* The one that makes a stage; NULL if there is none. */
const struct operation *operations_find(const struct operations *operations, enum stage stage);

/* Multiply-adds of one forward pass over T tokens, of a decoder with S of its encoder, with the
 * logits of all words; UINT64_MAX on overflow. */
uint64_t operations_cost(const struct config *config, size_t tokens, size_t attended);
