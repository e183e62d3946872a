/* The forward pass against the reference: every tensor of every recorded case. */
#include "headlight/base/json.h"
#include "headlight/model/forward.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/thread_pool.h"
#include "model_helpers.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The recordings are computed in double precision and rounded once. What the program computes, in
 * the precision that it chooses by itself, agrees with every tensor of theirs to this. */
#define TOLERANCE 2e-5

/* In double precision throughout: half a unit in the last place of numbers below 64. */
#define TOLERANCE_DOUBLE 2e-6

/* What single precision can reach on the small checkpoint, whose softmax is sharper than a real
 * model's: it rounds after every step, by about 1e-7 of the largest number of a tensor. So 2e-5 is
 * allowed where the numbers are at most 10, and in proportion above: the masked-word logits go to
 * 25, and with other kernels of OpenBLAS one differs by 3.1e-5. Scores that are not divided by √D
 * go to 37, and a softmax of such scores turns an absolute error of theirs into as large a relative
 * one of the weights: even with every operation exact and only its result rounded, layer.2.scores
 * of that case differ by 1.8e-5. They are allowed twice as much, and so are those that a
 * temperature of 1/2 doubles. This is why small passes are computed in double precision. */
static double allowed_single(const char *name, double largest)
{
    bool sharp = strcmp(name, "pair-unscaled") == 0 || strcmp(name, "temperature") == 0;
    double factor = sharp ? 2 : 1;
    return factor * TOLERANCE * fmax(1, largest / 10);
}

/* How a case is computed, and what it is held to; a tolerance of 0 stands for allowed_single. */
struct claim {
    enum precision precision;
    double tolerance;
};

static const struct claim shipped = {PRECISION_AUTO, TOLERANCE};
static const struct claim precise = {PRECISION_DOUBLE, TOLERANCE_DOUBLE};
static const struct claim single = {PRECISION_SINGLE, 0};

/* A folder of recorded cases: cases.json, and a file of tensors for each. */
struct recording {
    const char *folder;
    cJSON *cases;
    struct model *model;
};

static struct error error;
static struct recording tiny, built_in;

static void open_recording(struct recording *recording, const char *folder, const char *model)
{
    char *path = path_join(folder, "cases.json"), *text;
    size_t length;
    recording->folder = folder;
    assert_ok(file_read(path, (size_t)1 << 20, &text, &length, &error), error);
    assert_ok(json_parse_object(text, length, path, &recording->cases, &error), error);
    assert_ok(model_open(model, NULL, &recording->model, &error), error);
    free(text);
    free(path);
}

static void close_recording(struct recording *recording)
{
    cJSON_Delete(recording->cases);
    model_free(recording->model);
}

static void open_tiny(void)
{
    open_recording(&tiny, TINY_FOLDER, TINY_FOLDER);
}

static void close_tiny(void)
{
    close_recording(&tiny);
}

static void open_built_in(void)
{
    open_recording(&built_in, "tests/vectors/built-in", "assets/model");
}

static void close_built_in(void)
{
    close_recording(&built_in);
}

/* ---- One case ----------------------------------------------------------------------------- */

