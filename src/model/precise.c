#include "headlight/model/precise.h"

#include "headlight/base/size.h"
#include "headlight/model/weights.h"

#include <math.h>
#include <string.h>

/* Working space, all in the trace's scratch; see trace.c for its size. */
struct pass {
    const struct config *config;
    const struct weights *weights;
    const struct interventions *changes;
    struct trace *trace;
    double *x;       /* [T,H]  the hidden states, from layer to layer */
    double *product; /* [T,3H] query, key, value */
    double *context; /* [T,H] */
    double *y;       /* [T,H] */
    double *between; /* [F], or [H] in the masked-word head: one token at a time */
    double *row;     /* [T]    one row of weights */
};

static void round_to(float *numbers, const double *exact, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)exact[i];
}

/* ---- The operations ----------------------------------------------------------------------- */

/* Four sums, so that an addition need not wait for the one before it. */
static double dot_weights(const double *x, const float *weight, size_t count)
{
    double sums[4] = {0};
    size_t whole = count - count % 4;
    for (size_t i = 0; i < whole; i += 4)
        for (size_t j = 0; j < 4; j++)
            sums[j] += x[i + j] * (double)weight[i + j];
    for (size_t i = whole; i < count; i++)
        sums[0] += x[i] * (double)weight[i];
    return sums[0] + sums[1] + sums[2] + sums[3];
}

/* y [outputs] = x [inputs] · weightᵀ + bias, for one token */
static void linear(const struct linear *linear, const double *x, size_t inputs, size_t outputs,
                   double *y)
{
    for (size_t o = 0; o < outputs; o++)
        y[o] = (double)linear->bias[o] + dot_weights(x, linear->weight + o * inputs, inputs);
}

/* Ba et al. 2016; y may be x */
static void layer_norm(const struct pass *pass, const struct norm *norm, const double *x, double *y)
{
    size_t H = pass->trace->hidden;
    double mean = 0, variance = 0;
    for (size_t i = 0; i < H; i++)
        mean += x[i] / (double)H;
    for (size_t i = 0; i < H; i++)
        variance += (x[i] - mean) * (x[i] - mean) / (double)H;
    double scale = 1 / sqrt(variance + (double)pass->config->layer_norm_eps);
    for (size_t i = 0; i < H; i++)
        y[i] = (x[i] - mean) * scale * (double)norm->weight[i] + (double)norm->bias[i];
}

static void softmax(double *row, size_t count)
{
    double maximum = -INFINITY, total = 0;
    for (size_t i = 0; i < count; i++)
        maximum = fmax(maximum, row[i]);
    for (size_t i = 0; i < count; i++)
        total += row[i] = exp(row[i] - maximum);
    for (size_t i = 0; i < count; i++)
        row[i] /= total;
}

/* Hendrycks and Gimpel 2016: x·Φ(x), and its approximation by tanh. */
static double activate(enum activation activation, double x)
{
    switch (activation) {
    case ACTIVATION_GELU_NEW:
        return 0.5 * x * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
    case ACTIVATION_RELU:
        return x > 0 ? x : 0;
    default:
        return 0.5 * x * (1 + erf(x * 0.70710678118654752440));
    }
}

/* ---- The steps, as in encoder.c ----------------------------------------------------------- */

static void embed(const struct pass *pass)
{
    const struct weights *weights = pass->weights;
    struct trace *trace = pass->trace;
    size_t H = trace->hidden;
    for (size_t t = 0; t < trace->tokens; t++) {
        const float *word = weights->word_embeddings + (size_t)trace->ids[t] * H;
        const float *segment = weights->segment_embeddings + (size_t)trace->segments[t] * H;
        const float *position = weights->position_embeddings + t * H;
        double *x = pass->x + t * H;
        for (size_t i = 0; i < H; i++)
            x[i] = (double)word[i] + (double)segment[i] + (double)position[i];
        layer_norm(pass, &weights->embedding_norm, x, x);
    }
    round_to(trace->embedding, pass->x, trace->tokens * H);
}

/* One token of one head: its scores, weights and context. */
static void attend(const struct pass *pass, size_t l, size_t head, size_t from)
{
    const struct trace *trace = pass->trace;
    const struct layer_trace *layer = &trace->layer[l];
    size_t T = trace->tokens, H = trace->hidden, D = trace->dimensions;
    double scale = pass->changes->unscaled ? 1 : 1 / sqrt((double)D);
    const double *query = pass->product + from * 3 * H + head * D;
    double *context = pass->context + from * H + head * D;
    for (size_t to = 0; to < T; to++) {
        const double *key = pass->product + to * 3 * H + H + head * D;
        double sum = 0;
        for (size_t d = 0; d < D; d++)
            sum += query[d] * key[d];
        pass->row[to] = pass->changes->causal && to > from ? -INFINITY : sum * scale;
    }
    round_to(layer->scores + (head * T + from) * T, pass->row, T);
    softmax(pass->row, T);
    round_to(layer->weights + (head * T + from) * T, pass->row, T);
    memset(context, 0, D * sizeof *context);
    if (pass->changes->off[l] >> head & 1)
        return;
    for (size_t to = 0; to < T; to++)
        for (size_t d = 0; d < D; d++)
            context[d] += pass->row[to] * pass->product[to * 3 * H + 2 * H + head * D + d];
}

