/* The forward pass of each family against Hugging Face's own code: every tensor of every recorded
 * case. */
#include "family_helpers.h"
#include "headlight/model/checkpoint.h"
#include "headlight/model/encoded.h"
#include "headlight/model/forward.h"
#include "headlight/model/relation.h"
#include "headlight/model/weights.h"
#include "model_helpers.h"
#include "recorded.h"
#include "suites.h"
#include "text_helpers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

/* The recordings are in single precision, as the models were run: they differ from the same code in
 * double precision by as much as 7e-5 on logits, 3e-5 on scores, 1e-5 on the rest and 3e-6 on
 * weights, and two programs in single precision by about four times that. Streams of two stacks are
 * larger. */
static double tolerance_of(const char *family, const char *name)
{
    const char *last = strrchr(name, '.');
    const bool large = strcmp(family, "bart") == 0 || strcmp(family, "t5-v1.1") == 0;
    if (strncmp(name, "encoder.", 8) == 0 || strncmp(name, "decoder.", 8) == 0 || large)
        return strstr(name, "weights") ? 5e-5 : large ? 5e-4 : 2e-4;
    bool residual = strcmp(family, "modernbert") == 0 &&
                    (strstr(name, "output") || strstr(name, "input") || strstr(name, "final"));
    last = last ? last + 1 : name;
    if (strstr(name, "logits") || residual)
        return 2e-4;
    if (strcmp(last, "scores") == 0)
        return 1e-4;
    return strstr(name, "weights") ? 1e-5 : 5e-5;
}

/* ---- One case ----------------------------------------------------------------------------- */

static struct trace *compute(const struct model *model, const cJSON *one)
{
    struct trace *trace = recorded_prepare(model, one, true);
    assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
    return trace;
}

/* Whether one of a trace's tensors is what a name stands for; "layer.10.weights.5" is a head's. */
static bool find(const struct trace *trace, const char *name, struct trace_tensor *tensor)
{
    size_t layer, head;
    int end = 0;
    for (size_t i = 0; i < trace_tensor_count(trace); i++) {
        trace_tensor_at(trace, i, tensor);
        if (strcmp(tensor->name, name) == 0)
            return true;
    }
    if (sscanf(name, "layer.%zu.weights.%zu%n", &layer, &head, &end) != 2 || name[end])
        return false;
    *tensor = trace_layer_tensor(trace, layer, "weights");
    tensor->numbers += head * tensor->stride[0];
    tensor->rank = 2;
    memmove(tensor->shape, tensor->shape + 1, 2 * sizeof *tensor->shape);
    memmove(tensor->stride, tensor->stride + 1, 2 * sizeof *tensor->stride);
    return true;
}

/* The recordings hold all distances that the model's table has, or as many to both sides, a trace
 * those of the text. Where in the recording an element of ours lies. */
static size_t place_in_recording(const struct trace *trace, const struct trace_tensor *ours,
                                 const struct tensor *recorded, size_t rows, size_t index)
{
    size_t place = 0, scale = 1;
    for (size_t axis = ours->rank; axis-- > 0; index /= ours->shape[axis]) {
        size_t at = index % ours->shape[axis];
        if (recorded->shape[axis] != ours->shape[axis])
            at += trace->first_distance - (rows - recorded->shape[axis]) / 2;
        place += at * scale;
        scale *= recorded->shape[axis];
    }
    return place;
}

struct worst {
    double part; /* of the tolerance */
    double difference;
    char name[64];
};

/* A trace has positions only where they are not the tokens' places. */
static void assert_places(const struct tensor *positions)
{
    for (size_t t = 0; t < positions->shape[0]; t++)
        ck_assert_double_eq(recorded_number(positions, t), (double)t);
}

