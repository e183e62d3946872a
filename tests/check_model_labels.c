/* What config.json says about a classifier's outputs, and what is refused. */
#include "headlight/model/labels.h"

#include "headlight/model/family_entries.h"
#include "model_helpers.h"
#include "suites.h"

#include <string.h>

static struct error error;
static struct labels labels;

static enum status read(const char *text)
{
    cJSON *object;
    assert_ok(json_parse_object(text, strlen(text), "x/config.json", &object, &error), error);
    labels_free(&labels);
    enum status status =
        labels_read(&(struct config_reader){object, "x/config.json", &error}, &labels);
    cJSON_Delete(object);
    return status;
}

static void free_labels(void)
{
    labels_free(&labels);
}

TESTS(.end = free_labels);

TEST(names_go_by_number_not_by_order)
{
    assert_ok(read("{\"id2label\":{\"2\":\"c\",\"0\":\"a\",\"1\":\"b\"},\"num_labels\":7}"), error);
    ck_assert_uint_eq(labels.count, 3);
    ck_assert_str_eq(labels.names[0], "a");
    ck_assert_str_eq(labels.names[1], "b");
    ck_assert_str_eq(labels.names[2], "c");
    ck_assert(labels.named && labels.count_stated && !labels.tagged);
    ck_assert_int_eq(labels.function, SCORE_SOFTMAX);
}

TEST(without_names_they_are_numbered)
{
    assert_ok(read("{}"), error);
    ck_assert_uint_eq(labels.count, 2);
    ck_assert_str_eq(labels.names[1], "LABEL_1");
    ck_assert(!labels.named && !labels.count_stated);
    assert_ok(labels_number(&labels, 1, &error), error);
    ck_assert_uint_eq(labels.count, 1);
    ck_assert_int_eq(labels.function, SCORE_SIGMOID);

    assert_ok(read("{\"id2label\":null,\"num_labels\":11}"), error);
    ck_assert_uint_eq(labels.count, 11);
    ck_assert_str_eq(labels.names[10], "LABEL_10");
    ck_assert(labels.count_stated);
    assert_ok(read("{\"id2label\":{\"0\":\"LABEL_0\"}}"), error);
    ck_assert(!labels.named && labels.count_stated);
}

TEST(tags_are_known_by_their_names)
{
    assert_ok(read("{\"id2label\":{\"0\":\"O\",\"1\":\"I-PER\"}}"), error);
    ck_assert(labels.tagged);
    assert_ok(read("{\"id2label\":{\"0\":\"O\",\"1\":\"ORG\"}}"), error);
    ck_assert(!labels.tagged);
}

#define ONE   "\"id2label\":{\"0\":\"a\"}"
#define TWO   "\"id2label\":{\"0\":\"a\",\"1\":\"b\"}"
#define CROSS "\"sentence_transformers\":"
#define OLD   "\"sbert_ce_default_activation_function\":"

static const struct {
    const char *text;
    enum score_function function;
} functions[] = {
    {"{" ONE "}", SCORE_SIGMOID},
    {"{" TWO "}", SCORE_SOFTMAX},
    {"{" ONE ",\"problem_type\":\"regression\"}", SCORE_NONE},
    {"{" TWO ",\"problem_type\":\"regression\"}", SCORE_NONE},
    {"{" ONE ",\"problem_type\":\"single_label_classification\"}", SCORE_SIGMOID},
    {"{" TWO ",\"problem_type\":\"single_label_classification\"}", SCORE_SOFTMAX},
    {"{" TWO ",\"problem_type\":\"multi_label_classification\"}", SCORE_SIGMOID},
    {"{" TWO ",\"problem_type\":null}", SCORE_SOFTMAX},
    {"{" ONE "," CROSS "{\"activation_fn\":\"torch.nn.modules.activation.Sigmoid\"}}",
     SCORE_SIGMOID},
    {"{" ONE "," CROSS "{\"activation_fn\":\"torch.nn.modules.linear.Identity\"}}", SCORE_NONE},
    {"{" TWO "," CROSS "{\"activation_fn\":\"torch.nn.modules.activation.Sigmoid\"}}",
     SCORE_SIGMOID},
    {"{" ONE "," CROSS "{\"version\":\"4.0.1\"}}", SCORE_SIGMOID},
    {"{" TWO "," CROSS "{\"version\":\"4.0.1\"}}", SCORE_NONE},
    {"{" ONE "," OLD "\"torch.nn.modules.linear.Identity\"}", SCORE_NONE},
    {"{" ONE "," OLD "\"torch.nn.modules.linear.Identity\"," CROSS
     "{\"activation_fn\":\"torch.nn.Sigmoid\"}}",
     SCORE_SIGMOID},
    {"{" ONE ",\"problem_type\":\"regression\"," OLD "\"torch.nn.modules.activation.Sigmoid\"}",
     SCORE_SIGMOID},
};