static size_t read_integers(const cJSON *array, int32_t *values, size_t room)
{
    size_t count = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, array)
    {
        ck_assert_uint_lt(count, room);
        values[count++] = item->valueint;
    }
    return count;
}

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
    cJSON_ArrayForEach(head, json_member(one, "off")) assert_ok(
        interventions_switch_off(changes, head->valuestring, config->layers, config->heads, &error),
        error);
    cJSON_ArrayForEach(head, json_member(one, "uniform"))
        assert_ok(interventions_make_uniform(changes, head->valuestring, config->layers,
                                             config->heads, &error),
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

static struct trace *compute(const struct recording *recording, const char *name,
                             enum precision precision)
{
    const cJSON *one = json_member(recording->cases, name);
    int32_t ids[64], segments[64];
    struct trace *trace;
    ck_assert_ptr_nonnull(one);
    size_t tokens = read_integers(json_member(one, "ids"), ids, 64);
    ck_assert_uint_eq(read_integers(json_member(one, "segments"), segments, 64), tokens);
    struct interventions changes = read_changes(one, model_config(recording->model));
    assert_ok(forward_prepare(recording->model, ids, segments, tokens, true, &trace, &error),
              error);
    assert_ok(forward_run(recording->model, &changes, precision, NULL, trace, &error), error);
    return trace;
}

static double element(const struct trace_tensor *tensor, size_t index)
{
    size_t at = 0;
    for (size_t axis = tensor->rank; axis-- > 0; index /= tensor->shape[axis])
        at += index % tensor->shape[axis] * tensor->stride[axis];
    return tensor->numbers ? (double)tensor->numbers[at] : (double)tensor->integers[at];
}

static double reference_element(const struct tensor *tensor, size_t index)
{
    float number;
    int64_t integer;
    if (tensor->type == TENSOR_F32) {
        memcpy(&number, tensor->data + index * sizeof number, sizeof number);
        return (double)number;
    }
    ck_assert_str_eq(tensor->type_name, "I64");
    memcpy(&integer, tensor->data + index * sizeof integer, sizeof integer);
    return (double)integer;
}

struct comparison {
    double difference; /* the largest; infinite where only one is infinite or NaN */
    double largest;    /* finite number of the reference */
};

static struct comparison compare_tensor(const struct trace_tensor *ours,
                                        const struct tensor *reference)
{
    struct comparison found = {0, 0};
    size_t count = 1;
    ck_assert_uint_eq(ours->rank, reference->rank);
    for (size_t axis = 0; axis < ours->rank; axis++) {
        ck_assert_uint_eq(ours->shape[axis], reference->shape[axis]);
        count *= ours->shape[axis];
    }
    for (size_t i = 0; i < count; i++) {
        double a = element(ours, i), b = reference_element(reference, i);
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
                    const struct safetensors *file, const struct claim *claim, const char *lacks)
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
        double allowed =
            claim->tolerance > 0 ? claim->tolerance : allowed_single(name, found.largest);
        if (!(found.difference <= allowed))
            ck_abort_msg("%s: %s differs by %g, allowed are %g", name, ours.name, found.difference,
                         allowed);
        if (found.difference > worst) {
            worst = found.difference;
            memcpy(worst_name, ours.name, sizeof worst_name);
        }
        compared++;
    }
    ck_assert_uint_eq(compared, safetensors_count(file));
    ck_assert_uint_eq(compared, trace_tensor_count(trace) - (lacks != NULL));
    static const char *const precisions[] = {"", " in single precision", " in double precision"};
    printf("    %s/%s%s: %zu tensors agree, the worst is %s, off by %.2g\n",
           folder + strlen("tests/vectors/"), name, precisions[claim->precision], compared,
           worst_name, worst);
}

static void check_case(const struct recording *recording, const char *name,
                       const struct claim *claim, const char *lacks)
{
    char path[128];
    struct mapping mapping;
    struct safetensors *file;
    snprintf(path, sizeof path, "%s/%s.safetensors", recording->folder, name);
    assert_ok(mapping_open(&mapping, path, &error), error);
    assert_ok(safetensors_parse(mapping.bytes, mapping.size, path, &file, &error), error);
    struct trace *trace = compute(recording, name, claim->precision);
    compare(recording->folder, name, trace, file, claim, lacks);
    free(trace);
    safetensors_free(file);
    mapping_close(&mapping);
}

static const char *const tiny_cases[] = {
    "single",      "pair",       "masked",     "pieces",     "pair-unscaled", "pair-causal",
    "pair-off",    "hidden",     "all-hidden", "cut",        "temperature",   "no-positions",
    "no-segments", "sinusoidal", "uniform",    "all-changes"};

START_TEST(agrees_with_the_reference)
{
    check_case(&tiny, tiny_cases[_i], &shipped, NULL);
}
END_TEST

START_TEST(double_precision_agrees)
{
    check_case(&tiny, tiny_cases[_i], &precise, NULL);
}
END_TEST

START_TEST(single_precision_agrees)
{
    for (size_t i = 0; kernels_at(i); i++) {
        kernels_choose(kernels_at(i));
        check_case(&tiny, tiny_cases[_i], &single, NULL);
    }
}
END_TEST

START_TEST(every_recorded_case_is_checked)
{
    ck_assert_int_eq(cJSON_GetArraySize(tiny.cases), sizeof tiny_cases / sizeof *tiny_cases);
}
END_TEST

START_TEST(built_in_pair_agrees)
{
    check_case(&built_in, "pair", &shipped, "mlm_logits");
    check_case(&built_in, "pair", &precise, "mlm_logits");
}
END_TEST

START_TEST(built_in_masked_agrees)
{
    check_case(&built_in, "masked", &shipped, NULL);
    check_case(&built_in, "masked", &precise, NULL);
}
END_TEST

