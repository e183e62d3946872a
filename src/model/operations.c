/* operations.c: builds the operations of a layer, and of a head of the model behind the last one.
 * No family is named here: what a layer has follows from the configuration, so a new family that
 * combines known parts needs nothing, and a new part is a builder. */
#include "headlight/model/operations.h"

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

struct builder {
    const struct network *of;
    const struct config *config;       /* or what a recording's tensors say of one */
    const struct weights *weights;     /* NULL: of no model, as the layer's */
    const struct layer_weights *layer; /* its weights */
    enum model_output output;
    struct operations *to;
};

/* A word head's numbers are as many as an embedding's. A recording doesn't tell how wide its
 * feed-forward block is. */
static size_t stage_size(const struct builder *in, enum stage stage)
{
    const char axis = stages[stage].axis;
    const struct trace *trace = in->of->trace;
    if (axis == 'F')
        return in->config->feed_forward;
    if (axis == 'd')
        return trace->dimensions;
    if (axis == 'M')
        return trace->cross ? trace->cross->attended : 0;
    if (axis == 'l')
        return in->output == OUTPUT_START ? 2 : trace_output_columns(trace, in->output);
    if (axis == 'h' && in->output == OUTPUT_MLM)
        return trace->embedded;
    if (axis == 'h')
        return in->output == OUTPUT_SENTENCE ? trace->pooled : trace->hidden;
    return trace_axis(trace, axis);
}

/* ---- Single operations -------------------------------------------------------------------- */

#define NO_TENSOR           TRACE_NAMES
#define WEIGHTS(of, member) ((of) ? &(of)->member : NULL)

/* What belongs to a head, such as a query, is there once for each; the output projection takes the
 * contexts of all heads. */
static struct operation *add(struct builder *in, enum operation_kind kind, enum stage stage,
                             enum stage from, enum stage with, enum trace_name tensor)
{
    const struct trace *trace = in->of->trace;
    const char axis = stages[stage].axis;
    struct operation *added = &in->to->list[in->to->count++];
    *added = (struct operation){.kind = kind,
                                .stage = stage,
                                .from = from,
                                .with = with,
                                .tensor = tensor,
                                .heads = axis == 'D'   ? trace->heads
                                         : axis == 'd' ? trace->groups
                                                       : 1,
                                .outputs = stage_size(in, stage),
                                .inputs = from == STAGE_NONE ? 0
                                          : from == STAGE_CONTEXT || from == STAGE_CROSS_CONTEXT
                                              ? trace->inner
                                              : stage_size(in, from)};
    return added;
}

static enum stage linear(struct builder *in, enum stage stage, enum stage from,
                         enum trace_name tensor, const char *matrix, const struct linear *weights)
{
    struct operation *added = add(in, OPERATION_LINEAR, stage, from, STAGE_NONE, tensor);
    added->matrix = matrix;
    added->linear = weights;
    return stage;
}

static enum stage norm(struct builder *in, enum stage stage, enum stage from, enum stage with,
                       enum trace_name tensor, const struct norm *weights)
{
    add(in, OPERATION_NORM, stage, from, with, tensor)->norm = weights;
    return stage;
}

static enum stage cap(struct builder *in, enum stage stage, enum stage from, enum trace_name tensor,
                      double most)
{
    add(in, OPERATION_CAP, stage, from, STAGE_NONE, tensor)->factor = most;
    return stage;
}

/* ---- The builders of a layer -------------------------------------------------------------- */

