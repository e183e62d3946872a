/* Effects in the JSON: which answer they are on, with each kind of head, and what is refused. */
#include "model_helpers.h"
#include "rows.h"
#include "schema.h"
#include "suites.h"
#include "text_helpers.h"

#include "headlight/export/export.h"
#include "headlight/session/request.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct error error;
static enum answers answers; /* of --asks */

struct wish {
    const char *folder, *a, *b;
    const char *answer; /* of --ask, or NULL */
    size_t token;       /* of --select */
};

static enum status write_wish(const struct wish *wish, char **text, size_t *length)
{
    const struct interventions none = {0};
    const struct text texts[] = {text_of(wish->a), text_of(wish->b)};
    struct checkpoint checkpoint;
    struct session session;
    struct output output = {
        .session = &session, .include = INCLUDE_EFFECTS | INCLUDE_WORDS, .answer = wish->answer};
    assert_ok(checkpoint_open(&checkpoint, wish->folder, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, texts, wish->b ? 2 : 1, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    session.state.look.from = wish->token;
    session.state.look.answers = answers;
    FILE *stream = open_memstream(text, length);
    ck_assert_ptr_nonnull(stream);
    const enum status status = export_json(&output, stream, &error);
    fclose(stream);
    session_end(&session);
    checkpoint_close(&checkpoint);
    return status;
}

/* ---- What they are on ---- */

static struct wish wish_of(const char *const *row)
{
    return (struct wish){row[0], row[1], *row[2] ? row[2] : NULL, *row[3] ? row[3] : NULL,
                         *row[4] == '-' ? NO_TOKEN : (size_t)atoi(row[4])};
}

static void check_on(const cJSON *object, const char *const *row)
{
    const cJSON *token = json_member(object, "token");
    ck_assert_str_eq(json_member(object, "kind")->valuestring, row[5]);
    ck_assert_int_eq(token ? token->valueint : -1, atoi(row[7]));
    if (*row[6])
        ck_assert_str_eq(json_member(object, "name")->valuestring, row[6]);
}

ROW_TEST(they_are_on_what_is_asked_for, "effects_found")
{
    const struct wish wish = wish_of(row);
    char *text;
    size_t length;
    assert_ok(write_wish(&wish, &text, &length), error);
    cJSON *json = export_of_text(text, length); /* held to the schema */
    const cJSON *words = json_member(json, "words"), *changes = json_member(words, "changes");
    check_on(json_member(json, "effects"), row);
    check_on(words, row);
    ck_assert_str_eq(json_member(words, "without")->valuestring, "hidden");
    ck_assert_int_eq(cJSON_GetArraySize(changes), atoi(row[8]));
    const bool score = strstr(wish.folder, "regression") || strstr(wish.folder, "st-");
    ck_assert((json_member(words, "probability") == NULL) == score);
    ck_assert((json_member(changes->child, "probability") == NULL) == score);
    ck_assert((json_member(words, "paired") != NULL) ==
              (wish.token != NO_TOKEN && atoi(row[7]) < 0));
    cJSON_Delete(json);
    free(text);
}

/* A masked-word model in a folder that says how sentences are pooled has two answers. The cosine's
 * effects start from the similarity that is written beside them. */
TEST(they_are_on_the_answer_that_is_chosen, .times = 2)
{
    static const char *const files[] = {"config.json", "model.safetensors", "vocab.json",
                                        "merges.txt"};
    static const char modules[] =
        "[{\"idx\":0,\"path\":\"\",\"type\":\"sentence_transformers.models.Transformer\"},"
        "{\"idx\":1,\"path\":\"Pooling\",\"type\":\"sentence_transformers.models.Pooling\"}]";
    static const char pooling[] = "{\"pooling_mode_cls_token\":true}";
    struct folder folder, inside;
    char *text;
    size_t length;
    folder_make(&folder);
    for (size_t i = 0; i < COUNT(files); i++)
        folder_copy(&folder, "tests/vectors/families/roberta", files[i]);
    folder_write(&folder, "modules.json", modules, strlen(modules));
    inside = folder_below(&folder, "Pooling");
    ck_assert_int_eq(mkdir(inside.path, 0700), 0);
    folder_write(&inside, "config.json", pooling, strlen(pooling));
    const struct wish wish = {folder.path, "time flies", "the dog", NULL, 1};
    answers = _i == 0 ? ANSWERS_WORDS : ANSWERS_SENTENCE;
    assert_ok(write_wish(&wish, &text, &length), error);
    cJSON *json = export_of_text(text, length);
    const cJSON *effects = json_member(json, "effects");
    const char *kind = json_member(effects, "kind")->valuestring;
    ck_assert_str_eq(kind, _i == 0 ? "word" : "similarity");
    ck_assert_str_eq(json_member(json_member(json, "words"), "kind")->valuestring, kind);
    if (_i == 1)
        ck_assert_double_eq_tol(json_member(effects, "logprob")->valuedouble,
                                json_member(export_answer(json, kind, 0), "value")->valuedouble,
                                1e-6);
    cJSON_Delete(json);
    free(text);
    folder_remove(&inside);
    folder_remove(&folder);
}

/* ---- What is refused ---- */

ROW_TEST(what_there_is_not_is_refused, "effects_refused")
{
    const struct wish wish = wish_of(row);
    char *text;
    size_t length;
    const enum status status = write_wish(&wish, &text, &length);
    assert_refused(status, &error, row + 5);
    free(text);
}
