/* forward_numbers.h: what the numbers of a pass are, where they are computed and how they are
 * multiplied. Part of forward_pass.c. They are computed where the trace has them. */
#include "headlight/model/forward.h"

#include "headlight/base/size.h"
#include "headlight/model/batch.h"
#include "headlight/model/head_mask.h"
#include "headlight/model/operations.h"
#include "headlight/model/relation.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* Rows of scores computed at a time for a head, which stay near while they are gone over. */
#define QUERIES_AT_ONCE 64
/* Multiply-adds that are worth a thread; waiting for each other costs too. */
#define THREAD_COST ((size_t)1 << 22)

/* ---- Working space ------------------------------------------------------------------------ */

/* What a pass needs beside the trace. Parts that the model doesn't use are empty. T stands for the
 * rows of all texts, or t for those of the longest. */
struct workspace {
    uint32_t *texts;       /* [T]  which one a row belongs to */
    struct packed input;   /* [T,H]  of a linear layer */
    struct packed between; /* [T,F]  between the halves of the feed-forward block */
    float *rows;           /* [T,H]  of norms and heads, in the place of `between` */
    float *halves;         /* [T,2F] of a gated feed-forward block */
    float *pooled;         /* a row [H] of each text, for heads */
    float *memory;         /* [S,H]  of a decoder, what the encoder made of all texts */

    uint32_t *rows_of_distances; /* [2t-1] */
    float *rotations;            /* [2,t,r] of rotary positions */
    struct packed relative;      /* [R,H]  the distances of disentangled attention */
    float *from_keys;            /* [t,R] of each head: keys times distances */
    float *products;             /* [QUERIES_AT_ONCE,R] of each head: queries times distances */
    float *neighbours;           /* [T,H·K] of a convolution, */
    struct packed convolved;     /* which is the product of these */
    float *keys, *values;        /* [t,D] of each head, as products take them */
    float *relations;            /* twice [R,D] of each head, as keys */
};

static void *take_numbers(struct trace_block *parts, size_t count)
{
    return trace_block_part(parts, count, 1, 1, sizeof(float));
}

/* Room for rows of up to `widest` numbers, of which this input has `inputs`. */
static struct packed take_input_rows(struct trace_block *parts, size_t tokens, size_t inputs,
                                     size_t widest, bool few)
{
    float *numbers = take_numbers(parts, pack_size(tokens, size_max(inputs, widest)));
    return pack_in(numbers, tokens, inputs, few);
}

/* Rows of values are padded to whole vectors. */
static size_t value_stride(size_t dimensions)
{
    return (dimensions + KERNELS_LANES_MAX - 1) / KERNELS_LANES_MAX * KERNELS_LANES_MAX;
}

/* Runs once without memory, to tell the trace how much scratch a pass needs, and once in each pass;
 * `few`: of short texts, whose rows are multiplied by loops of their own (matmul.h). An input is as
 * wide as the widest rows that ever become one: embeddings may be wider than the layers. */
static struct workspace take_workspace(struct trace_block *parts, const struct config *config,
                                       const struct trace_extent *extent, bool few)
{
    const size_t S = extent->attended, T = size_max(extent->rows, S), A = config->heads;
    const size_t t = size_max(extent->longest, extent->longest_attended);
    const size_t H = config->hidden, F = config->feed_forward, K = config->kernel;
    const size_t D = config_dimensions(config);
    const size_t wide = size_max(size_max(H, A * D), config_embedding(config));
    struct workspace workspace = {.input = take_input_rows(parts, T, H, wide, few)};
    workspace.between = take_input_rows(parts, T, F, wide, few);
    workspace.rows = workspace.between.numbers;
    workspace.halves = take_numbers(parts, config->gated ? 2 * T * F : 0);
    workspace.rotations =
        take_numbers(parts, config->rotary ? 2 * t * relation_rotated(config) : 0);
    workspace.keys = take_numbers(parts, A * pack_size(t, D));
    workspace.values = take_numbers(parts, A * t * value_stride(D));
    if (config->relation != RELATION_NONE)
        workspace.rows_of_distances = take_numbers(parts, 2 * t);
    if (config->relation == RELATION_DISENTANGLED) { /* R distances, projected, and head by head */
        size_t first;
        const size_t R = relation_rows(config, t, &first);
        float *relative = take_numbers(parts, pack_size(R, H));
        workspace.relative = pack_in(relative, R, H, false); /* R depends on the other texts */
        workspace.from_keys = take_numbers(parts, A * t * R);
        workspace.products = take_numbers(parts, A * QUERIES_AT_ONCE * R);
        workspace.relations = take_numbers(parts, 2 * A * pack_size(R, H / A));
    }
    workspace.neighbours = take_numbers(parts, T * H * K);
    workspace.convolved = take_input_rows(parts, K > 0 ? T : 0, H * K, 0, few);
    workspace.texts = take_numbers(parts, T);
    workspace.pooled = take_numbers(parts, extent->texts * H);
    workspace.memory = take_numbers(parts, S * H);
    return workspace;
}

