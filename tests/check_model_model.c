/* The same checkpoint in its many forms gives the same numbers. */
#include "headlight/model/forward.h"
#include "headlight/model/weights.h"
#include "model_helpers.h"
#include "opening.h"
#include "suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct folder folder;
static struct parts parts;

static void take_apart(void)
{
    parts_take_tiny(&parts, &folder);
}

static void clean_up(void)
{
    parts_free(&parts);
    folder_remove(&folder);
}

TESTS(.begin = take_apart, .end = clean_up);

static void write_all(size_t shift)
{
    parts_write(&parts, 0, parts.count, shift, &folder, "model.safetensors");
}

/* ---- The same numbers --------------------------------------------------------------------- */

static struct trace *run_model(const struct model *model)
{
    const int32_t ids[] = {2, 78, 79, 80, 81, 82, 3, 83, 84, 3};
    const int32_t segments[] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1};
    struct trace *trace;
    assert_ok(forward_prepare(model, NULL, ids, segments, 10, true, &trace, &error), error);
    assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
    return trace;
}

static struct trace *run_folder(const char *path)
{
    struct model *model;
    assert_ok(model_open(path, NULL, &model, &error), error);
    struct trace *trace = run_model(model);
    model_free(model);
    return trace;
}

static void assert_same_numbers(const float *a, const float *b, size_t count, const char *name)
{
    if (memcmp(a, b, count * sizeof *a) != 0)
        ck_abort_msg("%s differs", name);
}

/* Every bit. Whatever a trace holds goes into layers' outputs or is one of these. */
static void assert_same_trace(struct trace *a, struct trace *b)
{
    size_t T = a->tokens, H = a->hidden;
    assert_same_numbers(a->embedding, b->embedding, T * H, "embedding");
    for (size_t l = 0; l < a->layers; l++) {
        const struct layer_trace *x = &a->layer[l], *y = &b->layer[l];
        assert_same_numbers(x->query.data, y->query.data, T * 3 * H, "query, key, value");
        assert_same_numbers(x->scores, y->scores, a->heads * T * T, "scores");
        assert_same_numbers(x->output, y->output, T * H, "output");
    }
    assert_same_numbers(a->outputs[OUTPUT_MLM], b->outputs[OUTPUT_MLM], T * a->vocabulary,
                        "mlm_logits");
    assert_same_numbers(a->outputs[OUTPUT_NSP], b->outputs[OUTPUT_NSP], 2, "nsp_logits");
    free(a);
    free(b);
}

TEST(names_without_prefix_are_the_same)
{
    parts_rename(&parts, "bert.", "");
    write_all(0);
    assert_same_trace(run_folder(folder.path), run_folder(TINY_FOLDER));
}

TEST(gamma_and_beta_are_the_same)
{
    parts_rename(&parts, "LayerNorm.weight", "LayerNorm.gamma");
    parts_rename(&parts, "LayerNorm.bias", "LayerNorm.beta");
    write_all(0);
    assert_same_trace(run_folder(folder.path), run_folder(TINY_FOLDER));
}

TEST(misaligned_numbers_are_the_same)
{
    for (size_t shift = 1; shift < 8; shift++) {
        write_all(shift);
        assert_same_trace(run_folder(folder.path), run_folder(TINY_FOLDER));
    }
}

TEST(shards_are_the_same)
{
    parts_write_shards(&parts, &folder);
    assert_same_trace(run_folder(folder.path), run_folder(TINY_FOLDER));
}

TEST(memory_is_the_same)
{
    struct mapping config, tensors;
    struct model *model;
    assert_ok(mapping_open(&config, TINY_FOLDER "/config.json", &error), error);
    assert_ok(mapping_open(&tensors, TINY_FOLDER "/model.safetensors", &error), error);
    assert_ok(model_from_memory("built-in", config.bytes, config.size, tensors.bytes, tensors.size,
                                &model, &error),
              error);
    assert_same_trace(run_model(model), run_folder(TINY_FOLDER));
    model_free(model);
    assert_fails(
        model_from_memory("built-in", config.bytes, config.size, tensors.bytes, 7, &model, &error),
        STATUS_FORMAT, "built-in/model.safetensors: expected", error);
    mapping_close(&config);
    mapping_close(&tensors);
}

/* As `cat config.json one.safetensors two.safetensors | sha256sum` has it, whatever names the index
 * has first. */
TEST(the_digest_is_that_of_the_files, .times = 2)
{
    static const char *const shards[] = {"config.json", "one.safetensors", "two.safetensors"};
    static const char *const whole[] = {"config.json", "model.safetensors"};
    char expected[SHA256_DIGITS + 1], digest[SHA256_DIGITS + 1];
    struct sha256_ctx hash;
    struct model *model;
    _i == 0 ? write_all(0) : parts_write_shards(&parts, &folder);
    assert_ok(model_open(folder.path, NULL, &model, &error), error);
    model_digest(model, digest);
    model_free(model);
    sha256_init(&hash);
    for (int i = 0; i < 2 + _i; i++) {
        struct mapping mapping;
        char *path = in_folder(&folder, (_i == 0 ? whole : shards)[i]);
        assert_ok(mapping_open(&mapping, path, &error), error);
        sha256_update(&hash, mapping.size, mapping.bytes);
        mapping_close(&mapping);
        free(path);
    }
    sha256_write(&hash, expected);
    ck_assert_str_eq(digest, expected);
}

