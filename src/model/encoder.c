#include "headlight/model/encoder.h"

#include "headlight/model/kernels.h"
#include "headlight/model/precise.h"
#include "headlight/model/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What every step of one forward pass looks at. */
struct pass {
    const struct config *config;
    const struct weights *weights;
    const struct interventions *changes; /* never NULL */
    struct trace *trace;
};

/* ---- Preparation -------------------------------------------------------------------------- */

static enum status check_tokens(const struct config *config, size_t tokens, struct error *error)
{
    if (tokens == 0)
        return error_set(error, STATUS_LIMIT, "the text has no tokens: type at least one word");
    if (tokens > config->positions)
        return error_set(error, STATUS_LIMIT,
                         "the text is %zu tokens long, the model has %zu positions: shorten it by "
                         "%zu token%s",
                         tokens, config->positions, tokens - config->positions,
                         tokens - config->positions == 1 ? "" : "s");
    return STATUS_OK;
}

static enum status check_rows(const char *what, const char *table, const int32_t *rows,
                              size_t tokens, size_t count, struct error *error)
{
    for (size_t t = 0; t < tokens; t++)
        if (rows[t] < 0 || (size_t)rows[t] >= count)
            return error_set(error, STATUS_MISMATCH,
                             "token %zu: expected %s from 0 to %zu, the rows of the model's %s, "
                             "found %d; does the vocabulary belong to the model?",
                             t, what, count - 1, table, (int)rows[t]);
    return STATUS_OK;
}

enum status encoder_prepare(const struct model *model, const int32_t *ids, const int32_t *segments,
                            size_t tokens, struct trace **trace, struct error *error)
{
    const struct config *config = model_config(model);
    const struct weights *weights = model_weights(model);
    *trace = NULL;
    if (check_tokens(config, tokens, error) != STATUS_OK ||
        check_rows("an id", "vocabulary", ids, tokens, config->vocabulary, error) != STATUS_OK ||
        check_rows("a segment", "segment table", segments, tokens, config->segments, error) !=
            STATUS_OK ||
        trace_new(config, tokens, weights->has_mlm, weights->has_nsp, trace, error) != STATUS_OK)
        return error->status;
    memcpy((*trace)->ids, ids, tokens * sizeof *ids);
    memcpy((*trace)->segments, segments, tokens * sizeof *segments);
    return STATUS_OK;
}

/* ---- The steps ---------------------------------------------------------------------------- */

/* x [T,H] → y [T,H], both of the trace. y may be x. */
static void layer_norm(const struct pass *pass, const struct norm *norm, const float *x, float *y)
{
    kernels_layer_norm(x, pass->trace->tokens, pass->trace->hidden, norm->weight, norm->bias,
                       pass->config->layer_norm_eps, y);
}

/* Devlin et al. 2019, 3 and figure 2:  x_t = LayerNorm(word(id_t) + position(t) + segment_t) */
static void embed(const struct pass *pass)
{
    struct trace *trace = pass->trace;
    const struct weights *weights = pass->weights;
    size_t H = trace->hidden;
    for (size_t t = 0; t < trace->tokens; t++) {
        const float *word = weights->word_embeddings + (size_t)trace->ids[t] * H; /* [H] */
        const float *position = weights->position_embeddings + t * H;             /* [H] */
        const float *segment =
            weights->segment_embeddings + (size_t)trace->segments[t] * H; /* [H] */
        float *x = trace->embedding + t * H;                              /* [H] */
        for (size_t i = 0; i < H; i++)
            x[i] = word[i] + segment[i] + position[i];
    }
    layer_norm(pass, &weights->embedding_norm, trace->embedding, trace->embedding);
}

/* Vaswani et al. 2017, 3.2.2:  q = x·W_qᵀ + b_q, and so for key and value, all heads at once, into
 * the layer's [T,3H]. Adjacent weights make it one product. Weights that are used where they lie
 * in the file are mostly not adjacent: then three products into the same place are cheaper than a
 * copy of the weights, which would cost as much as reading the file. */
static void project(const struct pass *pass, const struct layer_weights *weights,
                    const struct layer_trace *layer)
{
    size_t T = pass->trace->tokens, H = pass->trace->hidden;
    const struct linear *parts[] = {&weights->query, &weights->key, &weights->value};
    float *product = layer->query.data; /* [T,3H] */
    if (weights->fused) {
        kernels_linear(layer->input, T, H, parts[0]->weight, parts[0]->bias, 3 * H, product, 3 * H);
        return;
    }
    for (size_t i = 0; i < 3; i++)
        kernels_linear(layer->input, T, H, parts[i]->weight, parts[i]->bias, H, product + i * H,
                       3 * H);
}

/* A token attends to no later one. */
static void mask_later_tokens(float *scores /* [T,T] */, size_t tokens)
{
    for (size_t from = 0; from < tokens; from++)
        for (size_t to = from + 1; to < tokens; to++)
            scores[from * tokens + to] = -INFINITY;
}

/* Vaswani et al. 2017, equation 1, for one head:
 *
 *     scores = q·kᵀ/√D     weights = softmax(scores)     context = weights·v
 *
 * A head that is switched off keeps its weights, which say what it would attend to, and adds
 * nothing: its columns of the context are zero. */
