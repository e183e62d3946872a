/* The steps of each family: its own stages, whose numbers are the trace's. */
#include "family_helpers.h"
#include "model_helpers.h"
#include "recorded.h"
#include "rows.h"
#include "steps_helpers.h"
#include "suites.h"

#include "headlight/lens/dimensions.h"
#include "headlight/model/forward.h"
#include "headlight/model/weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

static struct trace *family_trace(const struct model *model, const cJSON *one, double temperature)
{
    const struct interventions changes = {.temperature = temperature};
    struct trace *trace = recorded_prepare(model, one, true);
    assert_ok(forward_run(model, &changes, NULL, trace, &error), error);
    return trace;
}

/* The stages by which a family's layers differ from BERT's, and without which they are; those of a
 * first layer and of another. */

static bool is_berts(enum stage stage)
{
    return stage == STAGE_INPUT || (stage >= STAGE_QUERY && stage <= STAGE_VALUE) ||
           (stage >= STAGE_SCORES && stage <= STAGE_ADDED) || stage == STAGE_ATTENTION ||
           stage == STAGE_FORWARD || stage == STAGE_ACTIVE || stage == STAGE_BACK ||
           stage == STAGE_OUTPUT;
}

static void expect_stages(const struct model *model, const struct trace *trace, size_t layer,
                          const char *expected)
{
    const struct steps_at at = {
        .model = model, .trace = trace, .layer = layer, .head = 0, .token = 1, .divisor = 1};
    char found[200] = "";
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        const bool there = steps_operation(&at, stage).kind != OPERATION_ABSENT;
        ck_assert_int_eq(there, steps_operation(&at, stage).outputs > 0);
        if (there != is_berts(stage))
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", there ? "+" : "-",
                     stage_name(stage));
    }
    ck_assert_str_eq(found, expected);
}

/* How many of a layer's operations make a tensor of its trace. */
static size_t makers_of(const struct model *model, const struct trace *trace, size_t layer,
                        const char *member)
{
    const struct network network = {.model = model, .trace = trace};
    struct operations operations;
    size_t makers = 0;
    operations_of_layer(&network, layer, OUTPUT_MLM, &operations);
    for (const struct operation *of = operations.list; of->kind; of++)
        makers += of->tensor < TRACE_NAMES && strcmp(trace_entries[of->tensor].name, member) == 0;
    return makers;
}

/* Every tensor of a layer is made by one of its operations; only what distances add is part of the
 * scores, and where a first layer has no LayerNorm before attention, `normed` is its input. */
static void expect_tensors(const struct model *model, const struct trace *trace, size_t layer)
{
    const size_t numbers = trace->tokens * trace->hidden;
    char prefix[32];
    const size_t length = (size_t)snprintf(prefix, sizeof prefix, "layer.%zu.", layer);
    for (size_t i = 0; i < trace_tensor_count(trace); i++) {
        struct trace_tensor tensor;
        trace_tensor_at(trace, i, &tensor);
        if (strncmp(tensor.name, prefix, length) != 0)
            continue;
        const char *member = tensor.name + length;
        const size_t makers = makers_of(model, trace, layer, member);
        if (makers == 0 && strcmp(member, "normed") == 0)
            ck_assert_mem_eq(tensor.numbers, trace->layer[layer].input, numbers * sizeof(float));
        else
            ck_assert_msg(makers == (strncmp(member, "rel", 3) != 0), "%s: %zu operations",
                          tensor.name, makers);
    }
}

/* Without its model a trace is a recording, whose tensors are shown as they are. */
static void expect_recorded(const struct trace *trace, size_t layer)
{
    const struct steps_at at = {
        .model = NULL, .trace = trace, .layer = layer, .head = 1, .token = 2, .divisor = 1};
    struct steps *steps;
    assert_ok(steps_new(&at, &steps, &error), error);
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        const float *traced = stage_traced(&at, stage);
        for (size_t i = 0; traced && i < steps->stage[stage].count; i++)
            ck_assert_double_eq(steps->stage[stage].numbers[i], (double)traced[i]);
    }
    free(steps);
}

ROW_TEST(a_family_has_its_own_stages, "stages")
{
    struct model *model = family_open(row[0]);
    cJSON *cases = family_cases(row[0]);
    struct trace *trace = family_trace(model, cases->child, 1);
    expect_stages(model, trace, 0, row[1]);
    expect_stages(model, trace, 1, row[2]);
    expect_tensors(model, trace, 0);
    expect_tensors(model, trace, 1);
    expect_recorded(trace, 0);
    expect_recorded(trace, 1);
    free(trace);
    cJSON_Delete(cases);
    model_free(model);
}

/* What may not be attended to is what the scores have as minus infinity, with the reason. */
TEST(families_hide_tokens_for_their_reasons, .times = 2)
{
    const bool causal = _i == 0;
    struct model *model = family_open(causal ? "gpt2" : "modernbert");
    cJSON *cases = family_cases(causal ? "gpt2" : "modernbert");
    struct trace *trace = family_trace(model, cases->child, 1);
    size_t hidden = 0;
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t from = 0; from < trace->tokens; from++)
            for (size_t to = 0; to < trace->tokens; to++) {
                const struct steps_at at = {.model = model,
                                            .trace = trace,
                                            .layer = layer,
                                            .head = 0,
                                            .token = from,
                                            .divisor = 1};
                const enum hidden_by why = steps_hidden(&at, to);
                const bool masked = trace_is_masked(trace_score(trace, layer, 0, from, to));
                ck_assert_int_eq(why, !masked ? HIDDEN_NOT : causal ? HIDDEN_CAUSAL : HIDDEN_REACH);
                hidden += masked;
            }
    ck_assert_uint_gt(hidden, 0);
    free(trace);
    cJSON_Delete(cases);
    model_free(model);
}

/* A score's distance is told apart from what its query and key make, as the family adds it. */
TEST(distances_are_summands_of_scores, .times = 2)
{
    static const char *const families[] = {"mpnet", "deberta-v3"};
    struct model *model = family_open(families[_i]);
    cJSON *cases = family_cases(families[_i]);
    struct trace *trace = family_trace(model, cases->child, 0.5);
    const struct steps_at at = {.model = model,
                                .trace = trace,
                                .layer = 1,
                                .head = 2,
                                .token = 3,
                                .divisor = dimensions_divisor(trace)};
    const struct attending attending = {trace, 1, 2, 3};
    struct arithmetic arithmetic;
    struct steps *steps;
    assert_ok(steps_new(&at, &steps, &error), error);
    for (size_t to = 0; to < trace->tokens; to++) {
        steps_arithmetic(steps, STAGE_SCORES, to, &arithmetic);
        const bool bias = _i == 0;
        ck_assert_int_eq(arithmetic.has_bias, bias);
        for (size_t i = 0; i < DISTANCES; i++)
            ck_assert_int_eq(arithmetic.has_distance[i], !bias);
        const double distance =
            (arithmetic.distance[DISTANCE_QUERY] + arithmetic.distance[DISTANCE_KEY]) /
                arithmetic.divisor +
            arithmetic.bias;
        ck_assert_double_eq_tol(distance, dimensions_distance(&attending, to), STEPS_TOLERANCE);
        ck_assert_double_eq_tol(terms_sum(&arithmetic) / arithmetic.divisor + distance,
                                (double)trace_score(trace, 1, 2, 3, to), STEPS_TOLERANCE);
    }
    free(steps);
    free(trace);
    cJSON_Delete(cases);
    model_free(model);
}
