/* What checkpoints of each class answer, against Hugging Face's own code: the logits of classifiers
 * of texts and of tokens and of question answering, in both precisions. */
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

#define HEADS "tests/vectors/heads/"

/* Four times what single precision differs by in Hugging Face's code itself. */
#define TOLERANCE 2e-4

static struct error error;

static const char *const folders[] = {
    "seq-bert",
    "seq-bert-crossencoder",
    "seq-bert-multilabel",
    "seq-bert-nolabels",
    "seq-bert-regression",
    "seq-roberta",
    "seq-xlmr",
    "seq-distilbert",
    "seq-albert",
    "seq-electra",
    "seq-deberta",
    "seq-mpnet",
    "seq-modernbert-cls",
    "seq-modernbert-mean",
    "ner-bert",
    "ner-roberta",
    "ner-xlmr",
    "ner-distilbert",
    "ner-albert",
    "ner-electra",
    "ner-deberta",
    "ner-mpnet",
    "ner-modernbert",
    "qa-bert",
    "qa-roberta",
    "qa-distilbert",
    "qa-electra",
    "qa-deberta",
    "qa-albert",
    "qa-modernbert",
};
#define FOLDERS (sizeof folders / sizeof *folders)

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

static void check_case(const struct model *model, const char *folder, const cJSON *one)
{
    static const char *const outputs[] = {"logits", "start_logits", "end_logits"};
    struct trace *trace = recorded_prepare(model, one, true);
    struct mapping mapping;
    struct safetensors *file;
    char path[256];
    size_t count = 0;
    snprintf(path, sizeof path, HEADS "%s/%s.safetensors", folder, one->string);
    assert_ok(mapping_open(&mapping, path, &error), error);
    assert_ok(safetensors_parse(mapping.bytes, mapping.size, path, &file, &error), error);
    for (int precision = PRECISION_SINGLE; precision <= PRECISION_DOUBLE; precision++) {
        trace->computed = (struct computed){0};
        assert_ok(forward_run(model, NULL, (enum precision)precision, NULL, trace, &error), error);
        for (size_t i = 0; i < 3; i++)
            count += check_output(file, trace, outputs[i], path);
    }
    ck_assert_uint_ge(count, 2);
    safetensors_free(file);
    mapping_close(&mapping);
    free(trace);
}

START_TEST(logits_are_those_of_hugging_face)
{
    char folder[128];
    struct model *model;
    snprintf(folder, sizeof folder, HEADS "%s", folders[_i]);
    assert_ok(model_open(folder, NULL, &model, &error), error);
    ck_assert_str_eq(model_note(model), "");
    cJSON *cases = recorded_object(folder, "cases.json"), *one;
    cJSON_ArrayForEach(one, json_member(cases, "cases")) check_case(model, folders[_i], one);
    cJSON_Delete(cases);
    model_free(model);
}
END_TEST

Suite *suite_model_heads(void)
{
    Suite *suite = suite_create("model/heads");
    TCase *vectors = tcase_create("vectors");
    tcase_add_loop_test(vectors, logits_are_those_of_hugging_face, 0, (int)FOLDERS);
    suite_add_tcase(suite, vectors);
    return suite;
}