static void compare(const char *family, const struct trace *trace, size_t rows,
                    const struct tensor *recorded, struct worst *worst)
{
    struct trace_tensor ours;
    size_t count = 1;
    if (strcmp(recorded->name, "contacts") == 0) /* a map's: check_lens_map_families.c */
        return;
    const bool distances = strstr(recorded->name, "rel_") || strstr(recorded->name, "relative_");
    if (!trace->positions && strcmp(recorded->name, "positions") == 0) {
        assert_places(recorded);
        return;
    }
    if (!find(trace, recorded->name, &ours))
        ck_abort_msg("%s: no tensor \"%s\"", family, recorded->name);
    ck_assert_uint_eq(ours.rank, recorded->rank);
    for (size_t i = 0; i < ours.rank; i++) {
        if (!distances)
            ck_assert_uint_eq(ours.shape[i], recorded->shape[i]);
        count *= ours.shape[i];
    }
    for (size_t i = 0; i < count; i++) {
        double a = trace_number(&ours, i);
        double b = recorded_number(recorded, place_in_recording(trace, &ours, recorded, rows, i));
        double difference = isinf(b) ? (a <= b && a >= b ? 0 : INFINITY) : fabs(a - b);
        double part = difference / tolerance_of(family, recorded->name);
        if (!(part <= worst->part)) {
            *worst = (struct worst){.part = part, .difference = difference};
            snprintf(worst->name, sizeof worst->name, "%s", recorded->name);
        }
    }
}

/* What a token can't see is what the scores have as minus infinity. */
static void check_masks(const struct trace *trace)
{
    const size_t T = trace->tokens;
    for (size_t i = 0; i < trace->layers * trace->heads * T * T; i++) {
        const size_t layer = i / T / T / trace->heads, from = i / T % T, to = i % T;
        const struct token_range seen = trace_visible(trace, layer, from);
        const float score = trace_score(trace, layer, i / T / T % trace->heads, from, to);
        ck_assert_int_eq(trace_is_masked(score), to < seen.first || to >= seen.end);
    }
}

/* The likeliest words behind the last token, [id, token, logit] each. */
static void compare_next(const struct trace *trace, const cJSON *one)
{
    const cJSON *next = json_member(one, "next"), *word;
    const size_t V = trace->vocabulary;
    const float *logits = next ? trace_words(trace) + (trace->tokens - 1) * V : NULL;
    size_t place = 0;
    cJSON_ArrayForEach(word, next)
    {
        const size_t id = (size_t)word->child->valueint;
        size_t before = 0;
        for (size_t i = 0; i < V; i++)
            before += logits[i] > logits[id];
        ck_assert_uint_eq(before, place++);
    }
}

static void compare_case(const char *family, const struct model *model, const cJSON *one)
{
    char name[80];
    struct safetensors *file;
    struct worst worst = {0};
    snprintf(name, sizeof name, "%s.safetensors", one->string);
    char *path = family_path(family, name);
    if (!file_exists(path)) {
        free(path);
        return;
    }
    assert_ok(safetensors_open(path, &file, &error), error);
    struct trace *trace = compute(model, one);
    check_masks(trace);
    for (size_t i = 0; i < file->count; i++)
        compare(family, trace, model->config.relative_rows, &file->tensors[i], &worst);
    compare_next(trace, one);
    if (getenv("HEADLIGHT_FAMILIES"))
        printf("%s %s: %.1e in %s\n", family, one->string, worst.difference, worst.name);
    if (!(worst.part <= 1))
        ck_abort_msg("%s, %s: %s differs by %g", family, one->string, worst.name, worst.difference);
    free(trace);
    safetensors_free(file);
    free(path);
}

TEST(every_tensor_is_hugging_faces, .times = FAMILIES)
{
    const char *family = family_names[_i];
    const cJSON *one;
    cJSON *cases = family_cases(family);
    struct model *model = family_open(family);
    ck_assert_str_eq(model->note, "");
    cJSON_ArrayForEach(one, cases) compare_case(family, model, one);
    model_free(model);
    cJSON_Delete(cases);
}

/* ---- Two stacks --------------------------------------------------------------------------- */

static void compare_stacks(const char *family, const struct model *model, const cJSON *one)
{
    char name[80];
    struct safetensors *file;
    struct trace *traces[3];
    struct trace_tensor ours;
    struct worst worst = {0};
    snprintf(name, sizeof name, "%s.safetensors", one->string);
    char *path = family_path(family, name);
    if (!file_exists(path)) {
        free(path);
        return;
    }
    assert_ok(safetensors_open(path, &file, &error), error);
    recorded_stacks(model, one, NULL, traces);
    for (size_t i = 0; i < file->count; i++) {
        size_t at = 0;
        while (!find(traces[at], file->tensors[i].name, &ours))
            ck_assert_msg(++at < COUNT(traces), "%s", file->tensors[i].name);
        if (ours.integers) /* the ids: other tests compare them */
            continue;
        compare(family, traces[at], 0, &file->tensors[i], &worst);
    }
    if (getenv("HEADLIGHT_FAMILIES"))
        printf("%s %s: %.1e in %s\n", family, one->string, worst.difference, worst.name);
    if (!(worst.part <= 1))
        ck_abort_msg("%s, %s: %s differs by %g", family, one->string, worst.name, worst.difference);
    free(traces[0]);
    free(traces[1]);
    safetensors_free(file);
    free(path);
}

