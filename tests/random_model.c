#include "random_model.h"
#include "opening.h"

#include "headlight/base/size.h"
#include "headlight/model/forward.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

struct random_shape random_shape(uint64_t seed)
{
    static const char *const types[] = {"F32", "F16", "BF16"};
    static const char *const activations[] = {"gelu", "gelu_new", "relu", "silu"};
    uint64_t state = seed;
    size_t heads = 1 + random_below(&state, 5), dimensions = 1 + random_below(&state, 8);
    return (struct random_shape){.hidden = heads * dimensions,
                                 .heads = heads,
                                 .layers = 1 + random_below(&state, 3),
                                 .feed_forward = 1 + random_below(&state, 70),
                                 .vocabulary = 5 + random_below(&state, 60),
                                 .positions = 80,
                                 .type = types[seed % 3],
                                 .activation = activations[seed / 3 % 4],
                                 .sharpness = seed % 4 == 0 ? 8 : 2};
}

/* ---- Weights ------------------------------------------------------------------------------ */

static void add(struct random_model *random, const char *name, size_t rows, size_t columns,
                float middle, float range, uint64_t *state)
{
    const size_t shape[] = {rows, columns, 0};
    struct part *part = parts_add(&random->parts, name, "F32", shape);
    size_t count = size_max(columns, 1) * rows;
    float *numbers = malloc(count * sizeof *numbers);
    ck_assert_ptr_nonnull(numbers);
    fill_random(numbers, count, range, random_next(state));
    for (size_t i = 0; i < count; i++)
        numbers[i] += middle;
    memcpy(part->data, numbers, part->size);
    free(numbers);
}

/* y = x·weightᵀ + bias */
static void add_linear(struct random_model *random, const char *name, size_t outputs, size_t inputs,
                       float sharpness, uint64_t *state)
{
    char full[192];
    snprintf(full, sizeof full, "%s.weight", name);
    add(random, full, outputs, inputs, 0, sharpness / sqrtf((float)inputs), state);
    snprintf(full, sizeof full, "%s.bias", name);
    add(random, full, outputs, 0, 0, 0.3f, state);
}

static void add_norm(struct random_model *random, const char *name, uint64_t *state)
{
    char full[192];
    snprintf(full, sizeof full, "%s.weight", name);
    add(random, full, random->shape.hidden, 0, 1, 0.4f, state);
    snprintf(full, sizeof full, "%s.bias", name);
    add(random, full, random->shape.hidden, 0, 0, 0.3f, state);
}

static void add_layer(struct random_model *random, size_t l, uint64_t *state)
{
    static const char *const names[] = {"attention.self.query", "attention.self.key",
                                        "attention.self.value", "attention.output.dense",
                                        "intermediate.dense",   "output.dense"};
    const struct random_shape *shape = &random->shape;
    char name[128];
    for (size_t i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "bert.encoder.layer.%zu.%s", l, names[i]);
        add_linear(random, name, i == 4 ? shape->feed_forward : shape->hidden,
                   i == 5 ? shape->feed_forward : shape->hidden, i < 2 ? shape->sharpness : 1,
                   state);
    }
    snprintf(name, sizeof name, "bert.encoder.layer.%zu.attention.output.LayerNorm", l);
    add_norm(random, name, state);
    snprintf(name, sizeof name, "bert.encoder.layer.%zu.output.LayerNorm", l);
    add_norm(random, name, state);
}

static void add_all(struct random_model *random, uint64_t *state)
{
    const struct random_shape *shape = &random->shape;
    size_t H = shape->hidden;
    add(random, "bert.embeddings.word_embeddings.weight", shape->vocabulary, H, 0, 1, state);
    add(random, "bert.embeddings.position_embeddings.weight", shape->positions, H, 0, 1, state);
    add(random, "bert.embeddings.token_type_embeddings.weight", 2, H, 0, 1, state);
    add_norm(random, "bert.embeddings.LayerNorm", state);
    for (size_t l = 0; l < shape->layers; l++)
        add_layer(random, l, state);
    add_linear(random, "cls.predictions.transform.dense", H, H, 1, state);
    add_norm(random, "cls.predictions.transform.LayerNorm", state);
    add(random, "cls.predictions.bias", shape->vocabulary, 0, 0, 1, state);
    add_linear(random, "bert.pooler.dense", H, H, 1, state);
    add_linear(random, "cls.seq_relationship", 2, H, 1, state);
}