/* The stages of an attention: to the text itself, and of a decoder to that of its encoder. */
static const struct attention {
    bool cross;
    enum stage input, normed, query, key, value, raw_scores, scores, weights, context, heads, added,
        output;
} attentions[] = {
    {false, STAGE_INPUT, STAGE_NORMED, STAGE_QUERY, STAGE_KEY, STAGE_VALUE, STAGE_RAW_SCORES,
     STAGE_SCORES, STAGE_WEIGHTS, STAGE_CONTEXT, STAGE_HEADS, STAGE_ADDED, STAGE_ATTENTION},
    {true, STAGE_ATTENTION, STAGE_CROSS_NORMED, STAGE_CROSS_QUERY, STAGE_CROSS_KEY,
     STAGE_CROSS_VALUE, STAGE_NONE, STAGE_CROSS_SCORES, STAGE_CROSS_WEIGHTS, STAGE_CROSS_CONTEXT,
     STAGE_CROSS_HEADS, STAGE_CROSS_ADDED, STAGE_CROSS_ATTENTION}};

static bool has_tensor(const struct builder *in, const struct tensor_list *list, size_t offset)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].offset == offset)
            return family_numbers(in->config, &list->entries[i]) > 0;
    return false;
}

/* Whether the layers of the family have such a norm. */
#define HAS(in, member)                                                                            \
    ((in)->config->family &&                                                                       \
     has_tensor(in, &(in)->config->family->layer, offsetof(struct layer_weights, member.weight)))

static bool is_cross_alone(const struct builder *in)
{
    return in->of->alone && in->of->trace->site == SITE_CROSS;
}

static void embed(struct builder *in)
{
    const struct family *family = in->config->family; /* of none it is BERT's */
    const bool normed =
        !family || has_tensor(in, &family->whole, offsetof(struct weights, embedding_norm.weight));
    const bool projected = in->config->embedding > 0, scaled = in->config->embedding_scale > 0;
    enum stage x = normed || projected || scaled ? STAGE_EMBEDDING : STAGE_INPUT;
    add(in, OPERATION_EMBED, x, STAGE_NONE, STAGE_NONE,
        x == STAGE_INPUT                 ? TRACE_input
        : in->config->embedding_unscaled ? TRACE_embedding
                                         : NO_TENSOR);
    if (scaled)
        add(in, OPERATION_SCALE, STAGE_INPUT, x, STAGE_NONE, TRACE_input)->factor =
            in->config->embedding_scale;
    if (normed)
        x = norm(in, projected ? STAGE_NARROW : STAGE_INPUT, x, STAGE_NONE,
                 projected ? TRACE_embedding : TRACE_input, WEIGHTS(in->weights, embedding_norm));
    if (projected)
        linear(in, STAGE_INPUT, x, TRACE_input, "W_e", WEIGHTS(in->weights, embedding_projection));
}

/* The end of a block: its input x and what came out of it added up, with the LayerNorm that comes
 * after the sum. */
static void add_residual(struct builder *in, enum stage stage, enum stage x, enum stage out,
                         enum trace_name tensor, const struct norm *after)
{
    if (HAS(in, attention_after)) /* of no decoder */
        out = stage == STAGE_ATTENTION ? norm(in, STAGE_HEADS_NORMED, out, STAGE_NONE, NO_TENSOR,
                                              WEIGHTS(in->layer, attention_after))
                                       : norm(in, STAGE_BACK_NORMED, out, STAGE_NONE, NO_TENSOR,
                                              WEIGHTS(in->layer, output_after));
    if (in->config->norm_before)
        add(in, OPERATION_ADD, stage, x, out, tensor);
    else
        norm(in, stage, x, out, tensor, after);
}

/* From the scores on, of either attention. */
static void weigh(struct builder *in, const struct attention *of,
                  const struct attention_weights *weights)
{
    const double most = of->cross ? 0 : in->config->score_cap;
    add(in, OPERATION_SCORE, most > 0 ? of->raw_scores : of->scores, of->query, of->key,
        most > 0 ? NO_TENSOR : TRACE_scores);
    if (most > 0)
        cap(in, of->scores, of->raw_scores, TRACE_scores, most);
    add(in, OPERATION_SOFTMAX, of->weights, of->scores, STAGE_NONE, TRACE_weights);
    add(in, OPERATION_WEIGH, of->context, of->weights, of->value, TRACE_context);
    linear(in, of->heads, of->context, in->config->branches ? TRACE_attention_branch : NO_TENSOR,
           "W_o", WEIGHTS(weights, output));
    add(in, OPERATION_LENGTH, of->added, of->context, STAGE_NONE, NO_TENSOR)->linear =
        WEIGHTS(weights, output);
    add_residual(in, of->output, of->input, of->heads, TRACE_attention_output,
                 WEIGHTS(weights, norm));
}

