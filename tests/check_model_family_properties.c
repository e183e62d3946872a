/* What must hold for a model of any family and any text, as check_model_properties.c has it for
 * BERT: threads, lengths, types, changes and what is kept of a pass. */
#include "family_model.h"
#include "headlight/model/forward.h"
#include "headlight/model/head_mask.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/thread_pool.h"
#include "recorded.h"
#include "suites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static const struct fixture slow_tests = {.end = end, .slow = true};

TESTS(.end = end);

static const struct config *make(size_t variant, const char *type)
{
    family_model_make(&model, family_variant_at(variant), type, 3 * variant + 1);
    return model_config(model.model);
}

static struct trace *compute(size_t tokens, const struct interventions *changes)
{
    struct trace *trace = random_prepare(&model, tokens, tokens / 2 + 1, 11);
    assert_ok(forward_run(model.model, changes, NULL, trace, &error), error);
    return trace;
}

static void assert_near(const char *what, size_t index, double a, double b)
{
    const bool same = isinf(b) ? isinf(a) && a < 0 && b < 0 : fabs(a - b) <= 1e-3 * (1 + fabs(b));
    if (!same)
        ck_abort_msg("%s[%zu]: %.9g and %.9g", what, index, a, b);
}

/* ---- Threads, length ------------------------------------------------------- */

TEST(a_text_may_be_as_long_as_the_positions, .times = (int)family_variant_count())
{
    int32_t ids[FAMILY_LONGEST + 1] = {0}, segments[FAMILY_LONGEST + 1] = {0};
    struct trace *trace;
    ck_assert_uint_eq(make((size_t)_i, "F32")->longest, FAMILY_LONGEST);
    assert_fails(
        forward_prepare(model.model, ids, segments, FAMILY_LONGEST + 1, true, &trace, &error),
        STATUS_LIMIT, "71 tokens long, the model has 70 positions: shorten it by 1 token", error);
}

TEST(any_number_of_threads_gives_the_same_bytes, .times = (int)family_variant_count(),
     .with = &slow_tests)
{
    const struct family_variant *small = family_variant_at((size_t)_i);
    struct family_variant large = {small->name, family_config_large(small)};
    struct interventions changes = {.off = {1, 2}, .temperature = 2};
    struct trace *alone = NULL;
    family_model_make(&model, &large, types[_i % 3], (uint64_t)_i);
    ck_assert_uint_gt(model_config(model.model)->hidden, 100);
    for (size_t threads = 1; threads <= 7; threads += ONE_IN > 1 ? 6 : 2) {
        pool_set_size(threads);
        struct trace *trace = compute(FAMILY_LONGEST, &changes);
        if (alone)
            assert_same_traces(alone, trace);
        free(alone);
        alone = trace;
    }
    free(alone);
    free((char *)(uintptr_t)large.config);
}

/* ---- Masks -------------------------------------------------------------------------------- */

static bool is_masked(const struct config *config, const struct interventions *changes, size_t l,
                      size_t head, size_t from, size_t to)
{
    const size_t apart = from > to ? from - to : to - from;
    bool masked = (changes->causal || config->causal) && to > from;
    masked = masked || (config->local[l] && apart > config->reach);
    for (size_t i = 0; i < changes->hidden_count; i++)
        masked = masked || changes->hidden[i] == to;
    for (size_t i = 0; i < changes->cut_count; i++) {
        struct cut cut = changes->cuts[i];
        masked = masked || (cut.layer == l && cut.head == head && cut.from == from && cut.to == to);
    }
    return masked;
}

