/* operations.c: the operations of a layer, and of a head of the model behind the last one, as one
 * table, in the order in which they are computed. No family is named here: which operations a layer
 * has follows from configuration and weights, so a new family that combines known parts needs no
 * row. */
#include "headlight/model/operations.h"

#include <stddef.h>

/* ---- Stages ---- */

static const struct {
    const char *name;
    char axis;
} stages[STAGE_COUNT] = {
#define STAGE(stage, name, axis) [STAGE_##stage] = {name, axis},
    STAGES(STAGE)
#undef STAGE
};

const char *stage_name(enum stage stage)
{
    return stages[stage].name;
}

static bool is_sentence(enum model_output output)
{
    return output == OUTPUT_SENTENCE;
}

/* Where it is of a layer, and of which output of the model's. */
struct operation_place {
    const struct model *model;
    const struct trace *trace;
    size_t layer;
    enum model_output output;
};

/* A word head's numbers are as many as an embedding's. A recording doesn't tell how wide its
 * feed-forward block is. */
static size_t stage_size(const struct operation_place *at, enum stage stage)
{
    const char axis = stages[stage].axis;
    if (axis == 'F')
        return at->model ? model_config(at->model)->feed_forward : 0;
    if (axis == 'l')
        return at->output == OUTPUT_START ? 2 : trace_output_columns(at->trace, at->output);
    if (axis == 'h' && at->output == OUTPUT_MLM)
        return at->trace->embedded;
    if (axis == 'h')
        return is_sentence(at->output) ? at->trace->pooled : at->trace->hidden;
    return trace_axis(at->trace, axis);
}

/* ---- What a layer has ---- */

enum layer_part {
    FIRST = 1,          /* it begins with the embedding, */
    EMBEDDING_NORM = 2, /* which has a LayerNorm, */
    PROJECTED = 4,      /* and is not as wide as the layers are */
    BEFORE = 8,         /* LayerNorms come before attention and feed-forward */
    NORMED = 16,        /* this layer has the one before attention */
    ROTARY = 32,
    GATED = 64,
    CONVOLVED = 128,

    /* Behind the last layer, */
    FINAL = 256,    /* which has a LayerNorm there, */
    POOLS = 512,    /* one vector is made of all tokens', */
    DENSE = 1024,   /* goes through a linear layer, */
    EVENED = 2048,  /* a LayerNorm, */
    UNIT = 4096,    /* is brought to length 1, */
    LOGITS = 8192,  /* and makes logits, */
    SHARED = 16384, /* and these shares of 1, */
    SINGLE = 32768, /* or each one by itself */
};

/* What a head says of its logits, a span by both of its heads. */
static unsigned parts_of_logits(const struct model *model, enum model_output output)
{
    const enum score_function function = output == OUTPUT_CLASSES ? model_labels(model)->function
                                         : output == OUTPUT_RTD   ? SCORE_SIGMOID
                                                                  : SCORE_SOFTMAX;
    return LOGITS | (function == SCORE_SOFTMAX ? SHARED : function == SCORE_SIGMOID ? SINGLE : 0U);
}

/* A vector that goes through a dense module (sentence.h) is only followed so far. */
static unsigned parts_of_output(const struct model *model, enum model_output output)
{
    const struct weights *weights = model_weights(model);
    const struct sentence_model *sentence = model_config(model)->sentence;
    if (is_sentence(output) && sentence)
        return POOLS | (sentence->normalized && sentence->dense.outputs == 0 ? UNIT : 0U);
    if (output >= OUTPUT_COUNT || !weights->has[output])
        return 0;
    const struct head_weights *head = &weights->heads[output];
    return (head->pooling != POOL_NONE ? POOLS : 0U) | (head->dense.weight.bytes ? DENSE : 0U) |
           (head->norm.weight ? EVENED : 0U) |
           (head->decoder.weight.bytes ? parts_of_logits(model, output) : 0U);
}

