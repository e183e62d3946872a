/* What config.json says about a classifier's outputs, and what is refused. */
#include "headlight/model/labels.h"

#include "headlight/model/family_entries.h"
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"

#include <string.h>

static struct error error;
static struct labels labels;

static enum status read(const char *text)
{
    cJSON *object;
    assert_ok(json_parse_object(text, strlen(text), "x/config.json", &object, &error), error);
    labels_free(&labels);
    const struct json_reader in = json_reader(object, "x/config.json", &error);
    enum status status = labels_read(&in, &labels);
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

ROW_TEST(the_function_is_that_of_the_pipelines, "labels_functions")
{
    assert_ok(read(row[0]), error);
    ck_assert_str_eq(score_names[labels.function], row[1]);
}

ROW_TEST(the_class_tells_the_task, "labels_tasks")
{
    static const char *const tasks[] = {"none", "sequence", "tokens", "span", "choice"};
    assert_ok(read(row[0]), error);
    ck_assert_str_eq(tasks[labels.task], row[1]);
}

ROW_TEST(whatever_would_misname_a_score_is_refused, "labels")
{
    const enum status status = read(row[0]);
    assert_refused(status, &error, row + 1);
    ck_assert_ptr_eq(strstr(error.message, "x/config.json: expected"), error.message);
    ck_assert_ptr_null(labels.names);
}