/* Vaswani et al. 2017, 3.2.3: queries of the decoder's rows, keys and values of the encoder's,
 * which no row of the decoder has. */
static void attend_across(struct builder *in, const struct attention *of)
{
    const size_t first = in->to->count;
    const struct attention_weights *weights = WEIGHTS(in->layer, cross);
    enum stage x = of->input;
    if (in->config->norm_before)
        x = norm(in, of->normed, x, STAGE_NONE, TRACE_normed, WEIGHTS(weights, norm));
    linear(in, of->query, x, TRACE_query, "W_q", WEIGHTS(weights, projections[QUERY]));
    if (!in->of->alone) {
        add(in, OPERATION_MEMORY, STAGE_MEMORY, STAGE_NONE, STAGE_NONE, NO_TENSOR);
        linear(in, of->key, STAGE_MEMORY, TRACE_key, "W_k", WEIGHTS(weights, projections[KEY]));
        linear(in, of->value, STAGE_MEMORY, TRACE_value, "W_v",
               WEIGHTS(weights, projections[VALUE]));
    }
    weigh(in, of, weights);
    for (size_t i = first; i < in->to->count; i++)
        in->to->list[i].cross = true;
}

/* Rotary positions turn raw queries and keys. */
static void attend(struct builder *in, size_t l)
{
    const struct layer_weights *layer = in->layer;
    const struct attention_weights *weights = WEIGHTS(layer, attention);
    const bool raw = in->config->rotary, normed = HAS(in, query_norm);
    const enum stage query = raw ? STAGE_RAW_QUERY : STAGE_QUERY,
                     key = raw ? STAGE_RAW_KEY : STAGE_KEY;
    const enum trace_name queries = raw ? TRACE_query_unrotated : TRACE_query,
                          keys = raw ? TRACE_key_unrotated : TRACE_key;
    enum stage x = STAGE_INPUT;
    if (in->config->norm_before && /* which a first layer may lack */
        (l > 0 || !in->config->family || HAS(in, attention.norm)))
        x = norm(in, STAGE_NORMED, x, STAGE_NONE, TRACE_normed, WEIGHTS(weights, norm));
    linear(in, normed ? STAGE_PROJECTED_QUERY : query, x, normed ? NO_TENSOR : queries, "W_q",
           WEIGHTS(weights, projections[QUERY]));
    linear(in, normed ? STAGE_PROJECTED_KEY : key, x, normed ? NO_TENSOR : keys, "W_k",
           WEIGHTS(weights, projections[KEY]));
    linear(in, STAGE_VALUE, x, TRACE_value, "W_v", WEIGHTS(weights, projections[VALUE]));
    if (normed) {
        norm(in, query, STAGE_PROJECTED_QUERY, STAGE_NONE, queries, WEIGHTS(layer, query_norm));
        norm(in, key, STAGE_PROJECTED_KEY, STAGE_NONE, keys, WEIGHTS(layer, key_norm));
    }
    if (raw) {
        add(in, OPERATION_ROTATE, STAGE_QUERY, STAGE_RAW_QUERY, STAGE_NONE, TRACE_query);
        add(in, OPERATION_ROTATE, STAGE_KEY, STAGE_RAW_KEY, STAGE_NONE, TRACE_key);
    }
    weigh(in, &attentions[0], weights);
}

