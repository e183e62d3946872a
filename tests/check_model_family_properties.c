/* What must hold for a model of any family and any text beyond what the interpreter of its
 * operations checks (check_model_interpreted.c). */
#include "family_model.h"
#include "headlight/model/forward.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/thread_pool.h"
#include "opening.h"
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

TESTS(.end = end);

static const struct config *make(size_t variant, const char *type)
{
    family_model_make(&model, family_variant_at(variant), type, 3 * variant + 1);
    return &model.model->config;
}

static struct trace *compute(size_t tokens, const struct interventions *changes)
{
    struct trace *trace = random_prepare(&model, tokens, tokens / 2 + 1, 11);
    assert_ok(forward_run(model.model, changes, NULL, trace, &error), error);
    return trace;
}

/* ---- Length --------------------------------------------------------------------------------- */

TEST(a_text_may_be_as_long_as_the_positions, .times = (int)family_variant_count())
{
    int32_t ids[FAMILY_LONGEST + 1] = {0}, segments[FAMILY_LONGEST + 1] = {0};
    struct trace *trace;
    if (!make((size_t)_i, "F32")->placed && model.model->config.relation) {
        assert_ok(forward_prepare(model.model, NULL, ids, segments, FAMILY_LONGEST + 1, true,
                                  &trace, &error),
                  error);
        free(trace);
        return;
    }
    ck_assert_uint_eq(model.model->config.longest, FAMILY_LONGEST);
    assert_fails(
        forward_prepare(model.model, NULL, ids, segments, FAMILY_LONGEST + 1, true, &trace, &error),
        STATUS_LIMIT, "71 tokens long, the model has 70 positions: shorten it by 1 token", error);
}

/* ---- Positions ---------------------------------------------------------------------------- */

#define SWAPPED_TOKENS 3 /* all within the reach of the narrowest local layer */

static struct trace *compute_ids(const int32_t *ids, const struct interventions *changes)
{
    static const int32_t segments[SWAPPED_TOKENS];
    struct trace *trace;
    assert_ok(
        forward_prepare(model.model, NULL, ids, segments, SWAPPED_TOKENS, false, &trace, &error),
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

/* ---- Heads of the model ------------------------------------------------------------------- */

TEST(words_of_the_last_layer_are_the_logits, .times = (int)family_variant_count())
{
    struct head_rows *rows;
    kernels_choose(kernels_at((size_t)_i % 4));
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
    assert_ok(forward_prepare(opened, NULL, ids, segments, 4, true, &trace, &error), error);
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
