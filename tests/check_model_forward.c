/* The forward pass against the reference: every tensor of every recorded case. */
#include "headlight/base/json.h"
#include "headlight/model/forward.h"
#include "headlight/tensor/kernels.h"
#include "model_helpers.h"
#include "opening.h"
#include "recorded.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The recordings are computed in double precision and rounded once; the program rounds after every
 * step, by about 1e-7 of the largest number of a tensor, which the small checkpoint's softmax,
 * sharper than a real model's, amplifies. So this is allowed where the numbers are at most 10, and
 * in proportion above: the masked-word logits go to 25, and with other kernels of OpenBLAS one
 * differs by 3.1e-5. Scores that are not divided by √D go to 37, and a softmax of such scores turns
 * an absolute error of theirs into as large a relative one of the weights: even with every
 * operation exact and only its result rounded, layer.2.scores of that case differ by 1.8e-5. They
 * are allowed twice as much, and so are those that a temperature of 1/2 doubles. */
#define TOLERANCE 2e-5

static double allowed_for(const char *name, double largest)
{
    bool sharp = strcmp(name, "pair-unscaled") == 0 || strcmp(name, "temperature") == 0;
    double factor = sharp ? 2 : 1;
    return factor * TOLERANCE * fmax(1, largest / 10);
}

static struct error error;

/* ---- One case ----------------------------------------------------------------------------- */

static void read_masks(const cJSON *one, struct interventions *changes)
{
    const cJSON *token, *cut;
    uint32_t of[4];
    cJSON_ArrayForEach(token, json_member(one, "hide"))
        assert_ok(interventions_hide(changes, (uint32_t)token->valueint, &error), error);
    cJSON_ArrayForEach(cut, json_member(one, "cut"))
    {
        for (int i = 0; i < 4; i++)
            of[i] = (uint32_t)cJSON_GetArrayItem(cut, i)->valueint;
        assert_ok(interventions_cut(changes, (struct cut){of[0], of[1], of[2], of[3]}, &error),
                  error);
    }
}

static void read_heads(const cJSON *one, const struct config *config, struct interventions *changes)
{
    const cJSON *head;
    cJSON_ArrayForEach(head, json_member(one, "off"))
        assert_ok(interventions_add_heads(
                      changes->off, "off", head->valuestring,
                      &(struct intervene_stacks){{config->layers}, {config->heads}}, &error),
                  error);
    cJSON_ArrayForEach(head, json_member(one, "uniform"))
        assert_ok(interventions_add_heads(
                      changes->uniform, "uniform", head->valuestring,
                      &(struct intervene_stacks){{config->layers}, {config->heads}}, &error),
                  error);
}

static bool is_said(const cJSON *one, const char *name, const char *value)
{
    const cJSON *item = json_member(one, name);
    return item && strcmp(item->valuestring, value) == 0;
}

static struct interventions read_changes(const cJSON *one, const struct config *config)
{
    const cJSON *temperature = json_member(one, "temperature");
    struct interventions changes = {.unscaled = is_said(one, "change", "unscaled"),
                                    .causal = is_said(one, "change", "causal"),
                                    .no_segments = cJSON_IsFalse(json_member(one, "segments_used")),
                                    .temperature = temperature ? temperature->valuedouble : 0};
    if (is_said(one, "positions", "none"))
        changes.positions = POSITIONS_NONE;
    if (is_said(one, "positions", "sinusoidal"))
        changes.positions = POSITIONS_SINUSOIDAL;
    read_masks(one, &changes);
    read_heads(one, config, &changes);
    return changes;
}

struct comparison {
    double difference; /* the largest; infinite where only one is infinite or NaN */
    double largest;    /* finite number of the reference */
};

static struct comparison compare_tensor(const struct trace_tensor *ours,
                                        const struct tensor *reference)
{
    struct comparison found = {0, 0};
    ck_assert_uint_eq(ours->rank, reference->rank);
    for (size_t axis = 0; axis < ours->rank; axis++)
        ck_assert_uint_eq(ours->shape[axis], reference->shape[axis]);
    for (size_t i = 0; i < trace_numbers(ours); i++) {
        double a = trace_number(ours, i), b = recorded_number(reference, i);
        if (isfinite(b))
            found.largest = fmax(found.largest, fabs(b));
        if (isfinite(a) && isfinite(b))
            found.difference = fmax(found.difference, fabs(a - b));
        else if (a != b)
            found.difference = (double)INFINITY;
    }
    return found;
}