/* Every number of two traces is the same, to the bit. */
static void assert_same_bits(const struct trace *a, const struct trace *b)
{
    for (size_t i = 0; i < trace_tensor_count(a); i++) {
        struct trace_tensor one, other;
        size_t count = 1;
        trace_tensor_at(a, i, &one);
        trace_tensor_at(b, i, &other);
        for (size_t axis = 0; axis < one.rank; axis++)
            count *= one.shape[axis];
        for (size_t j = 0; j < count; j++)
            if (element(&one, j) != element(&other, j))
                ck_abort_msg("%s: number %zu: %.9g and %.9g", one.name, j, element(&one, j),
                             element(&other, j));
    }
}

/* ---- What is changed ---------------------------------------------------------------------- */

static struct trace *run_changed(const int32_t *ids, size_t tokens,
                                 const struct interventions *changes, enum precision precision)
{
    static const int32_t segments[64];
    struct trace *trace;
    assert_ok(forward_prepare(tiny.model, ids, segments, tokens, true, &trace, &error), error);
    assert_ok(forward_run(tiny.model, changes, precision, NULL, trace, &error), error);
    return trace;
}

/* What asks for nothing, or of tokens that are not there. */
START_TEST(no_change_changes_no_bit)
{
    static const struct interventions idle[] = {
        {.temperature = 1},
        {.hidden_count = 2, .hidden = {5, 63}},
        {.cut_count = 3, .cuts = {{0, 1, 2, 5}, {1, 0, 7, 1}, {2, 3, 70, 80}}},
    };
    const int32_t ids[] = {2, 78, 9, 50, 3};
    enum precision precision = _i ? PRECISION_DOUBLE : PRECISION_SINGLE;
    struct trace *plain = run_changed(ids, 5, NULL, precision);
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        struct trace *same = run_changed(ids, 5, &idle[i], precision);
        assert_same_bits(plain, same);
        free(same);
    }
    free(plain);
}
END_TEST

/* "dog bites man" and "man bites dog": without positions a word's output is its own wherever it
 * stands, and with them it is not. */
START_TEST(without_positions_outputs_go_with_their_words)
{
    static const int32_t one[] = {2, 86, 87, 89, 3}, other[] = {2, 89, 87, 86, 3};
    static const size_t place[] = {0, 3, 2, 1, 4};
    static const struct interventions changes[] = {{.positions = POSITIONS_NONE},
                                                   {.causal = false}};
    for (size_t i = 0; i < 2; i++) {
        struct trace *a = run_changed(one, 5, &changes[i], PRECISION_DOUBLE);
        struct trace *b = run_changed(other, 5, &changes[i], PRECISION_DOUBLE);
        const size_t H = a->hidden;
        double largest = 0;
        for (size_t t = 0; t < 5; t++)
            for (size_t d = 0; d < H; d++)
                largest = fmax(largest, fabs((double)a->layer[2].output[t * H + d] -
                                             (double)b->layer[2].output[place[t] * H + d]));
        ck_assert_int_eq(largest < TOLERANCE_DOUBLE, i == 0);
        free(a);
        free(b);
    }
}
END_TEST

START_TEST(a_hidden_token_is_seen_by_none_and_sees_the_others)
{
    const int32_t ids[] = {2, 78, 9, 50, 3};
    struct interventions changes = {0};
    assert_ok(interventions_hide(&changes, 3, &error), error);
    struct trace *trace = run_changed(ids, 5, &changes, _i ? PRECISION_DOUBLE : PRECISION_SINGLE);
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t head = 0; head < trace->heads; head++)
            for (size_t from = 0; from < 5; from++) {
                double sum = 0;
                for (size_t to = 0; to < 5; to++) {
                    double weight = (double)trace_weight(trace, l, head, from, to);
                    ck_assert_int_eq(weight > 0, to != 3);
                    ck_assert_int_eq(trace_is_masked(trace_score(trace, l, head, from, to)),
                                     to == 3);
                    sum += weight;
                }
                ck_assert_double_eq_tol(sum, 1, 1e-6);
            }
    free(trace);
}
END_TEST

