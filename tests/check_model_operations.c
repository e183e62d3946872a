/* The list of what a layer computes, where the views ask it and the forward pass doesn't. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/model/forward.h"
#include "headlight/model/operations.h"

#include <stdlib.h>

#define TOKENS 5

static struct error error;
static struct model *tiny;
static struct trace *trace;

static void begin(void)
{
    const int32_t ids[TOKENS] = {2, 40, 41, 40, 3}, segments[TOKENS] = {0};
    assert_ok(model_open(TINY_FOLDER, NULL, &tiny, &error), error);
    assert_ok(forward_prepare(tiny, ids, segments, TOKENS, false, &trace, &error), error);
}

static void end(void)
{
    free(trace);
    model_free(tiny);
}

TESTS(.begin = begin, .end = end);

/* With the model, and as in a recording, of which only the tensors are known. */
TEST(a_layer_takes_what_the_one_before_gives)
{
    const struct model *const models[] = {tiny, NULL};
    for (int i = 0; i < COUNT(models); i++) {
        const struct operation first = operation_of(models[i], trace, 0, OUTPUT_COUNT, STAGE_INPUT),
                               later = operation_of(models[i], trace, 1, OUTPUT_COUNT, STAGE_INPUT);
        ck_assert_int_eq(first.kind, OPERATION_NORM);
        ck_assert_int_eq(first.from, STAGE_EMBEDDING);
        ck_assert_int_eq(later.kind, OPERATION_TAKE);
        ck_assert_int_eq(later.from, STAGE_NONE);
        ck_assert_uint_eq(later.inputs, 0);
        ck_assert_uint_eq(later.outputs, trace->hidden);
        ck_assert_int_eq(operation_of(models[i], trace, 1, OUTPUT_COUNT, STAGE_EMBEDDING).kind,
                         OPERATION_ABSENT);
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
        {STAGE_BACK, model_config(tiny)->feed_forward},
        {STAGE_OUTPUT, trace->hidden},
    };
    for (int i = 0; i < COUNT(cases); i++)
        ck_assert_uint_eq(operation_of(tiny, trace, 1, OUTPUT_COUNT, cases[i].stage).inputs,
                          cases[i].inputs);
}
