/* The stages of a token's way through a layer: each number is the trace's, and follows from the
 * terms that are told of it. */
#include "family_helpers.h"
#include "faults.h"
#include "random_model.h"
#include "suites.h"

#include "headlight/lens/dimensions.h"
#include "headlight/lens/steps.h"
#include "headlight/model/forward.h"
#include "headlight/model/weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKENS 11

/* A trace holds floats, and a pass in single precision rounds after every step: as in
 * check_model_forward.c, by about 1e-7 of the largest number, which a sharp softmax amplifies. */
#define TOLERANCE 2e-5

static struct error error;

/* ---- What the trace has ---- */

static const float *traced(const struct steps_at *at, enum stage stage)
{
    const struct layer_trace *layer = &at->trace->layer[at->layer];
    const size_t hidden = at->token * at->trace->hidden;
    const size_t row = (at->head * at->trace->tokens + at->token) * at->trace->attended;
    switch (stage) {
    case STAGE_NARROW:
        return at->trace->embedding + at->token * at->trace->embedded;
    case STAGE_INPUT:
        return layer->input + hidden;
    case STAGE_NORMED:
        return layer->normed ? layer->normed + hidden : NULL;
    case STAGE_RAW_QUERY:
        return layer->query_unrotated.data ? heads_row(&layer->query_unrotated, at->head, at->token)
                                           : NULL;
    case STAGE_RAW_KEY:
        return layer->key_unrotated.data ? heads_row(&layer->key_unrotated, at->head, at->token)
                                         : NULL;
    case STAGE_JOINED:
        return layer->before_conv ? layer->before_conv + hidden : NULL;
    case STAGE_QUERY:
        return heads_row(&layer->query, at->head, at->token);
    case STAGE_KEY:
        return heads_row(&layer->key, at->head, at->token);
    case STAGE_VALUE:
        return heads_row(&layer->value, at->head, at->token);
    case STAGE_SCORES:
        return layer->scores + row;
    case STAGE_WEIGHTS:
        return layer->weights + row;
    case STAGE_CONTEXT:
        return layer->context + hidden + at->head * at->trace->dimensions;
    case STAGE_ATTENTION:
        return layer->attention_output + hidden;
    case STAGE_OUTPUT:
        return layer->output + hidden;
    default:
        return NULL;
    }
}

struct worst {
    double off; /* in tolerances */
    char name[48];
};

static void compare(const struct steps *steps, const char *case_name, struct worst *worst)
{
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        const float *expected = traced(&steps->at, stage);
        const struct step_numbers *ours = &steps->stage[stage];
        double largest = 0, off = 0;
        ck_assert_uint_eq(ours->count, steps_count(&steps->at, stage));
        for (size_t i = 0; expected && i < ours->count; i++) {
            double a = ours->numbers[i], b = (double)expected[i];
            if (isfinite(b))
                largest = fmax(largest, fabs(b));
            off = fmax(off, a == b                       ? 0
                            : isfinite(a) && isfinite(b) ? fabs(a - b)
                                                         : (double)INFINITY);
        }
        off /= TOLERANCE * fmax(1, largest / 10);
        if (!(off <= 1))
            ck_abort_msg("%s: %s of layer %zu head %zu token %zu: off by %g tolerances", case_name,
                         stage_name(stage), steps->at.layer, steps->at.head, steps->at.token, off);
        if (off > worst->off) {
            worst->off = off;
            snprintf(worst->name, sizeof worst->name, "layer %zu %s", steps->at.layer,
                     stage_name(stage));
        }
    }
}

/* ---- What the arithmetic says ---- */

static double sum_of(const struct arithmetic *arithmetic)
{
    double sum = 0;
    for (size_t i = 0; i < arithmetic->count; i++)
        sum += arithmetic->terms[i].left * arithmetic->terms[i].right;
    return sum;
}