static void check_row(const struct config *config, const struct interventions *changes,
                      const struct trace *trace, size_t l, size_t head, size_t from)
{
    size_t left = 0;
    double sum = 0;
    for (size_t to = 0; to < trace->tokens; to++) {
        bool masked = is_masked(config, changes, l, head, from, to);
        ck_assert_int_eq(trace_is_masked(trace_score(trace, l, head, from, to)), masked);
        if (masked)
            ck_assert_float_eq(trace_weight(trace, l, head, from, to), 0);
        left += !masked;
        sum += (double)trace_weight(trace, l, head, from, to);
    }
    ck_assert_double_eq_tol(sum, left > 0 ? 1 : 0, 1e-5);
    for (size_t to = 0; head_mask_has(changes->uniform[l], head) && to < trace->tokens; to++)
        if (!is_masked(config, changes, l, head, from, to))
            ck_assert_float_eq_tol(trace_weight(trace, l, head, from, to), 1 / (float)left, 1e-6f);
}

static void check_context(const struct interventions *changes, const struct trace *trace, size_t l,
                          size_t head)
{
    const size_t H = trace->hidden, D = trace->dimensions;
    for (size_t t = 0; t < trace->tokens; t++)
        for (size_t d = 0; d < D; d++) {
            double expected = 0;
            for (size_t to = 0; !head_mask_has(changes->off[l], head) && to < trace->tokens; to++)
                expected += (double)trace_weight(trace, l, head, t, to) *
                            (double)heads_row(&trace->layer[l].value, head, to)[d];
            assert_near("context", t, (double)trace->layer[l].context[t * H + head * D + d],
                        expected);
        }
}

static const struct interventions many_changes[] = {
    {.causal = true, .off = {1, 6, 7}, .uniform = {2, 4}},
    {.hidden_count = 3,
     .hidden = {0, 4, 90},
     .cut_count = 3,
     .cuts = {{0, 0, 0, 0}, {0, 2, 3, 1}, {1, 0, 2, 90}},
     .temperature = 0.5},
    {.unscaled = true, .no_segments = true, .positions = POSITIONS_NONE, .uniform = {7}},
    {.positions = POSITIONS_SINUSOIDAL, .temperature = 3, .off = {0, 0, 1}},
    {.hidden_count = 7, .hidden = {0, 1, 2, 3, 4, 5, 6}, .causal = true},
};
#define CHANGES (sizeof many_changes / sizeof *many_changes)

TEST(changes_do_what_they_say, .times = 2 * (int)family_variant_count())
{
    const struct config *config = make((size_t)_i / 2, "F32");
    for (size_t i = 0; i < CHANGES; i++) {
        const struct interventions *changes = &many_changes[i];
        struct trace *trace = compute(i == 1 ? 9 : 21, changes);
        for (size_t l = 0; l < trace->layers; l++)
            for (size_t head = 0; head < trace->heads; head++) {
                for (size_t from = 0; from < trace->tokens; from++)
                    check_row(config, changes, trace, l, head, from);
                check_context(changes, trace, l, head);
            }
        free(trace);
    }
}

/* Scores of the first layer, which all that is before them leaves alike. */
TEST(scores_are_divided_as_asked, .times = (int)family_variant_count())
{
    const struct config *config = make((size_t)_i, "F32");
    const double root =
        sqrt((double)config->hidden / (double)config->heads * (double)config_terms(config));
    struct trace *plain = compute(9, NULL);
    struct trace *unscaled = compute(9, &(struct interventions){.unscaled = true});
    struct trace *warm = compute(9, &(struct interventions){.temperature = 4});
    for (size_t i = 0; i < plain->heads * 9 * 9; i++) {
        const double bias = plain->position_bias ? (double)plain->position_bias[i] : 0;
        const double score = (double)plain->layer[0].scores[i];
        assert_near("unscaled", i, (double)unscaled->layer[0].scores[i],
                    isinf(score) ? score : (score - bias) * root + bias);
        assert_near("temperature", i, (double)warm->layer[0].scores[i], score / 4);
    }
    free(plain);
    free(unscaled);
    free(warm);
}

/* ---- Positions ---------------------------------------------------------------------------- */

#define SWAPPED_TOKENS 3 /* all within the reach of the narrowest local layer */

static struct trace *compute_ids(const int32_t *ids, const struct interventions *changes)
{
    static const int32_t segments[SWAPPED_TOKENS];
    struct trace *trace;
    assert_ok(forward_prepare(model.model, ids, segments, SWAPPED_TOKENS, false, &trace, &error),
              error);
    assert_ok(forward_run(model.model, changes, NULL, trace, &error), error);
    return trace;
}

