/* A trace's block: names, shapes, strides, places, and sizes that no machine has. */
#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/base/system.h"
#include "headlight/model/trace_new.h"
#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct trace *trace;

/* T 5, H 12, A 3, D 4, L 2, V 11, F 7 */
static const struct config small = {.vocabulary = 11,
                                    .hidden = 12,
                                    .layers = 2,
                                    .heads = 3,
                                    .feed_forward = 7,
                                    .positions = 9,
                                    .segments = 2};

static const bool both[OUTPUT_COUNT] = {[OUTPUT_MLM] = true, [OUTPUT_NSP] = true};

static void make(void)
{
    assert_ok(trace_blank(&small, 5, both, 60, &trace, &error), error);
}

static void drop(void)
{
    free(trace);
}

TESTS(.begin = make, .end = drop);

TEST(sizes_are_the_configurations)
{
    ck_assert_uint_eq(trace->tokens, 5);
    ck_assert_uint_eq(trace->attended, 5);
    ck_assert_uint_eq(trace->layers, 2);
    ck_assert_uint_eq(trace->heads, 3);
    ck_assert_uint_eq(trace->dimensions, 4);
    ck_assert_uint_eq(trace->hidden, 12);
    ck_assert_uint_eq(trace->vocabulary, 11);
    ck_assert_uint_eq(trace->scratch_count, 60);
    ck_assert_ptr_eq(trace->layer[0].input, trace->embedding);
    ck_assert_ptr_eq(trace->layer[1].input, trace->layer[0].output);
    ck_assert_ptr_eq(heads_row(&trace->layer[1].value, 2, 4),
                     trace->layer[1].query.data + 4 * 36 + 24 + 2 * 4);
}

static const struct expected {
    const char *name;
    size_t rank, shape[3], stride[3];
} expected[] = {
    {"ids", 1, {5}, {1}},
    {"segments", 1, {5}, {1}},
    {"embedding", 2, {5, 12}, {12, 1}},
    {"layer.0.input", 2, {5, 12}, {12, 1}},
    {"layer.0.query", 3, {3, 5, 4}, {4, 36, 1}},
    {"layer.0.key", 3, {3, 5, 4}, {4, 36, 1}},
    {"layer.0.value", 3, {3, 5, 4}, {4, 36, 1}},
    {"layer.0.scores", 3, {3, 5, 5}, {25, 5, 1}},
    {"layer.0.weights", 3, {3, 5, 5}, {25, 5, 1}},
    {"layer.0.context", 2, {5, 12}, {12, 1}},
    {"layer.0.attention_output", 2, {5, 12}, {12, 1}},
    {"layer.0.output", 2, {5, 12}, {12, 1}},
    {"layer.1.input", 2, {5, 12}, {12, 1}},
    {"layer.1.query", 3, {3, 5, 4}, {4, 36, 1}},
    {"layer.1.key", 3, {3, 5, 4}, {4, 36, 1}},
    {"layer.1.value", 3, {3, 5, 4}, {4, 36, 1}},
    {"layer.1.scores", 3, {3, 5, 5}, {25, 5, 1}},
    {"layer.1.weights", 3, {3, 5, 5}, {25, 5, 1}},
    {"layer.1.context", 2, {5, 12}, {12, 1}},
    {"layer.1.attention_output", 2, {5, 12}, {12, 1}},
    {"layer.1.output", 2, {5, 12}, {12, 1}},
    {"mlm_logits", 2, {5, 11}, {11, 1}},
    {"nsp_logits", 1, {2}, {1}},
};
#define EXPECTED (sizeof expected / sizeof *expected)

TEST(tensors_come_in_the_order_of_computing)
{
    ck_assert_uint_eq(trace_tensor_count(trace), EXPECTED);
    for (size_t i = 0; i < EXPECTED; i++) {
        struct trace_tensor tensor;
        trace_tensor_at(trace, i, &tensor);
        ck_assert_str_eq(tensor.name, expected[i].name);
        ck_assert_uint_eq(tensor.rank, expected[i].rank);
        ck_assert_mem_eq(tensor.shape, expected[i].shape, tensor.rank * sizeof *tensor.shape);
        ck_assert_mem_eq(tensor.stride, expected[i].stride, tensor.rank * sizeof *tensor.stride);
        ck_assert_int_eq(tensor.integers != NULL, i < 2);
        ck_assert_int_eq(tensor.numbers != NULL, i >= 2);
    }
}