/* Configuration and weights tell everything. */
static unsigned parts_of_model(const struct operation_place *at)
{
    const struct config *config = model_config(at->model);
    const struct weights *weights = model_weights(at->model);
    const size_t layer = at->layer;
    const bool last = layer + 1 == at->trace->layers;
    return (layer == 0 ? FIRST : 0U) | (weights->embedding_norm.weight ? EMBEDDING_NORM : 0U) |
           (config->embedding > 0 ? PROJECTED : 0U) | (config->norm_before ? BEFORE : 0U) |
           (weights->layer[layer].attention_norm.weight ? NORMED : 0U) |
           (config->rotary ? ROTARY : 0U) | (config->gated ? GATED : 0U) |
           (config->kernel > 0 && layer == 0 ? CONVOLVED : 0U) |
           (last && config->norm_before ? FINAL : 0U) |
           (last ? parts_of_output(at->model, at->output) : 0U);
}

/* A recording may lack any tensor, so a part is only assumed where a tensor that needs it is
 * there. */
static unsigned parts_of_recording(const struct trace *trace, size_t layer)
{
    const struct layer_trace *of = &trace->layer[layer];
    return EMBEDDING_NORM | (layer == 0 ? FIRST : 0U) |
           (trace->embedding && trace->embedded != trace->hidden ? PROJECTED : 0U) |
           (of->normed ? BEFORE | NORMED : 0U) | (of->query_unrotated.data ? ROTARY : 0U) |
           (of->before_conv ? CONVOLVED : 0U) |
           (trace->final && layer + 1 == trace->layers ? FINAL : 0U);
}

/* ---- The table ---- */

enum whose { OF_LAYER, OF_NETWORK, OF_HEAD };

#define LAYER(member)   offsetof(struct layer_weights, member), OF_LAYER
#define NETWORK(member) offsetof(struct weights, member), OF_NETWORK
#define HEAD(member)    offsetof(struct head_weights, member), OF_HEAD
#define NO_WEIGHTS      0, OF_LAYER

#define ROW(stage, parts, kind, from, with, tensor, matrix, ...)                                   \
    {                                                                                              \
        STAGE_##stage, parts, OPERATION_##kind, STAGE_##from, STAGE_##with, tensor, matrix,        \
            __VA_ARGS__                                                                            \
    }