/* How far the rows of two passes are apart whose first and second token are each other's. */
static double apart(const struct trace *trace, const float *a, const float *b)
{
    static const size_t swapped[] = {1, 0, 2};
    const size_t H = trace->hidden;
    double most = 0;
    for (size_t t = 0; t < SWAPPED_TOKENS; t++)
        for (size_t i = 0; i < H; i++)
            most = fmax(most, fabs((double)a[t * H + i] - (double)b[swapped[t] * H + i]));
    return most;
}

/* What is left to see in a causal model is who came before; a convolution sees neighbours. */
static double apart_in_the_end(const struct config *config, const struct trace *a,
                               const struct trace *b)
{
    const size_t last = a->layers - 1, H = a->hidden;
    double most = 0;
    if (config->kernel > 1)
        return apart(a, a->layer[0].before_conv, b->layer[0].before_conv);
    if (!config->causal)
        return apart(a, a->layer[last].output, b->layer[last].output);
    for (size_t i = 2 * H; i < 3 * H; i++)
        most = fmax(most, fabs((double)a->layer[0].output[i] - (double)b->layer[0].output[i]));
    return most;
}

TEST(without_positions_words_are_a_bag, .times = (int)family_variant_count())
{
    static const int32_t ids[] = {7, 9, 11}, swapped[] = {9, 7, 11};
    const struct interventions none = {.positions = POSITIONS_NONE};
    const struct config *config = make((size_t)_i, "F32");
    struct trace *a = compute_ids(ids, NULL), *b = compute_ids(swapped, NULL);
    ck_assert_double_gt(apart_in_the_end(config, a, b), 1e-2);
    free(a);
    free(b);
    a = compute_ids(ids, &none);
    b = compute_ids(swapped, &none);
    ck_assert_double_lt(apart_in_the_end(config, a, b), 1e-4);
    free(a);
    free(b);
}

/* Sinusoids come in the place of all other positions, and only there. */
TEST(sinusoids_replace_positions, .times = (int)family_variant_count())
{
    const struct interventions none = {.positions = POSITIONS_NONE};
    const struct interventions waves = {.positions = POSITIONS_SINUSOIDAL};
    make((size_t)_i, "F32");
    struct trace *without = compute(9, &none);
    struct trace *with = compute(9, &waves);
    const struct layer_trace *layer = &with->layer[0];
    const size_t squares = with->heads * 9 * 9;
    double most = 0;
    for (size_t i = 0; i < 9 * with->embedded; i++)
        most = fmax(most, fabs((double)with->embedding[i] - (double)without->embedding[i]));
    ck_assert_double_gt(most, 0.1);
    for (size_t i = 0; layer->relative && i < squares; i++)
        ck_assert_float_eq(layer->relative[i], 0);
    for (size_t head = 0; layer->query_unrotated.data && head < with->heads; head++)
        for (size_t t = 0; t < 9; t++) {
            const size_t row = with->dimensions * sizeof(float);
            ck_assert_mem_eq(heads_row(&layer->query, head, t),
                             heads_row(&layer->query_unrotated, head, t), row);
            ck_assert_mem_eq(heads_row(&layer->key, head, t),
                             heads_row(&layer->key_unrotated, head, t), row);
        }
    free(without);
    free(with);
}

/* ---- What is kept ------------------------------------------------------------------------- */

/* One change after another, each in a later layer or in all. */
static const struct interventions steps[] = {
    {.off = {0, 0, 1}},
    {.off = {0, 2, 1}},
    {.off = {0, 2}, .cut_count = 1, .cuts = {{2, 1, 3, 0}}},
    {.off = {0, 2}, .uniform = {0, 0, 7}},
    {.positions = POSITIONS_NONE, .off = {0, 2}},
    {.positions = POSITIONS_SINUSOIDAL},
    {.causal = true},
    {.uniform = {0, 7}},
    {.off = {0, 0, 7}},
    {.off = {0}},
};

