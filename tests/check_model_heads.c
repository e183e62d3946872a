/* What checkpoints of each class answer, against Hugging Face's own code: the logits of classifiers
 * of texts and of tokens and of question answering. */
#include "family_helpers.h"
#include "headlight/base/mapping.h"
#include "headlight/model/forward.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/safetensors.h"
#include "model_helpers.h"
#include "opening.h"
#include "random_model.h"
#include "recorded.h"
#include "rows.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Four times what single precision differs by in Hugging Face's code itself. */
#define TOLERANCE 2e-4

static struct error error;

/* ---- Vectors ------------------------------------------------------------------------------ */

/* An output against the file's tensor of that name, or another; false if the file has none. */
static bool check_output_as(const struct safetensors *file, const struct trace *trace,
                            const char *name, const char *other, const char *where)
{
    const struct tensor *expected = safetensors_find(file, other);
    struct trace_tensor found = {0};
    if (!expected)
        return false;
    for (size_t i = 0; i < trace_tensor_count(trace) && strcmp(found.name, name) != 0; i++)
        trace_tensor_at(trace, i, &found);
    ck_assert_msg(strcmp(found.name, name) == 0, "%s: no %s", where, name);
    ck_assert_uint_eq(found.rank, expected->rank);
    for (size_t i = 0; i < found.rank; i++)
        ck_assert_uint_eq(found.shape[i], expected->shape[i]);
    for (size_t i = 0; i < trace_numbers(&found); i++)
        ck_assert_msg(fabs(trace_number(&found, i) - recorded_number(expected, i)) <= TOLERANCE,
                      "%s: %s[%zu]: expected %g, found %g", where, name, i,
                      recorded_number(expected, i), trace_number(&found, i));
    return true;
}

static bool check_output(const struct safetensors *file, const struct trace *trace,
                         const char *name, const char *where)
{
    return check_output_as(file, trace, name, name, where);
}

/* Returns how many outputs there are. */
static size_t check_case(const struct model *model, const char *folder, const cJSON *one)
{
    static const char *const outputs[] = {"logits", "start_logits", "end_logits", "mlm_logits",
                                          "nsp_logits"};
    struct trace *trace = recorded_prepare(model, one, true);
    struct safetensors *file;
    char path[256];
    size_t count = 0;
    snprintf(path, sizeof path, HEAD_FOLDER "%s/%s.safetensors", folder, one->string);
    assert_ok(safetensors_open(path, &file, &error), error);
    assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        count += check_output(file, trace, outputs[i], path);
    ck_assert_uint_ge(count, 1);
    safetensors_free(file);
    free(trace);
    return count;
}

TEST(logits_are_those_of_hugging_face, .times = HEADS)
{
    char folder[128];
    struct model *model;
    snprintf(folder, sizeof folder, HEAD_FOLDER "%s", head_names[_i]);
    assert_ok(model_open(folder, NULL, &model, &error), error);
    ck_assert_str_eq(model->note, "");
    cJSON *cases = recorded_object(folder, "cases.json"), *one;
    cJSON_ArrayForEach(one, json_member(cases, "cases")) check_case(model, head_names[_i], one);
    cJSON_Delete(cases);
    model_free(model);
}

/* The same weights as the configuration pools: by what makes one of the tokens before the head, or
 * behind its activation. */
