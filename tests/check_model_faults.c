/* check_model_faults.c: memory that runs out while a checkpoint is loaded, a text is tokenised and
 * a pass is computed. */
#include "faults.h"
#include "model_helpers.h"
#include "opening.h"
#include "suites.h"

#include "headlight/model/batch.h"
#include "headlight/model/family.h"
#include "headlight/text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#define FAMILIES "tests/vectors/families/"

static struct error error;
static struct model *model;

/* ---- Checkpoints ---- */

static const char *source;

static enum status load(struct error *failure)
{
    return model_open(source, NULL, &model, failure);
}

static void unload(void)
{
    model_free(model);
}

static void try_loading(const char *name, const char *folder)
{
    source = folder;
    faults_try(&(struct trial){.name = name, .act = load, .end = unload, .stride = 3});
}

TESTS(.slow = true);

TEST(a_checkpoint_is_loaded_or_refused, .skipped = !faults_work())
{
    struct folder folder;
    struct parts parts = {0};
    try_loading("load a checkpoint", TINY_FOLDER);
    try_loading("load a checkpoint whose matrices are turned", FAMILIES "gpt2");
    try_loading("load a checkpoint of parts of tensors", FAMILIES "modernbert");
    try_loading("load a checkpoint with a convolution", FAMILIES "deberta-v2-conv");
    try_loading("load a checkpoint of sentences", "tests/vectors/heads/st-roberta-dense");
    folder_make(&folder);
    folder_copy(&folder, TINY_FOLDER, "config.json");
    parts_read(&parts, TINY_FOLDER "/model.safetensors");
    parts_narrow(&parts, "BF16");
    parts_write_shards(&parts, &folder);
    try_loading("load a checkpoint of halves in shards", folder.path);
    parts_free(&parts);
    folder_remove(&folder);
}

static char *config_text, *weights_text;
static size_t config_length, weights_length;

static enum status load_ranges(struct error *failure)
{
    return model_from_memory("name", config_text, config_length, weights_text, weights_length,
                             &model, failure);
}

TEST(a_checkpoint_in_memory_is_loaded_or_refused, .skipped = !faults_work())
{
    assert_ok(file_read(TINY_FOLDER "/config.json", 1 << 20, &config_text, &config_length, &error),
              error);
    assert_ok(file_read(TINY_FOLDER "/model.safetensors", 1 << 24, &weights_text, &weights_length,
                        &error),
              error);
    faults_try(&(struct trial){
        .name = "load a checkpoint from memory", .act = load_ranges, .end = unload});
    free(config_text);
    free(weights_text);
}

/* ---- Texts ---- */

static struct tokenizer *tokenizer;
static struct encoding *encoding;
static char *pieces, *rules;
static size_t pieces_length, rules_length;

static enum status make_tokenizer(struct error *failure)
{
    return tokenizer_of_vocabulary(&family_bert.tokenizer, (struct text){pieces, pieces_length},
                                   (struct text){rules, rules_length}, &tokenizer, failure);
}

static void free_tokenizer(void)
{
    tokenizer_free(tokenizer);
}

static enum status tokenise(struct error *failure)
{
    static char words[6000];
    for (size_t i = 0; i + 7 < sizeof words; i += 6)
        memcpy(words + i, "t\xC3\xA9xt. ", 7);
    const struct text texts[] = {{words, strlen(words)}, {"the [MASK] cat", 14}};
    return tokenizer_encode(tokenizer, texts, 2, true, &encoding, failure);
}

static void free_encoding(void)
{
    free(encoding);
}

TEST(a_text_is_tokenised_or_refused, .skipped = !faults_work())
{
    assert_ok(file_read(TINY_FOLDER "/vocab.txt", 1 << 20, &pieces, &pieces_length, &error), error);
    assert_ok(
        file_read(TINY_FOLDER "/tokenizer_config.json", 1 << 20, &rules, &rules_length, &error),
        error);
    faults_try(
        &(struct trial){.name = "make a tokenizer", .act = make_tokenizer, .end = free_tokenizer});
    assert_ok(make_tokenizer(&error), error);
    faults_try(&(struct trial){.name = "tokenise", .act = tokenise, .end = free_encoding});
    free_tokenizer();
    free(pieces);
    free(rules);
}

/* ---- Passes ---- */

static const int32_t ids[] = {2, 10, 11, 12, 3, 13, 14, 3};
static const int32_t segments[] = {0, 0, 0, 0, 0, 1, 1, 1};

#define TOKENS (sizeof ids / sizeof *ids)

static struct trace *trace;
static bool with_heads;

static enum status compute(struct error *failure)
{
    if (forward_prepare(model, ids, segments, TOKENS, with_heads, &trace, failure) != STATUS_OK)
        return failure->status;
    return forward_run(model, NULL, NULL, trace, failure);
}

static void free_trace(void)
{
    free(trace);
}

static const struct {
    const char *name;
    bool with_heads;
} passes[] = {{"a pass", false}, {"a pass, with the model's heads", true}};

/* Once its trace is there a pass allocates nothing, nor does taking over another one's layers. */
static void check_allocates_nothing(void)
{
    struct trace *other;
    assert_ok(compute(&error), error);
    assert_ok(forward_prepare(model, ids, segments, TOKENS, with_heads, &other, &error), error);
    faults_begin(&(struct fault){.kind = FAULT_MEMORY, .nth = 1, .lasts = true});
    forward_adopt(trace, NULL, other);
    enum status status = forward_run(model, NULL, NULL, other, &error);
    ck_assert_uint_eq(faults_end(), 0);
    ck_assert_int_eq(status, STATUS_OK);
    ck_assert_mem_eq(other->layer[other->layers - 1].output, trace->layer[trace->layers - 1].output,
                     TOKENS * trace->hidden * sizeof(float));
    free(other);
    free(trace);
}

static struct batch batch;

static enum status compute_texts(struct error *failure)
{
    const struct batch_text texts[] = {
        {.name = "one", .ids = ids, .segments = segments, .tokens = TOKENS},
        {.name = "two", .ids = ids, .tokens = 3}};
    batch.model = model;
    return batch_run(&batch, texts, 2, failure);
}

static void free_texts(void)
{
    batch_free(&batch);
}

TEST(texts_are_computed_or_refused, .skipped = !faults_work())
{
    source = TINY_FOLDER;
    assert_ok(load(&error), error);
    faults_try(&(struct trial){.name = "many texts", .act = compute_texts, .end = free_texts});
    assert_ok(compute_texts(&error), error);
    faults_begin(&(struct fault){.kind = FAULT_MEMORY, .nth = 1, .lasts = true});
    enum status status = compute_texts(&error); /* in the memory of those before */
    ck_assert_uint_eq(faults_end(), 0);
    ck_assert_int_eq(status, STATUS_OK);
    free_texts();
    unload();
}

TEST(a_pass_is_computed_or_refused, .skipped = !faults_work())
{
    source = TINY_FOLDER;
    assert_ok(load(&error), error);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        with_heads = passes[i].with_heads;
        faults_try(&(struct trial){.name = passes[i].name, .act = compute, .end = free_trace});
        check_allocates_nothing();
    }
    unload();
}
