/* Maps: the identities that their formulas have, and what they are made of. Their numbers against
 * another implementation's: check_lens_reference.c. */
#include "faults.h"
#include "model_helpers.h"
#include "random_model.h"
#include "suites.h"

#include "headlight/lens/map.h"
#include "headlight/model/forward.h"
#include "headlight/model/head_mask.h"
#include "headlight/model/trace_read.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/thread_pool.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 3
#define HEADS  4
#define HIDDEN 24
#define DEPTH  6 /* of a head */
#define TOKENS 11

static struct random_shape shape = {.hidden = HIDDEN,
                                    .heads = HEADS,
                                    .layers = LAYERS,
                                    .feed_forward = 40,
                                    .vocabulary = 61,
                                    .positions = 80,
                                    .type = "F32",
                                    .activation = "gelu",
                                    .sharpness = 4};
static struct random_model random_;
static struct trace *trace, *other;
static struct map_source source;
static struct map *map;
static struct error error;

static void begin_as(const char *type)
{
    shape.type = type;
    random_model_make(&random_, &shape, 9);
    trace = random_prepare(&random_, TOKENS, 5, 2);
    assert_ok(forward_run(random_.model, NULL, NULL, trace, &error), error);
    source = (struct map_source){.model = random_.model, .trace = trace};
}

static void begin(void)
{
    begin_as("F32");
}

static void end(void)
{
    free(map);
    free(trace);
    free(other);
    random_model_free(&random_);
    map = NULL;
    trace = other = NULL;
    random_ = (struct random_model){.model = NULL};
    pool_set_size(0);
}

static const struct fixture faults_tests = {.begin = begin, .end = end, .slow = true};

TESTS(.begin = begin, .end = end);

static void run(const struct interventions *changes)
{
    assert_ok(forward_run(random_.model, changes, NULL, trace, &error), error);
}

static void make(enum map_kind kind)
{
    free(map);
    map = NULL;
    assert_ok(map_new(&source, kind, NULL, &map, &error), error);
    ck_assert_uint_eq(map->layers, LAYERS);
    ck_assert_uint_eq(map->heads, map_infos[kind].by_head ? HEADS : 1);
    ck_assert_uint_eq(map->rows, TOKENS);
    ck_assert_uint_eq(map->columns, TOKENS);
}

static double value(size_t layer, size_t head, size_t from, size_t to)
{
    return (double)map_value(map, layer, head, from, to);
}

static double mean_weight(size_t layer, size_t from, size_t to)
{
    double sum = 0;
    for (size_t h = 0; h < HEADS; h++)
        sum += (double)trace_weight(trace, layer, h, from, to) / HEADS;
    return sum;
}

/* ---- Norms -------------------------------------------------------------------------------- */

/* A number of a checkpoint's tensor. */
static double weight_of(size_t layer, const char *name, size_t index)
{
    char full[128];
    snprintf(full, sizeof full, "bert.encoder.layer.%zu.attention.%s", layer, name);
    const struct part *part = parts_find(&random_.parts, full);
    uint16_t half;
    float number;
    if (strcmp(part->type, "F32") == 0) {
        memcpy(&number, part->data + 4 * index, sizeof number);
        return (double)number;
    }
    memcpy(&half, part->data + 2 * index, sizeof half);
    return strcmp(part->type, "F16") == 0 ? value_of_f16(half) : value_of_bf16(half);
}

/* f(x[j]) of a head, from what enters the layer: W_o·(W_v·x + b_v). */
static void transform(size_t layer, size_t head, size_t token, double added[HIDDEN])
{
    const float *x = trace->layer[layer].input + token * HIDDEN;
    memset(added, 0, HIDDEN * sizeof *added);
    for (size_t d = head * DEPTH; d < (head + 1) * DEPTH; d++) {
        double v = weight_of(layer, "self.value.bias", d);
        for (size_t k = 0; k < HIDDEN; k++)
            v += weight_of(layer, "self.value.weight", d * HIDDEN + k) * (double)x[k];
        for (size_t o = 0; o < HIDDEN; o++)
            added[o] += weight_of(layer, "output.dense.weight", o * HIDDEN + d) * v;
    }
}

/* What a head adds at a token, from its context. */
static void project_context(size_t layer, size_t head, size_t token, double added[HIDDEN])
{
    const float *context = trace->layer[layer].context + token * HIDDEN;
    memset(added, 0, HIDDEN * sizeof *added);
    for (size_t o = 0; o < HIDDEN; o++)
        for (size_t d = head * DEPTH; d < (head + 1) * DEPTH; d++)
            added[o] +=
                weight_of(layer, "output.dense.weight", o * HIDDEN + d) * (double)context[d];
}

