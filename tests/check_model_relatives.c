/* Of which family a checkpoint is: its relatives, and by hand. The arithmetic is
 * that of the family's own checkpoint, whose numbers are checked elsewhere: so each relative made
 * of its tensors must give the same, to the bit. */
#include "family_helpers.h"
#include "model_helpers.h"
#include "opening.h"
#include "recorded.h"
#include "rows.h"
#include "suites.h"

#include "headlight/base/file.h"
#include "headlight/model/checkpoint.h"
#include "headlight/model/forward.h"
#include "headlight/model/weights.h"
#include "headlight/text/encoding.h"

#include <stdlib.h>
#include <string.h>

static struct folder folder;
static struct error error;
static struct model *model;

static void begin(void)
{
    folder_make(&folder);
    model = NULL;
}

static void end(void)
{
    model_free(model);
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

static void write_text(const char *name, const char *text)
{
    folder_write(&folder, name, text, strlen(text));
}

/* The family's config.json with `members` in place of model_type and architectures. */
static void write_config(const char *family, const char *members)
{
    char *path = family_path(family, "config.json"), *text;
    size_t length;
    cJSON *object;
    assert_ok(file_read(path, 1 << 20, &text, &length, &error), error);
    assert_ok(json_parse_object(text, length, path, &object, &error), error);
    cJSON_DeleteItemFromObject(object, "model_type");
    cJSON_DeleteItemFromObject(object, "architectures");
    free(text);
    free(path);
    char *rest = cJSON_PrintUnformatted(object),
         *whole = malloc(strlen(rest) + strlen(members) + 2);
    ck_assert_ptr_nonnull(whole);
    sprintf(whole, "%.*s%s%s}", (int)strlen(rest) - 1, rest, *members ? "," : "", members);
    write_text("config.json", whole);
    cJSON_Delete(object);
    free(rest);
    free(whole);
}

static enum status open_as(const char *type)
{
    model_free(model);
    model = NULL;
    return model_open_as(folder.path, type, NULL, &model, &error);
}

/* The last layer of a pass over the family's first recorded case. */
static float *last_layer(const char *family, const struct model *with,
                         const struct interventions *changes, size_t *size)
{
    cJSON *cases = family_cases(family);
    struct trace *trace = recorded_prepare(with, cases->child, true);
    assert_ok(forward_run(with, changes, NULL, trace, &error), error);
    const struct trace_tensor tensor = trace_layer_tensor(trace, trace->layers - 1, "output");
    *size = trace->tokens * with->config.hidden * sizeof(float);
    float *numbers = malloc(*size);
    ck_assert_ptr_nonnull(numbers);
    memcpy(numbers, tensor.numbers, *size);
    free(trace);
    cJSON_Delete(cases);
    return numbers;
}

static void assert_same_pass(const char *family, const struct interventions *changes)
{
    struct model *own = family_open(family);
    size_t sizes[2];
    float *expected = last_layer(family, own, changes, &sizes[0]);
    float *found = last_layer(family, model, NULL, &sizes[1]);
    ck_assert_uint_eq(sizes[0], sizes[1]);
    ck_assert_mem_eq(expected, found, sizes[0]);
    free(expected);
    free(found);
    model_free(own);
}

/* ---- By name ---- */

static void write_weights(const char *family, const char *from, const char *to)
{
    struct parts parts = {0};
    char *path = family_path(family, "model.safetensors");
    parts_read(&parts, path);
    if (strcmp(from, to) != 0)
        parts_rename(&parts, from, to);
    parts_write(&parts, 0, parts.count, 0, &folder, "model.safetensors");
    parts_free(&parts);
    free(path);
}

ROW_TEST(a_relative_computes_what_its_family_does, "relatives")
{
    write_config(row[0], row[1]);
    write_weights(row[0], row[2], row[3]);
    assert_ok(open_as(NULL), error);
    ck_assert_str_eq(model->config.family->name, row[4]);
    assert_same_pass(row[0], NULL);
}

TEST(the_encoder_of_bert_generation_has_no_segments)
{
    const struct interventions changes = {.no_segments = true};
    struct parts parts = {0};
    char *path = family_path("minilm", "model.safetensors");
    parts_read(&parts, path);
    parts_drop(&parts, "embeddings.token_type_embeddings.weight");
    parts_write(&parts, 0, parts.count, 0, &folder, "model.safetensors");
    parts_free(&parts);
    free(path);
    write_config("minilm", "\"architectures\":[\"BertGenerationEncoder\"]");
    assert_ok(open_as(NULL), error);
    ck_assert_str_eq(model->config.family->name, "BertGeneration");
    ck_assert_uint_eq(model->config.segments, 0);
    assert_same_pass("minilm", &changes);
}

ROW_TEST(what_computes_otherwise_is_refused, "relatives_refused")
{
    write_config("minilm", row[0]);
    write_weights("minilm", "x", "x");
    const enum status status = open_as(NULL);
    assert_refused(status, &error, row + 1);
}

/* ---- By hand ---- */

TEST(the_family_may_be_said_by_hand)
{
    struct checkpoint checkpoint;
    write_config("roberta", "\"model_type\":\"nobodys\",\"architectures\":[\"NobodysModel\"]");
    write_weights("roberta", "roberta.", "nobodys.text_model.");
    assert_fails(open_as(NULL), STATUS_UNSUPPORTED, "found \"nobodys\"", error);
    assert_ok(open_as("roberta"), error);
    assert_same_pass("roberta", NULL);
    assert_ok(open_as("camembert"), error);
    assert_same_pass("roberta", NULL);
    assert_fails(open_as("mpnet"), STATUS_MISMATCH, "relative_attention_bias", error);
    assert_fails(open_as("distilbert"), STATUS_FORMAT, "is it a configuration of DistilBERT?",
                 error);
    folder_copy(&folder, "tests/vectors/families/roberta", "vocab.json");
    folder_copy(&folder, "tests/vectors/families/roberta", "merges.txt");
    assert_ok(checkpoint_open(&checkpoint, folder.path, "roberta", NULL, &error), error);
    ck_assert_int_eq(tokenizer_find(checkpoint.tokenizer, "<mask>"),
                     tokenizer_mask(checkpoint.tokenizer));
    checkpoint_close(&checkpoint);
}

TEST(every_type_is_a_family_by_hand)
{
    const char *type;
    size_t count = 0;
    for (; (type = family_type(count)); count++)
        assert_ok(family_check(type, &error), error);
    ck_assert_uint_eq(count, 34);
    assert_fails(family_check("RoBERTa", &error), STATUS_USAGE,
                 "bert-generation or dpr, found \"RoBERTa\" (did you mean \"roberta\"?)", error);
    assert_fails(family_check("nezha", &error), STATUS_USAGE, "found \"nezha\"", error);
}

/* ---- Where nothing says it ---- */

static const struct {
    const char *family, *members, *part; /* NULL: a BERT */
} unsaid[] = {
    {"minilm", "", NULL},
    {"minilm", "\"architectures\":[\"NobodysModel\"]", "found \"NobodysModel\", which"},
    {"roberta", "", "expected a \"model_type\", found none: say which family it is with --family"},
};

TEST(what_says_nothing_is_a_bert_unless_its_padding_is_anothers, .times = COUNT(unsaid))
{
    write_config(unsaid[_i].family, unsaid[_i].members);
    write_weights(unsaid[_i].family, "x", "x");
    if (unsaid[_i].part) {
        assert_fails(open_as(NULL), STATUS_UNSUPPORTED, unsaid[_i].part, error);
        return;
    }
    assert_ok(open_as(NULL), error);
    assert_same_pass(unsaid[_i].family, NULL);
}

/* ---- CamemBERT's tokenizer ---- */

/* XLM-RoBERTa's model has its special tokens as pieces 0 to 2: here the ids of all but the first
 * are 4 more than their places, those of XLM-RoBERTa's own tokenizer 1 more. */
TEST(camembert_numbers_the_same_pieces_otherwise)
{
    static const char *const own[] = {"<s>NOTUSED",   "<pad>", "</s>NOTUSED", "<unk>",
                                      "<unk>NOTUSED", "<s>",   "</s>"};
    struct text text = {"Alles ist neu <mask>.", 21};
    struct tokenizer *tokenizers[2];
    folder_copy(&folder, "tests/vectors/families/xlm-roberta", "sentencepiece.bpe.model");
    assert_ok(tokenizer_open(folder.path, &family_xlm_roberta.tokenizer, &tokenizers[0], &error),
              error);
    assert_ok(tokenizer_open(folder.path, &family_of_type("camembert")->tokenizer, &tokenizers[1],
                             &error),
              error);
    ck_assert_uint_eq(tokenizer_size(tokenizers[1]), tokenizer_size(tokenizers[0]) + 3);
    for (int i = 0; i < COUNT(own); i++)
        ck_assert_str_eq(tokenizer_piece(tokenizers[1], i), own[i]);
    struct encoding *xlm, *camembert;
    assert_ok(tokenizer_encode(tokenizers[0], &text, 1, true, &xlm, &error), error);
    assert_ok(tokenizer_encode(tokenizers[1], &text, 1, true, &camembert, &error), error);
    ck_assert_uint_eq(xlm->count, camembert->count);
    ck_assert_int_eq(camembert->tokens[0].id, 5);
    ck_assert_int_eq(camembert->tokens[camembert->count - 1].id, 6);
    for (size_t i = 1; i + 1 < xlm->count; i++) {
        const int32_t id = xlm->tokens[i].id;
        ck_assert_int_eq(camembert->tokens[i].id, id == 3 ? 3 : id + 3);
    }
    free(xlm);
    free(camembert);
    tokenizer_free(tokenizers[0]);
    tokenizer_free(tokenizers[1]);
}
