/* Cosines of a word's vectors, against numbers that NumPy computed in double precision
 * (tests/vectors/words.py; cosines.json beside the cases), and by what must hold of every one. */
#include "family_helpers.h"
#include "model_helpers.h"
#include "opening.h"
#include "random_model.h"
#include "recorded.h"
#include "suites.h"

#include "headlight/base/json.h"
#include "headlight/lens/cosine.h"
#include "headlight/model/forward.h"

#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-5

static struct error error;
static struct model *model;
static cJSON *cases, *cosines;

static void open_vectors(const char *folder, const char *model_folder)
{
    cases = recorded_object(folder, "cases.json");
    cosines = recorded_list(folder, "cosines.json");
    assert_ok(model_open(model_folder, NULL, &model, &error), error);
}

static void open_tiny(void)
{
    open_vectors(TINY_FOLDER, TINY_FOLDER);
}

static void open_built_in(void)
{
    open_vectors("tests/vectors/built-in", "assets/model");
}

static void close_vectors(void)
{
    cJSON_Delete(cases);
    cJSON_Delete(cosines);
    model_free(model);
    cases = cosines = NULL;
    model = NULL;
}

static const struct fixture projected_tests = {.end = close_vectors};

static const struct fixture built_in_tests = {.begin = open_built_in, .end = close_vectors};

static const struct fixture tiny_tests = {.begin = open_tiny, .end = close_vectors};

static struct trace *run(const char *name)
{
    struct trace *trace = recorded_prepare(model, json_member(cases, name), false);
    assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
    return trace;
}

static struct occurrence occurrence_of(const cJSON *recorded, const char *which)
{
    const cJSON *side = json_member(recorded, which);
    int32_t pieces[2];
    ck_assert_uint_eq(recorded_integers(json_member(side, "pieces"), pieces, 2), 2);
    return (struct occurrence){run(json_member(side, "case")->valuestring),
                               {(size_t)pieces[0], (size_t)pieces[1]}};
}

static void check_last(const struct occurrence *a, const struct occurrence *b,
                       enum cosine_kind kind, const cJSON *recorded, const char *name)
{
    ck_assert_double_eq_tol(cosine_of_last(a, b, kind), json_member(recorded, name)->valuedouble,
                            TOLERANCE);
    ck_assert_double_eq_tol(cosine_of_last(b, a, kind), json_member(recorded, name)->valuedouble,
                            TOLERANCE);
}

TEST(cosines_are_numpys, .with = &built_in_tests)
{
    const cJSON *recorded, *at;
    size_t count = 0;
    cJSON_ArrayForEach(recorded, cosines)
    {
        struct occurrence a = occurrence_of(recorded, "a"), b = occurrence_of(recorded, "b");
        size_t level = 0;
        cJSON_ArrayForEach(at, json_member(recorded, "at"))
        {
            ck_assert_double_eq_tol(cosine_at(&a, &b, level), at->valuedouble, TOLERANCE);
            level++;
        }
        ck_assert_uint_eq(level, cosine_levels(&a, &b));
        check_last(&a, &b, COSINE_LAST, recorded, "last");
        check_last(&a, &b, COSINE_SUM, recorded, "sum");
        check_last(&a, &b, COSINE_CONCATENATION, recorded, "concatenation");
        free((struct trace *)a.trace);
        free((struct trace *)b.trace);
        count++;
    }
    ck_assert_uint_ge(count, 2);
}

TEST(a_word_is_its_own_double, .with = &tiny_tests)
{
    struct trace *one = run("pieces"), *two = run("pieces");
    for (size_t token = 0; token + 3 <= one->tokens; token++) {
        struct occurrence a = {one, {token, token + 3}}, b = {two, {token, token + 3}};
        for (size_t level = 0; level < cosine_levels(&a, &b); level++)
            ck_assert_double_eq_tol(cosine_at(&a, &b, level), 1, 1e-6);
        for (enum cosine_kind kind = 0; kind < COSINE_KINDS; kind++) {
            ck_assert_double_eq_tol(cosine_of_last(&a, &b, kind), 1, 1e-6);
            ck_assert_double_le(cosine_of_last(&a, &b, kind), 1);
        }
    }
    free(one);
    free(two);
}

/* ---- Small vectors, whose cosines are known ---- */

static struct trace small;
static struct layer_trace layers[6];
static float embedding[] = {3, 4, 4, 3, 0, 0, -6, -8}; /* [4,2] */
static float outputs[6][8];