TEST(every_tensor_of_both_stacks_is_hugging_faces, .times = STACKED)
{
    const char *family = stacked_names[_i];
    const cJSON *one;
    cJSON *cases = family_cases(family);
    struct model *model = family_open(family);
    ck_assert_str_eq(model->note, "");
    cJSON_ArrayForEach(one, cases) compare_stacks(family, model, one);
    model_free(model);
    cJSON_Delete(cases);
}

static void check_column(const struct trace *trace, size_t column, bool hidden)
{
    for (size_t i = 0; i < trace->layers * trace->heads * trace->tokens; i++) {
        const size_t from = i % trace->tokens, head = i / trace->tokens % trace->heads,
                     layer = i / trace->tokens / trace->heads;
        const bool seen = !hidden && (trace->axes != AXES_PAST || column <= from);
        if ((trace_weight(trace, layer, head, from, column) > 0) != seen)
            ck_abort_msg("layer %zu, head %zu, row %zu of column %zu", layer, head, from, column);
    }
}

/* A source's token is hidden from both stacks, one of the target from the target. */
TEST(tokens_are_hidden_by_side, .times = STACKED)
{
    static const struct interventions changes = {.hidden_count = 2,
                                                 .hidden = {1, INTERVENE_DECODER | 2}};
    const char *family = stacked_names[_i];
    cJSON *cases = family_cases(family);
    struct model *model = family_open(family);
    struct trace *traces[3];
    recorded_stacks(model, cases->child, &changes, traces);
    for (size_t column = 1; column <= 2; column++)
        for (int site = SITE_ENCODER; site <= SITE_CROSS; site++)
            check_column(traces[site], column, column == (site == SITE_DECODER ? 2 : 1));
    free(traces[0]);
    free(traces[1]);
    model_free(model);
    cJSON_Delete(cases);
}

/* ---- The built-in model of dates ----------------------------------------------------------- */

#define DATES      "tests/vectors/dates/"
#define DATES_MOST 12

/* log p of each label, and of a text without a target of its own the labels as the likeliest. */
static void compare_labels(const struct model *model, const cJSON *one)
{
    int32_t labels[DATES_MOST];
    struct trace *traces[3];
    const size_t count = recorded_integers(json_member(one, "labels"), labels, DATES_MOST);
    const bool greedy = cJSON_IsNull(json_member(one, "target"));
    const cJSON *expected = json_member(one, "logprobs")->child;
    recorded_stacks(model, one, NULL, traces);
    ck_assert_uint_eq(traces[1]->tokens, count);
    for (size_t t = 0; t < count; t++, expected = expected->next) {
        const float *logits = trace_words(traces[1]) + t * traces[1]->vocabulary;
        double sum = 0;
        for (size_t v = 0; v < traces[1]->vocabulary; v++) {
            sum += exp((double)logits[v]);
            ck_assert(!greedy || logits[v] <= logits[labels[t]]);
        }
        ck_assert_double_eq_tol(logits[labels[t]] - log(sum), expected->valuedouble, 5e-5);
    }
    free(traces[0]);
    free(traces[1]);
}

/* The text has these ids, its closing token among them. */
static void compare_ids(const struct tokenizer *tokenizer, const cJSON *string, const cJSON *ids)
{
    int32_t expected[DATES_MOST];
    const struct text text = text_of_string(string->valuestring);
    const size_t count = recorded_integers(ids, expected, DATES_MOST);
    struct encoding *encoding = text_encode(tokenizer, &text, 1, true);
    ck_assert_uint_eq(encoding->count, count);
    for (size_t t = 0; t < count; t++)
        ck_assert_int_eq(encoding->tokens[t].id, expected[t]);
    free(encoding);
}