TEST(what_is_kept_is_as_computed, .times = (int)family_variant_count())
{
    const size_t tokens = _i % 3 == 2 ? 41 : 12;
    make((size_t)_i, "F32");
    struct trace *used = compute(tokens, NULL);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct trace *fresh = compute(tokens, &steps[i]);
        struct trace *next = random_prepare(&model, tokens, tokens / 2 + 1, 11);
        forward_adopt(used, &steps[i], next);
        assert_ok(forward_run(model.model, &steps[i], NULL, next, &error), error);
        assert_ok(forward_run(model.model, &steps[i], NULL, used, &error), error);
        assert_same_traces(fresh, next);
        assert_same_traces(fresh, used);
        free(fresh);
        free(used);
        used = next;
    }
    free(used);
}

/* Nothing but the heads is left to compute. */
TEST(a_whole_pass_is_kept_too, .times = (int)family_variant_count())
{
    make((size_t)_i, "F32");
    struct trace *whole = compute(12, NULL);
    struct trace *next = random_prepare(&model, 12, 7, 11);
    forward_adopt(whole, NULL, next);
    ck_assert_uint_eq(next->computed.layers, whole->layers);
    assert_ok(forward_run(model.model, NULL, NULL, next, &error), error);
    assert_same_traces(whole, next);
    free(whole);
    free(next);
}

/* ---- Heads of the model ------------------------------------------------------------------- */

TEST(words_of_the_last_layer_are_the_logits, .times = (int)family_variant_count())
{
    struct head_rows *rows;
    make((size_t)_i, types[_i % 3]);
    struct trace *trace = compute(14, NULL);
    const float *logits =
        trace->outputs[OUTPUT_MLM] ? trace->outputs[OUTPUT_MLM] : trace->outputs[OUTPUT_LM];
    const size_t numbers = trace->tokens * trace->vocabulary;
    ck_assert_ptr_nonnull(logits);
    assert_ok(forward_words_prepare(model.model, 300, &rows, &error), error);
    rows->count = trace->tokens;
    memcpy(rows->hidden, trace->layer[trace->layers - 1].output,
           trace->tokens * trace->hidden * sizeof(float));
    assert_ok(forward_head(model.model, trace->tokens, rows, &error), error);
    ck_assert_mem_eq(rows->logits, logits, numbers * sizeof(float));
    free(rows);
    free(trace);
}

/* The mean is of what a model gives in the end: behind its last LayerNorm. */
TEST(a_sentence_is_the_mean_of_the_last_norm)
{
    static const char pooling[] = "{\"pooling_mode_mean_tokens\":true}";
    static const int32_t ids[] = {4, 5, 6, 7}, segments[4];
    const char *const source = "tests/vectors/families/modernbert";
    struct folder folder;
    struct model *opened;
    struct trace *trace;
    double mean[32] = {0};
    folder_make(&folder);
    folder_copy(&folder, source, "config.json");
    folder_copy(&folder, source, "model.safetensors");
    char *inner = in_folder(&folder, "1_Pooling");
    ck_assert_int_eq(mkdir(inner, 0700), 0);
    folder_write(&folder, "1_Pooling/config.json", pooling, strlen(pooling));
    assert_ok(model_open(folder.path, NULL, &opened, &error), error);
    assert_ok(forward_prepare(opened, ids, segments, 4, true, &trace, &error), error);
    assert_ok(forward_run(opened, NULL, NULL, trace, &error), error);
    for (size_t i = 0; i < 4 * 32; i++)
        mean[i % 32] += (double)trace->final[i] / 4;
    for (size_t i = 0; i < 32; i++)
        ck_assert_double_eq_tol((double)trace->outputs[OUTPUT_SENTENCE][i], mean[i], 1e-5);
    free(trace);
    model_free(opened);
    char *file = in_folder(&folder, "1_Pooling/config.json");
    unlink(file);
    rmdir(inner);
    free(file);
    free(inner);
    folder_remove(&folder);
}