/* Each number of the map is the length of a token's part, and the parts together are what the head
 * adds; one that is off adds nothing, and has none. */
static void check_norms_of(size_t layer, size_t head, double parts[TOKENS][HIDDEN])
{
    const double on = head_mask_has(trace->computed.changes.off[layer], head) ? 0 : 1;
    double added[HIDDEN];
    for (size_t from = 0; from < TOKENS; from++) {
        project_context(layer, head, from, added);
        for (size_t to = 0; to < TOKENS; to++) {
            double w = on * (double)trace_weight(trace, layer, head, from, to), sum = 0;
            for (size_t o = 0; o < HIDDEN; o++) {
                added[o] -= w * parts[to][o];
                sum += w * parts[to][o] * w * parts[to][o];
            }
            ck_assert_double_eq_tol(value(layer, head, from, to), sqrt(sum), 1e-5);
        }
        for (size_t o = 0; o < HIDDEN; o++)
            ck_assert_double_eq_tol(added[o], 0, 1e-5);
    }
}

static void check_norms(void)
{
    double parts[TOKENS][HIDDEN];
    make(MAP_NORMS);
    for (size_t layer = 0; layer < LAYERS; layer++)
        for (size_t head = 0; head < HEADS; head++) {
            for (size_t to = 0; to < TOKENS; to++)
                transform(layer, head, to, parts[to]);
            check_norms_of(layer, head, parts);
        }
}

TEST(norms_are_of_what_each_token_adds)
{
    static const char *const types[] = {"F32", "F16", "BF16"};
    for (size_t i = 0; i < 3; i++) {
        end();
        begin_as(types[i]);
        check_norms();
        ck_assert_float_gt(map->largest[1], 0.1F);
    }
}

TEST(norms_are_of_the_network_as_it_is_changed)
{
    struct interventions changes = {.off = {3, 0, 8}, .uniform = {0, 6, 9}, .causal = true};
    assert_ok(interventions_hide(&changes, 2, &error), error);
    assert_ok(interventions_hide(&changes, 0, &error), error); /* the first row has nothing */
    assert_ok(interventions_cut(&changes, (struct cut){1, 1, 7, 4}, &error), error);
    run(&changes);
    check_norms();
    ck_assert_double_eq(value(0, 1, 5, 3), 0);
    ck_assert_double_gt(value(0, 2, 5, 3), 0);
    ck_assert_double_eq(value(1, 1, 7, 4), 0);
    ck_assert_double_eq(value(1, 0, 0, 0), 0);
}

/* ---- Rollout ------------------------------------------------------------------------------ */

/* All ways through the layers from one token to another. */
static double sum_of_ways(size_t layer, size_t from, size_t to)
{
    double sum = 0;
    for (size_t k = 0; k < TOKENS; k++) {
        double step = (mean_weight(layer, from, k) + (from == k)) / 2;
        sum += step * (layer > 0 ? sum_of_ways(layer - 1, k, to) : k == to);
    }
    return sum;
}

TEST(rollout_is_the_sum_of_all_ways)
{
    make(MAP_ROLLOUT);
    for (size_t i = 0; i < (size_t)LAYERS * TOKENS * TOKENS; i++) {
        size_t layer = i / (TOKENS * TOKENS), from = i / TOKENS % TOKENS, to = i % TOKENS;
        ck_assert_double_eq_tol(value(layer, 0, from, to), sum_of_ways(layer, from, to), 1e-6);
    }
}

/* ---- Vectors ------------------------------------------------------------------------------ */

static float *output(size_t layer, size_t token)
{
    return trace->layer[layer].output + token * HIDDEN;
}

TEST(similarity_is_that_of_directions)
{
    for (size_t d = 0; d < HIDDEN; d++) {
        output(1, 3)[d] = -1e-15F * output(1, 2)[d];
        output(1, 4)[d] = 1e15F * output(1, 2)[d];
        output(1, 5)[d] = d == 0 ? 3 : 0;
        output(1, 6)[d] = d == 0 ? -4 : d == 1 ? 3 : 0;
        output(1, 7)[d] = output(1, 8)[d] = 0;
    }
    make(MAP_SIMILARITY);
    ck_assert_double_eq_tol(value(1, 0, 2, 3), -1, 1e-6);
    ck_assert_double_eq_tol(value(1, 0, 4, 2), 1, 1e-6);
    ck_assert_double_eq_tol(value(1, 0, 4, 3), -1, 1e-6);
    ck_assert_double_eq_tol(value(1, 0, 5, 6), -0.8, 1e-7);
    for (size_t t = 0; t < TOKENS; t++) {
        ck_assert_double_eq(value(1, 0, 7, t), 0);
        ck_assert_double_eq(value(1, 0, t, 8), 0);
    }
}

