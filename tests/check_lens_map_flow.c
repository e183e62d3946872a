/* Attention flow against minimum cuts: every way to divide a small graph in two is tried. */
#include "faults.h"
#include "model_helpers.h"
#include "suites.h"

#include "headlight/lens/map.h"
#include "headlight/tensor/thread_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR 1e-6

static struct trace *trace;
static struct map *map;
static struct error error;

static void end(void)
{
    map_free(map);
    free(trace);
    map = NULL;
    trace = NULL;
    pool_set_size(0);
}

static const struct fixture faults_tests = {.end = end, .slow = true};

TESTS(.end = end);

static void make_trace(size_t layers, size_t heads, size_t tokens)
{
    const struct config config = {.vocabulary = 2,
                                  .hidden = heads,
                                  .layers = layers,
                                  .heads = heads,
                                  .feed_forward = 1,
                                  .positions = 64,
                                  .segments = 1};
    end();
    assert_ok(trace_new(&config, tokens, NULL, 0, &trace, &error), error);
}

static double uniform(uint64_t *state)
{
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

/* Some rows have few weights above zero, some one, some sum to less than 1, as in recordings. */
static void fill_row(float *row, size_t tokens, uint64_t *state)
{
    const size_t kind = random_below(state, 4);
    double sum = 0;
    for (size_t to = 0; to < tokens; to++) {
        double number = uniform(state);
        row[to] = (float)(kind < 2 && random_below(state, 2) ? 0 : pow(number, 3));
        sum += (double)row[to];
    }
    if (kind == 1)
        row[random_below(state, tokens)] = 1;
    else if (kind > 1)
        for (size_t to = 0; to < tokens; to++)
            row[to] /= (float)sum;
}

static void fill_trace(uint64_t seed)
{
    uint64_t state = seed;
    const size_t rows = trace->heads * trace->tokens;
    for (size_t row = 0; row < trace->layers * rows; row++)
        fill_row(trace->layer[row / rows].weights + row % rows * trace->tokens, trace->tokens,
                 &state);
}

static enum status make_flow(struct token_range layers, const struct watch *watch,
                             struct error *failure)
{
    const struct map_source source = {.trace = trace};
    map_free(map);
    map = NULL;
    return map_new(&source, MAP_FLOW, layers, NULL, watch, &map, failure);
}

static void make_all(void)
{
    assert_ok(make_flow((struct token_range){0, trace->layers}, NULL, &error), error);
}

/* Of the connection from a token above to one below: ½(W̄ + I), by its definition. */
static double capacity(size_t layer, size_t above, size_t below)
{
    double sum = 0;
    for (size_t h = 0; h < trace->heads; h++)
        sum += (double)trace_weight(trace, layer, h, above, below);
    return (sum / (double)trace->heads + (above == below ? 1 : 0)) / 2;
}

/* ---- Cuts ---- */

/* Whether a node lies on the source's side. Bit (m-1)·T + t of `side` is token t before layer m;
 * before layer 0 there is the sink and what nothing leaves, after the last layer the source and
 * what nothing reaches. */
static bool is_with_source(unsigned side, size_t m, size_t t, size_t layers, size_t from, size_t to)
{
    if (m == 0)
        return t != to;
    if (m == layers)
        return t == from;
    return side >> ((m - 1) * trace->tokens + t) & 1;
}

static double cut(unsigned side, size_t layers, size_t from, size_t to)
{
    const size_t T = trace->tokens;
    double sum = 0;
    for (size_t m = 0; m < layers; m++)
        for (size_t i = 0; i < T * T; i++)
            if (is_with_source(side, m + 1, i / T, layers, from, to) &&
                !is_with_source(side, m, i % T, layers, from, to))
                sum += capacity(m, i / T, i % T);
    return sum;
}

/* Ford and Fulkerson 1956: what can flow at most is what the smallest cut holds. */
static double smallest_cut(size_t layers, size_t from, size_t to)
{
    const unsigned sides = 1u << ((layers - 1) * trace->tokens);
    double least = INFINITY;
    for (unsigned side = 0; side < sides; side++)
        least = fmin(least, cut(side, layers, from, to));
    return least;
}

TEST(a_flow_is_as_large_as_the_smallest_cut)
{
    uint64_t state = 7;
    size_t inner = 0;
    for (uint64_t seed = 1; seed <= 200 / ONE_IN; seed++) {
        make_trace(1 + random_below(&state, 3), 1 + random_below(&state, 2),
                   1 + random_below(&state, 4));
        fill_trace(seed);
        make_all();
        for (size_t l = 0; l < trace->layers; l++)
            for (size_t from = 0; from < trace->tokens; from++)
                for (size_t to = 0; to < trace->tokens; to++) {
                    const unsigned all = (1u << (l * trace->tokens)) - 1;
                    double least = smallest_cut(l + 1, from, to);
                    ck_assert_double_eq_tol((double)map_value(map, l, 0, from, to), least, NEAR);
                    /* neither what leaves the source nor what reaches the sink */
                    inner += least < cut(0, l + 1, from, to) - NEAR &&
                             least < cut(all, l + 1, from, to) - NEAR;
                }
    }
    ck_assert_uint_gt(inner, (size_t)(100 / ONE_IN));
}

TEST(of_one_layer_it_is_the_connections)
{
    make_trace(2, 3, 9);
    fill_trace(3);
    make_all();
    for (size_t i = 0; i < 81; i++)
        ck_assert_double_eq_tol((double)map_value(map, 0, 0, i / 9, i % 9),
                                capacity(0, i / 9, i % 9), NEAR);
}

/* Where every token attends to itself alone there is one way, and it holds all. */
TEST(what_stays_in_its_place_flows_whole)
{
    make_trace(4, 2, 5);
    for (size_t l = 0; l < 4; l++)
        for (size_t h = 0; h < 2; h++)
            for (size_t t = 0; t < 5; t++)
                trace->layer[l].weights[(h * 5 + t) * 5 + t] = 1;
    make_all();
    for (size_t l = 0; l < 4; l++)
        for (size_t i = 0; i < 25; i++)
            ck_assert_float_eq(map_value(map, l, 0, i / 5, i % 5), i / 5 == i % 5 ? 1 : 0);
}

/* ---- Many tokens ---- */

/* Rows that sum to 1, each with a few large weights. */
static void make_large(size_t tokens)
{
    uint64_t state = 5;
    make_trace(12, 2, tokens);
    for (size_t row = 0; row < 12 * 2 * tokens; row++) {
        float *numbers = trace->layer[row / (2 * tokens)].weights + row % (2 * tokens) * tokens;
        double sum = 0;
        for (size_t to = 0; to < tokens; to++) {
            numbers[to] = (float)pow(uniform(&state), 6);
            sum += (double)numbers[to];
        }
        for (size_t to = 0; to < tokens; to++)
            numbers[to] /= (float)sum;
    }
}

static const struct token_range last = {11, 12};

/* What rollout brings from one token to another is one of the flows that there can be. */
TEST(no_flow_is_less_than_rollout)
{
    const size_t T = MAP_FLOW_TOKENS;
    struct map *rollout;
    make_large(T);
    const struct map_source source = {.trace = trace};
    assert_ok(make_flow(last, NULL, &error), error);
    assert_ok(map_new(&source, MAP_ROLLOUT, last, NULL, NULL, &rollout, &error), error);
    ck_assert_ptr_null(map->values[10]);
    for (size_t i = 0; i < T * T; i++) {
        double into = 0; /* the token, before layer 0 */
        for (size_t k = 0; k < T; k++)
            into += capacity(0, k, i % T);
        ck_assert_float_ge(map->values[11][i], rollout->values[11][i] - 1e-6F);
        ck_assert_double_le((double)map->values[11][i], fmin(1, into) + 1e-6);
    }
    map_free(rollout);
}

TEST(threads_change_nothing)
{
    const size_t size = (size_t)20 * 20 * sizeof(float);
    float *alone = malloc(size);
    ck_assert_ptr_nonnull(alone);
    make_large(20);
    pool_set_size(1);
    assert_ok(make_flow(last, NULL, &error), error);
    memcpy(alone, map->values[11], size);
    pool_set_size(3);
    assert_ok(make_flow(last, NULL, &error), error);
    ck_assert_int_eq(memcmp(alone, map->values[11], size), 0);
    free(alone);
}

TEST(more_tokens_than_32_are_refused)
{
    make_trace(1, 1, MAP_FLOW_TOKENS);
    assert_ok(make_flow((struct token_range){0, 1}, NULL, &error), error);
    make_trace(1, 1, MAP_FLOW_TOKENS + 1);
    assert_fails(make_flow((struct token_range){0, 1}, NULL, &error), STATUS_UNSUPPORTED,
                 "flow is computed for at most 32 tokens: this text has 33", error);
}

/* ---- The watch ---- */

struct steps {
    size_t count, done, total, allowed;
};

static bool count_steps(void *context, size_t done, size_t total)
{
    struct steps *steps = context;
    ck_assert_uint_ge(done, steps->done);
    ck_assert_uint_le(done, total);
    steps->done = done;
    steps->total = total;
    return ++steps->count <= steps->allowed;
}

TEST(the_watch_is_told_of_pairs)
{
    struct steps steps = {.allowed = SIZE_MAX};
    const struct watch watch = {count_steps, &steps};
    make_large(12);
    assert_ok(make_flow(last, &watch, &error), error);
    ck_assert_uint_gt(steps.count, 12);
    ck_assert_uint_eq(steps.done, 12 * 144);
    ck_assert_uint_eq(steps.total, 12 * 144);
}

TEST(it_can_be_cancelled_between_pairs)
{
    struct steps steps = {.allowed = 13};
    const struct watch watch = {count_steps, &steps};
    make_large(20);
    for (size_t threads = 1; threads <= 3; threads += 2) {
        pool_set_size(threads);
        steps = (struct steps){.allowed = 13};
        assert_fails(make_flow(last, &watch, &error), STATUS_CANCELLED, "cancelled after", error);
        ck_assert_uint_eq(steps.count, 14);
        ck_assert_uint_lt(steps.done, 12 * 400);
        if (threads == 1) /* told of eight at a time */
            ck_assert_uint_eq(steps.done % 8, 0);
        ck_assert_ptr_null(map);
    }
}

static enum status try_flow(struct error *failure)
{
    return make_flow((struct token_range){0, trace->layers}, NULL, failure);
}

TEST(without_memory_it_says_so, .with = &faults_tests, .skipped = !faults_work())
{
    make_trace(2, 2, 5);
    fill_trace(3);
    faults_try(&(struct trial){.name = "flow", .act = try_flow});
}