/* Rows with nothing left: of all heads where all is hidden, of one where a row is cut. */
START_TEST(a_row_with_nothing_left_is_zero)
{
    const int32_t ids[] = {2, 78, 9, 50, 3};
    struct interventions changes = {.causal = _i / 2, .uniform = {0, 1, 2}};
    for (uint32_t t = 0; t < 5; t++)
        assert_ok(interventions_hide(&changes, t, &error), error);
    struct trace *trace =
        run_changed(ids, 5, &changes, _i % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE);
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t i = 0; i < trace->heads * 25; i++) {
            ck_assert_float_eq(trace->layer[l].weights[i], 0);
            ck_assert(trace_is_masked(trace->layer[l].scores[i]));
        }
    for (size_t l = 0; l < trace->layers; l++)
        for (size_t i = 0; i < 5 * trace->hidden; i++) {
            ck_assert_float_eq(trace->layer[l].context[i], 0);
            ck_assert(isfinite(trace->layer[l].output[i]));
        }
    free(trace);
}
END_TEST

START_TEST(equal_weights_leave_the_scores)
{
    const int32_t ids[] = {2, 78, 9, 50, 3};
    enum precision precision = _i ? PRECISION_DOUBLE : PRECISION_SINGLE;
    const struct interventions causal = {.causal = true};
    struct interventions changes = {.causal = true, .uniform = {4}};
    struct trace *plain = run_changed(ids, 5, &causal, precision);
    struct trace *equal = run_changed(ids, 5, &changes, precision);
    for (size_t i = 0; i < plain->heads * 25; i++)
        ck_assert(!(plain->layer[0].scores[i] < equal->layer[0].scores[i]) &&
                  !(plain->layer[0].scores[i] > equal->layer[0].scores[i]));
    for (size_t from = 0; from < 5; from++)
        for (size_t to = 0; to < 5; to++) {
            double expected = to <= from ? 1 / (double)(from + 1) : 0;
            ck_assert_double_eq_tol((double)trace_weight(equal, 0, 2, from, to), expected, 1e-7);
            ck_assert_float_eq(trace_weight(equal, 0, 1, from, to),
                               trace_weight(plain, 0, 1, from, to));
        }
    free(plain);
    free(equal);
}
END_TEST

/* ---- What goes in ------------------------------------------------------------------------- */

START_TEST(text_must_fit_the_positions)
{
    int32_t ids[67] = {0}, segments[67] = {0};
    struct trace *trace;
    assert_fails(forward_prepare(tiny.model, ids, segments, 0, true, &trace, &error), STATUS_LIMIT,
                 "no tokens", error);
    ck_assert_ptr_null(trace);
    assert_fails(forward_prepare(tiny.model, ids, segments, 67, true, &trace, &error), STATUS_LIMIT,
                 "the text is 67 tokens long, the model has 64 positions: shorten it by 3 tokens",
                 error);
    assert_ok(forward_prepare(tiny.model, ids, segments, 64, true, &trace, &error), error);
    assert_ok(forward_run(tiny.model, NULL, PRECISION_AUTO, NULL, trace, &error), error);
    free(trace);
    assert_ok(forward_prepare(tiny.model, ids, segments, 1, true, &trace, &error), error);
    assert_ok(forward_run(tiny.model, NULL, PRECISION_AUTO, NULL, trace, &error), error);
    ck_assert_float_eq(trace_weight(trace, 0, 0, 0, 0), 1);
    free(trace);
}
END_TEST

START_TEST(ids_and_segments_must_be_rows_of_the_tables)
{
    int32_t segments[] = {0, 0, 0}, good[] = {2, 100, 3};
    struct trace *trace;
    const int32_t bad_ids[][3] = {{2, 101, 3}, {2, -1, 3}};
    for (size_t i = 0; i < 2; i++)
        assert_fails(forward_prepare(tiny.model, bad_ids[i], segments, 3, true, &trace, &error),
                     STATUS_MISMATCH, "token 1: expected an id from 0 to 100", error);
    segments[2] = 2;
    assert_fails(forward_prepare(tiny.model, good, segments, 3, true, &trace, &error),
                 STATUS_MISMATCH, "token 2: expected a segment from 0 to 1", error);
}
END_TEST

static bool stop_after_two_layers(void *context, size_t done, size_t total)
{
    *(size_t *)context = done;
    return done != 2 && total == 3;
}