TEST(similarity_is_symmetric)
{
    make(MAP_SIMILARITY);
    for (size_t layer = 0; layer < LAYERS; layer++)
        for (size_t from = 0; from < TOKENS; from++) {
            ck_assert_double_eq(value(layer, 0, from, from), 1);
            for (size_t to = 0; to < TOKENS; to++) {
                ck_assert_double_eq(value(layer, 0, from, to), value(layer, 0, to, from));
                ck_assert_double_le(fabs(value(layer, 0, from, to)), 1);
            }
        }
}

/* Row 3 by the definition, and what equal tokens have. */
TEST(plain_of_equal_tokens_is_equal)
{
    float *x = trace->layer[1].input;
    double scores[TOKENS], sum = 0;
    memcpy(x + 8 * HIDDEN, x + 3 * HIDDEN, HIDDEN * sizeof *x);
    make(MAP_PLAIN);
    for (size_t t = 0; t < TOKENS; t++) {
        ck_assert_double_eq(value(1, 0, t, 3), value(1, 0, t, 8));
        ck_assert_double_eq(value(1, 0, 3, t), value(1, 0, 8, t));
        scores[t] = 0;
        for (size_t d = 0; d < HIDDEN; d++)
            scores[t] += (double)x[3 * HIDDEN + d] * (double)x[t * HIDDEN + d] / sqrt(HIDDEN);
        sum += exp(scores[t]);
    }
    for (size_t t = 0; t < TOKENS; t++)
        ck_assert_double_eq_tol(value(1, 0, 3, t), exp(scores[t]) / sum, 1e-6);
}

TEST(plain_of_long_vectors_is_finite)
{
    for (size_t i = 0; i < (size_t)TOKENS * HIDDEN; i++)
        trace->layer[2].input[i] *= 1e6F;
    make(MAP_PLAIN);
    for (size_t from = 0; from < TOKENS; from++) {
        double sum = 0;
        for (size_t to = 0; to < TOKENS; to++)
            sum += value(2, 0, from, to);
        ck_assert_double_eq_tol(sum, 1, 1e-6);
    }
}

/* ---- What lies in traces ------------------------------------------------------------------ */

TEST(weights_and_scores_are_those_of_the_trace)
{
    const struct interventions changes = {.causal = true};
    run(&changes);
    make(MAP_WEIGHTS);
    for (size_t l = 0; l < LAYERS; l++) {
        ck_assert_ptr_eq(map->values[l], trace->layer[l].weights);
        ck_assert_float_eq(map->largest[l], 1);
    }
    make(MAP_SCORES);
    for (size_t l = 0; l < LAYERS; l++)
        ck_assert_ptr_eq(map->values[l], trace->layer[l].scores);
    ck_assert(trace_is_masked(map_value(map, 1, 2, 4, 5)));
    ck_assert(isfinite(map_value(map, 1, 2, 5, 5)));
}

/* Of a recording, in one layer and not in another. */
TEST(scores_that_are_missing_are_made_of_query_and_key)
{
    const struct interventions changes = {.temperature = 2};
    run(&changes);
    float *scores = trace->layer[1].scores;
    trace->layer[1].scores = NULL;
    source.model = NULL;
    make(MAP_SCORES);
    ck_assert_ptr_eq(map->values[0], trace->layer[0].scores);
    for (size_t i = 0; i < (size_t)HEADS * TOKENS * TOKENS; i++)
        ck_assert_float_eq_tol(map->values[1][i], scores[i], 1e-5F);
    ck_assert_float_gt(map->largest[1], 0.1F);
}

/* What a recording may hold at most, and divided by the least temperature. */
TEST(maps_of_the_largest_vectors_are_finite)
{
    const struct interventions changes = {.temperature = INTERVENE_TEMPERATURE_MIN,
                                          .unscaled = true};
    static const enum map_kind kinds[] = {MAP_SCORES, MAP_SIMILARITY, MAP_PLAIN};
    run(&changes);
    for (size_t l = 0; l < LAYERS; l++) {
        struct layer_trace *layer = &trace->layer[l];
        for (size_t i = 0; i < (size_t)TOKENS * HIDDEN; i++)
            layer->input[i] = layer->output[i] = TRACE_READ_LARGEST;
        for (size_t i = 0; i < (size_t)TOKENS * 3 * HIDDEN; i++)
            layer->query.data[i] = TRACE_READ_LARGEST; /* and key and value */
        layer->scores = NULL;
    }
    source.model = NULL;
    for (int i = 0; i < COUNT(kinds); i++) {
        make(kinds[i]);
        for (size_t k = 0; k < map->layers * map->heads * TOKENS * TOKENS; k++)
            ck_assert(isfinite(map->values[0][k]));
    }
}