/* The number once more, from nothing but what is told of it. */
static double recompute(const struct steps *steps, enum stage stage,
                        const struct arithmetic *arithmetic)
{
    const struct stage_rule rule = steps_rule(&steps->at, stage);
    const double spread = sqrt(arithmetic->moments.variance + arithmetic->epsilon);
    switch (arithmetic->kind) {
    case ARITHMETIC_SUM:
        return (sum_of(arithmetic) + arithmetic->constant + arithmetic->distance[DISTANCE_QUERY] +
                arithmetic->distance[DISTANCE_KEY]) /
                   arithmetic->divisor +
               arithmetic->bias;
    case ARITHMETIC_ADDED:
        return arithmetic->from + arithmetic->added;
    case ARITHMETIC_TURNED:
        return sum_of(arithmetic);
    case ARITHMETIC_MASKED:
        return -INFINITY;
    case ARITHMETIC_SOFTMAX:
        return exp(arithmetic->argument - steps->largest) / sum_of(arithmetic);
    case ARITHMETIC_EQUAL:
        return 1 / (double)arithmetic->left;
    case ARITHMETIC_LENGTH:
        return sqrt(sum_of(arithmetic));
    case ARITHMETIC_NORM:
        return (arithmetic->from + arithmetic->added - arithmetic->moments.mean) / spread *
                   arithmetic->gain +
               arithmetic->constant;
    case ARITHMETIC_ACTIVE:
        return activation_of(rule.activation, arithmetic->argument) * arithmetic->gain;
    default:
        return 0;
    }
}

static void check_order(const struct arithmetic *arithmetic)
{
    for (size_t i = 1; i < arithmetic->count; i++)
        ck_assert_double_ge(fabs(arithmetic->terms[i - 1].left * arithmetic->terms[i - 1].right),
                            fabs(arithmetic->terms[i].left * arithmetic->terms[i].right));
}

static bool is_taken_over(const struct steps *steps, enum stage stage)
{
    return stage == STAGE_INPUT && steps->at.layer > 0;
}

/* Sums are added up in another order. */
static bool is_about(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static void check_arithmetic(struct steps *steps)
{
    struct arithmetic arithmetic;
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
        for (size_t i = 0; i < steps->stage[stage].count; i++) {
            const double number = steps->stage[stage].numbers[i];
            steps_arithmetic(steps, stage, i, &arithmetic);
            ck_assert(is_about(arithmetic.result, number));
            ck_assert_int_eq(arithmetic.kind == ARITHMETIC_NONE, is_taken_over(steps, stage));
            check_order(&arithmetic);
            double again = recompute(steps, stage, &arithmetic);
            if (arithmetic.kind != ARITHMETIC_NONE && !is_about(again, number))
                ck_abort_msg("%s %zu: %.12g, by its terms %.12g", stage_name(stage), i, number,
                             again);
        }
}

/* ---- Whole traces ---- */

/* Every stage of one in so many tokens, heads and layers; the arithmetic of fewer, which would take
 * long. */
static void check_some(const struct model *model, const struct trace *trace, const char *name,
                       size_t every)
{
    struct worst worst = {0, "none"};
    struct steps *steps;
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t head = 0; head < trace->heads; head++)
            for (size_t token = (layer + head) % every; token < trace->tokens; token += every) {
                struct steps_at at = {model, trace, layer, head, token, dimensions_divisor(trace)};
                assert_ok(steps_new(&at, &steps, &error), error);
                compare(steps, name, &worst);
                if ((layer + head + token) % 7 == 0 && trace->hidden < 100)
                    check_arithmetic(steps);
                steps_free(steps);
            }
    printf("    %s: the worst stage is %s, off by %.2g\n", name, worst.name, worst.off * TOLERANCE);
}

static void check_trace(const struct model *model, const struct trace *trace, const char *name)
{
    check_some(model, trace, name, 1);
}

static struct interventions changed(const char *name)
{
    struct interventions changes = {.unscaled = strcmp(name, "unscaled") == 0,
                                    .causal = strcmp(name, "causal") == 0,
                                    .no_segments = strcmp(name, "no segments") == 0};
    if (strcmp(name, "temperature") == 0)
        changes.temperature = 0.5;
    if (strcmp(name, "sinusoidal") == 0)
        changes.positions = POSITIONS_SINUSOIDAL;
    if (strcmp(name, "no positions") == 0)
        changes.positions = POSITIONS_NONE;
    if (strcmp(name, "off") == 0)
        assert_ok(interventions_switch_off(&changes, "0.0", 1, 1, &error), error);
    if (strcmp(name, "uniform") == 0)
        assert_ok(interventions_make_uniform(&changes, "0.0", 1, 1, &error), error);
    for (uint32_t token = 0; strcmp(name, "all hidden") == 0 && token < TOKENS; token++)
        assert_ok(interventions_hide(&changes, token, &error), error);
    if (strcmp(name, "hidden") == 0 || strcmp(name, "uniform") == 0)
        assert_ok(interventions_hide(&changes, 3, &error), error);
    if (strcmp(name, "cut") == 0)
        assert_ok(interventions_cut(&changes, (struct cut){0, 0, 2, 5}, &error), error);
    return changes;
}