/* By tests/vectors/decoder.py. */
TEST(dates_are_written_as_another_program_writes_them)
{
    struct checkpoint dates;
    const cJSON *one;
    cJSON *cases = json_of_file(DATES "cases.json");
    assert_ok(checkpoint_open(&dates, "assets/model/dates", NULL, NULL, &error), error);
    ck_assert_str_eq(dates.model->note, "");
    cJSON_ArrayForEach(one, cases)
    {
        const cJSON *target = json_member(one, "target"),
                    *generated = json_member(one, "generated");
        int32_t ids[DATES_MOST];
        const size_t count = recorded_integers(json_member(generated, "ids"), ids, DATES_MOST);
        char *text = tokenizer_decode(dates.tokenizer, ids, count, false, &error);
        ck_assert_str_eq(text, json_member(generated, "text")->valuestring);
        compare_stacks("../dates", dates.model, one);
        compare_labels(dates.model, one);
        compare_ids(dates.tokenizer, json_member(one, "source"), json_member(one, "source_ids"));
        if (cJSON_IsString(target))
            compare_ids(dates.tokenizer, target, json_member(one, "labels"));
        free(text);
    }
    checkpoint_close(&dates);
    cJSON_Delete(cases);
}

/* A source and a target become what the vectors have, and the same numbers. */
TEST(both_texts_are_hugging_faces, .times = STACKED)
{
    static const enum site sites[] = {SITE_ENCODER, SITE_DECODER};
    static const char *const ids[] = {"source_ids", "decoder_ids"};
    const char *family = stacked_names[_i];
    const struct reading how = {.special = true, .logits = true};
    struct checkpoint checkpoint;
    const cJSON *one;
    cJSON *cases = family_cases(family);
    char *folder = family_path(family, ".");
    assert_ok(checkpoint_open(&checkpoint, folder, NULL, NULL, &error), error);
    cJSON_ArrayForEach(one, cases)
    {
        const struct text texts[] = {text_of_string(json_member(one, "source")->valuestring),
                                     text_of_string(json_member(one, "target")->valuestring)};
        struct trace *traces[3];
        struct encoded *encoded, *start;
        recorded_stacks(checkpoint.model, one, NULL, traces);
        assert_ok(encoded_new(&checkpoint, texts, 2, how, &encoded, &error), error);
        assert_ok(encoded_run(&checkpoint, NULL, NULL, encoded, &error), error);
        for (int i = 0; i < 2; i++) {
            const struct trace *trace = encoded_of_site(encoded, sites[i])->trace;
            int32_t expected[600];
            ck_assert_uint_eq(trace->tokens,
                              recorded_integers(json_member(one, ids[i]), expected, 600));
            ck_assert_mem_eq(trace->ids, expected, trace->tokens * sizeof *expected);
        }
        const struct encoded *cross = encoded_of_site(encoded, SITE_CROSS);
        ck_assert_uint_eq(cross->sides[SIDE_LEFT].count, cross->trace->tokens);
        ck_assert_uint_eq(cross->sides[SIDE_RIGHT].count, cross->trace->attended);
        ck_assert_mem_eq(cross->trace->layer[1].weights, traces[2]->layer[1].weights,
                         cross->trace->tokens * cross->trace->attended * sizeof(float));
        assert_ok(encoded_new(&checkpoint, texts, 1, how, &start, &error), error);
        encoded_adopt(encoded, NULL, start);
        ck_assert_uint_eq(start->trace->computed.layers, start->trace->layers);
        ck_assert_uint_eq(encoded_of_site(start, SITE_DECODER)->trace->tokens, 1);
        assert_ok(encoded_run(&checkpoint, NULL, NULL, start, &error), error);
        encoded_free(start);
        encoded_free(encoded);
        free(traces[0]);
        free(traces[1]);
    }
    checkpoint_close(&checkpoint);
    cJSON_Delete(cases);
    free(folder);
}

/* ---- Tokens ------------------------------------------------------------------------------- */

/* These have no tokenizer beside them, which is another family's, or one in code of their own. */
static bool lacks_tokenizer(const char *family)
{
    static const char *const names[] = {
        "electra-generator", "albert-groups", "deberta-v2-conv", "modernbert", "rxnmapper-albert",
    };
    size_t i = 0;
    while (i < COUNT(names) && strcmp(names[i], family) != 0)
        i++;
    return i < COUNT(names);
}