/* Writes every number of every part and finds each one where it was put: no two parts overlap, and
 * under a sanitiser none reaches beyond the block. */
TEST(parts_are_aligned_and_apart)
{
    struct trace_tensor tensor;
    for (int reading = 0; reading < 2; reading++) {
        float stamp = 0;
        for (size_t i = 2; i < EXPECTED; i++) {
            trace_tensor_at(trace, i, &tensor);
            if (strcmp(tensor.name + 8, "input") == 0)
                continue; /* shared with the part before */
            if (tensor.rank < 3 || tensor.stride[1] == tensor.shape[2] ||
                strcmp(tensor.name + 8, "query") == 0)
                ck_assert_uint_eq((uintptr_t)tensor.numbers % 64, 0);
            size_t b = tensor.rank > 1 ? tensor.shape[1] : 1;
            size_t c = tensor.rank > 2 ? tensor.shape[2] : 1;
            for (size_t j = 0; j < tensor.shape[0] * b * c; j++) {
                size_t at = j / (b * c) * tensor.stride[0] + j / c % b * tensor.stride[1] +
                            j % c * tensor.stride[2];
                float *number = (float *)(uintptr_t)&tensor.numbers[at];
                stamp++;
                if (reading)
                    ck_assert_float_eq(*number, stamp);
                else
                    *number = stamp;
            }
        }
    }
    for (size_t i = 0; i < trace->scratch_count; i++)
        trace->scratch[i] = 1;
    for (size_t i = 0; i < trace->tokens; i++)
        trace->ids[i] = trace->segments[i] = 1;
    ck_assert_float_eq(trace->outputs[OUTPUT_NSP][0] + 1, trace->outputs[OUTPUT_NSP][1]);
}

TEST(a_new_trace_is_all_zero)
{
    for (size_t i = 0; i < 5 * 11; i++)
        ck_assert_float_eq(trace->outputs[OUTPUT_MLM][i], 0);
    ck_assert_float_eq(trace_weight(trace, 1, 2, 4, 4), 0);
    ck_assert_float_eq(trace_score(trace, 1, 2, 4, 4), 0);
}

/* The shorter text begins like the longer one. */
TEST(layers_go_to_a_trace_that_begins_alike)
{
    struct trace *same, *shorter;
    assert_ok(trace_blank(&small, 5, both, 60, &same, &error), error);
    assert_ok(trace_blank(&small, 3, both, 60, &shorter, &error), error);
    same->layer[0].output[0] = shorter->layer[0].output[0] = 7;
    ck_assert_uint_eq(trace_same_tokens(shorter, trace), 3);
    same->ids[4] = 1;
    ck_assert_uint_eq(trace_same_tokens(same, trace), 4);
    trace->ids[4] = 1;
    ck_assert_uint_eq(trace_same_tokens(same, trace), 5);
    trace_copy(same, 0, 5, trace);
    ck_assert_float_eq(trace->layer[0].output[0], 0);
    trace_copy(same, 1, 5, trace);
    ck_assert_float_eq(trace->layer[0].output[0], 7);
    free(same);
    free(shorter);
}

TEST(logits_only_where_asked_for)
{
    struct trace *bare;
    struct trace_tensor tensor;
    const bool words[OUTPUT_COUNT] = {[OUTPUT_MLM] = true};
    const bool pair[OUTPUT_COUNT] = {[OUTPUT_NSP] = true};
    assert_ok(trace_new(&small, 1, NULL, pair, 0, &bare, &error), error);
    ck_assert_ptr_null(bare->outputs[OUTPUT_MLM]);
    ck_assert_uint_eq(trace_tensor_count(bare), EXPECTED - 1);
    trace_tensor_at(bare, EXPECTED - 2, &tensor);
    ck_assert_str_eq(tensor.name, "nsp_logits");
    free(bare);
    assert_ok(trace_new(&small, 1, NULL, words, 0, &bare, &error), error);
    ck_assert_ptr_null(bare->outputs[OUTPUT_NSP]);
    trace_tensor_at(bare, EXPECTED - 2, &tensor);
    ck_assert_str_eq(tensor.name, "mlm_logits");
    free(bare);
}