static const char *const changes_made[] = {
    "plain",        "unscaled", "causal",  "no segments", "temperature", "sinusoidal",
    "no positions", "off",      "uniform", "hidden",      "all hidden",  "cut"};
#define CHANGES (sizeof changes_made / sizeof *changes_made)

static void check_model(const struct model *model, const char *name)
{
    const struct interventions changes = changed(name);
    const size_t vocabulary = model_config(model)->vocabulary;
    int32_t ids[TOKENS], segments[TOKENS];
    struct trace *trace;
    for (size_t t = 0; t < TOKENS; t++) {
        ids[t] = (int32_t)((7 + 13 * t * t) % vocabulary);
        segments[t] = t > 5;
    }
    assert_ok(forward_prepare(model, ids, segments, TOKENS, false, &trace, &error), error);
    assert_ok(forward_run(model, &changes, PRECISION_AUTO, NULL, trace, &error), error);
    check_trace(model, trace, name);
    free(trace);
}

START_TEST(every_stage_is_the_traces)
{
    struct model *model;
    assert_ok(model_open(TINY_FOLDER, NULL, &model, &error), error);
    check_model(model, changes_made[_i]);
    model_free(model);
}
END_TEST

START_TEST(every_stage_is_the_traces_in_the_built_in_model)
{
    struct model *model;
    assert_ok(model_open("assets/model", NULL, &model, &error), error);
    check_model(model, changes_made[_i]);
    model_free(model);
}
END_TEST

/* Other activations, types of numbers and sizes. */
START_TEST(every_stage_is_the_traces_in_random_models)
{
    const struct random_shape shape = random_shape((uint64_t)_i);
    struct random_model random;
    random_model_make(&random, &shape, (uint64_t)_i);
    struct trace *trace = random_prepare(&random, TOKENS, 4, (uint64_t)_i);
    assert_ok(forward_run(random.model, NULL, PRECISION_DOUBLE, NULL, trace, &error), error);
    check_trace(random.model, trace, "random");
    free(trace);
    random_model_free(&random);
}
END_TEST

/* ---- Families ---- */

static struct trace *family_trace(const struct model *model, const cJSON *one, const char *change)
{
    const struct interventions changes = changed(change);
    struct trace *trace = family_prepare(model, one);
    assert_ok(forward_run(model, &changes, PRECISION_AUTO, NULL, trace, &error), error);
    return trace;
}

static const char *const changes_of_families[] = {"plain",       "unscaled",   "causal",
                                                  "temperature", "sinusoidal", "no positions",
                                                  "no segments", "off"};
#define FAMILY_CHANGES (sizeof changes_of_families / sizeof *changes_of_families)

/* Two texts, or where something is changed, or the model is a real one, the second, and that in
 * part. */
START_TEST(every_stage_is_the_traces_in_each_family)
{
    const char *family = family_names[(size_t)_i / FAMILY_CHANGES];
    const char *change = changes_of_families[(size_t)_i % FAMILY_CHANGES];
    const bool plain = strcmp(change, "plain") == 0, real = strncmp(family, "rxn", 3) == 0;
    struct model *model = family_open(family);
    cJSON *cases = family_cases(family);
    char name[80];
    for (int i = !plain || real; i < 2 && (plain || !real); i++) {
        const cJSON *one = cJSON_GetArrayItem(cases, i);
        struct trace *trace = family_trace(model, one, change);
        snprintf(name, sizeof name, "%s, %s, %s", family, one->string, change);
        check_some(model, trace, name, real ? 11 : plain ? 1 : 5);
        free(trace);
    }
    cJSON_Delete(cases);
    model_free(model);
}
END_TEST