static void feed_forward(struct builder *in, bool last)
{
    const struct layer_weights *weights = in->layer;
    const struct norm *learnt = WEIGHTS(weights, output_norm);
    const bool branches = in->config->branches;
    const bool both = in->config->stack == STACK_DECODER && !is_cross_alone(in);
    const enum stage attention = both ? STAGE_CROSS_ATTENTION : STAGE_ATTENTION;
    enum stage x = in->config->parallel ? STAGE_INPUT : attention, gate = STAGE_NONE;
    if (in->config->norm_before)
        x = norm(in, STAGE_RENORMED, x, STAGE_NONE, branches ? TRACE_mlp_normed : NO_TENSOR,
                 learnt);
    linear(in, STAGE_FORWARD, x, NO_TENSOR, "W_1", WEIGHTS(weights, intermediate[0]));
    if (in->config->gated)
        gate = linear(in, STAGE_GATE, x, NO_TENSOR, "W_g", WEIGHTS(weights, intermediate[1]));
    add(in, OPERATION_ACTIVATE, STAGE_ACTIVE, STAGE_FORWARD, gate, NO_TENSOR)->activation =
        in->config->activation;
    linear(in, STAGE_BACK, STAGE_ACTIVE, branches ? TRACE_mlp_branch : NO_TENSOR, "W_2",
           WEIGHTS(weights, output));
    add_residual(in, last ? STAGE_OUTPUT : STAGE_JOINED, attention, STAGE_BACK,
                 last ? TRACE_output : TRACE_before_conv, learnt);
}

/* What DeBERTa has beside the first layer:  output = LayerNorm(joined + f(conv(input))) */
static void convolve(struct builder *in)
{
    struct operation *nearby =
        add(in, OPERATION_CONVOLVE, STAGE_NEARBY, STAGE_INPUT, STAGE_NONE, NO_TENSOR);
    nearby->matrix = "W_c";
    nearby->linear = WEIGHTS(in->weights, convolution);
    nearby->inputs *= in->config->kernel;
    add(in, OPERATION_ACTIVATE, STAGE_CONVOLVED, STAGE_NEARBY, STAGE_NONE, NO_TENSOR)->activation =
        in->config->convolution;
    norm(in, STAGE_OUTPUT, STAGE_JOINED, STAGE_CONVOLVED, TRACE_output,
         WEIGHTS(in->weights, convolution_norm));
}

/* ---- The builders of a head --------------------------------------------------------------- */

static enum stage pool(struct builder *in, enum stage stage, enum stage x, const bool *pools)
{
    add(in, OPERATION_POOL, stage, x, STAGE_NONE, NO_TENSOR)->pools = pools;
    return stage;
}

/* Every head on top of the last layer (family.h):  logits = LayerNorm(f(x·Wᵀ + b))·Uᵀ + c
 *
 * Devlin et al. 2019, 3.1: words (BertLMPredictionHead in modeling_bert.py, U the word embeddings)
 * and the next sentence; 4.1 to 4.3: classes, spans and tags; Clark et al. 2020, 2: replaced
 * tokens. The families' classification heads are in their modeling files. */