TEST(the_largest_is_that_of_a_layer)
{
    float *scores = trace->layer[1].scores;
    for (size_t i = 0; i < (size_t)HEADS * TOKENS * TOKENS; i++)
        scores[i] = i % 2 ? -INFINITY : 0.5F;
    scores[200] = -7;
    for (size_t i = 0; i < (size_t)HEADS * TOKENS * TOKENS; i++)
        trace->layer[2].scores[i] = -INFINITY;
    make(MAP_SCORES);
    ck_assert_float_eq(map->largest[1], 7);
    ck_assert_float_eq(map->largest[2], FLT_MIN);
    make(MAP_ROLLOUT);
    ck_assert_float_eq(map->largest[1], 1);
    make(MAP_NORMS);
    for (size_t i = 0; i < (size_t)HEADS * TOKENS * TOKENS; i++)
        ck_assert_float_le(map->values[1][i], map->largest[1]);
}

static void make_other(const struct interventions *changes)
{
    other = random_prepare(&random_, TOKENS, 5, 2);
    assert_ok(forward_run(random_.model, changes, NULL, other, &error), error);
    source.other = other;
}

TEST(a_difference_is_what_was_added)
{
    const struct interventions changes = {.off = {1}};
    make_other(&changes);
    make(MAP_DIFFERENCE);
    ck_assert_float_eq(map->largest[1], 1);
    double largest = 0;
    for (size_t i = 0; i < (size_t)LAYERS * HEADS * TOKENS * TOKENS; i++) {
        size_t layer = i / (HEADS * TOKENS * TOKENS), place = i % (HEADS * TOKENS * TOKENS);
        double difference = (double)map->values[layer][place];
        ck_assert_double_eq_tol(difference,
                                (double)trace->layer[layer].weights[place] -
                                    (double)other->layer[layer].weights[place],
                                1e-7);
        if (layer == 0)
            ck_assert_double_eq(difference, 0);
        largest = fmax(largest, fabs(difference));
    }
    ck_assert_double_gt(largest, 0.01);
}

/* ---- What can go wrong -------------------------------------------------------------------- */

static void refused(enum map_kind kind, const char *sentence)
{
    struct map *none = (struct map *)&map;
    ck_assert_int_eq(map_check(&source, kind, &error), STATUS_UNSUPPORTED);
    ck_assert_str_eq(error.message, sentence);
    ck_assert_int_eq(map_new(&source, kind, NULL, &none, &error), STATUS_UNSUPPORTED);
    ck_assert_str_eq(error.message, sentence);
    ck_assert_ptr_null(none);
}

TEST(a_recording_without_tensors_says_which)
{
    struct layer_trace *layer = &trace->layer[1];
    source.model = NULL;
    layer->scores = layer->output = layer->input = layer->key.data = NULL;
    refused(MAP_SCORES, "scores need layer.1.scores, or query and key, which this recording lacks");
    refused(MAP_SIMILARITY, "similarity needs layer.1.output, which this recording lacks");
    refused(MAP_PLAIN, "plain needs layer.1.input, which this recording lacks");
    refused(MAP_NORMS, "norms need the weights of the output projection, which no recording has");
    make(MAP_WEIGHTS);
    make(MAP_ROLLOUT);
}

/* As many attended tokens, or others, of another text. */
TEST(crossed_attention_has_weights_and_scores_alone)
{
    source.model = NULL;
    trace->axes = AXES_TWO_TEXTS;
    refused(MAP_ROLLOUT, "rollout is for self-attention: here one text looks at another");
    trace->attended = TOKENS - 2;
    refused(MAP_ROLLOUT, "rollout is for self-attention: here one text looks at another");
    refused(MAP_SIMILARITY, "similarity is for self-attention: here one text looks at another");
    refused(MAP_PLAIN, "plain is for self-attention: here one text looks at another");
    assert_ok(map_new(&source, MAP_SCORES, NULL, &map, &error), error);
    ck_assert_uint_eq(map->columns, TOKENS - 2);
    ck_assert_float_eq(map_value(map, 2, 1, 3, 4), trace_score(trace, 2, 1, 3, 4));
    trace->attended = TOKENS;
}