START_TEST(a_watch_can_stop_it)
{
    enum precision precision = _i ? PRECISION_DOUBLE : PRECISION_SINGLE;
    struct trace *trace;
    const int32_t ids[] = {2, 78, 3}, segments[] = {0, 0, 0};
    size_t last = 99;
    struct watch watch = {stop_after_two_layers, &last};
    assert_ok(forward_prepare(tiny.model, ids, segments, 3, true, &trace, &error), error);
    assert_fails(forward_run(tiny.model, NULL, precision, &watch, trace, &error), STATUS_CANCELLED,
                 "cancelled after 2 of 3", error);
    ck_assert_uint_eq(last, 2);
    ck_assert_float_ne(trace->layer[1].output[0], 0);
    ck_assert_float_eq(trace->layer[2].output[0], 0);
    free(trace);
}
END_TEST

/* What an earlier pass left in a trace must not show in the next one. */
START_TEST(a_trace_can_be_computed_again)
{
    struct trace *fresh = compute(&tiny, "pair", PRECISION_AUTO);
    struct trace *used = compute(&tiny, "pair", PRECISION_AUTO);
    struct interventions changes = {.causal = true, .off = {15, 15, 15}};
    assert_ok(forward_run(tiny.model, &changes, PRECISION_AUTO, NULL, used, &error), error);
    ck_assert_float_ne(fresh->nsp_logits[0], used->nsp_logits[0]);
    assert_ok(forward_run(tiny.model, NULL, PRECISION_AUTO, NULL, used, &error), error);
    assert_same_bits(fresh, used);
    free(fresh);
    free(used);
}
END_TEST

static bool count_layers(void *context, size_t done, size_t total)
{
    *(size_t *)context += 1;
    return done <= total;
}

/* What a change does not reach is not computed anew; the rest is as if all of it had been. */
START_TEST(layers_before_a_change_are_kept)
{
    static const struct {
        struct interventions changes;
        size_t layers; /* that are computed, after the ones before it */
    } passes[] = {
        {{.off = {0}}, 3},
        {{.off = {0, 0, 2}}, 1},
        {{.off = {0, 0, 2}}, 0},
        {{.off = {0, 4, 2}}, 2},
        {{.off = {0, 4, 0}}, 1},
        {{.causal = true, .off = {0, 4, 0}}, 3},
        {{.causal = true}, 2},
        {{.unscaled = true}, 3},
        {{.off = {0}}, 3},
        {{.off = {0, 0, 15}}, 1},
        {{.uniform = {0, 2}}, 2},
        {{.uniform = {0, 2}, .cut_count = 1, .cuts = {{2, 1, 0, 3}}}, 1},
        {{.uniform = {0, 2}, .cut_count = 2, .cuts = {{1, 3, 4, 4}, {2, 1, 0, 3}}}, 2},
        {{.cut_count = 2, .cuts = {{1, 3, 4, 4}, {2, 1, 0, 3}}}, 2},
        {{.cut_count = 2, .cuts = {{1, 3, 4, 4}, {2, 1, 0, 2}}}, 1},
        {{.cut_count = 1, .cuts = {{1, 3, 4, 4}}}, 1},
        {{.cut_count = 1, .cuts = {{1, 3, 4, 4}}, .temperature = 1}, 0},
        {{.temperature = 2}, 3},
        {{.temperature = 2.5}, 3},
        {{.hidden_count = 1, .hidden = {3}}, 3},
        {{.hidden_count = 1, .hidden = {2}}, 3},
        {{.no_segments = true}, 3},
        {{.positions = POSITIONS_NONE}, 3},
        {{.positions = POSITIONS_SINUSOIDAL}, 3},
    };
    struct trace *used = NULL;
    const int32_t ids[] = {2, 78, 9, 50, 3}, segments[] = {0, 0, 0, 1, 1};
    assert_ok(forward_prepare(tiny.model, ids, segments, 5, true, &used, &error), error);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        struct trace *fresh;
        size_t layers = 0;
        struct watch watch = {count_layers, &layers};
        assert_ok(forward_prepare(tiny.model, ids, segments, 5, true, &fresh, &error), error);
        assert_ok(
            forward_run(tiny.model, &passes[i].changes, PRECISION_SINGLE, NULL, fresh, &error),
            error);
        assert_ok(
            forward_run(tiny.model, &passes[i].changes, PRECISION_SINGLE, &watch, used, &error),
            error);
        ck_assert_uint_eq(layers, passes[i].layers);
        assert_same_bits(fresh, used);
        free(fresh);
    }
    free(used);
}
END_TEST