/* A stage's operation is the first of its rows whose parts the layer has. */
static const struct row {
    enum stage stage;
    unsigned parts;
    enum operation_kind kind;
    enum stage from, with;       /* an absent stage hands on its own `from` */
    const char *tensor, *matrix; /* see struct operation */
    size_t offset;               /* of its linear layer or LayerNorm in the weights */
    enum whose of;               /* of the layer, the network, or the output's head */
} rows[] = {
    ROW(EMBEDDING, FIRST | EMBEDDING_NORM, EMBED, NONE, NONE, NULL, NULL, NO_WEIGHTS),
    ROW(EMBEDDING, FIRST | PROJECTED, EMBED, NONE, NONE, NULL, NULL, NO_WEIGHTS),
    ROW(NARROW, FIRST | EMBEDDING_NORM | PROJECTED, NORM, EMBEDDING, NONE, "embedding", NULL,
        NETWORK(embedding_norm)),
    ROW(INPUT, FIRST | PROJECTED, LINEAR, NARROW, NONE, "input", "W_e",
        NETWORK(embedding_projection)),
    ROW(INPUT, FIRST | EMBEDDING_NORM, NORM, EMBEDDING, NONE, "input", NULL,
        NETWORK(embedding_norm)),
    ROW(INPUT, FIRST, EMBED, NONE, NONE, "input", NULL, NO_WEIGHTS),
    ROW(INPUT, 0, TAKE, NONE, NONE, "input", NULL, NO_WEIGHTS),

    ROW(NORMED, BEFORE | NORMED, NORM, INPUT, NONE, "normed", NULL, LAYER(attention_norm)),
    ROW(RAW_QUERY, ROTARY, LINEAR, NORMED, NONE, "query_unrotated", "W_q",
        LAYER(projections[QUERY])),
    ROW(RAW_KEY, ROTARY, LINEAR, NORMED, NONE, "key_unrotated", "W_k", LAYER(projections[KEY])),
    ROW(QUERY, ROTARY, ROTATE, RAW_QUERY, NONE, "query", NULL, NO_WEIGHTS),
    ROW(QUERY, 0, LINEAR, NORMED, NONE, "query", "W_q", LAYER(projections[QUERY])),
    ROW(KEY, ROTARY, ROTATE, RAW_KEY, NONE, "key", NULL, NO_WEIGHTS),
    ROW(KEY, 0, LINEAR, NORMED, NONE, "key", "W_k", LAYER(projections[KEY])),
    ROW(VALUE, 0, LINEAR, NORMED, NONE, "value", "W_v", LAYER(projections[VALUE])),
    ROW(SCORES, 0, SCORE, QUERY, KEY, "scores", NULL, NO_WEIGHTS),
    ROW(WEIGHTS, 0, SOFTMAX, SCORES, NONE, "weights", NULL, NO_WEIGHTS),
    ROW(CONTEXT, 0, WEIGH, WEIGHTS, VALUE, "context", NULL, NO_WEIGHTS),
    ROW(HEADS, 0, LINEAR, CONTEXT, NONE, NULL, "W_o", LAYER(attention_output)),
    ROW(ADDED, 0, LENGTH, CONTEXT, NONE, NULL, NULL, LAYER(attention_output)),
    ROW(ATTENTION, BEFORE, ADD, INPUT, HEADS, "attention_output", NULL, NO_WEIGHTS),
    ROW(ATTENTION, 0, NORM, INPUT, HEADS, "attention_output", NULL, LAYER(attention_norm)),

    ROW(RENORMED, BEFORE, NORM, ATTENTION, NONE, NULL, NULL, LAYER(output_norm)),
    ROW(FORWARD, 0, LINEAR, RENORMED, NONE, NULL, "W_1", LAYER(intermediate[0])),
    ROW(GATE, GATED, LINEAR, RENORMED, NONE, NULL, "W_g", LAYER(intermediate[1])),
    ROW(ACTIVE, GATED, ACTIVATE, FORWARD, GATE, NULL, NULL, NO_WEIGHTS),
    ROW(ACTIVE, 0, ACTIVATE, FORWARD, NONE, NULL, NULL, NO_WEIGHTS),
    ROW(BACK, 0, LINEAR, ACTIVE, NONE, NULL, "W_2", LAYER(output)),

    ROW(JOINED, CONVOLVED | BEFORE, ADD, ATTENTION, BACK, "before_conv", NULL, NO_WEIGHTS),
    ROW(JOINED, CONVOLVED, NORM, ATTENTION, BACK, "before_conv", NULL, LAYER(output_norm)),
    ROW(NEARBY, CONVOLVED, CONVOLVE, INPUT, NONE, NULL, "W_c", NETWORK(convolution)),
    ROW(CONVOLVED, CONVOLVED, ACTIVATE, NEARBY, NONE, NULL, NULL, NO_WEIGHTS),
    ROW(OUTPUT, CONVOLVED, NORM, JOINED, CONVOLVED, "output", NULL, NETWORK(convolution_norm)),
    ROW(OUTPUT, BEFORE, ADD, ATTENTION, BACK, "output", NULL, NO_WEIGHTS),
    ROW(OUTPUT, 0, NORM, ATTENTION, BACK, "output", NULL, LAYER(output_norm)),

    ROW(FINAL, FINAL, NORM, OUTPUT, NONE, "final", NULL, NETWORK(final_norm)),
    ROW(POOLED, POOLS, POOL, FINAL, NONE, NULL, NULL, NO_WEIGHTS),
    ROW(DENSE, DENSE, LINEAR, POOLED, NONE, NULL, "W_d", HEAD(dense)),
    ROW(BENT, DENSE, ACTIVATE, DENSE, NONE, NULL, NULL, NO_WEIGHTS),
    ROW(EVENED, EVENED, NORM, BENT, NONE, NULL, NULL, HEAD(norm)),
    ROW(UNIT, UNIT, UNIT, POOLED, NONE, NULL, NULL, NO_WEIGHTS),
    ROW(LOGITS, LOGITS, LINEAR, EVENED, NONE, NULL, "U", HEAD(decoder)),
    ROW(ANSWER, SHARED, SHARE, LOGITS, NONE, NULL, NULL, NO_WEIGHTS),
    ROW(ANSWER, SINGLE, SIGMOID, LOGITS, NONE, NULL, NULL, NO_WEIGHTS),
};
#define ROWS (sizeof rows / sizeof *rows)

