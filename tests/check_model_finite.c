/* A weight that is NaN or infinite is noticed, wherever it is, and so is a number that grows too
 * large; neither is ever left in a trace that a pass calls good. */
#include "family_model.h"
#include "headlight/model/forward.h"
#include "headlight/model/relation.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/thread_pool.h"
#include "recorded.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKENS 9

static struct error error;
static struct random_model model;

static void end(void)
{
    random_model_free(&model);
    model = (struct random_model){0};
    kernels_choose(NULL);
    pool_set_size(0);
}

TESTS(.end = end);

/* ---- Damage ------------------------------------------------------------------------------- */

static const struct damage {
    const char *found; /* as messages have it */
    float number;
    uint16_t f16, bf16;
} damages[] = {
    {"NaN", NAN, 0x7E01, 0x7FC1},
    {"infinity", INFINITY, 0x7C00, 0x7F80},
    {"-infinity", -INFINITY, 0xFC00, 0xFF80},
};
#define DAMAGES (sizeof damages / sizeof *damages)

static size_t width(const struct part *part)
{
    return strcmp(part->type, "F32") == 0 ? 4 : 2;
}

/* Puts it in, and what was there into `before`. */
static void put(struct part *part, size_t index, const struct damage *damage,
                unsigned char before[4])
{
    uint16_t half = strcmp(part->type, "F16") == 0 ? damage->f16 : damage->bf16;
    const void *number = width(part) == 4 ? (const void *)&damage->number : &half;
    memcpy(before, part->data + index * width(part), width(part));
    memcpy(part->data + index * width(part), number, width(part));
}

static void put_back(struct part *part, size_t index, const unsigned char before[4])
{
    memcpy(part->data + index * width(part), before, width(part));
}

/* The tables of which a pass reads some rows, by what their names end with. */
static const char *const vocabularies[] = {"word_embeddings.weight", "tok_embeddings.weight",
                                           "embed_tokens.weight", "embed_in.weight", "wte.weight"};
static const char *const positions[] = {"position_embeddings.weight", "wpe.weight"};
static const char *const distances[] = {"rel_embeddings.weight", "relative_attention_bias.weight"};

static bool is_one_of(const char *name, const char *const *ends, int count)
{
    for (int i = 0; i < count; i++)
        if (strstr(name, ends[i]))
            return true;
    return false;
}

/* An element that a pass over the trace reads: of the embeddings a row of one of its tokens. */
static size_t choose(const struct part *part, const struct trace *trace, uint64_t *state)
{
    const size_t columns = part->size / width(part) / part->shape[0];
    size_t row = random_below(state, part->shape[0]), column = random_below(state, columns);
    size_t t = random_below(state, TOKENS);
    if (is_one_of(part->name, vocabularies, COUNT(vocabularies)))
        row = (size_t)trace->ids[t];
    if (is_one_of(part->name, positions, COUNT(positions)))
        row = trace->positions ? (size_t)trace->positions[t] : t;
    if (is_one_of(part->name, distances, COUNT(distances)))
        row = relation_row(&model.model->config, (ptrdiff_t)t);
    return row * columns + column;
}

/* A vector's own tensor is named, and the place in it; else the one of the pass that it comes to
 * first. */
static void assert_named(const struct part *part, size_t index, const struct damage *damage)
{
    static const char file[] = "random/model.safetensors: ";
    char expected[320] = ": expected finite numbers, found ";
    if (part->rank == 1)
        snprintf(expected, sizeof expected,
                 "%stensor \"%s\": expected finite numbers, found %s at [%zu]; ", file, part->name,
                 damage->found, index);
    ck_assert_int_eq(error.status, STATUS_FORMAT);
    if (strncmp(error.message, file, strlen(file)) != 0 || !strstr(error.message, expected))
        ck_abort_msg("expected \"%s\", found \"%s\"", expected, error.message);
}

static const struct interventions every_change[] = {
    {.off = {0}},
    {.causal = true},
    {.unscaled = true},
    {.off = {UINT64_MAX, UINT64_MAX, UINT64_MAX}},
    {.causal = true, .off = {1, 2, 1}},
    {.hidden_count = 2, .hidden = {0, 4}, .uniform = {1, 2, 1}},
    {.cut_count = 3, .cuts = {{0, 0, 0, 0}, {0, 0, 3, 1}, {1, 0, 2, 2}}, .temperature = 2},
    {.hidden_count = TOKENS, .hidden = {0, 1, 2, 3, 4, 5, 6, 7, 8}},
};
#define CHANGES (sizeof every_change / sizeof *every_change)

