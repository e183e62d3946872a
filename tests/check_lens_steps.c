/* The stages of a token's way through a layer: each number is the trace's, and follows from the
 * terms that are told of it. */
#include "faults.h"
#include "opening.h"
#include "random_model.h"
#include "steps_helpers.h"
#include "suites.h"

#include "headlight/lens/dimensions.h"
#include "headlight/lens/steps.h"
#include "headlight/model/forward.h"
#include "headlight/model/weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKENS STEPS_TOKENS

static struct error error;

static const struct fixture whole_tests = {0};

/* ---- By hand ---- */

static struct model *tiny;
static struct trace *trace;

static void begin(void)
{
    const int32_t ids[] = {2, 40, 41, 40, 3}, segments[] = {0, 0, 0, 0, 0};
    assert_ok(model_open(TINY_FOLDER, NULL, &tiny, &error), error);
    assert_ok(forward_prepare(tiny, NULL, ids, segments, 5, false, &trace, &error), error);
    assert_ok(forward_run(tiny, NULL, NULL, trace, &error), error);
}

static void end(void)
{
    free(trace);
    model_free(tiny);
}

TESTS(.begin = begin, .end = end);

static struct steps_at at_token(const struct model *model, size_t layer, size_t head, size_t token)
{
    return (struct steps_at){.model = model,
                             .trace = trace,
                             .layer = layer,
                             .head = head,
                             .token = token,
                             .divisor = dimensions_divisor(trace)};
}

/* q[5] = Σ x[i]·W[5,i] + b, and the largest summand first. */
TEST(a_query_is_a_row_times_the_input)
{
    const struct steps_at at = at_token(tiny, 1, 2, 3);
    const size_t H = trace->hidden, D = trace->dimensions;
    const struct linear *linear = &tiny->weights.layer[1].attention.projections[QUERY];
    float row[64];
    struct steps *steps;
    struct arithmetic arithmetic;
    double sum = (double)linear->bias[2 * D + 5], largest = 0;
    assert_ok(steps_new(&at, &steps, &error), error);
    steps_arithmetic(steps, STAGE_QUERY, 5, &arithmetic);
    matrix_numbers(&linear->weight, (2 * D + 5) * H, H, row);
    for (size_t i = 0; i < H; i++) {
        double term = (double)trace->layer[1].input[3 * H + i] * (double)row[i];
        sum += term;
        largest = fmax(largest, fabs(term));
    }
    ck_assert_double_eq_tol(arithmetic.result, sum, 1e-9);
    ck_assert_uint_eq(arithmetic.count, H);
    ck_assert_double_eq(fabs(arithmetic.terms[0].left * arithmetic.terms[0].right), largest);
    ck_assert_double_eq(arithmetic.terms[0].right, (double)row[arithmetic.terms[0].index]);
    ck_assert_double_eq(arithmetic.constant, (double)linear->bias[2 * D + 5]);
    free(steps);
}

/* What a head adds is what the projection lacks when the head is off, but for the order of sums. */
TEST(what_a_head_adds_is_missing_without_it)
{
    const size_t H = trace->hidden;
    struct interventions changes = {0};
    struct steps *with, *without;
    struct steps_at at = at_token(tiny, 0, 1, 2);
    double lost = 0;
    assert_ok(steps_new(&at, &with, &error), error);
    assert_ok(interventions_add_heads(changes.off, "off", "0.1",
                                      &(struct intervene_stacks){{3}, {4}}, &error),
              error);
    assert_ok(forward_run(tiny, &changes, NULL, trace, &error), error);
    assert_ok(steps_new(&at, &without, &error), error);
    for (size_t i = 0; i < H; i++)
        lost +=
            pow(with->stage[STAGE_HEADS].numbers[i] - without->stage[STAGE_HEADS].numbers[i], 2);
    ck_assert_double_gt(with->stage[STAGE_ADDED].numbers[1], 0.01);
    ck_assert_double_eq_tol(with->stage[STAGE_ADDED].numbers[1], sqrt(lost), 1e-6);
    ck_assert_double_eq(without->stage[STAGE_ADDED].numbers[1], 0);
    free(with);
    free(without);
}

static bool is_biased(struct random_model *random, size_t head)
{
    struct error why;
    assert_ok(random_model_open(random, &why), why);
    return steps_is_biased(&(struct steps_at){.model = random->model, .trace = trace, .head = head},
                           STAGE_QUERY);
}

/* Then "+ b" is shown; a file may hold a bias that is all zero. */
TEST(a_head_is_biased_if_one_of_its_numbers_is, .with = &whole_tests)
{
    const struct random_shape shape = {12, 3, 1, 7, 20, 80, "F32", "gelu", 1};
    struct random_model random;
    random_model_make(&random, &shape, 3);
    trace = random_prepare(&random, TOKENS, 4, 3);
    struct part *part = parts_find(&random.parts, "bert.encoder.layer.0.attention.self.query.bias");
    memset(part->data, 0, part->size);
    ck_assert(!is_biased(&random, 1));
    memcpy(part->data + 7 * sizeof(float), &(float){0.5F}, sizeof(float));
    ck_assert(is_biased(&random, 1)); /* 4 to 7 */
    ck_assert(!is_biased(&random, 0));
    ck_assert(!is_biased(&random, 2));
    free(trace);
    random_model_free(&random);
}