TEST(halves_are_the_floats_they_stand_for, .times = 2)
{
    parts_narrow(&parts, _i == 0 ? "F16" : "BF16");
    write_all(_i == 0 ? 0 : 1);
    struct trace *halves = run_folder(folder.path);
    parts_widen(&parts);
    write_all(1);
    assert_same_trace(halves, run_folder(folder.path));
}

TEST(weights_are_used_where_they_lie)
{
    struct mapping config, tensors;
    struct model *model;
    assert_ok(mapping_open(&config, TINY_FOLDER "/config.json", &error), error);
    assert_ok(mapping_open(&tensors, TINY_FOLDER "/model.safetensors", &error), error);
    assert_ok(model_from_memory("built-in", config.bytes, config.size, tensors.bytes, tensors.size,
                                &model, &error),
              error);
    const struct weights *weights = &model->weights;
    const unsigned char *first = tensors.bytes, *last = tensors.bytes + tensors.size;
    const struct matrix *words = &weights->word_embeddings;
    const struct matrix *output = &weights->layer[2].output.weight;
    ck_assert(words->bytes >= first && words->bytes < last);
    ck_assert(output->bytes >= first && output->bytes < last);
    ck_assert_ptr_eq(matrix_floats(output, 0), output->bytes);
    ck_assert_ptr_eq(weights->heads[OUTPUT_MLM].decoder.weight.bytes, words->bytes);
    model_free(model);
    mapping_close(&config);
    mapping_close(&tensors);
}

/* ---- Heads -------------------------------------------------------------------------------- */

TEST(a_plain_encoder_has_no_heads)
{
    parts_drop(&parts, "cls.seq_relationship.weight");
    parts_drop(&parts, "cls.seq_relationship.bias");
    parts_drop(&parts, "cls.predictions.bias");
    parts_drop(&parts, "cls.predictions.transform.dense.weight");
    parts_drop(&parts, "cls.predictions.transform.dense.bias");
    parts_drop(&parts, "cls.predictions.transform.LayerNorm.weight");
    parts_drop(&parts, "cls.predictions.transform.LayerNorm.bias");
    write_all(0);
    struct trace *trace = run_folder(folder.path), *whole = run_folder(TINY_FOLDER);
    ck_assert_ptr_null(trace->outputs[OUTPUT_MLM]);
    ck_assert_ptr_null(trace->outputs[OUTPUT_NSP]);
    ck_assert_ptr_nonnull(trace->outputs[OUTPUT_POOLED]); /* which no head takes */
    /* nor says how a sentence is pooled: two more tensors, and two fewer */
    ck_assert_uint_eq(trace_tensor_count(trace), trace_tensor_count(whole) + 1);
    assert_same_numbers(trace->layer[2].output, whole->layer[2].output,
                        trace->tokens * trace->hidden, "output");
    free(trace);
    free(whole);
}

TEST(the_decoders_own_bias_will_do)
{
    parts_rename(&parts, "cls.predictions.bias", "cls.predictions.decoder.bias");
    write_all(0);
    assert_same_trace(run_folder(folder.path), run_folder(TINY_FOLDER));
}

/* A decoder of its own: twice the word embeddings. Tied, it is not looked at. */
TEST(an_untied_decoder_is_used)
{
    struct part *words = parts_find(&parts, "bert.embeddings.word_embeddings.weight");
    struct part *decoder = parts_find(&parts, "bert.pooler.dense.weight");
    struct model *model;
    parts_find(&parts, "bert.pooler.dense.bias")->name[0] = 'x';
    parts_rename(&parts, "cls.seq_relationship", "unused");
    write_all(0);
    write_tiny_config(&folder, ",\"tie_word_embeddings\":false");
    assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_MISMATCH,
                 "cls.predictions.decoder.weight", error);
    strcpy(decoder->name, "cls.predictions.decoder.weight");
    memcpy(decoder->shape, words->shape, sizeof decoder->shape);
    decoder->data = realloc(decoder->data, words->size);
    decoder->size = words->size;
    for (size_t i = 0; i < words->size / sizeof(float); i++) {
        float number;
        memcpy(&number, words->data + i * sizeof number, sizeof number);
        number *= 2;
        memcpy(decoder->data + i * sizeof number, &number, sizeof number);
    }
    memset(parts_find(&parts, "cls.predictions.bias")->data, 0, 101 * sizeof(float));
    write_all(0);
    struct trace *untied = run_folder(folder.path);
    write_tiny_config(&folder, "");
    struct trace *tied = run_folder(folder.path);
    for (size_t i = 0; i < 10 * 101; i++)
        ck_assert_float_eq(untied->outputs[OUTPUT_MLM][i], 2 * tied->outputs[OUTPUT_MLM][i]);
    free(untied);
    free(tied);
}
