/* A pass equals the interpreter of its operations: every number of a trace is what lens/steps.h
 * makes of the numbers before it, in double precision; whatever the family, the length, the type of
 * the weights, the kernels, the threads and the changes of the network. That the bits of a pass
 * don't depend on threads, on company in a batch (check_model_batch.c) or on what is kept of an
 * earlier pass makes it hold for all of those. */
#include "family_model.h"
#include "headlight/model/forward.h"
#include "headlight/tensor/thread_pool.h"
#include "kernels_four.h"
#include "opening.h"
#include "steps_helpers.h"
#include "suites.h"

#include <stdlib.h>
#include <string.h>

static struct error error;
static struct random_model model;
static const char *const types[] = {"F32", "F16", "BF16"};

static void end(void)
{
    random_model_free(&model);
    model = (struct random_model){0};
    kernels_choose(NULL);
    pool_set_size(0);
}

TESTS(.end = end);

#define VARIANTS (int)family_variant_count()

/* Each by itself, then together, in neighbouring layers, and with rows that have nothing left. */
static const struct interventions changes[] = {
    {.causal = false},
    {.unscaled = true},
    {.causal = true},
    {.no_segments = true},
    {.temperature = 0.5},
    {.positions = POSITIONS_NONE},
    {.positions = POSITIONS_SINUSOIDAL},
    {.off = {1, 6, 7}},
    {.uniform = {2, 7, 1}, .hidden_count = 2, .hidden = {0, 4}},
    {.cut_count = 4, .cuts = {{0, 0, 0, 0}, {0, 2, 3, 1}, {1, 0, 2, 90}, {2, 1, 4, 4}}},
    {.hidden_count = 3, .hidden = {0, 4, 90}, .temperature = 3, .off = {0, 0, 1}},
    {.causal = true, .off = {1, 6, 7}, .uniform = {2, 4}},
    {.unscaled = true, .no_segments = true, .positions = POSITIONS_NONE, .uniform = {7}},
    {.hidden_count = 7, .hidden = {0, 1, 2, 3, 4, 5, 6}, .uniform = {2}, .causal = true},
};
#define CHANGES (sizeof changes / sizeof *changes)

/* A short text is multiplied by loops of its own. */
static const size_t lengths[] = {
    7, 1, 11, KERNELS_TOKENS_MAX, 2, KERNELS_TOKENS_MAX + 1, 33, 16, FAMILY_LONGEST};
#define LENGTHS (sizeof lengths / sizeof *lengths)

static void make(size_t variant, const char *type)
{
    family_model_make(&model, family_variant_at(variant), type, 3 * variant + 1);
}

static struct trace *compute(size_t tokens, const struct interventions *change)
{
    struct trace *trace = random_prepare(&model, tokens, tokens / 2 + 1, 11);
    assert_ok(forward_run(model.model, change, NULL, trace, &error), error);
    return trace;
}

/* Of an encoder–decoder the second trace, whose source is the first. */
static struct trace *compute_target(const struct trace *source, size_t tokens,
                                    const struct interventions *change)
{
    const struct model *decoder = model.model->decoder;
    struct trace *trace = decoder ? random_target(&model, source, tokens, 12) : NULL;
    if (trace)
        assert_ok(forward_run(decoder, change, NULL, trace, &error), error);
    return trace;
}

/* Lengths and threads go with the changes, so that each meets each. */
static void check_changes(size_t number, const struct kernels *kernels)
{
    char name[96];
    for (size_t i = 0; i < CHANGES; i++) {
        const size_t tokens = lengths[(i + number) % LENGTHS];
        kernels_choose(kernels);
        pool_set_size(1 + (i + number) % 4);
        struct trace *trace = compute(tokens, &changes[i]);
        snprintf(name, sizeof name, "%s, change %zu, %zu tokens, %s",
                 family_variant_at(number % family_variant_all())->name, i, tokens, kernels->name);
        steps_check(model.model, trace, name, 1 + tokens / 12 * 3);
        struct trace *target = compute_target(trace, lengths[i % LENGTHS], &changes[i]);
        const size_t every = target ? 1 + target->tokens / 12 * 3 : 0;
        if (target)
            steps_check(model.model->decoder, target, name, every);
        if (target)
            steps_check(model.model->decoder, target->cross, name, every);
        free(target);
        free(trace);
    }
}

/* Of an encoder–decoder those of all three attentions. */
TEST(every_number_is_the_interpreters, .times = (int)family_variant_all())
{
    for (size_t i = 0; kernels_of_tests(i); i++) {
        make((size_t)_i, types[((size_t)_i + i) % 3]);
        check_changes((size_t)_i + i * family_variant_all(), kernels_of_tests(i));
        random_model_free(&model);
    }
    model = (struct random_model){0};
}

/* One of the size of those that people use. */
TEST(every_number_of_the_built_in_model_is, .times = (int)CHANGES)
{
    int32_t ids[STEPS_TOKENS], segments[STEPS_TOKENS];
    struct model *built_in;
    struct trace *trace;
    assert_ok(model_open("assets/model", NULL, &built_in, &error), error);
    for (size_t t = 0; t < STEPS_TOKENS; t++) {
        ids[t] = (int32_t)(7 + 13 * t * t);
        segments[t] = t > 5;
    }
    assert_ok(forward_prepare(built_in, NULL, ids, segments, STEPS_TOKENS, false, &trace, &error),
              error);
    assert_ok(forward_run(built_in, &changes[_i], NULL, trace, &error), error);
    steps_check(built_in, trace, "built in", 3);
    free(trace);
    model_free(built_in);
}