/* As in a recording: what is absent is neither counted nor given. */
TEST(absent_tensors_are_passed_over)
{
    struct trace_tensor tensor;
    trace->ids = NULL;
    trace->embedding = NULL;
    trace->outputs[OUTPUT_MLM] = NULL;
    trace->layer[0].query.data = NULL;
    trace->layer[1].output = NULL;
    ck_assert_uint_eq(trace_tensor_count(trace), EXPECTED - 5);
    trace_tensor_at(trace, 0, &tensor);
    ck_assert_str_eq(tensor.name, "segments");
    trace_tensor_at(trace, 2, &tensor);
    ck_assert_str_eq(tensor.name, "layer.0.key");
    trace_tensor_at(trace, EXPECTED - 6, &tensor);
    ck_assert_str_eq(tensor.name, "nsp_logits");
}

TEST(names_fit_the_deepest_model)
{
    struct config deep = small;
    struct trace_tensor tensor;
    struct trace *large;
    deep.layers = CONFIG_LAYERS_MAX;
    assert_ok(trace_new(&deep, 1, NULL, NULL, 0, &large, &error), error);
    trace_tensor_at(large, trace_tensor_count(large) - 2, &tensor);
    ck_assert_str_eq(tensor.name, "layer.127.attention_output");
    free(large);
}

TEST(absurd_sizes_are_refused)
{
    struct config absurd = small;
    struct trace *none;
    absurd.hidden = CONFIG_SIZE_MAX;
    absurd.heads = CONFIG_HEADS_MAX;
    absurd.layers = CONFIG_LAYERS_MAX;
    absurd.vocabulary = CONFIG_SIZE_MAX;
    const size_t lengths[] = {CONFIG_SIZE_MAX, SIZE_MAX, SIZE_MAX / 4, SIZE_MAX / 64};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        assert_fails(trace_new(&absurd, lengths[i], NULL, both, 0, &none, &error), STATUS_LIMIT,
                     "B of memory are free: use a shorter text", error);
        ck_assert_ptr_null(none);
    }
    assert_fails(trace_new(&small, SIZE_MAX, NULL, NULL, 0, &none, &error), STATUS_LIMIT,
                 "shorter text", error);
}

/* A petabyte: the system would promise it, page by page. */
TEST(more_than_there_is_free_is_refused, .skipped = !(SIZE_MAX > UINT32_MAX))
{
    struct config wide = small;
    struct trace *none;
    wide.heads = wide.hidden = 64;
    wide.layers = 100;
    assert_fails(trace_new(&wide, 200000, NULL, NULL, 0, &none, &error), STATUS_LIMIT,
                 "GB of memory are free: use a shorter text", error);
    ck_assert_ptr_null(none);
    struct config mapped = small; /* all weights are read beside it */
    mapped.mapped = 1e18;
    assert_fails(trace_new(&mapped, 5, NULL, NULL, 0, &none, &error), STATUS_LIMIT,
                 "the weights and the trace of 5 tokens need 1.0 EB, and only ", error);
    ck_assert_ptr_null(memory_new((size_t)1 << 30, (size_t)1 << 30, 0, "the map", &error));
    ck_assert_int_eq(error.status, STATUS_MEMORY);
    ck_assert_ptr_nonnull(strstr(error.message, "the map needs 1.2 EB, and only "));
    ck_assert_uint_gt(size_min(system_memory(), system_address_space()), (size_t)1 << 20);
    ck_assert_uint_lt(size_min(system_memory(), system_address_space()), SIZE_MAX);
}
