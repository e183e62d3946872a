/* trace.h: everything that one forward pass computed, for all layers at once, in one block.
 *
 * Axis letters, here and everywhere:
 *
 *     T tokens   H hidden size   A heads   D dimensions of a head: H/A in most families
 *     I = A·D    L layers   V vocabulary    F feed-forward size   E embedding size
 *     R distances between tokens, of which several may count as one
 *     S tokens that are attended to: T, but for recorded cross-attention
 *     G heads of keys and values: A, but where several share one
 *     C labels of a classifier
 *
 * All numbers are row-major F32. The heads of query, key and value are strided views of one
 * [T,A·D+2·G·D] product, never transposed copies.
 *
 * A trace is computed (trace_new, forward.h) and then has every tensor, or it was recorded
 * elsewhere (trace_read.h) and has what its file has. Of a recording only the weights are sure to
 * be there: each other pointer may be NULL, in one layer and not in another, a size that no tensor
 * tells (D, H, V) is 0, and nothing may be written to. */
#pragma once

#include "headlight/model/family.h"
#include "headlight/model/intervene.h"
#include "headlight/model/side.h"

#include <math.h>

/* A view [A,T,D]: element (a,t,d) is data[a·head_stride + t·token_stride + d]. Where several heads
 * share their keys and values, it is [G,T,D]. */
struct heads {
    float *data;
    size_t head_stride, token_stride;
    size_t shared; /* by how many heads besides one */
};

/* The D numbers of one head for one token. */
static inline float *heads_row(const struct heads *view, size_t head, size_t token)
{
    return view->data + head / (1 + view->shared) * view->head_stride + token * view->token_stride;
}

/* Every tensor that a trace can have, in the order in which they are computed, those of the layers
 * between those of the whole. A row holds:
 *
 *     kind    INTEGERS, NUMBERS, or HEADS for a strided view
 *     name    of the member, and after "layer.N." of the tensor
 *     axes    a letter each, or "2" for that many
 *     tensors how many tensors lie in its memory, it and those that follow; 0: it lies in that of
 *             another
 *
 * A pointer is NULL where the tensor is not there. position_bias is a number for each distance,
 * added to all layers' scores; relative_embedding, rel_query and rel_key are vectors of the
 * distances that the text has, and relative is what they add to the scores. A convolution is added
 * to before_conv. */
#define TRACE_TENSORS_BEFORE(ROW)                                                                  \
    ROW(INTEGERS, ids, "T", 1)                                                                     \
    ROW(INTEGERS, segments, "T", 1)                                                                \
    ROW(INTEGERS, positions, "T", 1) /* if not 0, 1, 2 … */                                      \
    ROW(NUMBERS, embedding, "TE", 1) /* before any projection */                                   \
    ROW(NUMBERS, position_bias, "ATT", 1)                                                          \
    ROW(NUMBERS, relative_embedding, "RH", 1)
#define TRACE_LAYER_TENSORS(ROW)                                                                   \
    ROW(NUMBERS, input, "TH", 0)          /* the embedding, or the output of the layer before */   \
    ROW(NUMBERS, normed, "TH", 1)         /* its LayerNorm, if before attention */                 \
    ROW(HEADS, query_unrotated, "ATD", 2) /* and key */                                            \
    ROW(HEADS, key_unrotated, "GTD", 0)                                                            \
    ROW(HEADS, query, "ATD", 3) /* and key and value */                                            \
    ROW(HEADS, key, "GSD", 0)                                                                      \
    ROW(HEADS, value, "GSD", 0)                                                                    \
    ROW(HEADS, rel_query, "ARD", 2)                                                                \
    ROW(HEADS, rel_key, "ARD", 0)                                                                  \
    ROW(NUMBERS, relative, "ATT", 1)                                                               \
    ROW(NUMBERS, scores, "ATS", 1)          /* q·k/√D (+ distance, mask), before softmax */     \
    ROW(NUMBERS, weights, "ATS", 1)         /* rows (queries) sum to 1, unless recorded */         \
    ROW(NUMBERS, context, "TI", 1)          /* heads side by side, before the projection */        \
    ROW(NUMBERS, attention_branch, "TH", 1) /* projected, if in parallel with feed-forward */      \
    ROW(NUMBERS, attention_output, "TH", 1) /* after projection, residual and norm */              \
    ROW(NUMBERS, mlp_normed, "TH", 1)       /* what feed-forward takes, and what it adds, there */ \
    ROW(NUMBERS, mlp_branch, "TH", 1)                                                              \
    ROW(NUMBERS, before_conv, "TH", 1)                        /* the first layer's output */       \
    ROW(NUMBERS, output, "TH", 1)                             /* after the feed-forward block */