TEST(the_function_is_that_of_the_pipelines, .times = COUNT(functions))
{
    assert_ok(read(functions[_i].text), error);
    ck_assert_str_eq(labels_function_name(labels.function),
                     labels_function_name(functions[_i].function));
}

static const struct {
    const char *text;
    enum head_task task;
} tasks[] = {
    {"{}", TASK_NONE},
    {"{\"architectures\":[]}", TASK_NONE},
    {"{\"architectures\":\"BertForTokenClassification\"}", TASK_NONE},
    {"{\"architectures\":[\"BertForMaskedLM\",\"BertForTokenClassification\"]}", TASK_NONE},
    {"{\"architectures\":[\"BertModel\"]}", TASK_NONE},
    {"{\"architectures\":[\"XLMRobertaForSequenceClassification\"]}", TASK_SEQUENCE},
    {"{\"architectures\":[\"DebertaV2ForTokenClassification\"]}", TASK_TOKENS},
    {"{\"architectures\":[\"ModernBertForQuestionAnswering\"]}", TASK_SPAN},
    {"{\"architectures\":[\"RobertaForMultipleChoice\"]}", TASK_CHOICE},
};

TEST(the_class_tells_the_task, .times = COUNT(tasks))
{
    assert_ok(read(tasks[_i].text), error);
    ck_assert_int_eq(labels.task, tasks[_i].task);
}

#define NAMES(map) "{\"id2label\":" map "}"

static const struct {
    const char *text;
    enum status status;
    const char *message;
} refusals[] = {
    {NAMES("{\"0\":\"a\",\"2\":\"b\"}"), STATUS_FORMAT,
     "expected the 2 keys of \"id2label\" to be the numbers from 0 to 1, found \"2\""},
    {NAMES("{\"0\":\"a\",\"0\":\"b\"}"), STATUS_FORMAT, "from 0 to 1, found \"0\" twice"},
    {NAMES("{\"a\":\"0\"}"), STATUS_FORMAT, "from 0 to 0, found \"a\""},
    {NAMES("{\"0\":\"a\",\"01\":\"b\"}"), STATUS_FORMAT, "found \"01\""},
    {NAMES("{\"-1\":\"a\"}"), STATUS_FORMAT, "found \"-1\""},
    {NAMES("{\"\":\"a\"}"), STATUS_FORMAT, "found \"\""},
    {NAMES("{\"99999999999999999999\":\"a\"}"), STATUS_FORMAT, "found \"99999999999999999999\""},
    {NAMES("{\"0\":\"\"}"), STATUS_FORMAT,
     "expected a name for \"0\" in \"id2label\", found an empty one"},
    {NAMES("{\"0\":3}"), STATUS_FORMAT, "found another value"},
    {NAMES("{\"0\":null}"), STATUS_FORMAT, "found another value"},
    {NAMES("{}"), STATUS_FORMAT, "expected 1 to 65536 names in \"id2label\", found 0"},
    {NAMES("[\"a\"]"), STATUS_FORMAT, "expected an object for \"id2label\""},
    {"{\"num_labels\":0}", STATUS_FORMAT, "expected \"num_labels\" from 1 to 65536, found 0"},
    {"{\"num_labels\":65537}", STATUS_LIMIT, "found 65537"},
    {"{\"num_labels\":\"3\"}", STATUS_FORMAT, "num_labels"},
    {"{\"problem_type\":\"ranking\"}", STATUS_UNSUPPORTED,
     "expected \"problem_type\" to be single_label_classification, multi_label_classification or "
     "regression, found \"ranking\""},
    {"{\"problem_type\":1}", STATUS_FORMAT, "problem_type"},
    {"{" CROSS "{\"activation_fn\":\"torch.nn.modules.activation.Tanh\"}}", STATUS_UNSUPPORTED,
     "expected \"activation_fn\" to be Identity or Sigmoid, found \"Tanh\""},
    {"{" OLD "\"own.module.Sigmoid\"}", STATUS_UNSUPPORTED, "found \"own.module.Sigmoid\""},
    {"{" CROSS "3}", STATUS_FORMAT, "expected an object for \"sentence_transformers\""},
};

TEST(whatever_would_misname_a_score_is_refused, .times = COUNT(refusals))
{
    assert_fails(read(refusals[_i].text), refusals[_i].status, refusals[_i].message, error);
    ck_assert_ptr_eq(strstr(error.message, "x/config.json: expected"), error.message);
    ck_assert_ptr_null(labels.names);
}
