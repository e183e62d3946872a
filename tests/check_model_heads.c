/* What checkpoints of each class answer, against Hugging Face's own code: the logits of classifiers
 * of texts and of tokens and of question answering. */
#include "family_helpers.h"
#include "headlight/base/mapping.h"
#include "headlight/model/forward.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/safetensors.h"
#include "model_helpers.h"
#include "random_model.h"
#include "recorded.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Four times what single precision differs by in Hugging Face's code itself. */
#define TOLERANCE 2e-4

static struct error error;

/* ---- Vectors ------------------------------------------------------------------------------ */

/* An output against the file's tensor of that name; false if the file has none. */
static bool check_output(const struct safetensors *file, const struct trace *trace,
                         const char *name, const char *where)
{
    const struct tensor *expected = safetensors_find(file, name);
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

/* Returns how many outputs there are. */
static size_t check_case(const struct model *model, const char *folder, const cJSON *one)
{
    static const char *const outputs[] = {"logits", "start_logits", "end_logits", "mlm_logits",
                                          "nsp_logits"};
    struct trace *trace = recorded_prepare(model, one, true);
    struct mapping mapping;
    struct safetensors *file;
    char path[256];
    size_t count = 0;
    snprintf(path, sizeof path, HEAD_FOLDER "%s/%s.safetensors", folder, one->string);
    assert_ok(mapping_open(&mapping, path, &error), error);
    assert_ok(safetensors_parse(mapping.bytes, mapping.size, path, &file, &error), error);
    assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        count += check_output(file, trace, outputs[i], path);
    ck_assert_uint_ge(count, 1);
    safetensors_free(file);
    mapping_close(&mapping);
    free(trace);
    return count;
}

TEST(logits_are_those_of_hugging_face, .times = HEADS)
{
    char folder[128];
    struct model *model;
    snprintf(folder, sizeof folder, HEAD_FOLDER "%s", head_names[_i]);
    assert_ok(model_open(folder, NULL, &model, &error), error);
    ck_assert_str_eq(model_note(model), "");
    cJSON *cases = recorded_object(folder, "cases.json"), *one;
    cJSON_ArrayForEach(one, json_member(cases, "cases")) check_case(model, head_names[_i], one);
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
    ck_assert_str_eq(model_note(model), "");
    cJSON *cases = recorded_object(TINY_FOLDER, "cases.json");
    ck_assert_uint_eq(check_case(model, "several", json_member(cases, "pair")), 5);
    cJSON_Delete(cases);
    model_free(model);
    folder_remove(&folder);
}

/* ---- What a file and its configuration say of each other ---------------------------------- */

/* A checkpoint of the vectors, changed. */
struct changed {
    const char *folder;
    const char *member, *value; /* of config.json, as JSON; NULL: taken out */
    const char *drop;           /* tensors whose names begin so; NULL: none */
    enum status status;
    const char *says; /* the error, or the note */
    enum model_output output;
};

#define NONE OUTPUT_COUNT
static const struct changed changes[] = {
    {"seq-bert", "id2label", "{\"0\":\"a\",\"1\":\"b\",\"2\":\"c\"}", NULL, STATUS_OK,
     "config.json: expected a label for each of the classifier's 2 outputs, found 3: its answers "
     "are left out",
     NONE},
    {"ner-bert", "id2label", "{\"0\":\"a\"}", NULL, STATUS_OK,
     "config.json: expected a label for each of the classifier's ", NONE},
    {"seq-bert", "id2label", "{\"0\":\"a\",\"2\":\"b\"}", NULL, STATUS_OK,
     "config.json: expected the 2 keys of \"id2label\" to be the numbers from 0 to 1, found \"2\"",
     NONE},
    {"seq-bert", "id2label", "{\"1\":\"a\",\"2\":\"b\"}", NULL, STATUS_OK,
     "from 0 to 1, found \"2\"", NONE},
    {"seq-bert", "id2label", "{\"0\":0,\"1\":1}", NULL, STATUS_OK, "found another value", NONE},
    {"seq-bert", "id2label", "{\"0\":\"\",\"1\":\"b\"}", NULL, STATUS_OK, "found an empty one",
     NONE},
    {"seq-bert", "id2label", "{\"0\":\"a\",\"2\":\"b\"}", "classifier", STATUS_OK,
     "config.json names a classifier of texts, and the file has none", NONE},
    {"qa-modernbert", "id2label", "{\"1\":\"a\"}", NULL, STATUS_OK, "", OUTPUT_START},
    {"seq-bert", "problem_type", "\"ranking\"", NULL, STATUS_OK,
     "config.json: expected \"problem_type\" to be single_label_classification, ", NONE},
    {"seq-bert", "x", "0", "classifier", STATUS_OK,
     "config.json names a classifier of texts, and the file has none", NONE},
    {"ner-bert", "x", "0", "classifier", STATUS_OK, "config.json names a classifier of tokens",
     NONE},
    {"qa-bert", "x", "0", "qa_outputs", STATUS_OK,
     "config.json names a head that answers questions", NONE},
    {"seq-bert", "x", "0", "bert.pooler", STATUS_MISMATCH,
     "expected a tensor \"pooler.dense.weight\" (with or without \"bert.\"), found none", NONE},
    {"seq-distilbert", "x", "0", "pre_classifier.bias", STATUS_MISMATCH,
     "expected a tensor \"pre_classifier.bias\"", NONE},
    {"seq-bert", "architectures", NULL, NULL, STATUS_OK,
     "\"classifier.bias\" may be of texts or of tokens: name the class", NONE},
    {"seq-bert", "architectures", "[\"BertForMultipleChoice\"]", NULL, STATUS_OK,
     "a head that headlight does not know and leaves out: \"classifier.bias\"", NONE},
    {"ner-bert", "architectures", NULL, NULL, STATUS_OK, "", OUTPUT_TAGS},
    {"seq-roberta", "architectures", NULL, NULL, STATUS_OK, "", OUTPUT_CLASSES},
    {"seq-distilbert", "architectures", "[\"DistilBertForTokenClassification\"]", NULL, STATUS_OK,
     "config.json names a classifier of tokens", OUTPUT_CLASSES},
    {"qa-bert", "architectures", NULL, NULL, STATUS_OK, "", OUTPUT_END},
    {"qa-modernbert", "id2label", "{\"0\":\"a\"}", NULL, STATUS_OK, "", OUTPUT_START},
    {"ner-bert", "architectures", "[\"BertForQuestionAnswering\"]", NULL, STATUS_OK,
     "a head that headlight does not know and leaves out: \"classifier.bias\"", NONE},
    {"seq-modernbert-mean", "classifier_pooling", "\"max\"", NULL, STATUS_UNSUPPORTED,
     "config.json: expected \"classifier_pooling\" to be cls or mean, found \"max\"", NONE},
};

/* Only the outputs of a whole head are there. */
static void check_opened(const struct changed *change, const struct model *model)
{
    const bool *has = model_weights(model)->has;
    ck_assert_msg(strstr(model_note(model), change->says) && (*change->says || !*model_note(model)),
                  "expected \"%s\", found \"%s\"", change->says, model_note(model));
    for (enum model_output output = OUTPUT_CLASSES; output <= OUTPUT_END; output++)
        ck_assert_int_eq(has[output],
                         output == change->output ||
                             (output == OUTPUT_START && change->output == OUTPUT_END) ||
                             (output == OUTPUT_END && change->output == OUTPUT_START));
}

TEST(a_head_is_whole_or_it_is_said, .times = COUNT(changes))
{
    const struct changed *change = &changes[_i];
    char folder[128], path[256];
    struct parts parts;
    struct model *model;
    size_t size;
    snprintf(folder, sizeof folder, HEAD_FOLDER "%s", change->folder);
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    cJSON *config = recorded_object(folder, "config.json");
    cJSON_DeleteItemFromObject(config, change->member);
    if (change->value)
        cJSON_AddItemToObject(config, change->member, cJSON_Parse(change->value));
    char *text = cJSON_Print(config);
    parts_read(&parts, path);
    if (change->drop)
        parts_drop_all(&parts, change->drop);
    unsigned char *bytes = parts_bytes(&parts, 0, &size);
    enum status status =
        model_from_memory("changed", text, strlen(text), bytes, size, &model, &error);
    ck_assert_msg(status == change->status, "%s", error.message);
    if (status == STATUS_OK)
        check_opened(change, model);
    else
        ck_assert_msg(strstr(error.message, change->says), "expected \"%s\" in \"%s\"",
                      change->says, error.message);
    model_free(model);
    free(bytes);
    parts_free(&parts);
    free(text);
    cJSON_Delete(config);
}