static void begin_small(void)
{
    small = (struct trace){
        .tokens = 4, .layers = 6, .hidden = 2, .embedded = 2, .embedding = embedding};
    small.layer = layers;
    for (size_t i = 0; i < 6; i++) {
        for (size_t j = 0; j < 8; j++)
            outputs[i][j] = 1;
        layers[i] = (struct layer_trace){.output = outputs[i]};
    }
}

TESTS(.begin = begin_small);

static double at_embedding(size_t a, size_t b)
{
    struct occurrence left = {&small, {a, a + 1}}, right = {&small, {b, b + 1}};
    return cosine_at(&left, &right, 0);
}

TEST(small_vectors_have_known_cosines)
{
    ck_assert_double_eq_tol(at_embedding(0, 1), 24.0 / 25, 1e-12);
    ck_assert_double_eq_tol(at_embedding(0, 3), -1, 1e-12);
    ck_assert(isnan(at_embedding(0, 2)));
    struct occurrence pieces = {&small, {0, 2}}, one = {&small, {1, 2}};
    /* (3.5, 3.5) and (4, 3) */
    ck_assert_double_eq_tol(cosine_at(&pieces, &one, 0), 7 / (sqrt(2) * 5), 1e-12);
}

/* Only the last four count: the sum takes away what the concatenation keeps. */
TEST(the_last_four_are_the_last)
{
    struct occurrence a = {&small, {0, 1}}, b = {&small, {1, 2}};
    outputs[0][0] = outputs[1][0] = 1000; /* of a, not among the last four */
    outputs[2][0] = 5;
    outputs[3][0] = -3; /* sum with the others to 1 + 1 + 1 + 1 */
    ck_assert_uint_eq(cosine_last_layers(&a, &b), 4);
    ck_assert_double_eq_tol(cosine_of_last(&a, &b, COSINE_LAST), 1, 1e-12);
    ck_assert_double_eq_tol(cosine_of_last(&a, &b, COSINE_SUM), 1, 1e-12);
    /* 5 - 3 + 1 + 1 + 4 · 1 against lengths of 25 + 9 + 1 + 1 + 4 and 8 */
    ck_assert_double_eq_tol(cosine_of_last(&a, &b, COSINE_CONCATENATION), 8 / sqrt(40.0 * 8),
                            1e-12);
    struct trace shallow = small;
    shallow.layers = 3;
    b.trace = &shallow;
    ck_assert_uint_eq(cosine_levels(&a, &b), 4);
    ck_assert_uint_eq(cosine_last_layers(&a, &b), 3);
}

TEST(what_is_not_there_has_no_cosine)
{
    struct trace other = small;
    struct occurrence a = {&small, {0, 1}}, b = {&other, {0, 1}};
    ck_assert(cosine_is_defined(&a, &b));
    other.hidden = 3;
    ck_assert(!cosine_is_defined(&a, &b));
    ck_assert(isnan(cosine_at(&a, &b, 0)));
    ck_assert(isnan(cosine_of_last(&a, &b, COSINE_LAST)));
    other.hidden = 2;
    layers[4].output = NULL;
    ck_assert(isnan(cosine_at(&a, &b, 5)));
    ck_assert(!isnan(cosine_at(&a, &b, 6)));
    ck_assert(isnan(cosine_of_last(&a, &b, COSINE_SUM)));
    ck_assert(!isnan(cosine_of_last(&a, &b, COSINE_LAST)));
    other.embedding = NULL; /* it is the first layer's input, too */
    ck_assert(isnan(cosine_at(&a, &b, 0)));
    layers[0].input = embedding;
    ck_assert(!isnan(cosine_at(&a, &b, 0)));
}

/* ALBERT's embeddings have fewer numbers than its vectors: those that they are projected to count.
 */
TEST(projected_embeddings_are_compared, .with = &projected_tests)
{
    model = family_open("albert");
    cases = family_cases("albert");
    struct trace *trace = run("single");
    ck_assert_uint_lt(trace->embedded, trace->hidden);
    struct occurrence a = {trace, {1, 2}}, b = {trace, {7, 8}};
    const float *x = trace->layer[0].input + trace->hidden;     /* [H] of token 1 */
    const float *y = trace->layer[0].input + 7 * trace->hidden; /* [H] of token 7 */
    double xy = 0, xx = 0, yy = 0;
    for (size_t d = 0; d < trace->hidden; d++) {
        xy += (double)x[d] * (double)y[d];
        xx += (double)x[d] * (double)x[d];
        yy += (double)y[d] * (double)y[d];
    }
    ck_assert_double_eq_tol(cosine_at(&a, &b, 0), xy / sqrt(xx * yy), TOLERANCE);
    free(trace);
}