TEST(eurobert_has_three_poolings)
{
    static const char *const folder = HEAD_FOLDER "seq-eurobert-late";
    static const struct {
        const char *key, *value, *logits;
    } poolings[] = {{"classifier_pooling", NULL, "logits"},
                    {"classifier_pooling", "late", "logits"},
                    {"classifier_pooling", "bos", "logits_bos"},
                    {"classifier_pooling", "mean", "logits_mean"},
                    {"clf_pooling", "mean", "logits_mean"}};
    for (size_t i = 0; i < sizeof poolings / sizeof *poolings; i++) {
        struct parts parts;
        struct model *model;
        size_t size;
        cJSON *config = recorded_object(folder, "config.json");
        cJSON_DeleteItemFromObject(config, "classifier_pooling");
        if (poolings[i].value)
            cJSON_AddStringToObject(config, poolings[i].key, poolings[i].value);
        char *text = cJSON_Print(config);
        parts_read(&parts, HEAD_FOLDER "seq-eurobert-late/model.safetensors");
        unsigned char *bytes = parts_bytes(&parts, 0, &size);
        assert_ok(model_from_memory("changed", text, strlen(text), bytes, size, &model, &error),
                  error);
        ck_assert_str_eq(model->note, "");
        cJSON *cases = recorded_object(folder, "cases.json"), *one;
        cJSON_ArrayForEach(one, json_member(cases, "cases"))
        {
            struct trace *trace = recorded_prepare(model, one, true);
            struct safetensors *file;
            char path[256];
            snprintf(path, sizeof path, "%s/%s.safetensors", folder, one->string);
            assert_ok(safetensors_open(path, &file, &error), error);
            assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
            ck_assert(check_output_as(file, trace, "logits", poolings[i].logits, path));
            safetensors_free(file);
            free(trace);
        }
        cJSON_Delete(cases);
        model_free(model);
        free(bytes);
        parts_free(&parts);
        free(text);
        cJSON_Delete(config);
    }
}

TEST(eurobert_tags)
{
    struct model *model;
    assert_ok(model_open(HEAD_FOLDER "ner-eurobert", NULL, &model, &error), error);
    cJSON *cases = recorded_object(HEAD_FOLDER "ner-eurobert", "cases.json");
    ck_assert_uint_eq(
        check_case(model, "ner-eurobert", json_member(json_member(cases, "cases"), "plain")), 1);
    cJSON_Delete(cases);
    model_free(model);
}

/* Against PyTorch (vectors/several.py). */
TEST(several_heads_of_one_file_speak)
{
    struct folder folder;
    struct model *model;
    folder_make_several(&folder);
    assert_ok(model_open(folder.path, NULL, &model, &error), error);
    ck_assert_str_eq(model->note, "");
    cJSON *cases = recorded_object(TINY_FOLDER, "cases.json");
    ck_assert_uint_eq(check_case(model, "several", json_member(cases, "pair")), 5);
    cJSON_Delete(cases);
    model_free(model);
    folder_remove(&folder);
}

/* ---- What a file and its configuration say of each other ---------------------------------- */

/* Only the outputs of a whole head are there. */
static void check_opened(const char *head, const char *says, const struct model *model)
{
    static const char *const heads[] = {"classes", "tags", "start", "end"};
    const bool *has = model->weights.has;
    ck_assert_msg(strstr(model->note, says) && (*says || !*model->note),
                  "expected \"%s\", found \"%s\"", says, model->note);
    for (enum model_output output = OUTPUT_CLASSES; output <= OUTPUT_END; output++)
        ck_assert_int_eq(has[output], strcmp(heads[output - OUTPUT_CLASSES], head) == 0 ||
                                          (output == OUTPUT_END && strcmp(head, "start") == 0));
}

ROW_TEST(a_head_is_whole_or_it_is_said, "heads_changed")
{
    char folder[128], path[256];
    struct parts parts;
    struct model *model;
    size_t size;
    snprintf(folder, sizeof folder, HEAD_FOLDER "%s", row[0]);
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    cJSON *config = recorded_object(folder, "config.json");
    cJSON_DeleteItemFromObject(config, row[1]);
    if (*row[2])
        cJSON_AddItemToObject(config, row[1], cJSON_Parse(row[2]));
    char *text = cJSON_Print(config);
    parts_read(&parts, path);
    if (*row[3])
        parts_drop_all(&parts, row[3]);
    unsigned char *bytes = parts_bytes(&parts, 0, &size);
    enum status status =
        model_from_memory("changed", text, strlen(text), bytes, size, &model, &error);
    ck_assert_msg(status == status_named(row[4]), "%s", error.message);
    if (status == STATUS_OK)
        check_opened(row[5], row[6], model);
    else
        assert_has_parts(error.message, row + 6);
    model_free(model);
    free(bytes);
    parts_free(&parts);
    free(text);
    cJSON_Delete(config);
}