static void add_head(struct builder *in, enum stage x)
{
    static const bool first[POOLING_COUNT] = {[POOLING_CLS] = true},
                      mean[POOLING_COUNT] = {[POOLING_MEAN] = true};
    const struct head_weights *head = &in->weights->heads[in->output];
    const struct matrix *decoder = &head->decoder.weight;
    const enum trace_name own = (enum trace_name)(TRACE_OUTPUTS + in->output);
    const enum score_function function = in->output == OUTPUT_CLASSES
                                             ? in->of->model->labels.function
                                         : in->output == OUTPUT_RTD ? SCORE_SIGMOID
                                                                    : SCORE_SOFTMAX;
    const bool capped = in->config->logit_cap > 0 && in->output == OUTPUT_LM;
    if (head->pooling == POOL_FIRST || head->pooling == POOL_MEAN)
        x = pool(in, STAGE_POOLED, x, head->pooling == POOL_MEAN ? mean : first);
    if (head->dense.weight.bytes) {
        linear(in, STAGE_DENSE, x, NO_TENSOR, "W_d", &head->dense);
        x = STAGE_HEAD_ACTIVE;
        add(in, OPERATION_ACTIVATE, x, STAGE_DENSE, STAGE_NONE, decoder->bytes ? NO_TENSOR : own)
            ->activation = head->activation;
    }
    if (head->pooling == POOL_LATE)
        x = pool(in, STAGE_HEAD_MEAN, x, mean);
    if (head->norm.weight)
        x = norm(in, STAGE_HEAD_NORMED, x, STAGE_NONE, NO_TENSOR, &head->norm);
    if (in->config->head_scale > 0) {
        add(in, OPERATION_SCALE, STAGE_HEAD_SCALED, x, STAGE_NONE, NO_TENSOR)->factor =
            in->config->head_scale;
        x = STAGE_HEAD_SCALED;
    }
    if (!decoder->bytes)
        return;
    linear(in, capped ? STAGE_RAW_LOGITS : STAGE_LOGITS, x, capped ? NO_TENSOR : own,
           decoder->bytes == in->weights->word_embeddings.bytes ? "W_word" : "U", &head->decoder);
    if (capped)
        cap(in, STAGE_LOGITS, STAGE_RAW_LOGITS, own, in->config->logit_cap);
    if (function == SCORE_SOFTMAX || function == SCORE_SIGMOID)
        add(in, function == SCORE_SOFTMAX ? OPERATION_SHARE : OPERATION_SIGMOID, STAGE_ANSWER,
            STAGE_LOGITS, STAGE_NONE, NO_TENSOR);
}

static void add_output(struct builder *in, enum stage x)
{
    const struct sentence_model *sentence = in->config->sentence;
    if (in->weights && in->output == OUTPUT_SENTENCE && sentence) {
        x = pool(in, STAGE_POOLED, x, sentence->pools);
        /* a vector that goes through a dense module (sentence.h) is only followed so far */
        if (sentence->normalized && sentence->dense.outputs == 0)
            add(in, OPERATION_UNIT, STAGE_UNIT, x, STAGE_NONE, NO_TENSOR);
    } else if (in->weights && in->output < OUTPUT_COUNT && in->weights->has[in->output])
        add_head(in, x);
}

/* ---- Lists -------------------------------------------------------------------------------- */

/* Where each is made, and whether a linear layer takes it. The last one's numbers go into the next
 * layer, or a head.
 */
static void link_operations(struct operations *operations)
{
    for (size_t i = operations->count; i-- > 0;) {
        struct operation *of = &operations->list[i];
        of->memory = of->tensor;
        of->feeds = i + 1 == operations->count;
        for (size_t j = operations->count; --j > i;) {
            const struct operation *taker = &operations->list[j];
            of->feeds |= taker->kind == OPERATION_LINEAR && taker->from == of->stage;
            const bool sum = taker->kind >= OPERATION_NORM && taker->kind <= OPERATION_CAP;
            /* it leaves its numbers where those of its second, or only, operand are */
            const bool in_place =
                taker->with != STAGE_NONE
                    ? sum && taker->with == of->stage
                    : (sum || taker->kind == OPERATION_ACTIVATE) && taker->from == of->stage;
            if ((of->tensor == NO_TENSOR && in_place) ||
                (taker->kind == OPERATION_ROTATE && taker->from == of->stage))
                of->memory = taker->memory;
        }
    }
    operations->list[operations->count] = (struct operation){.kind = OPERATION_ABSENT};
}

static struct builder builder_of(const struct network *network, size_t l, enum model_output output,
                                 struct operations *to)
{
    const struct model *model = network->model;
    const struct weights *weights = model ? &model->weights : NULL;
    to->count = 0;
    return (struct builder){.of = network,
                            .config = model ? &model->config : network->config,
                            .weights = weights,
                            .layer = weights ? &weights->layer[l] : NULL,
                            .output = output,
                            .to = to};
}