size_t forward_scratch(const struct config *config, const struct trace_extent *extent)
{
    const double rows = (double)size_max(extent->rows, extent->attended),
                 longest = (double)size_max(extent->longest, extent->longest_attended);
    const double widest = (double)size_max(config->feed_forward, config_embedding(config)) +
                          (double)config->hidden * (1 + (double)config->kernel) +
                          (double)config->heads * (double)config_dimensions(config);
    const double heads = (double)config->heads * (64 + longest);
    const double bound = 64 * (rows + 64) * (widest + 64 * heads);
    if (bound > (double)(SIZE_MAX / 16))
        return SIZE_MAX;
    struct trace_block measured = {.memory = NULL};
    take_workspace(&measured, config, extent, false);
    return (measured.used + TRACE_LINE - 1) / TRACE_LINE * TRACE_LINE / sizeof(float);
}

/* Each thread of the pool has its own copy during a pass. */
struct pass {
    const struct pool_thread *thread;
    const struct forward_task *task;
    const struct config *config;
    const struct weights *weights;
    struct trace *trace; /* of the rows of all texts */
    struct forward_text *texts;
    size_t last_wanted; /* the layer whose weights are the last that somebody takes, or L */
    struct workspace workspace;
    struct operations operations;    /* that are carried out: of a layer, or of a head */
    bool cross;                      /* of a decoder's attention to its encoder */
    size_t l;                        /* the layer, */
    const struct layer_trace *layer; /* and its tensors */
    size_t rows;                     /* of the operations: all tokens', or one of each text, */
    bool few;                        /* which are multiplied as those of short texts are */
    float *at[STAGE_COUNT];          /* the rows that were made, where they lie */
    enum status *status; /* of all threads: written by thread 0 alone, read after a wait */
};

static struct forward_text *text_of(const struct pass *pass, size_t row)
{
    return &pass->texts[pass->workspace.texts[row]];
}

/* The position of a row's token in its text. */
static size_t position_of(const struct pass *pass, size_t row)
{
    return row - text_of(pass, row)->first + text_of(pass, row)->begin;
}

/* For the operations that the pass has: where it makes what each makes, in the trace, or what the
 * trace hasn't in working space. */
static void place_rows(struct pass *pass)
{
    const struct workspace *workspace = &pass->workspace;
    for (const struct operation *of = pass->operations.list; of->kind; of++) {
        const struct trace_slot slot = {of->memory, of->memory < TRACE_OUTPUTS ? pass->l : 0};
        float *numbers = NULL;
        if (of->memory < TRACE_NAMES && (!of->cross || pass->trace->cross))
            memcpy(&numbers, trace_slot_member(of->cross ? pass->trace->cross : pass->trace, slot),
                   sizeof numbers);
        pass->at[of->stage] = numbers                      ? numbers
                              : of->stage == STAGE_MEMORY  ? workspace->memory
                              : of->stage == STAGE_FORWARD ? workspace->halves
                              : of->kind == OPERATION_POOL ? workspace->pooled
                                                           : workspace->rows;
    }
    pass->rows = pass->trace->tokens;
    pass->few = pass->task->few;
}

static void enter_layer(struct pass *pass, size_t l)
{
    const struct network network = {.model = pass->task->model, .trace = pass->trace};
    pass->l = l;
    pass->layer = &pass->trace->layer[l];
    operations_of_layer(&network, l, OUTPUT_COUNT, &pass->operations);
    place_rows(pass);
}

/* The rows of a stage as linear layers take them. What feed-forward makes of its rows comes while
 * those are still taken, and is as wide as no other. */
static struct packed packed_of(const struct pass *pass, enum stage stage, size_t columns)
{
    const struct packed *to =
        stage == STAGE_ACTIVE ? &pass->workspace.between : &pass->workspace.input;
    return pack_in(to->numbers, pass->rows, columns, pass->few);
}

static size_t columns_of(const struct operation *operation)
{
    return operation->outputs * operation->heads;
}

/* ---- Linear layers ------------------------------------------------------------------------ */

/* From row to row of what an operation makes; of `parts` of them, that lie beside each other, where
 * no tensor tells. */
static size_t stride_of(const struct pass *pass, const struct operation *of, size_t parts)
{
    const bool heads =
        of->memory < TRACE_NAMES && trace_entries[of->memory].kind == TRACE_KIND_HEADS;
    const struct layer_trace *layer = of->cross ? &pass->trace->cross->layer[pass->l] : pass->layer;
    if (!heads)
        return parts * columns_of(of);
    return (of->tensor == TRACE_key ? &layer->key : &layer->query)->token_stride;
}

/* ---- Products of a head, by one thread ----------------------------------------------------- */

struct head {
    size_t index;
    struct forward_text *text;
    const struct interventions *changes;
    const struct trace *trace;       /* the text's, or that of its other attention, */
    const struct layer_trace *layer; /* and its tensors */
    const float *queries;            /* [T,D] with the stride of the projections */
    struct packed keys;              /* [S,D] */
    const float *values;             /* [S,D] with value_stride */
    struct packed distances;         /* [R,D]  as keys */
    float *from_keys;                /* [T,R]  k·pq */
    float *products;                 /* [QUERIES_AT_ONCE,R]  q·pk, to be filled in */
};

/* Rows [count,D] with a stride as multiply_keys takes them, in memory for so many. */
static struct packed gather_keys(const float *rows, size_t stride, size_t count, size_t D,
                                 float *memory)
{
    const struct packed packed = pack_in(memory, count, D, false);
    pack_put(&packed, rows, stride, 0, count);
    return packed;
}