TEST(a_difference_needs_another_of_the_same_sizes)
{
    refused(MAP_DIFFERENCE, "a difference needs a changed network: change it with z, or with an "
                            "option such as --off; or another model: --against NAME");
    make_other(NULL);
    other->layers = 1;
    refused(MAP_DIFFERENCE,
            "a difference needs two networks of the same sizes: here are 3 layers, 4 "
            "heads and 11 tokens, there 1, 4 and 11");
}

struct steps {
    size_t count, total, allowed;
};

static bool count_steps(void *context, size_t done, size_t total)
{
    struct steps *steps = context;
    steps->total = total;
    ck_assert_uint_eq(done, ++steps->count);
    return steps->count <= steps->allowed;
}

TEST(the_watch_is_told_of_layers_and_can_cancel)
{
    struct steps steps = {.allowed = LAYERS};
    const struct watch watch = {count_steps, &steps};
    assert_ok(map_new(&source, MAP_NORMS, &watch, &map, &error), error);
    ck_assert_uint_eq(steps.count, LAYERS);
    ck_assert_uint_eq(steps.total, LAYERS);
    free(map);
    steps = (struct steps){.allowed = 1};
    assert_fails(map_new(&source, MAP_NORMS, &watch, &map, &error), STATUS_CANCELLED,
                 "cancelled after 2 of 3", error);
    ck_assert_ptr_null(map);
}

static enum map_kind tried;

static enum status try_making(struct error *failure)
{
    struct map *made;
    enum status status = map_new(&source, tried, NULL, &made, failure);
    free(made);
    return status;
}

TEST(without_memory_each_says_so, .with = &faults_tests, .skipped = !faults_work())
{
    make_other(NULL);
    for (int kind = 0; kind < MAP_CONTACTS; kind++) {
        tried = (enum map_kind)kind;
        faults_try(&(struct trial){.name = map_infos[tried].name, .act = try_making});
    }
}

/* ---- Sizes -------------------------------------------------------------------------------- */

/* Large enough for several threads and for more than a vector, a tile and a block of each. */
TEST(threads_change_nothing)
{
    static const enum map_kind kinds[] = {MAP_NORMS, MAP_ROLLOUT, MAP_SIMILARITY, MAP_PLAIN};
    const struct random_shape small = shape;
    shape.hidden = 96;
    shape.positions = 150;
    random_model_free(&random_);
    random_model_make(&random_, &shape, 9);
    free(trace);
    trace = random_prepare(&random_, 131, 70, 2);
    run(NULL);
    source = (struct map_source){.model = random_.model, .trace = trace};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct map *alone;
        pool_set_size(1);
        assert_ok(map_new(&source, kinds[i], NULL, &alone, &error), error);
        pool_set_size(3);
        assert_ok(map_new(&source, kinds[i], NULL, &map, &error), error);
        ck_assert_int_eq(
            memcmp(alone->owned, map->owned,
                   LAYERS * (map->heads * 131 * 131 + KERNELS_LANES_MAX) * sizeof *map->owned),
            0);
        free(alone);
        free(map);
        map = NULL;
    }
    shape = small;
}

TEST(a_text_of_any_length_has_maps)
{
    for (size_t tokens = 1; tokens <= 70; tokens += tokens < 18 ? 1 : 13) {
        free(trace);
        trace = random_prepare(&random_, tokens, tokens, 2);
        run(NULL);
        source.trace = trace;
        for (int kind = 0; kind < MAP_DIFFERENCE; kind++) {
            assert_ok(map_new(&source, (enum map_kind)kind, NULL, &map, &error), error);
            for (size_t i = 0; i < map->heads * tokens * tokens; i++)
                ck_assert_float_le(fabsf(map->values[LAYERS - 1][i]),
                                   map->largest[LAYERS - 1] + 1e-6F);
            free(map);
            map = NULL;
        }
    }
}

TEST(the_table_has_what_is_shown)
{
    ck_assert_str_eq(map_infos[MAP_WEIGHTS].name, "weights");
    ck_assert_str_eq(map_infos[MAP_DIFFERENCE].name, "difference");
    for (int kind = 0; kind < MAP_COUNT; kind++) {
        const bool free_of_cost = kind == MAP_WEIGHTS;
        ck_assert(map_infos[(enum map_kind)kind].meaning[0] != '\0');
        ck_assert((map_cost(trace, (enum map_kind)kind) > 0) == !free_of_cost);
    }
    double there = map_cost(trace, MAP_SCORES);
    trace->layer[0].scores = NULL;
    ck_assert_double_gt(map_cost(trace, MAP_SCORES), there);
}