void operations_of_layer(const struct network *network, size_t layer, enum model_output output,
                         struct operations *operations)
{
    struct builder in = builder_of(network, layer, output, operations);
    struct config recorded;
    const bool computed = in.config;
    if (!computed) { /* it may lack any tensor: a part is there where a tensor that needs it is */
        const struct trace *trace = network->trace;
        const struct layer_trace *of = &trace->layer[layer];
        const bool projected = trace->embedding && trace->embedded != trace->hidden;
        recorded = (struct config){.embedding = projected ? trace->embedded : 0,
                                   .norm_before = of->normed,
                                   .rotary = of->query_unrotated.data,
                                   .kernel = of->before_conv ? 1 : 0};
        in.config = &recorded;
    }
    const bool convolved = layer == 0 && in.config->kernel > 0;
    const bool final = computed ? in.config->norm_before : network->trace->final != NULL;
    const bool crosses = computed && is_cross_alone(&in);
    if (crosses)
        add(&in, OPERATION_TAKE, STAGE_INPUT, STAGE_NONE, STAGE_NONE, TRACE_attention_output);
    else if (layer == 0)
        embed(&in);
    else
        add(&in, OPERATION_TAKE, STAGE_INPUT, STAGE_NONE, STAGE_NONE, TRACE_input);
    if (!crosses)
        attend(&in, layer);
    if (in.config->stack == STACK_DECODER && (crosses || !network->alone))
        attend_across(&in, &attentions[!crosses]);
    else if (in.config->stack == STACK_DECODER)
        add(&in, OPERATION_TAKE, STAGE_CROSS_ATTENTION, STAGE_NONE, STAGE_NONE,
            TRACE_attention_output)
            ->cross = true;
    feed_forward(&in, !convolved);
    if (convolved)
        convolve(&in);
    if (layer + 1 == network->trace->layers) {
        if (final)
            norm(&in, STAGE_FINAL, STAGE_OUTPUT, STAGE_NONE, TRACE_final,
                 WEIGHTS(in.weights, final_norm));
        add_output(&in, final ? STAGE_FINAL : STAGE_OUTPUT);
    }
    link_operations(operations);
}

void operations_of_head(const struct network *network, enum model_output output,
                        struct operations *operations)
{
    struct builder in = builder_of(network, 0, output, operations);
    add_output(&in, in.config->norm_before ? STAGE_FINAL : STAGE_OUTPUT);
    link_operations(operations);
}

const struct operation *operations_find(const struct operations *operations, enum stage stage)
{
    for (size_t i = 0; i < operations->count; i++)
        if (operations->list[i].stage == stage)
            return &operations->list[i];
    return NULL;
}

/* ---- What a pass costs -------------------------------------------------------------------- */

/* An estimate for a threshold: a double holds any of these sizes well enough. The distances of
 * disentangled attention are some two for each token. */
uint64_t operations_cost(const struct config *config, size_t tokens, size_t attended)
{
    const struct trace sizes = trace_of_sizes(config, tokens);
    const struct network network = {.config = config, .trace = &sizes};
    const double T = (double)tokens, S = (double)attended;
    const double H = (double)config->hidden, I = (double)sizes.inner;
    struct operations operations;
    double layer = 0;
    operations_of_layer(&network, config->layers > 1, OUTPUT_COUNT, &operations);
    for (const struct operation *of = operations.list; of->kind; of++) {
        if (of->kind == OPERATION_LINEAR)
            layer += (of->from == STAGE_MEMORY ? S : T) * (double)of->inputs * (double)of->outputs *
                     (double)of->heads;
        if (of->kind == OPERATION_SCORE || of->kind == OPERATION_WEIGH)
            layer += T * (of->cross ? S : T) * I;
        if (of->kind == OPERATION_SCORE && config->relation == RELATION_DISENTANGLED)
            layer += 2 * T * (2 * H * H + 2 * T * H);
    }
    const double cost = (double)config->layers * layer +
                        T * (double)config->vocabulary * (double)config_embedding(config);
    return cost < 0x1p63 ? (uint64_t)cost : UINT64_MAX;
}
