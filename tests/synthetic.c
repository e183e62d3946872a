#include "synthetic.h"
#include "headlight/model/trace_new.h"
#include "headlight/session/derive.h"

#include <math.h>
#include <string.h>

const char *const synthetic_pair[13] = {"[CLS]", "time",  "flies", "like", "an", "arrow", "[SEP]",
                                        "fruit", "flies", "like",  "a",    "ba", "##nana"};

/* Knuth's MMIX generator; the high bits are good enough for drawings. */
static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 40) % below;
}

/* Sixteen sixteenths fall on a row; every head prefers another offset. */
static void fill_weights(struct trace *trace, struct layer_trace *layer, size_t head,
                         uint64_t *state)
{
    size_t tokens = trace->tokens;
    for (size_t from = 0; from < tokens; from++) {
        float *row = layer->weights + (head * tokens + from) * tokens;
        size_t favourite = (from + head * 2 + tokens - 1) % tokens;
        unsigned share = draw(state, 17);
        row[favourite] += (float)share / 16;
        for (; share < 16; share++)
            row[draw(state, (unsigned)tokens)] += 1.0F / 16;
    }
}

static void fill_scores(struct trace *trace, struct layer_trace *layer, size_t head)
{
    size_t tokens = trace->tokens;
    double scale = 1 / sqrt((double)trace->dimensions);
    for (size_t from = 0; from < tokens; from++)
        for (size_t to = 0; to < tokens; to++) {
            double sum = 0;
            for (size_t d = 0; d < trace->dimensions; d++)
                sum += (double)heads_row(&layer->query, head, from)[d] *
                       (double)heads_row(&layer->key, head, to)[d];
            layer->scores[(head * tokens + from) * tokens + to] = (float)(sum * scale);
        }
}

/* Σ a·v; sums of sixteenths of sixteenths are exact. */
static void fill_context(struct trace *trace, struct layer_trace *layer, size_t head)
{
    size_t tokens = trace->tokens, D = trace->dimensions;
    for (size_t from = 0; from < tokens; from++)
        for (size_t to = 0; to < tokens; to++)
            for (size_t d = 0; d < D; d++)
                layer->context[from * trace->hidden + head * D + d] +=
                    layer->weights[(head * tokens + from) * tokens + to] *
                    heads_row(&layer->value, head, to)[d];
}

/* Values have a generator of their own, so that they change nothing else. */
static void fill_values(struct trace *trace)
{
    uint64_t state = 1706;
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t head = 0; head < trace->heads; head++) {
            struct layer_trace *layer = &trace->layer[l];
            for (size_t token = 0; token < trace->tokens; token++)
                for (size_t d = 0; d < trace->dimensions; d++)
                    heads_row(&layer->value, head, token)[d] = ((float)draw(&state, 129) - 64) / 16;
            fill_context(trace, layer, head);
        }
}

static void fill(struct trace *trace)
{
    uint64_t state = 2026;
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t head = 0; head < trace->heads; head++) {
            struct layer_trace *layer = &trace->layer[l];
            fill_weights(trace, layer, head, &state);
            for (size_t token = 0; token < trace->tokens; token++)
                for (size_t d = 0; d < trace->dimensions; d++) {
                    heads_row(&layer->query, head, token)[d] = ((float)draw(&state, 129) - 64) / 16;
                    heads_row(&layer->key, head, token)[d] = ((float)draw(&state, 129) - 64) / 16;
                }
            fill_scores(trace, layer, head);
        }
    fill_values(trace);
}

enum status trace_blank(const struct config *config, size_t tokens, const bool *outputs,
                        size_t scratch, struct trace **trace, struct error *error)
{
    if (trace_new(config, tokens, NULL, outputs, scratch, trace, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < trace_tensor_count(*trace); i++) {
        struct trace_tensor tensor;
        size_t shape[3] = {1, 1, 1}, stride[3] = {0, 0, 0};
        trace_tensor_at(*trace, i, &tensor);
        memcpy(shape, tensor.shape, tensor.rank * sizeof *shape);
        memcpy(stride, tensor.stride, tensor.rank * sizeof *stride);
        for (size_t n = 0; n < shape[0] * shape[1] * shape[2]; n++) {
            const size_t at = n / shape[2] / shape[1] * stride[0] +
                              n / shape[2] % shape[1] * stride[1] + n % shape[2] * stride[2];
            if (tensor.numbers)
                ((float *)tensor.numbers)[at] = 0;
            else
                ((int32_t *)tensor.integers)[at] = 0;
        }
    }
    return STATUS_OK;
}

struct session synthetic_session(const char *const *labels, size_t tokens, size_t boundary,
                                 size_t heads, size_t dimensions)
{
    struct config config = {.vocabulary = 10,
                            .hidden = heads * dimensions,
                            .layers = 2,
                            .heads = heads,
                            .feed_forward = 4,
                            .positions = 1000,
                            .segments = 2};
    struct trace *trace;
    struct error error;
    if (trace_blank(&config, tokens, NULL, 0, &trace, &error) != STATUS_OK)
        return (struct session){0};
    for (size_t i = boundary; i < tokens; i++)
        trace->segments[i] = 1;
    fill(trace);
    return synthetic_of_trace(trace, labels, boundary);
}

struct session synthetic_of_trace(struct trace *trace, const char *const *labels, size_t boundary)
{
    static const struct checkpoint unopened;
    struct session session = {.checkpoint = &unopened,
                              .state.look = look_first(trace->heads),
                              .data = {.model = "synthetic",
                                       .no_lens = "synthetic numbers say nothing",
                                       .no_answers = "synthetic numbers say nothing",
                                       .says = OUTPUT_COUNT,
                                       .layers = trace->layers,
                                       .head_count = trace->heads}};
    struct token_side side = {.count = trace->tokens, .boundary = boundary, .labels = labels};
    struct token_side sides[] = {side, side};
    struct encoded *encoded;
    struct error error;
    if (encoded_of_trace(trace, sides, &encoded, &error) == STATUS_OK) {
        encoded->trace_owned = true;
        session_take(&session, encoded, true, &error);
    }
    return session;
}

const struct scene *scene_of(const struct session *session)
{
    static struct scene scene;
    scene = session_scene(session);
    return &scene;
}

void session_set_view(struct session *shown, enum view_kind view)
{
    struct look look = shown->state.look;
    look_go_to_view(&look, view);
    derive_show(shown, &look);
}