/* The stages by which a family's layers differ from BERT's, and without which they are; those of a
 * first layer and of another. */
static const struct {
    const char *family, *first, *later;
} stages_of[] = {
    {"distilbert", "+embedding", ""},
    {"roberta", "+embedding", ""},
    {"xlm-roberta", "+embedding", ""},
    {"electra-discriminator", "+embedding+e", ""},
    {"electra-generator", "+embedding+e", ""},
    {"albert", "+embedding+e", ""},
    {"mpnet", "+embedding", ""},
    {"modernbert", "+embedding+raw_q+raw_k+normed2+gate", "+normed+raw_q+raw_k+normed2+gate"},
    {"deberta-v3", "+embedding", ""},
    {"deberta-v2-conv", "+embedding+joined+nearby+conv", ""},
    {"gpt2", "+normed+normed2", "+normed+normed2"},
    {"minilm", "+embedding", ""},
};

static bool is_berts(enum stage stage)
{
    return stage == STAGE_INPUT || (stage >= STAGE_QUERY && stage <= STAGE_ATTENTION) ||
           stage == STAGE_FORWARD || stage == STAGE_ACTIVE || stage == STAGE_BACK ||
           stage == STAGE_OUTPUT;
}

static void expect_stages(const struct model *model, const struct trace *trace, size_t layer,
                          const char *expected)
{
    const struct steps_at at = {model, trace, layer, 0, 1, 1};
    char found[200] = "";
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
        const bool there = steps_rule(&at, stage).rule != STEP_ABSENT;
        ck_assert_int_eq(there, steps_count(&at, stage) > 0);
        if (there != is_berts(stage))
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", there ? "+" : "-",
                     stage_name(stage));
    }
    ck_assert_str_eq(found, expected);
}

START_TEST(a_family_has_its_own_stages)
{
    struct model *model = family_open(stages_of[_i].family);
    cJSON *cases = family_cases(stages_of[_i].family);
    struct trace *trace = family_trace(model, cases->child, "plain");
    expect_stages(model, trace, 0, stages_of[_i].first);
    expect_stages(model, trace, 1, stages_of[_i].later);
    free(trace);
    cJSON_Delete(cases);
    model_free(model);
}
END_TEST

