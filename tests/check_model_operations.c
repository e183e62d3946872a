/* The list of what a layer computes, where the views ask it and the forward pass doesn't. */
#include "model_helpers.h"
#include "opening.h"
#include "suites.h"

#include "headlight/model/forward.h"
#include "headlight/model/operations.h"

#include <stdlib.h>

#define TOKENS 5

static struct error error;
static struct model *tiny;
static struct trace *trace;

/* With the model, or as in a recording, of which only the tensors are known. */
static struct operation find(const struct model *model, size_t layer, enum stage stage)
{
    const struct network network = {.model = model, .trace = trace};
    struct operations operations;
    operations_of_layer(&network, layer, OUTPUT_COUNT, &operations);
    const struct operation *found = operations_find(&operations, stage);
    return found ? *found : (struct operation){.kind = OPERATION_ABSENT};
}

static void begin(void)
{
    const int32_t ids[TOKENS] = {2, 40, 41, 40, 3}, segments[TOKENS] = {0};
    assert_ok(model_open(TINY_FOLDER, NULL, &tiny, &error), error);
    assert_ok(forward_prepare(tiny, NULL, ids, segments, TOKENS, false, &trace, &error), error);
}

static void end(void)
{
    free(trace);
    model_free(tiny);
}

TESTS(.begin = begin, .end = end);

TEST(a_layer_takes_what_the_one_before_gives)
{
    const struct model *const models[] = {tiny, NULL};
    for (int i = 0; i < COUNT(models); i++) {
        const struct operation first = find(models[i], 0, STAGE_INPUT),
                               later = find(models[i], 1, STAGE_INPUT);
        ck_assert_int_eq(first.kind, OPERATION_NORM);
        ck_assert_int_eq(first.from, STAGE_EMBEDDING);
        ck_assert_int_eq(later.kind, OPERATION_TAKE);
        ck_assert_int_eq(later.from, STAGE_NONE);
        ck_assert_uint_eq(later.inputs, 0);
        ck_assert_uint_eq(later.outputs, trace->hidden);
        ck_assert_int_eq(find(models[i], 1, STAGE_EMBEDDING).kind, OPERATION_ABSENT);
    }
}

TEST(a_number_is_made_of_all_numbers_of_the_stage_before)
{
    const struct {
        enum stage stage;
        size_t inputs;
    } cases[] = {
        {STAGE_QUERY, trace->hidden},
        {STAGE_SCORES, trace->dimensions},
        {STAGE_WEIGHTS, TOKENS},
        {STAGE_CONTEXT, TOKENS},
        {STAGE_HEADS, trace->hidden},
        {STAGE_FORWARD, trace->hidden},
        {STAGE_BACK, tiny->config.feed_forward},
        {STAGE_OUTPUT, trace->hidden},
    };
    for (int i = 0; i < COUNT(cases); i++)
        ck_assert_uint_eq(find(tiny, 1, cases[i].stage).inputs, cases[i].inputs);
}

/* Products counted by hand, of two layers: 3 tokens, 4 numbers, 8 of feed-forward, 10 pieces. */
TEST(a_pass_costs_what_its_products_are)
{
    struct config small = {
        .layers = 2, .hidden = 4, .heads = 2, .feed_forward = 8, .vocabulary = 10};
    ck_assert_uint_eq(operations_cost(&small, 3, 0), 2 * (192 + 192 + 72) + 120);
    small.embedding = 2;
    ck_assert_uint_eq(operations_cost(&small, 3, 0), 2 * (192 + 192 + 72) + 60);
    small.gated = true;
    ck_assert_uint_eq(operations_cost(&small, 3, 0), 2 * (192 + 288 + 72) + 60);
    small.relation = RELATION_DISENTANGLED;
    ck_assert_uint_eq(operations_cost(&small, 3, 0), 2 * (192 + 288 + 72 + 336) + 60);
    small.layers = SIZE_MAX;
    small.hidden = (size_t)1 << 20;
    ck_assert_uint_eq(operations_cost(&small, 3, 0), UINT64_MAX);
}
