/* Effects in the JSON: which answer they are on, with each kind of head, and what is refused. */
#include "model_helpers.h"
#include "schema.h"
#include "suites.h"
#include "text_helpers.h"

#include "headlight/export/export.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HEADS "tests/vectors/heads/"

static struct error error;
static enum said said; /* of --answers */

struct wish {
    const char *folder, *a, *b;
    const char *answer; /* of --answer, or NULL */
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
    assert_ok(checkpoint_open(&checkpoint, wish->folder, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, texts, wish->b ? 2 : 1, &error), error);
    assert_ok(session_compute(&session, NULL, &error), error);
    session.state.look.from = wish->token;
    session.state.look.said = said;
    FILE *stream = open_memstream(text, length);
    ck_assert_ptr_nonnull(stream);
    const enum status status = export_json(&output, stream, &error);
    fclose(stream);
    session_end(&session);
    checkpoint_close(&checkpoint);
    return status;
}

/* ---- What they are on ---- */

static const struct {
    struct wish wish;
    const char *kind, *name; /* a label, or the piece of words */
    int token, words;
} found[] = {
    {{HEADS "seq-bert", "the cat sat", NULL, "NEGATIVE", NO_TOKEN}, "classes", "NEGATIVE", -1, 3},
    {{HEADS "seq-bert", "the cat", "sat", "POSITIVE", 2}, "classes", "POSITIVE", -1, 3},
    {{HEADS "seq-bert-regression", "the cat", NULL, NULL, NO_TOKEN}, "classes", "LABEL_0", -1, 2},
    {{HEADS "ner-bert", "she said zurich", NULL, "I-LOC", 3}, "tags", "I-LOC", 3, 3},
    {{HEADS "qa-bert", "he said", "time flies", NULL, NO_TOKEN}, "span", NULL, 5, 4},
    {{HEADS "qa-bert", "he said", "time flies", "time", NO_TOKEN}, "span", "time", 4, 4},
    {{HEADS "st-bert-mean", "time flies", "the dog", NULL, NO_TOKEN},
     "similarity",
     "cosine",
     -1,
     4},
    {{HEADS "st-bert-cls", "time flies", "the dog", "cosine", 2}, "similarity", "cosine", -1, 4},
    {{TINY_FOLDER, "the [MASK] sat", NULL, "cat", NO_TOKEN}, "words", "cat", 2, 3},
    {{TINY_FOLDER, "the cat", "sat", "B does not follow A", NO_TOKEN},
     "pair",
     "B does not follow A",
     -1,
     3},
};

static void check_on(const cJSON *object, size_t i)
{
    const cJSON *token = json_member(object, "token"), *piece = json_member(object, "piece");
    ck_assert_str_eq(json_member(object, "kind")->valuestring, found[i].kind);
    ck_assert_int_eq(token ? token->valueint : -1, found[i].token);
    if (found[i].name)
        ck_assert_str_eq((piece ? piece : json_member(object, "label"))->valuestring,
                         found[i].name);
}

TEST(they_are_on_what_is_asked_for, .times = COUNT(found))
{
    const struct wish *wish = &found[_i].wish;
    char *text;
    size_t length;
    assert_ok(write_wish(wish, &text, &length), error);
    cJSON *json = export_of_text(text, length); /* held to the schema */
    const cJSON *words = json_member(json, "words"), *changes = json_member(words, "changes");
    check_on(json_member(json, "effects"), (size_t)_i);
    check_on(words, (size_t)_i);
    ck_assert_str_eq(json_member(words, "without")->valuestring, "hidden");
    ck_assert_int_eq(cJSON_GetArraySize(changes), found[_i].words);
    const bool score = strstr(wish->folder, "regression") || strstr(wish->folder, "st-");
    ck_assert((json_member(words, "probability") == NULL) == score);
    ck_assert((json_member(changes->child, "probability") == NULL) == score);
    ck_assert((json_member(words, "paired") != NULL) ==
              (wish->token != NO_TOKEN && found[_i].token < 0));
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
    said = _i == 0 ? SAID_WORDS : SAID_SENTENCE;
    assert_ok(write_wish(&wish, &text, &length), error);
    cJSON *json = export_of_text(text, length);
    const cJSON *effects = json_member(json, "effects");
    const char *kind = json_member(effects, "kind")->valuestring;
    ck_assert_str_eq(kind, _i == 0 ? "words" : "similarity");
    ck_assert_str_eq(json_member(json_member(json, "words"), "kind")->valuestring, kind);
    const cJSON *answer, *cosine = NULL;
    cJSON_ArrayForEach(
        answer, json_member(json, "answers")) if (strcmp(json_member(answer, "kind")->valuestring,
                                                         "similarity") == 0) cosine = answer;
    if (_i == 1)
        ck_assert_double_eq_tol(json_member(effects, "logprob")->valuedouble,
                                json_member(cosine, "value")->valuedouble, 1e-6);
    cJSON_Delete(json);
    free(text);
    folder_remove(&inside);
    folder_remove(&folder);
}

/* ---- What is refused ---- */

static const struct {
    struct wish wish;
    enum status status;
    const char *message;
} refused[] = {
    {{HEADS "seq-bert", "the cat", NULL, "FOO", NO_TOKEN},
     STATUS_USAGE,
     "--answer: expected NEGATIVE or POSITIVE, found \"FOO\""},
    {{HEADS "ner-bert", "the cat", NULL, "B-PER", NO_TOKEN}, STATUS_USAGE, "add --select TOKEN"},
    {{HEADS "ner-bert", "the cat", NULL, NULL, NO_TOKEN},
     STATUS_USAGE,
     "--include effects: expected a token at which the answer stands"},
    {{HEADS "qa-bert", "the cat", NULL, NULL, NO_TOKEN},
     STATUS_UNSUPPORTED,
     "--include effects: a span is of a second text, and there is one text"},
    {{HEADS "st-bert-mean", "the cat", NULL, NULL, NO_TOKEN},
     STATUS_UNSUPPORTED,
     "the model compares two texts, and there is one: a second sentence is needed"},
    {{HEADS "qa-bert", "the cat", NULL, "cat", NO_TOKEN},
     STATUS_UNSUPPORTED,
     "--answer: a span is of a second text, and there is one text"},
    {{HEADS "qa-bert", "the cat", "time flies", "cat", NO_TOKEN},
     STATUS_USAGE,
     "--answer: expected words as they stand in the second text, found \"cat\""},
    {{TINY_FOLDER, "the cat", NULL, "flours", NO_TOKEN}, STATUS_USAGE, "as the vocabulary has it"},
};

TEST(what_there_is_not_is_refused, .times = COUNT(refused))
{
    char *text;
    size_t length;
    assert_fails(write_wish(&refused[_i].wish, &text, &length), refused[_i].status,
                 refused[_i].message, error);
    free(text);
}
