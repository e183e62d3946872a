/* What checkpoints with heads of tasks answer, from text to JSON: vectors/heads. */
#include "family_helpers.h"
#include "model_helpers.h"
#include "recorded.h"
#include "schema.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 2e-5

static struct error error;

static cJSON *export_texts(const struct checkpoint *checkpoint, const char *a, const char *b,
                           const struct checkpoint *against)
{
    session_anew_on_texts(checkpoint, against, a, b);
    cJSON *json = export_made(&(struct output){.session = &session});
    end_session();
    return json;
}

/* The same names, texts and order, and numbers as near as the reference's own are. */
static void expect_same(const cJSON *expected, const cJSON *found, const char *where)
{
    ck_assert_msg(found != NULL, "%s: nothing for %s", where, expected->string);
    ck_assert_msg(expected->type == found->type, "%s: type of %s", where, expected->string);
    ck_assert_msg(cJSON_GetArraySize(expected) == cJSON_GetArraySize(found), "%s: %d of %s, not %d",
                  where, cJSON_GetArraySize(found), expected->string, cJSON_GetArraySize(expected));
    if (cJSON_IsString(expected))
        ck_assert_msg(strcmp(expected->valuestring, found->valuestring) == 0,
                      "%s: \"%s\", not \"%s\"", where, found->valuestring, expected->valuestring);
    if (cJSON_IsNumber(expected))
        ck_assert_msg(fabs(expected->valuedouble - found->valuedouble) <= TOLERANCE,
                      "%s: %s %g, not %g", where, expected->string, found->valuedouble,
                      expected->valuedouble);
    const cJSON *item = found->child;
    for (const cJSON *one = expected->child; one; one = one->next) {
        expect_same(one, cJSON_IsObject(expected) ? json_member(found, one->string) : item, where);
        item = item->next;
    }
}

/* What the pipeline calls it, and where it is here. */
static const struct {
    const char *theirs, *kind, *member;
} parts[] = {
    {"default", "classes", "scores"},
    {"none", "tags", "tokens"},
    {"simple", "tags", "groups"},
    {"top3", "span", "best"},
};

static size_t check_case(const struct checkpoint *checkpoint, const cJSON *one, const char *folder)
{
    const cJSON *b = json_member(one, "b"), *expected = json_member(one, "expected");
    cJSON *json = export_texts(checkpoint, json_member(one, "a")->valuestring,
                               b ? b->valuestring : NULL, NULL);
    char where[128];
    size_t checked = 0;
    snprintf(where, sizeof where, "%s/%s", folder, one->string);
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "answers")), 1);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const cJSON *answer = export_answer(json, parts[i].kind);
        if (!answer || !json_member(expected, parts[i].theirs))
            continue;
        expect_same(json_member(expected, parts[i].theirs), json_member(answer, parts[i].member),
                    where);
        checked++;
    }
    cJSON_Delete(json);
    return checked;
}

static void open_heads(struct checkpoint *checkpoint, const char *folder)
{
    char path[128];
    snprintf(path, sizeof path, HEAD_FOLDER "%s", folder);
    assert_ok(checkpoint_open(checkpoint, path, NULL, NULL, &error), error);
}

TEST(answers_are_those_of_the_pipelines, .times = HEADS)
{
    struct checkpoint checkpoint;
    char path[128];
    open_heads(&checkpoint, head_names[_i]);
    snprintf(path, sizeof path, HEAD_FOLDER "%s", head_names[_i]);
    cJSON *all = recorded_object(path, "cases.json");
    for (const cJSON *one = json_member(all, "cases")->child; one; one = one->next)
        ck_assert_uint_eq(check_case(&checkpoint, one, head_names[_i]),
                          head_names[_i][0] == 'n' ? 2 : 1);
    cJSON_Delete(all);
    checkpoint_close(&checkpoint);
}

/* The other side says what its own head does, and both tell of two texts which one a place is in.
 */
TEST(the_other_model_answers_too)
{
    struct checkpoint tagger, classifier;
    open_heads(&tagger, "ner-bert");
    open_heads(&classifier, "seq-bert");
    cJSON *json = export_texts(&tagger, "she said", "he sat", &classifier);
    const cJSON *tokens = json_member(export_answer(json, "tags"), "tokens");
    const cJSON *last = cJSON_GetArrayItem(tokens, cJSON_GetArraySize(tokens) - 1);
    ck_assert_int_eq(json_member(last, "sentence")->valueint, 1);
    ck_assert_ptr_nonnull(export_answer(json_member(json, "against"), "classes"));
    cJSON_Delete(json);
    checkpoint_close(&tagger);
    checkpoint_close(&classifier);
}

TEST(a_question_alone_has_no_answer)
{
    struct checkpoint checkpoint;
    open_heads(&checkpoint, "qa-bert");
    cJSON *json = export_texts(&checkpoint, "what sat", NULL, NULL);
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "answers")), 0);
    ck_assert_str_eq(json_member(json, "silent")->valuestring,
                     "expected a question and a text that answers it, found one text");
    cJSON_Delete(json);
    checkpoint_close(&checkpoint);
}