#define TRACE_TENSORS_AFTER(ROW) ROW(NUMBERS, final, "TH", 1) /* after the last LayerNorm */

#define TRACE_INTEGERS                          int32_t *
#define TRACE_NUMBERS                           float *
#define TRACE_HEADS                             struct heads
#define TRACE_MEMBER(kind, name, axes, tensors) TRACE_##kind name;

struct layer_trace {
    TRACE_LAYER_TENSORS(TRACE_MEMBER)
};

/* How much of a trace holds results, and how they were computed. */
struct computed {
    size_t layers; /* computed, from the first on */
    size_t tokens; /* so many, from the first on, have their rows in the other layers, too */
    bool whole;    /* the logits too */
    struct interventions changes;
};

struct trace {
    enum site site;  /* of its layers' attention; */
    size_t numbered; /* the first of them among those of all sites (intervene.h) */
    size_t tokens, layers, heads, dimensions, hidden, vocabulary; /* T L A D H V */
    size_t attended, groups, inner;                               /* S G I */
    enum axes axes;                /* what attends to what, without the changes of the network */
    bool local[CONFIG_LAYERS_MAX]; /* whether a layer sees only what is within `reach` */
    size_t reach;
    size_t embedded, labels;          /* E C */
    size_t pooled, sentence;          /* Q W of a sentence */
    size_t distances, first_distance; /* R, and its first row of the model's table */
    size_t terms;                     /* products in a score; 0 if a recording doesn't tell */
    double cap;                       /* of scores, c·tanh(x/c); 0: none, or it isn't told */
    size_t divided;                   /* scores are divided by its root; 0: by that of D·terms */
    TRACE_TENSORS_BEFORE(TRACE_MEMBER)
    struct layer_trace *layer;   /* [L] */
    struct trace *cross;         /* of a decoder: its layers' attention to what its encoder made; */
    const struct trace *memory;  /* whose trace this is, which must outlive it; NULL of others */
    const struct trace *speaker; /* of that attention: the decoder's, whose rows say the words */
    TRACE_TENSORS_AFTER(TRACE_MEMBER)
    float *outputs[OUTPUT_COUNT]; /* of the model's heads, with the axes of MODEL_OUTPUTS */
    float *scratch;               /* working space of the forward pass; NULL in a recording */
    size_t scratch_count;
    struct computed computed; /* by the forward pass; of a recording only what divides scores */
};

/* The sizes of a trace of T tokens, without any tensor; those of a decoder's attention to S tokens
 * of its encoder. */
struct trace trace_of_sizes(const struct config *config, size_t tokens);
struct trace trace_of_cross(const struct trace *decoder, size_t attended);

/* How many tokens two traces of a model begin with in common; 0, too, if one was recorded. */
size_t trace_same_tokens(const struct trace *a, const struct trace *b);

/* Copies the embedding and the first `layers` layers of the first tokens, which must be the same.
 * Tokens that follow are masked for them, as of a model that sees only the past. */
void trace_copy(const struct trace *from, size_t layers, size_t tokens, const struct trace *to);

/* The trace with the rows that say words, which are a decoder's also where its attention to the
 * encoder is shown. */
static inline const struct trace *trace_speaker(const struct trace *trace)
{
    return trace->speaker ? trace->speaker : trace;
}

/* The word logits [T,V], of the words at the tokens or of the next ones; NULL if there are none. */
static inline float *trace_words(const struct trace *trace)
{
    float *const *outputs = trace_speaker(trace)->outputs;
    return outputs[outputs[OUTPUT_MLM] ? OUTPUT_MLM : OUTPUT_LM];
}

/* What the row of the word at a token is multiplied with, of a text of T ids: 1, or √H. ESM's is
 * another (token dropout, EsmEmbeddings in modeling_esm.py): nothing is left of a mask's, and of
 * the others as much as in training, when 12 of 100 were masks, for what the masks of this text
 * leave. */
float trace_word_factor(const struct config *config, const int32_t *ids /* [T] */, size_t T,
                        size_t token);

/* What the heads are given: [T,H] of the last layer, where norms come before behind the last one.
 */
static inline const float *trace_last_rows(const struct trace *trace)
{
    return trace->final ? trace->final : trace->layer[trace->layers - 1].output;
}

/* A token that is attended to as changes name it (intervene.h). */
static inline uint32_t trace_changed_token(const struct trace *trace, size_t token)
{
    return (uint32_t)token + (trace->site == SITE_DECODER ? INTERVENE_DECODER : 0);
}