/* Activations, sizes and sharpness that no family's variant has. */
TEST(every_number_of_random_models_is, .times = 12)
{
    const struct random_shape shape = random_shape((uint64_t)_i);
    random_model_make(&model, &shape, (uint64_t)_i);
    struct trace *trace = compute(STEPS_TOKENS, &changes[(size_t)_i % CHANGES]);
    steps_check(model.model, trace, shape.activation, 2);
    free(trace);
}

/* As many heads as the largest models have, some switched off or made uniform beyond the first 64.
 */
TEST(every_number_of_the_most_heads_is)
{
    const head_mask last = head_mask_of(HEAD_MASK_MAX - 1);
    const struct interventions change = {.off = {last, 1}, .uniform = {1, last | last >> 2}};
    struct random_shape shape = random_shape(1);
    shape.heads = HEAD_MASK_MAX;
    shape.hidden = 2 * shape.heads;
    shape.layers = 2;
    random_model_make(&model, &shape, 1);
    struct trace *trace = compute(STEPS_TOKENS, &change);
    steps_check(model.model, trace, "the most heads", 2);
    free(trace);
}

/* ---- The same bits ------------------------------------------------------------------------ */

/* Large enough that every thread has something to do. */
TEST(any_number_of_threads_computes_the_same_bits, .times = (int)family_variant_all())
{
    static const size_t threads[] = {1, 2, 3, 7}, tokens[] = {KERNELS_TOKENS_MAX, FAMILY_LONGEST};
    const struct family_variant *small = family_variant_at((size_t)_i);
    char *config = family_config_large(small);
    const struct family_variant large = {small->name, config};
    family_model_make(&model, &large, types[_i % 3], (uint64_t)_i);
    for (size_t i = 0; i < COUNT(tokens); i++) {
        const struct interventions *change = &changes[(7 * i + (size_t)_i) % CHANGES];
        struct trace *alone = NULL, *target_alone = NULL;
        for (size_t j = 0; j < COUNT(threads); j++) {
            pool_set_size(threads[j]);
            struct trace *trace = compute(tokens[i], change);
            struct trace *target = compute_target(trace, tokens[1 - i], change);
            if (alone)
                assert_same_traces(alone, trace);
            if (target_alone)
                assert_same_traces(target_alone, target);
            free(target_alone);
            free(alone);
            target_alone = target;
            alone = trace;
        }
        free(target_alone);
        free(alone);
    }
    free(config);
}

static bool count_layers(void *context, size_t done, size_t total)
{
    *(size_t *)context += 1;
    return done <= total;
}

/* One change after another, each in a later layer or in all. */
static const struct interventions steps[] = {
    {.off = {0, 0, 1}},
    {.off = {0, 2, 1}},
    {.off = {0, 2}, .cut_count = 1, .cuts = {{2, 1, 3, 0}}},
    {.off = {0, 2}, .uniform = {0, 0, 7}},
    {.positions = POSITIONS_NONE, .off = {0, 2}},
    {.positions = POSITIONS_SINUSOIDAL},
    {.positions = POSITIONS_SINUSOIDAL, .hidden_count = 1, .hidden = {2}},
    {.causal = true},
    {.causal = true, .uniform = {0, 7}},
    {.unscaled = true, .uniform = {0, 7}},
    {.temperature = 2},
    {.temperature = 2, .off = {0, 0, 7}},
    {.off = {0}},
    {.temperature = 1},
    {.hidden_count = 1, .hidden = {63}, .cut_count = 1, .cuts = {{0, 1, 2, 50}}},
};

/* Of the same trace, and of another that adopts it; and only what a change reaches is computed. */
TEST(what_is_kept_is_as_computed, .times = VARIANTS)
{
    const size_t tokens = _i % 3 == 2 ? 41 : 12;
    make((size_t)_i, types[_i % 3]);
    kernels_choose(kernels_of_tests((size_t)_i % 4));
    struct trace *used = compute(tokens, NULL);
    for (size_t i = 0; i < COUNT(steps); i++) {
        struct trace *fresh = compute(tokens, &steps[i]);
        struct trace *next = random_prepare(&model, tokens, tokens / 2 + 1, 11);
        size_t layers = 0, same = interventions_first_difference(&used->computed.changes, &steps[i],
                                                                 0, used->layers);
        struct watch watch = {count_layers, &layers};
        forward_adopt(used, &steps[i], next);
        ck_assert_uint_eq(next->computed.layers, same);
        assert_ok(forward_run(model.model, &steps[i], NULL, next, &error), error);
        assert_ok(forward_run(model.model, &steps[i], &watch, used, &error), error);
        ck_assert_uint_eq(layers, used->layers - same);
        assert_same_traces(fresh, next);
        assert_same_traces(fresh, used);
        free(fresh);
        free(used);
        used = next;
    }
    free(used);
}