static enum status forward(const struct interventions *changes, struct trace *trace)
{
    trace->computed = (struct computed){0};
    return forward_run(model.model, changes, NULL, trace, &error);
}

/* A vector is found when it is loaded, a matrix when it is used. */
static void check_damage(struct part *part, const struct damage *damage, uint64_t *state)
{
    struct trace *trace = random_prepare(&model, TOKENS, 1 + random_below(state, TOKENS), 7);
    if (model.model->config.segments == 2)
        trace->segments[TOKENS - 1] = 1; /* both are there */
    size_t index = choose(part, trace, state);
    unsigned char before[4];
    put(part, index, damage, before);
    enum status status = random_model_open(&model, &error);
    ck_assert_int_eq(status == STATUS_OK, part->rank > 1);
    if (status != STATUS_OK)
        assert_named(part, index, damage);
    for (size_t i = 0; status == STATUS_OK && i < CHANGES; i++) {
        if (forward(&every_change[i], trace) == STATUS_OK)
            ck_abort_msg("%s: %s at %zu goes unnoticed, changes %zu", part->name, damage->found,
                         index, i);
        assert_named(part, index, damage);
        ck_assert(!trace->computed.whole);
    }
    put_back(part, index, before);
    assert_ok(random_model_open(&model, &error), error);
    free(trace);
}

/* Every tensor of every family, one element, in every type and change, on every kind of processor.
 */
TEST(damage_is_named_wherever_it_is, .times = (int)family_variant_count())
{
    static const char *const types[] = {"F32", "F16", "BF16"};
    uint64_t state = (uint64_t)_i;
    size_t kinds = 0;
    while (kernels_at(kinds))
        kinds++;
    kernels_choose(kernels_at((size_t)_i % kinds));
    pool_set_size(1 + (size_t)_i % 3);
    family_model_make(&model, family_variant_at((size_t)_i), types[_i % 3], (uint64_t)_i);
    for (size_t p = 0; p < model.parts.count; p++)
        if (!strstr(model.parts.part[p].name, "contact_head")) /* which a map takes, no pass */
            check_damage(&model.parts.part[p], &damages[(p + (size_t)_i) % DAMAGES], &state);
}

static bool is_masked(const struct interventions *changes, size_t layer, size_t head, size_t from,
                      size_t to)
{
    size_t count;
    const struct cut *cuts = interventions_cuts(changes, layer, head, from, &count);
    const struct config *config = &model.model->config;
    const size_t apart = to > from ? to - from : from - to;
    bool masked = interventions_is_hidden(changes, to) ||
                  (config->local[layer] && apart > config->reach) ||
                  ((config->causal || changes->causal) && to > from);
    for (size_t i = 0; i < count; i++)
        masked = masked || cuts[i].to == to;
    return masked;
}

static bool all_finite(const struct trace *trace, const struct interventions *changes)
{
    const size_t T = trace->tokens;
    for (size_t i = 0; i < trace_tensor_count(trace); i++) {
        struct trace_tensor tensor;
        trace_tensor_at(trace, i, &tensor);
        const bool scores = strstr(tensor.name, "scores") != NULL;
        const size_t layer = scores ? strtoul(tensor.name + strlen("layer."), NULL, 10) : 0;
        for (size_t n = 0; n < trace_numbers(&tensor); n++) {
            const double number = trace_number(&tensor, n);
            const bool hidden = scores && is_masked(changes, layer, n / T / T, n / T % T, n % T);
            if (hidden ? !(isinf(number) && number < 0) : !isfinite(number))
                return false;
        }
    }
    return true;
}