/* Equal pieces at different places differ by their positions alone. */
TEST(an_embedding_is_word_position_segment)
{
    static const size_t tokens[] = {1, 3};
    struct arithmetic arithmetic;
    double words[2];
    for (size_t t = 0; t < 2; t++) {
        const struct steps_at at = at_token(tiny, 0, 0, tokens[t]);
        struct steps *steps;
        assert_ok(steps_new(&at, &steps, &error), error);
        steps_arithmetic(steps, STAGE_EMBEDDING, 7, &arithmetic);
        ck_assert_uint_eq(arithmetic.count, 3);
        for (size_t i = 0; i < 3; i++)
            if (arithmetic.terms[i].index == 0)
                words[t] = arithmetic.terms[i].left;
        free(steps);
    }
    ck_assert_double_eq(words[0], words[1]);
}

TEST(masks_have_their_reasons)
{
    struct interventions changes = {.causal = true};
    const struct steps_at at = at_token(tiny, 0, 1, 3);
    assert_ok(interventions_hide(&changes, 0, &error), error);
    assert_ok(interventions_cut(&changes, (struct cut){0, 1, 3, 1}, &error), error);
    assert_ok(forward_run(tiny, &changes, NULL, trace, &error), error);
    ck_assert_int_eq(steps_hidden(&at, 0), HIDDEN_TOKEN);
    ck_assert_int_eq(steps_hidden(&at, 1), HIDDEN_CUT);
    ck_assert_int_eq(steps_hidden(&at, 2), HIDDEN_NOT);
    ck_assert_int_eq(steps_hidden(&at, 4), HIDDEN_CAUSAL);
}

/* ---- Recordings ---- */

static void expect(const struct steps *steps, enum stage stage, const char *missing)
{
    if (missing) {
        ck_assert_uint_eq(steps->stage[stage].count, 0);
        ck_assert_str_eq(steps->stage[stage].missing, missing);
    } else {
        ck_assert_uint_gt(steps->stage[stage].count, 0);
    }
}

/* Without the network its tensors are shown, and what follows from them is told. */
TEST(a_recording_shows_what_it_has)
{
    const struct steps_at at = at_token(NULL, 1, 2, 3);
    struct steps *steps;
    struct arithmetic arithmetic;
    assert_ok(steps_new(&at, &steps, &error), error);
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
        if (steps_operation(&at, stage).kind == OPERATION_ABSENT)
            ck_assert_uint_eq(steps->stage[stage].count, 0);
        else if (!stage_traced(&at, stage))
            expect(steps, stage, "network");
        else
            for (size_t i = 0; i < steps_operation(&at, stage).outputs; i++)
                ck_assert_double_eq(steps->stage[stage].numbers[i],
                                    (double)stage_traced(&at, stage)[i]);
    steps_arithmetic(steps, STAGE_QUERY, 0, &arithmetic);
    ck_assert_int_eq(arithmetic.kind, ARITHMETIC_NONE);
    steps_arithmetic(steps, STAGE_SCORES, 0, &arithmetic);
    ck_assert_int_eq(arithmetic.kind, ARITHMETIC_SUM);
    steps_arithmetic(steps, STAGE_WEIGHTS, 0, &arithmetic);
    ck_assert_int_eq(arithmetic.kind, ARITHMETIC_SOFTMAX);
    steps_arithmetic(steps, STAGE_CONTEXT, 0, &arithmetic);
    ck_assert_int_eq(arithmetic.kind, ARITHMETIC_SUM);
    free(steps);
}

/* Scores are made from queries and keys, contexts from values, and what can't be made is named. */
TEST(a_recording_names_what_it_lacks)
{
    const struct steps_at at = at_token(NULL, 1, 2, 3);
    struct layer_trace *layer = &trace->layer[1];
    struct steps *steps;
    double score = (double)trace_score(trace, 1, 2, 3, 4),
           context = (double)stage_traced(&at, STAGE_CONTEXT)[0];
    layer->scores = layer->context = layer->input = NULL;
    assert_ok(steps_new(&at, &steps, &error), error);
    ck_assert_double_eq_tol(steps->stage[STAGE_SCORES].numbers[4], score, 1e-5);
    ck_assert_double_eq_tol(steps->stage[STAGE_CONTEXT].numbers[0], context, 1e-5);
    expect(steps, STAGE_INPUT, "input");
    free(steps);
    layer->query.data = NULL;
    layer->value.data = NULL;
    assert_ok(steps_new(&at, &steps, &error), error);
    expect(steps, STAGE_QUERY, "query");
    expect(steps, STAGE_KEY, NULL);
    expect(steps, STAGE_SCORES, "scores");
    expect(steps, STAGE_WEIGHTS, NULL);
    expect(steps, STAGE_CONTEXT, "context");
    free(steps);
}

/* Recorded scores to which the other program added something are shown, and not explained by what
 * does not lead to them. */
TEST(what_does_not_follow_is_not_explained)
{
    const struct steps_at at = at_token(NULL, 1, 2, 3);
    struct steps *steps;
    struct arithmetic arithmetic;
    float *score = &trace->layer[1].scores[(2 * 5 + 3) * 5 + 4];
    *score += 1;
    assert_ok(steps_new(&at, &steps, &error), error);
    steps_arithmetic(steps, STAGE_SCORES, 4, &arithmetic);
    ck_assert_int_eq(arithmetic.kind, ARITHMETIC_NONE);
    ck_assert_double_eq(arithmetic.result, (double)*score);
    steps_arithmetic(steps, STAGE_SCORES, 3, &arithmetic);
    ck_assert_int_eq(arithmetic.kind, ARITHMETIC_SUM);
    free(steps);
}

static enum status try_steps(struct error *why)
{
    const struct steps_at at = at_token(tiny, 0, 0, 0);
    struct steps *steps;
    enum status status = steps_new(&at, &steps, why);
    if (status == STATUS_OK)
        free(steps);
    return status;
}

TEST(without_memory_it_says_so, .skipped = !faults_work())
{
    faults_try(&(struct trial){.name = "the steps", .act = try_steps});
}