/* Compares all that both have. The recording may lack the tensor `lacks`, and nothing else. */
static void compare(const char *folder, const char *name, const struct trace *trace,
                    const struct safetensors *file, const char *lacks)
{
    struct trace_tensor ours;
    char worst_name[sizeof ours.name] = "";
    double worst = -1;
    size_t compared = 0;
    for (size_t i = 0; i < trace_tensor_count(trace); i++) {
        trace_tensor_at(trace, i, &ours);
        const struct tensor *reference = safetensors_find(file, ours.name);
        if (!reference && lacks && strcmp(lacks, ours.name) == 0)
            continue;
        if (!reference)
            ck_abort_msg("%s: %s was computed and is not in the recording", name, ours.name);
        struct comparison found = compare_tensor(&ours, reference);
        double allowed = allowed_for(name, found.largest);
        if (!(found.difference <= allowed))
            ck_abort_msg("%s: %s differs by %g, allowed are %g", name, ours.name, found.difference,
                         allowed);
        if (found.difference > worst) {
            worst = found.difference;
            memcpy(worst_name, ours.name, sizeof worst_name);
        }
        compared++;
    }
    ck_assert_uint_eq(compared, file->count);
    ck_assert_uint_eq(compared, trace_tensor_count(trace) - (lacks != NULL));
    printf("    %s/%s: %zu tensors agree, the worst is %s, off by %.2g\n",
           folder + strlen("tests/vectors/"), name, compared, worst_name, worst);
}

/* A folder has recorded cases: cases.json, and a file of tensors for each. */
#define BUILT_IN_FOLDER "tests/vectors/built-in"
static const struct {
    const char *folder, *name, *lacks;
} recordings[] = {
    {TINY_FOLDER, "single", NULL},        {TINY_FOLDER, "pair", NULL},
    {TINY_FOLDER, "masked", NULL},        {TINY_FOLDER, "pieces", NULL},
    {TINY_FOLDER, "pair-unscaled", NULL}, {TINY_FOLDER, "pair-causal", NULL},
    {TINY_FOLDER, "pair-off", NULL},      {TINY_FOLDER, "hidden", NULL},
    {TINY_FOLDER, "all-hidden", NULL},    {TINY_FOLDER, "cut", NULL},
    {TINY_FOLDER, "temperature", NULL},   {TINY_FOLDER, "no-positions", NULL},
    {TINY_FOLDER, "no-segments", NULL},   {TINY_FOLDER, "sinusoidal", NULL},
    {TINY_FOLDER, "uniform", NULL},       {TINY_FOLDER, "all-changes", NULL},
    {BUILT_IN_FOLDER, "masked", NULL},    {BUILT_IN_FOLDER, "pair", "mlm_logits"},
};
#define OF_BUILT_IN 2

/* The small ones with all kernels. */
TEST(agrees_with_the_reference, .times = COUNT(recordings))
{
    const char *folder = recordings[_i].folder, *name = recordings[_i].name;
    const bool tiny = _i < COUNT(recordings) - OF_BUILT_IN;
    char path[128];
    struct model *model;
    struct safetensors *file;
    cJSON *cases = recorded_object(folder, "cases.json");
    snprintf(path, sizeof path, "%s/%s.safetensors", folder, name);
    assert_ok(safetensors_open(path, &file, &error), error);
    assert_ok(model_open(tiny ? TINY_FOLDER : "assets/model", NULL, &model, &error), error);
    ck_assert_int_eq(cJSON_GetArraySize(cases),
                     tiny ? COUNT(recordings) - OF_BUILT_IN : OF_BUILT_IN);
    struct trace *trace = recorded_prepare(model, json_member(cases, name), true);
    const struct interventions changes = read_changes(json_member(cases, name), &model->config);
    for (size_t i = 0; kernels_at(i) && (tiny || i == 0); i++) {
        kernels_choose(kernels_at(i));
        trace->computed = (struct computed){0};
        assert_ok(forward_run(model, &changes, NULL, trace, &error), error);
        compare(folder, name, trace, file, recordings[_i].lacks);
    }
    free(trace);
    safetensors_free(file);
    model_free(model);
    cJSON_Delete(cases);
}