static void self_attention(const struct pass *pass, size_t l)
{
    const struct layer_weights *weights = &pass->weights->layer[l];
    struct trace *trace = pass->trace;
    size_t T = trace->tokens, H = trace->hidden;
    for (size_t t = 0; t < T; t++) {
        const double *x = pass->x + t * H;
        double *product = pass->product + t * 3 * H;
        linear(&weights->query, x, H, H, product);
        linear(&weights->key, x, H, H, product + H);
        linear(&weights->value, x, H, H, product + 2 * H);
    }
    round_to(trace->layer[l].query.data, pass->product, T * 3 * H);
    for (size_t head = 0; head < trace->heads; head++)
        for (size_t t = 0; t < T; t++)
            attend(pass, l, head, t);
    round_to(trace->layer[l].context, pass->context, T * H);
    for (size_t t = 0; t < T; t++) {
        double *x = pass->x + t * H, *y = pass->y + t * H;
        linear(&weights->attention_output, pass->context + t * H, H, H, y);
        for (size_t i = 0; i < H; i++)
            y[i] += x[i];
        layer_norm(pass, &weights->attention_norm, y, x);
    }
    round_to(trace->layer[l].attention_output, pass->x, T * H);
}

static void feed_forward(const struct pass *pass, size_t l)
{
    const struct layer_weights *weights = &pass->weights->layer[l];
    struct trace *trace = pass->trace;
    size_t T = trace->tokens, H = trace->hidden, F = pass->config->feed_forward;
    for (size_t t = 0; t < T; t++) {
        double *x = pass->x + t * H, *y = pass->y + t * H;
        linear(&weights->intermediate, x, H, F, pass->between);
        for (size_t i = 0; i < F; i++)
            pass->between[i] = activate(pass->config->activation, pass->between[i]);
        linear(&weights->output, pass->between, F, H, y);
        for (size_t i = 0; i < H; i++)
            y[i] += x[i];
        layer_norm(pass, &weights->output_norm, y, x);
    }
    round_to(trace->layer[l].output, pass->x, T * H);
}

static void masked_word_head(const struct pass *pass)
{
    const struct weights *weights = pass->weights;
    struct trace *trace = pass->trace;
    size_t H = trace->hidden, V = trace->vocabulary;
    for (size_t t = 0; t < trace->tokens; t++) {
        double *hidden = pass->between;
        linear(&weights->mlm_transform, pass->x + t * H, H, H, hidden);
        for (size_t i = 0; i < H; i++)
            hidden[i] = activate(pass->config->activation, hidden[i]);
        layer_norm(pass, &weights->mlm_norm, hidden, hidden);
        for (size_t v = 0; v < V; v++)
            trace->mlm_logits[t * V + v] =
                (float)((double)weights->mlm_decoder.bias[v] +
                        dot_weights(hidden, weights->mlm_decoder.weight + v * H, H));
    }
}

static void next_sentence_head(const struct pass *pass)
{
    size_t H = pass->trace->hidden;
    double logits[2];
    linear(&pass->weights->pooler, pass->x, H, H, pass->y);
    for (size_t i = 0; i < H; i++)
        pass->y[i] = tanh(pass->y[i]);
    linear(&pass->weights->nsp, pass->y, H, 2, logits);
    round_to(pass->trace->nsp_logits, logits, 2);
}

/* ---- The pass ----------------------------------------------------------------------------- */

size_t precise_cost(const struct config *config, size_t tokens)
{
    /* an estimate for a threshold: a double holds any of these sizes well enough */
    double T = (double)tokens, H = (double)config->hidden, F = (double)config->feed_forward;
    double layer = T * (4 * H * H + 2 * H * F + 2 * T * H);
    double cost = (double)config->layers * layer + T * (double)config->vocabulary * H;
    return cost < (double)SIZE_MAX / 2 ? (size_t)cost : SIZE_MAX;
}

static struct pass begin(const struct model *model, const struct interventions *changes,
                         struct trace *trace)
{
    size_t T = trace->tokens, H = trace->hidden;
    const struct config *config = model_config(model);
    struct pass pass = {.config = config,
                        .weights = model_weights(model),
                        .changes = changes,
                        .trace = trace,
                        .x = (double *)(void *)trace->scratch};
    pass.product = pass.x + T * H;
    pass.context = pass.product + 3 * T * H;
    pass.y = pass.context + T * H;
    pass.between = pass.y + T * H;
    pass.row = pass.between + size_max(config->feed_forward, H);
    return pass;
}

enum status precise_forward(const struct model *model, const struct interventions *changes,
                            const struct watch *watch, struct trace *trace, struct error *error)
{
    struct pass pass = begin(model, changes, trace);
    embed(&pass);
    for (size_t l = 0; l < trace->layers; l++) {
        self_attention(&pass, l);
        feed_forward(&pass, l);
        if (watch_step(watch, l + 1, trace->layers, error) != STATUS_OK)
            return error->status;
    }
    if (trace->mlm_logits)
        masked_word_head(&pass);
    if (trace->nsp_logits)
        next_sentence_head(&pass);
    return STATUS_OK;
}