/* What may not be attended to is what the scores have as minus infinity, with the reason. */
START_TEST(families_hide_tokens_for_their_reasons)
{
    const bool causal = _i == 0;
    struct model *model = family_open(causal ? "gpt2" : "modernbert");
    cJSON *cases = family_cases(causal ? "gpt2" : "modernbert");
    struct trace *trace = family_trace(model, cases->child, "plain");
    size_t hidden = 0;
    for (size_t layer = 0; layer < trace->layers; layer++)
        for (size_t from = 0; from < trace->tokens; from++)
            for (size_t to = 0; to < trace->tokens; to++) {
                const struct steps_at at = {model, trace, layer, 0, from, 1};
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
END_TEST

/* A score's distance is told apart from what its query and key make, as the family adds it. */
START_TEST(distances_are_summands_of_scores)
{
    static const char *const families[] = {"mpnet", "deberta-v3"};
    struct model *model = family_open(families[_i]);
    cJSON *cases = family_cases(families[_i]);
    struct trace *trace = family_trace(model, cases->child, "temperature");
    const struct steps_at at = {model, trace, 1, 2, 3, dimensions_divisor(trace)};
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
        ck_assert_double_eq_tol(distance, dimensions_distance(&attending, to), TOLERANCE);
        ck_assert_double_eq_tol(sum_of(&arithmetic) / arithmetic.divisor + distance,
                                (double)trace_score(trace, 1, 2, 3, to), TOLERANCE);
    }
    steps_free(steps);
    free(trace);
    cJSON_Delete(cases);
    model_free(model);
}
END_TEST

/* ---- By hand ---- */

static struct model *tiny;
static struct trace *trace;

static void begin(void)
{
    const int32_t ids[] = {2, 40, 41, 40, 3}, segments[] = {0, 0, 0, 0, 0};
    assert_ok(model_open(TINY_FOLDER, NULL, &tiny, &error), error);
    assert_ok(forward_prepare(tiny, ids, segments, 5, false, &trace, &error), error);
    assert_ok(forward_run(tiny, NULL, PRECISION_AUTO, NULL, trace, &error), error);
}

static void end(void)
{
    free(trace);
    model_free(tiny);
}

static struct steps_at at_token(const struct model *model, size_t layer, size_t head, size_t token)
{
    return (struct steps_at){model, trace, layer, head, token, dimensions_divisor(trace)};
}

/* q[5] = Σ x[i]·W[5,i] + b, and the largest summand first. */
START_TEST(a_query_is_a_row_times_the_input)
{
    const struct steps_at at = at_token(tiny, 1, 2, 3);
    const size_t H = trace->hidden, D = trace->dimensions;
    const struct linear *linear = &model_weights(tiny)->layer[1].projections[QUERY];
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
    steps_free(steps);
}
END_TEST

/* What a head adds is what the projection lacks when the head is off, but for the order of sums. */
START_TEST(what_a_head_adds_is_missing_without_it)
{
    const size_t H = trace->hidden;
    struct interventions changes = {0};
    struct steps *with, *without;
    struct steps_at at = at_token(tiny, 0, 1, 2);
    double lost = 0;
    assert_ok(steps_new(&at, &with, &error), error);
    assert_ok(interventions_switch_off(&changes, "0.1", 3, 4, &error), error);
    assert_ok(forward_run(tiny, &changes, PRECISION_AUTO, NULL, trace, &error), error);
    assert_ok(steps_new(&at, &without, &error), error);
    for (size_t i = 0; i < H; i++)
        lost +=
            pow(with->stage[STAGE_HEADS].numbers[i] - without->stage[STAGE_HEADS].numbers[i], 2);
    ck_assert_double_gt(with->stage[STAGE_ADDED].numbers[1], 0.01);
    ck_assert_double_eq_tol(with->stage[STAGE_ADDED].numbers[1], sqrt(lost), 1e-6);
    ck_assert_double_eq(without->stage[STAGE_ADDED].numbers[1], 0);
    steps_free(with);
    steps_free(without);
}
END_TEST

/* Equal pieces at different places differ by their positions alone. */
START_TEST(an_embedding_is_word_position_segment)
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
        steps_free(steps);
    }
    ck_assert_double_eq(words[0], words[1]);
}
END_TEST

START_TEST(masks_have_their_reasons)
{
    struct interventions changes = {.causal = true};
    const struct steps_at at = at_token(tiny, 0, 1, 3);
    assert_ok(interventions_hide(&changes, 0, &error), error);
    assert_ok(interventions_cut(&changes, (struct cut){0, 1, 3, 1}, &error), error);
    assert_ok(forward_run(tiny, &changes, PRECISION_AUTO, NULL, trace, &error), error);
    ck_assert_int_eq(steps_hidden(&at, 0), HIDDEN_TOKEN);
    ck_assert_int_eq(steps_hidden(&at, 1), HIDDEN_CUT);
    ck_assert_int_eq(steps_hidden(&at, 2), HIDDEN_NOT);
    ck_assert_int_eq(steps_hidden(&at, 4), HIDDEN_CAUSAL);
}
END_TEST

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
START_TEST(a_recording_shows_what_it_has)
{
    const struct steps_at at = at_token(NULL, 1, 2, 3);
    struct steps *steps;
    struct arithmetic arithmetic;
    assert_ok(steps_new(&at, &steps, &error), error);
    for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
        if (steps_rule(&at, stage).rule == STEP_ABSENT)
            ck_assert_uint_eq(steps->stage[stage].count, 0);
        else if (!traced(&at, stage))
            expect(steps, stage, "network");
        else
            for (size_t i = 0; i < steps_count(&at, stage); i++)
                ck_assert_double_eq(steps->stage[stage].numbers[i], (double)traced(&at, stage)[i]);
    steps_arithmetic(steps, STAGE_QUERY, 0, &arithmetic);
    ck_assert_int_eq(arithmetic.kind, ARITHMETIC_NONE);
    steps_arithmetic(steps, STAGE_SCORES, 0, &arithmetic);
    ck_assert_int_eq(arithmetic.kind, ARITHMETIC_SUM);
    steps_arithmetic(steps, STAGE_WEIGHTS, 0, &arithmetic);
    ck_assert_int_eq(arithmetic.kind, ARITHMETIC_SOFTMAX);
    steps_arithmetic(steps, STAGE_CONTEXT, 0, &arithmetic);
    ck_assert_int_eq(arithmetic.kind, ARITHMETIC_SUM);
    steps_free(steps);
}
END_TEST