/* ---- The model ---------------------------------------------------------------------------- */

enum status random_model_open(struct random_model *random, struct error *why)
{
    const struct random_shape *shape = &random->shape;
    char config[512];
    size_t size;
    model_free(random->model);
    free(random->bytes);
    random->bytes = parts_bytes(&random->parts, 0, &size);
    int length = snprintf(config, sizeof config,
                          "{\"vocab_size\":%zu,\"hidden_size\":%zu,\"num_hidden_layers\":%zu,"
                          "\"num_attention_heads\":%zu,\"intermediate_size\":%zu,"
                          "\"max_position_embeddings\":%zu,\"hidden_act\":\"%s\"}",
                          shape->vocabulary, shape->hidden, shape->layers, shape->heads,
                          shape->feed_forward, shape->positions, shape->activation);
    return model_from_memory("random", random->config ? random->config : config,
                             random->config ? strlen(random->config) : (size_t)length,
                             random->bytes, size, &random->model, why);
}

void random_model_make(struct random_model *random, const struct random_shape *shape, uint64_t seed)
{
    uint64_t state = seed;
    *random = (struct random_model){.shape = *shape};
    add_all(random, &state);
    if (strcmp(shape->type, "F32") != 0)
        parts_narrow(&random->parts, shape->type);
    assert_ok(random_model_open(random, &error), error);
}

void random_model_free(struct random_model *random)
{
    model_free(random->model);
    free(random->bytes);
    parts_free(&random->parts);
}

/* ---- Traces ------------------------------------------------------------------------------- */

struct trace *random_target(const struct random_model *random, const struct trace *source,
                            size_t tokens, uint64_t seed)
{
    int32_t ids[1024];
    struct trace *trace;
    ck_assert_uint_le(tokens, 1024);
    for (size_t t = 0; t < tokens; t++)
        ids[t] = (int32_t)random_below(&seed, random->shape.vocabulary);
    assert_ok(
        forward_prepare(random->model->decoder, source, ids, NULL, tokens, true, &trace, &error),
        error);
    return trace;
}

struct trace *random_prepare(const struct random_model *random, size_t tokens, size_t boundary,
                             uint64_t seed)
{
    int32_t ids[1024], segments[1024];
    struct trace *trace;
    uint64_t state = seed;
    ck_assert_uint_le(tokens, 1024);
    for (size_t t = 0; t < tokens; t++) {
        ids[t] = (int32_t)random_below(&state, random->shape.vocabulary);
        segments[t] = t >= boundary && random->model->config.segments != 1;
    }
    assert_ok(forward_prepare(random->model, NULL, ids, segments, tokens, true, &trace, &error),
              error);
    return trace;
}

static void assert_same_tensors(const struct trace_tensor *a, const struct trace_tensor *b)
{
    const size_t planes = a->rank > 2 ? a->shape[a->rank - 3] : 1;
    const size_t rows = a->rank > 1 ? a->shape[a->rank - 2] : 1, columns = a->shape[a->rank - 1];
    ck_assert_str_eq(a->name, b->name);
    ck_assert_mem_eq(a->shape, b->shape, sizeof a->shape);
    ck_assert_mem_eq(a->stride, b->stride, sizeof a->stride);
    for (size_t i = 0; i < planes * rows; i++) {
        size_t at = a->rank == 3   ? i / rows * a->stride[0] + i % rows * a->stride[1]
                    : a->rank == 2 ? i * a->stride[0]
                                   : 0;
        const void *one = a->numbers ? (const void *)(a->numbers + at) : a->integers + at;
        const void *other = b->numbers ? (const void *)(b->numbers + at) : b->integers + at;
        if (memcmp(one, other, columns * 4) != 0)
            ck_abort_msg("%s differs in row %zu", a->name, i);
    }
}

void assert_same_traces(const struct trace *a, const struct trace *b)
{
    ck_assert_uint_eq(trace_tensor_count(a), trace_tensor_count(b));
    for (size_t i = 0; i < trace_tensor_count(a); i++) {
        struct trace_tensor one, other;
        trace_tensor_at(a, i, &one);
        trace_tensor_at(b, i, &other);
        assert_same_tensors(&one, &other);
    }
}