/* What no pass reads does no harm: rows of other tokens, and heads that are not asked for. */
TEST(damage_that_is_not_read_does_no_harm, .times = 6)
{
    struct random_shape shape = random_shape((uint64_t)_i + 90);
    const int32_t ids[] = {1, 3, 1}, segments[] = {0, 0, 0};
    const char *const names[] = {
        "bert.embeddings.word_embeddings.weight", "bert.embeddings.position_embeddings.weight",
        "bert.embeddings.token_type_embeddings.weight", "cls.predictions.transform.dense.weight"};
    const size_t rows[] = {2, 3, 1, 0};
    struct trace *plain, *damaged;
    unsigned char before[4];
    random_model_make(&model, &shape, (uint64_t)_i);
    assert_ok(forward_prepare(model.model, NULL, ids, segments, 3, false, &plain, &error), error);
    assert_ok(forward_run(model.model, NULL, NULL, plain, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        put(parts_find(&model.parts, names[i]), rows[i] * shape.hidden, &damages[i % DAMAGES],
            before);
    assert_ok(random_model_open(&model, &error), error);
    assert_ok(forward_prepare(model.model, NULL, ids, segments, 3, false, &damaged, &error), error);
    assert_ok(forward_run(model.model, NULL, NULL, damaged, &error), error);
    assert_same_traces(plain, damaged);
    free(plain);
    free(damaged);
}

static void damage_first(const char *table)
{
    unsigned char before[4];
    put(parts_find(&model.parts, table), 0, &damages[1], before);
}

/* Nor do embeddings that are left out, and they are not blamed for others. */
TEST(embeddings_that_are_left_out_do_no_harm, .times = 2)
{
    static const struct interventions without[] = {
        {.positions = POSITIONS_NONE, .no_segments = true},
        {.positions = POSITIONS_SINUSOIDAL, .no_segments = true},
    };
    struct random_shape shape = random_shape(90);
    const int32_t ids[] = {1, 3, 1}, segments[] = {0, 0, 0};
    const char *const words = "bert.embeddings.word_embeddings.weight";
    unsigned char before[4];
    struct trace *trace;
    random_model_make(&model, &shape, (uint64_t)_i);
    damage_first("bert.embeddings.position_embeddings.weight");
    damage_first("bert.embeddings.token_type_embeddings.weight");
    assert_ok(random_model_open(&model, &error), error);
    assert_ok(forward_prepare(model.model, NULL, ids, segments, 3, false, &trace, &error), error);
    ck_assert_int_eq(forward(NULL, trace), STATUS_FORMAT);
    assert_ok(forward(&without[_i], trace), error);
    ck_assert(all_finite(trace, &without[_i]));
    put(parts_find(&model.parts, words), 3 * shape.hidden, &damages[0], before);
    assert_ok(random_model_open(&model, &error), error);
    assert_fails(forward(&without[_i], trace), STATUS_FORMAT, "safetensors: embedding: expected",
                 error);
    free(trace);
}

/* ---- Numbers that grow -------------------------------------------------------------------- */

static void scale(struct part *part, double factor)
{
    for (size_t i = 0; i < part->size / 4; i++) {
        float number;
        memcpy(&number, part->data + 4 * i, 4);
        number = (float)fmax(-3e38, fmin(3e38, (double)number * factor));
        memcpy(part->data + 4 * i, &number, 4);
    }
}

/* Weights up to 3e38, all of them finite: a pass either has nothing but numbers, or says that it
 * has not. How many passes said so. */
static size_t check_overflow(const struct part *part, bool logits)
{
    size_t refused = 0;
    for (size_t i = 0; i < CHANGES; i++) {
        struct trace *like = random_prepare(&model, TOKENS, 5, 7);
        struct trace *trace;
        assert_ok(forward_prepare(model.model, NULL, like->ids, like->segments, TOKENS, logits,
                                  &trace, &error),
                  error);
        free(like);
        enum status status = forward(&every_change[i], trace);
        if (status == STATUS_OK) {
            if (!all_finite(trace, &every_change[i]))
                ck_abort_msg("%s: a number is none", part->name);
        } else {
            refused++;
            ck_assert_int_eq(status, STATUS_FORMAT);
            ck_assert_ptr_nonnull(strstr(error.message, ": expected finite numbers, found "));
        }
        free(trace);
    }
    return refused;
}

/* In every family, the heads asked for or not. */
TEST(what_overflows_is_told, .times = (int)family_variant_count())
{
    uint64_t state = (uint64_t)_i;
    const struct family_variant *variant = family_variant_at((size_t)_i);
    size_t refused = 0, passes = 0;
    for (int i = 0; i < 24; i++) {
        family_model_make(&model, variant, "F32", (uint64_t)_i);
        struct part *part = &model.parts.part[random_below(&state, model.parts.count)];
        scale(part, pow(10, 15 + (double)random_below(&state, 24)));
        assert_ok(random_model_open(&model, &error), error);
        refused += check_overflow(part, i % 2);
        passes += CHANGES;
        random_model_free(&model);
        model = (struct random_model){0};
    }
    printf("    %s: refused in %zu of %zu passes\n", variant->name, refused, passes);
}

/* Squares of 1e20 are more than a float holds; LayerNorm may not make zeros of it. */
TEST(large_embeddings_are_not_made_zero)
{
    struct random_shape shape = random_shape(3);
    shape.type = "F32";
    random_model_make(&model, &shape, 3);
    scale(parts_find(&model.parts, "bert.embeddings.word_embeddings.weight"), 1e25);
    assert_ok(random_model_open(&model, &error), error);
    struct trace *trace = random_prepare(&model, TOKENS, 5, 7);
    assert_fails(forward(NULL, trace), STATUS_FORMAT, "safetensors: embedding: expected", error);
    ck_assert_uint_eq(trace->computed.layers, 0);
    ck_assert(!trace->computed.whole);
    free(trace);
}

/* The largest score of a layer, of those that a causal mask hides or of the others. */
static double largest_score(const struct trace *trace, bool hidden)
{
    double largest = 0;
    for (size_t head = 0; head < trace->heads; head++)
        for (size_t from = 0; from < trace->tokens; from++)
            for (size_t to = 0; to < trace->tokens; to++)
                if ((to > from) == hidden)
                    largest = fmax(largest, fabs((double)trace_score(trace, 0, head, from, to)));
    return largest;
}

/* What a causal mask hides may be too large for a float: nothing is computed from it. */
TEST(hidden_scores_may_overflow)
{
    static const char *const names[] = {"query.weight", "query.bias", "key.weight", "key.bias"};
    struct random_shape shape = {.hidden = 4,
                                 .heads = 4,
                                 .layers = 1,
                                 .feed_forward = 3,
                                 .vocabulary = 9,
                                 .positions = 9,
                                 .type = "F32",
                                 .activation = "gelu",
                                 .sharpness = 1};
    const struct interventions causal = {.causal = true};
    random_model_make(&model, &shape, 2);
    struct trace *trace = random_prepare(&model, 2, 1, 7);
    assert_ok(forward(NULL, trace), error);
    double hidden = largest_score(trace, true), seen = largest_score(trace, false);
    ck_assert_double_gt(hidden, 1.1 * seen);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[80];
        snprintf(name, sizeof name, "bert.encoder.layer.0.attention.self.%s", names[i]);
        scale(parts_find(&model.parts, name), sqrt(3.4e38 / sqrt(hidden * seen)));
    }
    assert_ok(random_model_open(&model, &error), error);
    assert_fails(forward(NULL, trace), STATUS_FORMAT, "safetensors: layer.0.scores: expected",
                 error);
    assert_ok(forward(&causal, trace), error);
    ck_assert(all_finite(trace, &causal));
    free(trace);
}

/* ---- After it ----------------------------------------------------------------------------- */

/* The layers before it can be used, those behind it are never taken for results. */
TEST(layers_behind_damage_are_not_kept, .times = 3)
{
    struct random_shape shape = random_shape(4);
    unsigned char before[4];
    shape.layers = 3;
    random_model_make(&model, &shape, 4);
    struct part *part = parts_find(&model.parts, "bert.encoder.layer.1.output.dense.weight");
    put(part, 0, &damages[_i % 3], before);
    assert_ok(random_model_open(&model, &error), error);
    struct trace *trace = random_prepare(&model, TOKENS, 5, 7);
    struct trace *next = random_prepare(&model, TOKENS, 5, 7);
    for (int again = 0; again < 2; again++) {
        ck_assert_int_eq(forward_run(model.model, NULL, NULL, trace, &error), STATUS_FORMAT);
        ck_assert_ptr_nonnull(strstr(error.message, "safetensors: layer.1."));
        ck_assert_uint_eq(trace->computed.layers, 1);
    }
    forward_adopt(trace, NULL, next);
    ck_assert_uint_eq(next->computed.layers, 1);
    free(trace);
    free(next);
}

TEST(one_number_among_many_is_found)
{
    float numbers[200];
    for (size_t i = 0; kernels_at(i); i++)
        for (size_t count = 0; count < 200; count++) {
            const struct kernels *kernels = kernels_at(i);
            fill_random(numbers, 200, 3e38f, count);
            ck_assert(kernels->finite(count, numbers));
            for (size_t j = 0; j < 200; j += count < 70 ? 1 : 13) {
                float before = numbers[j];
                numbers[j] = damages[(j + count) % DAMAGES].number;
                if (kernels->finite(count, numbers) != (j >= count))
                    ck_abort_msg("%s: %zu of %zu", kernels->name, j, count);
                numbers[j] = before;
            }
        }
}
