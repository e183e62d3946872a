/* check_model_faults.c: memory that runs out while a checkpoint is opened, a text is tokenised and
 * a pass is computed. */
#include "faults.h"
#include "model_helpers.h"
#include "opening.h"
#include "suites.h"

#include "headlight/model/batch.h"
#include "headlight/model/checkpoint.h"
#include "headlight/text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

static struct error error;
static struct model *model;

static void load(void)
{
    assert_ok(model_open(TINY_FOLDER, NULL, &model, &error), error);
}

/* ---- Checkpoints, with their tokenizers ---- */

static struct folder shards;
static const char *source;
static struct checkpoint checkpoint;
static struct encoding *encoding;

static enum status open_and_encode(struct error *failure)
{
    static char words[6000];
    for (size_t i = 0; i + 7 < sizeof words; i += 6)
        memcpy(words + i, "t\xC3\xA9xt. ", 7);
    const struct text texts[] = {{words, strlen(words)}, {"the [MASK] \xEF\xBD\x86\xC2\xBD", 16}};
    if (checkpoint_open(&checkpoint, source, NULL, NULL, failure) != STATUS_OK)
        return failure->status;
    const enum status status =
        tokenizer_encode(checkpoint.tokenizer, texts, 2, true, &encoding, failure);
    if (status != STATUS_OK)
        checkpoint_close(&checkpoint);
    return status;
}

/* Only what is said about sentences may be lost. */
static bool is_whole(void)
{
    return strstr(source, "st-") && checkpoint.model->config.layers > 0;
}

static void close_both(void)
{
    checkpoint_close(&checkpoint);
    free(encoding);
}

TESTS(.slow = true);

#define FAMILIES "tests/vectors/families/"
static const struct {
    const char *what, *folder; /* NULL: as is made below */
    size_t stride;
} checkpoints[] = {
    {"a checkpoint", TINY_FOLDER, 3},
    {"the one in memory", "built-in", 3},
    {"matrices that are turned, and byte-level pieces", FAMILIES "gpt2", 50},
    {"parts of tensors, and a tokenizer.json", "tests/vectors/heads/seq-modernbert-mean", 50},
    {"pieces with scores, and a map of characters", FAMILIES "albert", 50},
    {"a sentence's modules", "tests/vectors/heads/st-roberta-dense", 50},
    {"halves in shards", NULL, 3},
};

TEST(a_checkpoint_is_opened_or_refused, .times = COUNT(checkpoints), .skipped = !faults_work())
{
    struct parts parts = {0};
    folder_make(&shards);
    folder_copy(&shards, TINY_FOLDER, "config.json");
    folder_copy(&shards, TINY_FOLDER, "vocab.txt");
    parts_read(&parts, TINY_FOLDER "/model.safetensors");
    parts_narrow(&parts, "BF16");
    parts_write_shards(&parts, &shards);
    parts_free(&parts);
    source = checkpoints[_i].folder ? checkpoints[_i].folder : shards.path;
    faults_try(&(struct trial){.name = checkpoints[_i].what,
                               .act = open_and_encode,
                               .end = close_both,
                               .tolerates = is_whole,
                               .stride = checkpoints[_i].stride});
    folder_remove(&shards);
}

/* ---- Passes ---- */

static const int32_t ids[] = {2, 10, 11, 12, 3, 13, 14, 3};
static const int32_t segments[] = {0, 0, 0, 0, 0, 1, 1, 1};

#define TOKENS (sizeof ids / sizeof *ids)

static struct trace *trace;
static bool with_heads;

static enum status compute(struct error *failure)
{
    if (forward_prepare(model, NULL, ids, segments, TOKENS, with_heads, &trace, failure) !=
        STATUS_OK)
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
    assert_ok(forward_prepare(model, NULL, ids, segments, TOKENS, with_heads, &other, &error),
              error);
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
    load();
    faults_try(&(struct trial){.name = "many texts", .act = compute_texts, .end = free_texts});
    assert_ok(compute_texts(&error), error);
    faults_begin(&(struct fault){.kind = FAULT_MEMORY, .nth = 1, .lasts = true});
    enum status status = compute_texts(&error); /* in the memory of those before */
    ck_assert_uint_eq(faults_end(), 0);
    ck_assert_int_eq(status, STATUS_OK);
    free_texts();
    model_free(model);
}

TEST(a_pass_is_computed_or_refused, .skipped = !faults_work())
{
    load();
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        with_heads = passes[i].with_heads;
        faults_try(&(struct trial){.name = passes[i].name, .act = compute, .end = free_trace});
        check_allocates_nothing();
    }
    model_free(model);
}