static void attend(const struct pass *pass, size_t l, size_t head)
{
    const struct trace *trace = pass->trace;
    const struct layer_trace *layer = &trace->layer[l];
    size_t T = trace->tokens, H = trace->hidden, D = trace->dimensions;
    float scale = pass->changes->unscaled ? 1 : 1 / sqrtf((float)D);
    float *scores = layer->scores + head * T * T;   /* [T,T] */
    float *weights = layer->weights + head * T * T; /* [T,T] */
    float *context = layer->context + head * D;     /* [T,D], stride H */
    kernels_scores(heads_row(&layer->query, head, 0), heads_row(&layer->key, head, 0),
                   layer->query.token_stride, T, D, scale, scores);
    if (pass->changes->causal)
        mask_later_tokens(scores, T);
    kernels_softmax(scores, T, T, weights);
    if (pass->changes->off[l] >> head & 1)
        for (size_t t = 0; t < T; t++)
            memset(context + t * H, 0, D * sizeof *context);
    else
        kernels_context(weights, heads_row(&layer->value, head, 0), layer->value.token_stride, T, D,
                        context, H);
}

/* attention_output = LayerNorm(x + context·Wᵀ + b) */
static void self_attention(const struct pass *pass, size_t l)
{
    const struct layer_weights *weights = &pass->weights->layer[l];
    const struct layer_trace *layer = &pass->trace->layer[l];
    size_t T = pass->trace->tokens, H = pass->trace->hidden;
    float *y = layer->attention_output; /* [T,H] */
    project(pass, weights, layer);
    for (size_t head = 0; head < pass->trace->heads; head++)
        attend(pass, l, head);
    kernels_linear(layer->context, T, H, weights->attention_output.weight,
                   weights->attention_output.bias, H, y, H);
    kernels_add(layer->input, T * H, y);
    layer_norm(pass, &weights->attention_norm, y, y);
}

/* Vaswani et al. 2017, 3.3, with BERT's activation f:
 *
 *     output = LayerNorm(x + f(x·W1ᵀ + b1)·W2ᵀ + b2),  x = attention_output */
static void feed_forward(const struct pass *pass, size_t l)
{
    const struct layer_weights *weights = &pass->weights->layer[l];
    const struct layer_trace *layer = &pass->trace->layer[l];
    size_t T = pass->trace->tokens, H = pass->trace->hidden, F = pass->config->feed_forward;
    float *between = pass->trace->scratch; /* [T,F] */
    float *y = layer->output;              /* [T,H] */
    kernels_linear(layer->attention_output, T, H, weights->intermediate.weight,
                   weights->intermediate.bias, F, between, F);
    kernels_activate(pass->config->activation, between, T * F);
    kernels_linear(between, T, F, weights->output.weight, weights->output.bias, H, y, H);
    kernels_add(layer->attention_output, T * H, y);
    layer_norm(pass, &weights->output_norm, y, y);
}

/* Devlin et al. 2019, 3.1, task 1, after BertLMPredictionHead in modeling_bert.py:
 *
 *     logits = LayerNorm(f(x·Wᵀ + b))·Eᵀ + c,  E the decoder, most often the word embeddings */
static void masked_word_head(const struct pass *pass, const float *x /* [T,H] */)
{
    const struct weights *weights = pass->weights;
    struct trace *trace = pass->trace;
    size_t T = trace->tokens, H = trace->hidden, V = trace->vocabulary;
    float *hidden = trace->scratch; /* [T,H] */
    kernels_linear(x, T, H, weights->mlm_transform.weight, weights->mlm_transform.bias, H, hidden,
                   H);
    kernels_activate(pass->config->activation, hidden, T * H);
    layer_norm(pass, &weights->mlm_norm, hidden, hidden);
    kernels_linear(hidden, T, H, weights->mlm_decoder.weight, weights->mlm_decoder.bias, V,
                   trace->mlm_logits, V);
}

/* Devlin et al. 2019, 3.1, task 2, after BertPooler:  logits = tanh(x_0·Wᵀ + b)·Uᵀ + c */
static void next_sentence_head(const struct pass *pass, const float *x /* [T,H] */)
{
    const struct weights *weights = pass->weights;
    size_t H = pass->trace->hidden;
    float *pooled = pass->trace->scratch; /* [H] */
    kernels_linear(x, 1, H, weights->pooler.weight, weights->pooler.bias, H, pooled, H);
    kernels_tanh(pooled, H);
    kernels_linear(pooled, 1, H, weights->nsp.weight, weights->nsp.bias, 2, pass->trace->nsp_logits,
                   2);
}

/* ---- The pass ----------------------------------------------------------------------------- */

static enum status single_forward(const struct model *model, const struct interventions *changes,
                                  const struct watch *watch, struct trace *trace,
                                  struct error *error)
{
    const struct pass pass = {model_config(model), model_weights(model), changes, trace};
    embed(&pass);
    for (size_t l = 0; l < trace->layers; l++) {
        self_attention(&pass, l);
        feed_forward(&pass, l);
        if (watch_step(watch, l + 1, trace->layers, error) != STATUS_OK)
            return error->status;
    }
    const float *last = trace->layer[trace->layers - 1].output; /* [T,H] */
    if (trace->mlm_logits)
        masked_word_head(&pass, last);
    if (trace->nsp_logits)
        next_sentence_head(&pass, last);
    return STATUS_OK;
}

enum status encoder_forward(const struct model *model, const struct interventions *changes,
                            enum precision precision, const struct watch *watch,
                            struct trace *trace, struct error *error)
{
    static const struct interventions none;
    if (!changes)
        changes = &none;
    if (precision == PRECISION_AUTO)
        precision = precise_cost(model_config(model), trace->tokens) <= ENCODER_PRECISE_COST
                        ? PRECISION_DOUBLE
                        : PRECISION_SINGLE;
    return precision == PRECISION_DOUBLE ? precise_forward(model, changes, watch, trace, error)
                                         : single_forward(model, changes, watch, trace, error);
}