static void compare_tokens(const struct checkpoint *checkpoint, const cJSON *one)
{
    const cJSON *b = json_member(one, "b"), *id = json_member(one, "ids")->child,
                *segment = json_member(one, "segments")->child;
    const struct text texts[] = {text_of_string(json_member(one, "a")->valuestring),
                                 text_of_string(b ? b->valuestring : "")};
    struct encoding *encoding = text_encode(checkpoint->tokenizer, texts, b ? 2 : 1, true);
    for (size_t i = 0; i < encoding->count; i++, id = id->next, segment = segment->next) {
        ck_assert_msg(id && encoding->tokens[i].id == id->valueint, "%s: token %zu is %d",
                      one->string, i, encoding->tokens[i].id);
        ck_assert_int_eq(encoding->tokens[i].type, segment->valueint);
    }
    ck_assert_ptr_null(id);
    free(encoding);
}

TEST(ids_are_hugging_faces, .times = FAMILIES)
{
    const char *family = family_names[_i];
    struct checkpoint checkpoint;
    const cJSON *one;
    if (lacks_tokenizer(family))
        return;
    cJSON *cases = family_cases(family);
    char *folder = family_path(family, ".");
    assert_ok(checkpoint_open(&checkpoint, folder, NULL, NULL, &error), error);
    cJSON_ArrayForEach(one, cases) compare_tokens(&checkpoint, one);
    checkpoint_close(&checkpoint);
    cJSON_Delete(cases);
    free(folder);
}

/* ---- Distances ---------------------------------------------------------------------------- */

static cJSON *read_buckets(const char *family)
{
    char *path = family_path(family, "buckets.json");
    cJSON *buckets = json_of_file(path);
    free(path);
    return buckets;
}

TEST(distances_of_a_bias_are_t5s_buckets)
{
    const struct config config = {.relation = RELATION_BIAS, .relative_rows = 32};
    cJSON *buckets = read_buckets("mpnet");
    const cJSON *item;
    ptrdiff_t ahead = json_member(buckets, "first_relative")->valueint, count = 0;
    cJSON_ArrayForEach(item, json_member(buckets, "bucket"))
    {
        ck_assert_int_eq((int)relation_row(&config, -(ahead + count)), item->valueint);
        count++;
    }
    ck_assert_int_eq(count, 1023);
    cJSON_Delete(buckets);
}

/* Of both stacks: a decoder sees one direction. */
TEST(distances_of_two_stacks_are_t5s_buckets)
{
    cJSON *buckets = read_buckets("t5");
    for (int causal = 0; causal < 2; causal++) {
        const struct config config = {
            .relation = RELATION_BIAS, .relative_rows = 32, .distances = 128, .causal = causal};
        const cJSON *item;
        ptrdiff_t ahead = -300;
        cJSON_ArrayForEach(item, json_member(buckets, causal ? "decoder" : "encoder"))
            ck_assert_int_eq((int)relation_row(&config, -ahead++), item->valueint);
        ck_assert_int_eq((int)ahead, 301);
    }
    cJSON_Delete(buckets);
}

static const struct {
    const char *name;
    struct config config;
} disentangled[] = {
    {"buckets 256, max_position 512",
     {.relation = RELATION_DISENTANGLED, .relative_rows = 512, .buckets = 256, .distances = 512}},
    {"buckets 8, max_position 28",
     {.relation = RELATION_DISENTANGLED, .relative_rows = 16, .buckets = 8, .distances = 28}},
};

TEST(distances_of_disentangled_attention_are_debertas_buckets, .times = COUNT(disentangled))
{
    const struct config *config = &disentangled[_i].config;
    cJSON *buckets = read_buckets("deberta-v3");
    const cJSON *list = json_member(buckets, disentangled[_i].name), *item;
    const int span = (int)config->buckets;
    ptrdiff_t distance = json_member(list, "first_relative")->valueint;
    cJSON_ArrayForEach(item, json_member(list, "bucket"))
    {
        int row = item->valueint + span;
        row = row < 0 ? 0 : row > 2 * span - 1 ? 2 * span - 1 : row;
        ck_assert_int_eq((int)relation_row(config, distance++), row);
    }
    ck_assert_int_gt(distance, 20);
    cJSON_Delete(buckets);
}