/* NULL: no layer with these parts has the stage. */
static const struct row *find_row(enum stage stage, unsigned parts)
{
    for (const struct row *row = rows; row < rows + ROWS; row++)
        if (row->stage == stage && (row->parts & parts) == row->parts)
            return row;
    return NULL;
}

/* The stage or, where the layer lacks it, the stage it would have been made from. */
static enum stage present_stage(enum stage stage, unsigned parts)
{
    while (stage != STAGE_NONE && !find_row(stage, parts))
        stage = find_row(stage, ~0U)->from;
    return stage;
}

static const bool *pools_of(const struct operation_place *at)
{
    static const bool first[POOLING_COUNT] = {[POOLING_CLS] = true},
                      mean[POOLING_COUNT] = {[POOLING_MEAN] = true};
    return is_sentence(at->output) ? model_config(at->model)->sentence->pools
           : model_weights(at->model)->heads[at->output].pooling == POOL_MEAN ? mean
                                                                              : first;
}

/* Fills in the weights and the activation of a row. */
static void bind_weights(const struct row *row, const struct operation_place *at,
                         struct operation *operation)
{
    const struct weights *weights = model_weights(at->model);
    const struct config *config = model_config(at->model);
    const struct head_weights *head = &weights->heads[at->output % OUTPUT_COUNT];
    const char *const whose[] = {[OF_LAYER] = (const char *)&weights->layer[at->layer],
                                 [OF_NETWORK] = (const char *)weights,
                                 [OF_HEAD] = (const char *)head};
    const char *of = whose[row->of];
    if (row->kind == OPERATION_NORM)
        operation->norm = (const void *)(of + row->offset);
    else if (row->matrix || row->kind == OPERATION_LENGTH)
        operation->linear = (const void *)(of + row->offset);
    operation->activation = row->stage == STAGE_CONVOLVED ? config->convolution
                            : row->stage == STAGE_BENT    ? head->activation
                                                          : config->activation;
    if (row->kind == OPERATION_POOL)
        operation->pools = pools_of(at);
    if (row->stage == STAGE_LOGITS && head->decoder.weight.bytes == weights->word_embeddings.bytes)
        operation->matrix = "W_word"; /* they are tied */
    if (row->kind == OPERATION_CONVOLVE)
        operation->inputs *= config->kernel;
}

/* A row of the table, with what this model and this text add to it. */
struct operation operation_of(const struct model *model, const struct trace *trace, size_t layer,
                              enum model_output output, enum stage stage)
{
    const struct operation_place at = {model, trace, layer, output};
    const unsigned parts = model ? parts_of_model(&at) : parts_of_recording(trace, layer);
    const struct row *row = find_row(stage, parts);
    struct operation operation = {.from = STAGE_NONE, .with = STAGE_NONE};
    if (!row)
        return operation;
    operation.kind = row->kind;
    operation.from = present_stage(row->from, parts);
    operation.with = row->with;
    operation.tensor = row->tensor;
    operation.matrix = row->matrix;
    operation.outputs = stage_size(&at, stage);
    if (stage == STAGE_HEADS) /* all of them */
        operation.inputs = trace->hidden;
    else if (operation.from != STAGE_NONE)
        operation.inputs = stage_size(&at, operation.from);
    if (model)
        bind_weights(row, &at, &operation);
    return operation;
}
