/* A text that goes on: the rows of the tokens that are there stay, whatever follows them, and what
 * a pass computes of the others is to the bit what one over the whole text computes. */
#include "family_model.h"
#include "headlight/model/forward.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/thread_pool.h"
#include "suites.h"

#include <stdlib.h>
#include <string.h>

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

static const struct interventions changes[] = {
    {.causal = false},
    {.off = {5}, .hidden = {1}, .hidden_count = 1},
    {.positions = POSITIONS_NONE, .uniform = {2}, .unscaled = true},
};

static struct trace *prepare(size_t tokens)
{
    return random_prepare(&model, tokens, FAMILY_LONGEST, 5);
}

static struct trace *compute(size_t tokens, const struct interventions *changed)
{
    struct trace *trace = prepare(tokens);
    assert_ok(forward_run(model.model, changed, NULL, trace, &error), error);
    return trace;
}

/* A pass over the longer of two texts, or the shorter, that takes what it can from the other. */
static void check_step(size_t from, size_t to, const struct interventions *changed)
{
    struct trace *before = compute(from, changed), *whole = compute(to, changed),
                 *step = prepare(to);
    forward_adopt(before, changed, step);
    const bool past =
        model.model->config.causal && (from <= KERNELS_TOKENS_MAX) == (to <= KERNELS_TOKENS_MAX);
    ck_assert_uint_eq(step->computed.tokens, past && from < to ? from : 0);
    ck_assert_uint_eq(step->computed.layers, past && from >= to ? step->layers : 0);
    assert_ok(forward_run(model.model, changed, NULL, step, &error), error);
    assert_same_traces(whole, step);
    free(before);
    free(whole);
    free(step);
}

TEST(a_longer_text_keeps_the_rows_of_the_shorter, .times = (int)family_variant_count())
{
    static const char *const types[] = {"F32", "F16", "BF16"};
    static const size_t steps[][2] = {{1, 2},   {2, 3},  {3, 7},   {7, 8},   {8, 9},  {9, 10},
                                      {16, 17}, {9, 64}, {64, 65}, {20, 12}, {12, 5}, {6, 4}};
    family_model_make(&model, family_variant_at((size_t)_i), types[_i % 3], (uint64_t)_i);
    for (size_t k = 0; kernels_at(k) && kernels_at(k) != &kernels_blas; k++) {
        kernels_choose(kernels_at(k));
        for (size_t i = 0; i < COUNT(steps); i++)
            check_step(steps[i][0], steps[i][1], &changes[i % COUNT(changes)]);
    }
}

/* Of other changes nothing stays; of the same ones, after the pass was cancelled, what was there.
 */
static bool stop_after_a_layer(void *context, size_t done, size_t total)
{
    return context && done < 1 && total > 0;
}

TEST(what_was_begun_goes_on, .times = COUNT(changes))
{
    size_t index = 0;
    struct watch watch = {stop_after_a_layer, &index};
    while (!strstr(family_variant_at(index)->name, "gpt2"))
        index++;
    family_model_make(&model, family_variant_at(index), "F32", 1);
    struct trace *before = compute(10, NULL), *whole = compute(12, &changes[_i]),
                 *trace = prepare(12);
    forward_adopt(before, NULL, trace);
    ck_assert_uint_eq(trace->computed.layers, 0);
    ck_assert_uint_eq(trace->computed.tokens, 10);
    pool_set_size(1 + (size_t)_i);
    assert_fails(forward_run(model.model, &changes[_i], &watch, trace, &error), STATUS_CANCELLED,
                 "cancelled after 1 of 3", error);
    assert_ok(forward_run(model.model, &changes[_i], NULL, trace, &error), error);
    assert_same_traces(whole, trace);
    free(before);
    free(whole);
    free(trace);
}

/* Token by token, where there is room for more of them than come. */
TEST(a_text_goes_on_where_there_is_room, .times = (int)family_variant_count())
{
    static const size_t steps[][2] = {{1, 6}, {3, 8}, {7, 12}, {12, 17}, {1, 70}};
    family_model_make(&model, family_variant_at((size_t)_i), "BF16", (uint64_t)_i);
    for (size_t i = 0; i < COUNT(steps) && model.model->config.causal; i++) {
        const struct interventions *changed = &changes[i % COUNT(changes)];
        struct trace *before = compute(steps[i][0], changed), *room = NULL,
                     *whole = compute(steps[i][1], changed), *step = prepare(steps[i][1]);
        for (size_t t = steps[i][0]; t < steps[i][1]; t++)
            assert_ok(forward_append(model.model, before, t, whole->ids[t], &room, &error), error);
        forward_adopt(room, changed, step);
        ck_assert_uint_eq(step->computed.layers, step->layers);
        assert_ok(forward_run(model.model, changed, NULL, step, &error), error);
        assert_same_traces(whole, step);
        free(before);
        free(room);
        free(whole);
        free(step);
    }
}