/* Scores are made from queries and keys, contexts from values, and what can't be made is named. */
START_TEST(a_recording_names_what_it_lacks)
{
    const struct steps_at at = at_token(NULL, 1, 2, 3);
    struct layer_trace *layer = &trace->layer[1];
    struct steps *steps;
    double score = (double)trace_score(trace, 1, 2, 3, 4),
           context = (double)traced(&at, STAGE_CONTEXT)[0];
    layer->scores = layer->context = layer->input = NULL;
    assert_ok(steps_new(&at, &steps, &error), error);
    ck_assert_double_eq_tol(steps->stage[STAGE_SCORES].numbers[4], score, 1e-5);
    ck_assert_double_eq_tol(steps->stage[STAGE_CONTEXT].numbers[0], context, 1e-5);
    expect(steps, STAGE_INPUT, "input");
    steps_free(steps);
    layer->query.data = NULL;
    layer->value.data = NULL;
    assert_ok(steps_new(&at, &steps, &error), error);
    expect(steps, STAGE_QUERY, "query");
    expect(steps, STAGE_KEY, NULL);
    expect(steps, STAGE_SCORES, "scores");
    expect(steps, STAGE_WEIGHTS, NULL);
    expect(steps, STAGE_CONTEXT, "context");
    steps_free(steps);
}
END_TEST

/* Recorded scores to which the other program added something are shown, and not explained by what
 * does not lead to them. */
START_TEST(what_does_not_follow_is_not_explained)
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
    steps_free(steps);
}
END_TEST

static enum status try_steps(struct error *why)
{
    const struct steps_at at = at_token(tiny, 0, 0, 0);
    struct steps *steps;
    enum status status = steps_new(&at, &steps, why);
    if (status == STATUS_OK)
        steps_free(steps);
    return status;
}

START_TEST(without_memory_it_says_so)
{
    faults_try(&(struct trial){.name = "the steps", .act = try_steps});
}
END_TEST

Suite *suite_lens_steps(void)
{
    Suite *suite = suite_create("lens/steps");
    TCase *whole = tcase_create("traces"), *by_hand = tcase_create("by hand");
    tcase_add_loop_test(whole, every_stage_is_the_traces, 0, CHANGES);
    tcase_add_loop_test(whole, every_stage_is_the_traces_in_the_built_in_model, 0, CHANGES);
    tcase_add_loop_test(whole, every_stage_is_the_traces_in_random_models, 0, 9);
    tcase_add_loop_test(whole, every_stage_is_the_traces_in_each_family, 0,
                        FAMILIES * FAMILY_CHANGES);
    tcase_add_loop_test(whole, a_family_has_its_own_stages, 0,
                        sizeof stages_of / sizeof *stages_of);
    tcase_add_loop_test(whole, families_hide_tokens_for_their_reasons, 0, 2);
    tcase_add_loop_test(whole, distances_are_summands_of_scores, 0, 2);
    suite_add_tcase(suite, whole);
    tcase_add_checked_fixture(by_hand, begin, end);
    tcase_add_test(by_hand, a_query_is_a_row_times_the_input);
    tcase_add_test(by_hand, what_a_head_adds_is_missing_without_it);
    tcase_add_test(by_hand, an_embedding_is_word_position_segment);
    tcase_add_test(by_hand, masks_have_their_reasons);
    tcase_add_test(by_hand, a_recording_shows_what_it_has);
    tcase_add_test(by_hand, a_recording_names_what_it_lacks);
    tcase_add_test(by_hand, what_does_not_follow_is_not_explained);
    if (faults_work())
        tcase_add_test(by_hand, without_memory_it_says_so);
    suite_add_tcase(suite, by_hand);
    return suite;
}
