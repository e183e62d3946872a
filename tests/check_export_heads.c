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

/* What the pipeline calls it, and what its rows are called here. */
static const struct {
    const char *theirs, *kind;
} parts[] = {{"default", "class"}, {"none", "tag"}, {"simple", "group"}, {"top3", "span"}};

/* Their members, and ours. */
static const char *const members[][2] = {
    {"label", "name"},        {"score", "value"}, {"entity", "name"},
    {"entity_group", "name"}, {"index", "token"}, {"word", "text"},
    {"answer", "text"},       {"start", "start"}, {"end", "end"},
};

/* The same texts, and numbers as near as the reference's own are. */
static void expect_row(const cJSON *expected, const cJSON *row, const char *where)
{
    ck_assert_msg(row != NULL, "%s: nothing for %d", where, cJSON_GetArraySize(expected));
    size_t found = 0;
    for (size_t i = 0; i < COUNT(members); i++) {
        const cJSON *one = json_member(expected, members[i][0]);
        const cJSON *ours = json_member(row, members[i][1]);
        if (!one)
            continue;
        ck_assert_msg(ours && ours->type == one->type, "%s: %s", where, members[i][1]);
        if (cJSON_IsString(one))
            ck_assert_str_eq(ours->valuestring, one->valuestring);
        else
            ck_assert_double_eq_tol(ours->valuedouble, one->valuedouble, TOLERANCE);
        found++;
    }
    ck_assert_uint_eq(found, (size_t)cJSON_GetArraySize(expected));
}

static size_t check_case(const struct checkpoint *checkpoint, const cJSON *one, const char *folder)
{
    const cJSON *b = json_member(one, "b"), *expected = json_member(one, "expected"), *row;
    cJSON *json = export_texts(checkpoint, json_member(one, "a")->valuestring,
                               b ? b->valuestring : NULL, NULL);
    char where[128];
    size_t checked = 0;
    snprintf(where, sizeof where, "%s/%s", folder, one->string);
    for (size_t i = 0; i < COUNT(parts); i++) {
        const cJSON *theirs = json_member(expected, parts[i].theirs);
        size_t place = 0;
        if (!theirs || !export_answer(json, parts[i].kind, 0))
            continue;
        cJSON_ArrayForEach(row, theirs)
            expect_row(row, export_answer(json, parts[i].kind, place++), where);
        row = export_answer(json, parts[i].kind, place); /* no more, but that there is no answer */
        ck_assert(!row || cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(row, "name")));
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
    const cJSON *rows = json_member(json, "answers");
    const cJSON *last = cJSON_GetArrayItem(rows, cJSON_GetArraySize(rows) - 1);
    ck_assert_int_eq(json_member(last, "sentence")->valueint, 1);
    ck_assert_ptr_nonnull(export_answer(json_member(json, "against"), "class", 0));
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

/* The examples of numbers.md, a row of each kind: a model says one with the same members. */
TEST(the_rows_of_the_docs_are_written)
{
    static const struct {
        const char *kind, *folder, *a, *b;
    } kinds[] = {
        {"class", "heads/seq-bert", "the cat sat", NULL},
        {"tag", "heads/ner-bert", "she said zurich", NULL},
        {"group", "heads/ner-bert", "she said zurich", NULL},
        {"span", "heads/qa-bert", "what sat", "the cat sat on the mat"},
        {"word", "tiny-bert", "the [MASK] sat", NULL},
        {"replaced", "families/electra-discriminator", "the cat", NULL},
        {"pair", "tiny-bert", "the cat", "sat"},
        {"similarity", "heads/st-bert-mean", "the cat", "sat"},
        {"part", "heads/st-bert-mean", "the cat", "sat"},
    };
    char *page, *row;
    size_t length;
    assert_ok(file_read("assets/docs/numbers.md", 1 << 20, &page, &length, &error), error);
    char *rest = strstr(page, "```json\n{\"kind\"");
    strsep(&rest, "\n");
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct checkpoint checkpoint;
        char path[128];
        snprintf(path, sizeof path, "tests/vectors/%s", kinds[i].folder);
        assert_ok(checkpoint_open(&checkpoint, path, NULL, NULL, &error), error);
        cJSON *json = export_texts(&checkpoint, kinds[i].a, kinds[i].b, NULL);
        cJSON *told = cJSON_Parse(row = strsep(&rest, "\n"));
        const cJSON *ours = export_answer(json, kinds[i].kind, 0)->child;
        ck_assert_msg(told && strcmp(told->child->valuestring, kinds[i].kind) == 0, "%s", row);
        for (const cJSON *one = told->child; one || ours; one = one->next, ours = ours->next)
            ck_assert_msg(one && ours && strcmp(one->string, ours->string) == 0, "%s", row);
        cJSON_Delete(told);
        cJSON_Delete(json);
        checkpoint_close(&checkpoint);
    }
    ck_assert_str_eq(strsep(&rest, "\n"), "```");
    free(page);
}
