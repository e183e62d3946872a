/* How far two models are apart: the divergence against sums written plainly and against NumPy, what
 * it must be whatever the models are; where it is shown is in scripts/compare_heads.txt. */
#include "random_model.h"
#include "session_helpers.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/lens/divergence.h"
#include "headlight/model/forward.h"
#include "headlight/session/fields.h"
#include "headlight/session/request.h"
#include "headlight/view/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR         1e-12
#define FAMILY(name) "tests/vectors/families/" name

static struct checkpoint checkpoint, against;
static struct recording *recording[2];
static struct error error;

static void end(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
    checkpoint_close(&against);
    recording_close(recording[0]);
    recording_close(recording[1]);
    recording[0] = recording[1] = NULL;
}

TESTS(.end = end);

/* ---- The number ---- */

/* Entropy of the mean less the mean of the entropies, which is the same. */
static double naive_divergence(const struct trace *a, const struct trace *b, size_t layer,
                               size_t head)
{
    double sum = 0;
    for (size_t from = 0; from < a->tokens; from++)
        for (size_t to = 0; to < a->attended; to++) {
            const double p = (double)trace_weight(a, layer, head, from, to),
                         q = (double)trace_weight(b, layer, head, from, to), m = (p + q) / 2;
            sum -= m > 0 ? m * log(m) : 0;
            sum += (p > 0 ? p * log(p) : 0) / 2 + (q > 0 ? q * log(q) : 0) / 2;
        }
    return sum / (double)a->tokens / log(2);
}

static struct trace *trace_of(struct random_model *random, const struct random_shape *shape,
                              uint64_t seed, size_t tokens, bool causal)
{
    const struct interventions changes = {.causal = causal};
    random_model_make(random, shape, seed);
    struct trace *trace = random_prepare(random, tokens, tokens, 1);
    assert_ok(forward_run(random->model, &changes, NULL, trace, &error), error);
    return trace;
}

/* Of causal attention many weights are 0 in one trace alone. */
TEST(it_is_what_it_is_defined_as, .times = 12)
{
    const uint64_t seed = (uint64_t)_i;
    struct random_shape shape = random_shape(seed);
    shape.sharpness = _i % 2 ? 1 : 40;
    const size_t tokens = 1 + seed % 7 * 3;
    struct random_model models[2];
    struct trace *a = trace_of(&models[0], &shape, seed, tokens, false);
    struct trace *b = trace_of(&models[1], &shape, seed + 100, tokens, _i % 3 == 0);
    struct divergence *divergence, *reverse;
    assert_ok(divergence_measure(a, b, NULL, &divergence, &error), error);
    assert_ok(divergence_measure(b, a, NULL, &reverse, &error), error);
    for (size_t i = 0; i < a->layers * a->heads; i++) {
        const size_t layer = i / a->heads, head = i % a->heads;
        ck_assert_double_eq_tol(divergence->bits[i], naive_divergence(a, b, layer, head), 1e-6);
        ck_assert_double_eq_tol(divergence->bits[i], reverse->bits[i], NEAR);
        ck_assert(divergence->bits[i] >= 0 && divergence->bits[i] <= 1 + 1e-6);
        ck_assert_double_eq(divergence_of_head(a, a, layer, head), 0);
    }
    for (size_t i = 0; i < a->layers * tokens; i++) {
        const struct token_range one = {i % tokens, i % tokens + 1};
        ck_assert_double_eq_tol(divergence->cosines[tokens + i], reverse->cosines[tokens + i],
                                NEAR);
        ck_assert_double_eq(divergence->cosines[tokens + i],
                            divergence_cosine(divergence, i / tokens, one));
    }
    free(divergence);
    free(reverse);
    free(a);
    free(b);
    random_model_free(&models[0]);
    random_model_free(&models[1]);
}