START_TEST(a_cancelled_pass_goes_on_where_it_was)
{
    struct trace *fresh, *used;
    const int32_t ids[] = {2, 78, 3}, segments[] = {0, 0, 0};
    size_t last = 0, layers = 0;
    struct watch stopping = {stop_after_two_layers, &last}, counting = {count_layers, &layers};
    assert_ok(forward_prepare(tiny.model, ids, segments, 3, true, &fresh, &error), error);
    assert_ok(forward_prepare(tiny.model, ids, segments, 3, true, &used, &error), error);
    ck_assert_int_eq(forward_run(tiny.model, NULL, PRECISION_SINGLE, &stopping, used, &error),
                     STATUS_CANCELLED);
    assert_ok(forward_run(tiny.model, NULL, PRECISION_SINGLE, &counting, used, &error), error);
    assert_ok(forward_run(tiny.model, NULL, PRECISION_SINGLE, NULL, fresh, &error), error);
    ck_assert_uint_eq(layers, 1);
    assert_same_bits(fresh, used);
    free(fresh);
    free(used);
}
END_TEST

/* Threads share the work out; what is computed does not depend on how. */
START_TEST(any_number_of_threads_gives_the_same_bits)
{
    static const size_t lengths[] = {5, 13, 20, 64};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct trace *alone = NULL;
        int32_t ids[64], segments[64];
        for (size_t t = 0; t < lengths[i]; t++) {
            ids[t] = (int32_t)(7 + 131 * t);
            segments[t] = t > lengths[i] / 2;
        }
        for (size_t threads = 1; threads <= 4; threads++) {
            struct trace *trace;
            pool_set_size(threads);
            assert_ok(
                forward_prepare(built_in.model, ids, segments, lengths[i], true, &trace, &error),
                error);
            assert_ok(forward_run(built_in.model, NULL, _i ? PRECISION_DOUBLE : PRECISION_SINGLE,
                                  NULL, trace, &error),
                      error);
            if (alone)
                assert_same_bits(alone, trace);
            if (alone)
                free(trace);
            else
                alone = trace;
        }
        free(alone);
    }
    pool_set_size(0);
}
END_TEST

Suite *suite_model_forward(void)
{
    Suite *suite = suite_create("model/forward");
    TCase *tiny_case = tcase_create("tiny-bert");
    tcase_add_checked_fixture(tiny_case, open_tiny, close_tiny);
    tcase_add_loop_test(tiny_case, agrees_with_the_reference, 0,
                        sizeof tiny_cases / sizeof *tiny_cases);
    tcase_add_loop_test(tiny_case, double_precision_agrees, 0,
                        sizeof tiny_cases / sizeof *tiny_cases);
    tcase_add_loop_test(tiny_case, single_precision_agrees, 0,
                        sizeof tiny_cases / sizeof *tiny_cases);
    tcase_add_test(tiny_case, every_recorded_case_is_checked);
    tcase_add_loop_test(tiny_case, no_change_changes_no_bit, 0, 2);
    tcase_add_test(tiny_case, without_positions_outputs_go_with_their_words);
    tcase_add_loop_test(tiny_case, a_hidden_token_is_seen_by_none_and_sees_the_others, 0, 2);
    tcase_add_loop_test(tiny_case, a_row_with_nothing_left_is_zero, 0, 4);
    tcase_add_loop_test(tiny_case, equal_weights_leave_the_scores, 0, 2);
    tcase_add_test(tiny_case, text_must_fit_the_positions);
    tcase_add_test(tiny_case, ids_and_segments_must_be_rows_of_the_tables);
    tcase_add_loop_test(tiny_case, a_watch_can_stop_it, 0, 2);
    tcase_add_test(tiny_case, a_trace_can_be_computed_again);
    tcase_add_test(tiny_case, layers_before_a_change_are_kept);
    tcase_add_test(tiny_case, a_cancelled_pass_goes_on_where_it_was);
    suite_add_tcase(suite, tiny_case);
    TCase *built_in_case = tcase_create("built-in"), *slow = slow_case("threads");
    tcase_set_timeout(slow, 60);
    tcase_add_checked_fixture(slow, open_built_in, close_built_in);
    tcase_set_timeout(built_in_case, 60);
    tcase_add_checked_fixture(built_in_case, open_built_in, close_built_in);
    tcase_add_test(built_in_case, built_in_pair_agrees);
    tcase_add_test(built_in_case, built_in_masked_agrees);
    tcase_add_loop_test(slow, any_number_of_threads_gives_the_same_bits, 0, 2);
    suite_add_tcase(suite, built_in_case);
    suite_add_tcase(suite, slow);
    return suite;
}