/* With the changes: a network that was made causal sees the past. */
static inline enum axes trace_site_axes(const struct trace *trace)
{
    return trace->axes == AXES_ONE_TEXT && trace->computed.changes.causal ? AXES_PAST : trace->axes;
}

/* The tokens that one may attend to in a layer, but for those that a change hides or cuts off: of a
 * recording as far as its site tells. */
struct token_range trace_visible(const struct trace *trace, size_t layer, size_t from);

/* weights[head][from][to] of a layer. */
static inline float trace_weight(const struct trace *trace, size_t layer, size_t head, size_t from,
                                 size_t to)
{
    return trace->layer[layer].weights[(head * trace->tokens + from) * trace->attended + to];
}

/* Before softmax; only for layers that have scores. */
static inline float trace_score(const struct trace *trace, size_t layer, size_t head, size_t from,
                                size_t to)
{
    return trace->layer[layer].scores[(head * trace->tokens + from) * trace->attended + to];
}

/* Whether a score is masked: minus infinity. */
static inline bool trace_is_masked(float score)
{
    return isinf(score) && score < 0;
}

/* One tensor of a trace by its public name ("layer.3.weights", "mlm_logits", "ids"). At most one
 * of numbers and integers is set; element (i,j,k) is at i·stride[0] + j·stride[1] + k·stride[2],
 * where the last stride is 1. */
struct trace_tensor {
    char name[40];
    size_t rank; /* 1 … 3 */
    size_t shape[3], stride[3];
    const float *numbers;
    const int32_t *integers;
};

/* The tensors that are present, in the order of computation; for exports and tests. */
size_t trace_tensor_count(const struct trace *trace);
void trace_tensor_at(const struct trace *trace, size_t index, struct trace_tensor *tensor);

/* ---- The list as data, for what walks over a trace's tensors ------------------------------ */

enum trace_kind { TRACE_KIND_INTEGERS, TRACE_KIND_NUMBERS, TRACE_KIND_HEADS };

#define TRACE_NAME(kind, name, axes, tensors)  TRACE_##name,
#define TRACE_COUNT(kind, name, axes, tensors) +1
enum trace_name {
    TRACE_TENSORS_BEFORE(TRACE_NAME) TRACE_LAYER_TENSORS(TRACE_NAME) TRACE_TENSORS_AFTER(TRACE_NAME)
        TRACE_OUTPUTS, /* in the order of enum model_output */
    TRACE_NAMES = TRACE_OUTPUTS + OUTPUT_COUNT
};

extern const struct trace_entry {
    const char *name;
    const char *axes;
    enum trace_kind kind;
    bool in_layer;
    size_t tensors;
    size_t offset; /* of the member, in struct layer_trace or in struct trace */
} trace_entries[TRACE_NAMES];

/* Whether it has numbers for each pair of tokens, behind the axis of heads. */
bool trace_has_pairs(const struct trace_entry *entry);

/* A tensor, of a layer by its member's name or of any kind, present or not. */
struct trace_tensor trace_layer_tensor(const struct trace *trace, size_t layer, const char *name);
struct trace_tensor trace_tensor_of(const struct trace *trace, enum trace_name which, size_t layer);

/* A tensor that a trace may have. */
struct trace_slot {
    enum trace_name which;
    size_t layer; /* 0 if it is of the whole trace */
};

/* The slots in the order of computation. */
size_t trace_slot_count(const struct trace *trace);
struct trace_slot trace_slot_at(const struct trace *trace, size_t index);

/* Its member: a pointer, or a struct heads, which begins with one. */
void *trace_slot_member(const struct trace *trace, struct trace_slot slot);

/* The longest name of a slot, with room to spare. */
#define TRACE_NAME_MAX 64

/* "layer.3.weights", "encoder.layer.3.weights", "decoder.layer.3.self.weights",
 * "decoder.layer.3.cross.weights" */
void trace_slot_name(enum site site, struct trace_slot slot, char *name, size_t size);

/* The numbers that a head gives for each row that goes into it: V, C, 2 or 1. */
size_t trace_output_columns(const struct trace *trace, enum model_output output);

/* All numbers of an output. */
size_t trace_output_count(const struct trace *trace, enum model_output output);

/* How many tensors lie in a tensor's memory: keys of another text aren't beside the queries. */
size_t trace_beside(const struct trace *trace, enum trace_name which);

/* The size of an axis, and where the trace keeps it (not for "2"); 0: not known. */
size_t trace_axis(const struct trace *trace, char axis);
size_t *trace_axis_member(struct trace *trace, char axis);