static void open_pair(const char *model, const char *other, const char *first, const char *second)
{
    assert_ok(checkpoint_open(&checkpoint, model, NULL, NULL, &error), error);
    assert_ok(checkpoint_open(&against, other, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, &against, first, second);
}

static void show_moved(void)
{
    const char *values[FIELD_COUNT] = {[FIELD_VIEW] = "model", [FIELD_METRIC] = "moved"};
    assert_ok(fields_apply(&session, PART_LOOK, values, NULL, &error), error);
    assert_ok(request_rest(&session, &error), error);
}

/* From the tensors that --trace writes, in double precision: the divergences of each head, the mean
 * cosine of the tokens after each layer, and that of token 1. */
static const struct {
    const char *model, *against, *texts[2];
    double divergence[3][4], cosine[3], one[3];
} computed[] = {
    {FAMILY("distilbert"),
     FAMILY("electra-discriminator"),
     {"time flies", "a bird"},
     {{0.634733, 0.642628, 0.747847, 0.663631},
      {0.553653, 0.470293, 0.575327, 0.45659},
      {0.31463, 0.448936, 0.354089, 0.57134}},
     {0.016583, -0.111349, -0.002636},
     {-0.140119, -0.216618, -0.026652}},
    {FAMILY("distilbert"),
     FAMILY("minilm"),
     {"time flies like an arrow", NULL},
     {{0.586261, 0.630706, 0.588106, 0.645056},
      {0.221012, 0.280336, 0.322718, 0.350502},
      {0.273026, 0.337285, 0.08365, 0.241996}},
     {-0.009374, 0.407961, 0.086217},
     {0.009728, 0.390039, 0.055011}},
};

TEST(numpy_has_the_same_numbers, .times = 2)
{
    open_pair(computed[_i].model, computed[_i].against, computed[_i].texts[0],
              computed[_i].texts[1]);
    show_moved();
    const struct divergence *divergence = session.data.divergence;
    ck_assert(divergence->layers == 3 && divergence->heads == 4 &&
              divergence->tokens == session.data.tokens);
    for (size_t layer = 0; layer < 3; layer++) {
        const struct token_range all = {0, divergence->tokens}, one = {1, 2};
        for (size_t head = 0; head < 4; head++)
            ck_assert_double_eq_tol(divergence->bits[layer * 4 + head],
                                    computed[_i].divergence[layer][head], 2e-5);
        ck_assert_double_eq_tol(divergence_cosine(divergence, layer, all),
                                computed[_i].cosine[layer], 2e-5);
        ck_assert_double_eq_tol(divergence_cosine(divergence, layer, one), computed[_i].one[layer],
                                2e-5);
    }
}

/* ---- As a map ---- */

/* The other model's less this one's, as the compare view has it. */
static void assert_difference(const struct trace *own, const struct trace *other)
{
    ck_assert_int_eq(session.data.map->kind, MAP_DIFFERENCE);
    for (size_t i = 0; i < own->heads * own->tokens * own->attended; i++)
        ck_assert_float_eq(session.data.map->values[1][i],
                           other->layer[1].weights[i] - own->layer[1].weights[i]);
}

TEST(the_difference_of_models_is_a_map, .times = 3)
{
    static const char *const views[] = {"head", "model", "matrix"};
    const char *values[FIELD_COUNT] = {
        [FIELD_VIEW] = views[_i], [FIELD_MAP] = "difference", [FIELD_LAYER] = "1"};
    open_pair(FAMILY("distilbert"), FAMILY("minilm"), "time flies", NULL);
    assert_ok(fields_apply(&session, PART_LOOK, values, NULL, &error), error);
    assert_ok(request_rest(&session, &error), error);
    assert_ok(request_check(&session, &error), error);
    assert_difference(session.data.trace, session.data.compared->encoded[SIDE_RIGHT]->trace);
    type_and_wait("e \" like\" Enter");
    assert_difference(session.data.trace, session.data.compared->encoded[SIDE_RIGHT]->trace);
}

/* ---- Recordings ---- */

#define CROSSED(right)                                                                             \
    "{\"tokens\":\"[\\\"ein\\\"]\",\"model\":\"t5\",\"tokens_right\":\"[" right "]\"}"

/* Of columns that are another text nobody knows which stand for which. */
TEST(cross_attention_is_compared_on_the_same_tokens, .times = 2)
{
    static const char *const metadata[] = {CROSSED("\\\"a\\\",\\\"b\\\""),
                                           CROSSED("\\\"a\\\",\\\"c\\\"")};
    struct folder folder;
    folder_make(&folder);
    for (int i = 0; i < 2; i++) {
        struct parts parts = {.metadata = metadata[i * _i]};
        const size_t shape[] = {1, 1, 2, 0};
        parts_add(&parts, "layer.0.weights", "F32", shape);
        parts_write(&parts, 0, parts.count, 0, &folder, "in.safetensors");
        char *path = in_folder(&folder, "in.safetensors");
        assert_ok(recording_open(path, &recording[i], &error), error);
        folder_remove(&folder);
        folder_make(&folder);
        parts_free(&parts);
        free(path);
    }
    assert_ok(session_begin_recording(&session, recording[0], &error), error);
    session.data.against_recording = recording[1];
    session_set_view(&session, VIEW_COMPARE);
    if (_i)
        assert_fails(request_rest(&session, &error), STATUS_MISMATCH,
                     "both have the same tokens on both sides: t5 has others", error);
    else
        show_moved();
    ck_assert(_i || session.data.divergence);
    folder_remove(&folder);
}
