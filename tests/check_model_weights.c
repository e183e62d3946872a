/* Checkpoints that lack something, or hold something else, say what and where. */
#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/base/system.h"
#include "headlight/model/weights.h"
#include "headlight/tensor/matrix.h"
#include "model_helpers.h"
#include "opening.h"
#include "suites.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

TEST(every_tensor_is_missed_by_name)
{
    size_t count = parts.count;
    for (size_t i = 0; i < count; i++) {
        struct model *model;
        char name[sizeof parts.part[i].name];
        parts_free(&parts);
        parts_read(&parts, TINY_FOLDER "/model.safetensors");
        strcpy(name, parts.part[i].name);
        parts_drop(&parts, name);
        write_all(0);
        const char *shown = strncmp(name, "bert.", 5) == 0 ? name + 5 : name;
        assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_MISMATCH, shown, error);
        ck_assert_ptr_nonnull(strstr(error.message, folder.path));
        ck_assert_ptr_nonnull(strstr(error.message, "/model.safetensors: expected a tensor \""));
    }
}

TEST(half_a_head_is_an_error)
{
    static const char *const names[] = {
        "cls.predictions.transform.dense.bias", "cls.predictions.transform.LayerNorm.weight",
        "cls.predictions.bias", "cls.seq_relationship.bias", "bert.pooler.dense.weight"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct model *model;
        const char *shown = strncmp(names[i], "bert.", 5) == 0 ? names[i] + 5 : names[i];
        parts_free(&parts);
        parts_read(&parts, TINY_FOLDER "/model.safetensors");
        parts_drop(&parts, names[i]);
        write_all(0);
        assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_MISMATCH, shown, error);
        ck_assert_ptr_null(model);
    }
}

TEST(every_shape_is_checked)
{
    size_t count = parts.count;
    for (size_t i = 0; i < count; i++) {
        struct model *model;
        struct part *part = &parts.part[i];
        size_t rank = part->rank, first = part->shape[0];
        part->rank = 1; /* of the same size */
        part->shape[0] = part->size / sizeof(float);
        if (rank == 1) {
            part->rank = 2;
            part->shape[1] = 1;
        }
        write_all(0);
        assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_MISMATCH, part->name,
                     error);
        ck_assert_ptr_nonnull(strstr(error.message, "expected the shape ["));
        part->rank = rank;
        part->shape[0] = first;
        part->shape[1] = rank == 2 ? part->size / sizeof(float) / first : 0;
    }
}

TEST(a_configuration_of_another_size_does_not_fit)
{
    struct model *model;
    write_all(0);
    write_tiny_config(&folder, ",\"type_vocab_size\":3");
    assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_MISMATCH,
                 "token_type_embeddings.weight\": expected the shape [3,32] that config.json "
                 "gives, found [2,32]",
                 error);
}

TEST(weights_of_integers_are_refused)
{
    struct model *model;
    strcpy(parts_find(&parts, "bert.embeddings.word_embeddings.weight")->type, "I32");
    write_all(0);
    assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_UNSUPPORTED,
                 "expected F32, F16, BF16 or F64, found I32", error);
}

/* A tensor that nobody reads may be of any type. */
TEST(doubles_are_narrowed)
{
    static const char name[] = "bert.embeddings.word_embeddings.weight";
    struct model *model;
    for (size_t i = 0; i < parts.count; i++) {
        struct part *part = &parts.part[i];
        double *doubles = malloc(2 * part->size);
        ck_assert_str_eq(part->type, "F32");
        for (size_t k = 0; k < part->size / 4; k++) {
            float number;
            memcpy(&number, part->data + 4 * k, 4);
            doubles[k] = (double)number + 1e-12 * (double)number;
        }
        free(part->data);
        part->data = (unsigned char *)doubles;
        part->size *= 2;
        strcpy(part->type, "F64");
    }
    parts_add(&parts, "bert.scales", "F4", (const size_t[]){7, 0});
    write_all(0);
    assert_ok(model_open(folder.path, NULL, &model, &error), error);
    const struct matrix *words = &model->weights.word_embeddings;
    const double *doubles = (const double *)(void *)parts_find(&parts, name)->data;
    ck_assert_int_eq(words->type, TENSOR_F32);
    for (size_t i = 0; i < 101 * 32; i++) {
        float number;
        matrix_numbers(words, i, 1, &number);
        ck_assert_float_eq(number, (float)doubles[i]);
    }
    model_free(model);
}

/* The command that a message ends with, as a shell takes it: python3 is a script that tells where
 * it runs, and what it is to run. */
TEST(pickled_weights_are_refused_with_what_converts_them, .times = 2)
{
    static const char script[] = "#!/bin/sh\npwd > \"$TOLD\"; printf '%s' \"$2\" >> \"$TOLD\"\n";
    static const char *const names[] = {"pytorch_model.bin", "pytorch_model.bin.index.json"};
    struct folder odd;
    struct model *model;
    char *text, *python = in_folder(&folder, "python3"), *told = in_folder(&folder, "told");
    char expected[512];
    size_t length;
    char *inner = in_folder(&folder, "-'\"$x`");
    snprintf(odd.path, sizeof odd.path, "%.63s", inner);
    ck_assert_int_eq(mkdir(odd.path, 0700), 0);
    folder_copy(&odd, TINY_FOLDER, "config.json");
    folder_write(&odd, names[_i], "", 0);
    assert_fails(model_open(odd.path, NULL, &model, &error), STATUS_UNSUPPORTED,
                 "found only pytorch_model.bin", error);
    folder_write(&folder, "python3", script, strlen(script));
    ck_assert_int_eq(chmod(python, 0700), 0);
    setenv("PATH", folder.path, 1);
    setenv("TOLD", told, 1);
    const char *command = strstr(error.message, "(cd -- ");
    ck_assert_ptr_nonnull(command);
    ck_assert_int_eq(system(command), 0);
    assert_ok(file_read(told, 4096, &text, &length, &error), error);
    snprintf(expected, sizeof expected, "%s\nimport glob, torch, safetensors.torch as s; ",
             odd.path);
    ck_assert_int_eq(strncmp(text, expected, strlen(expected)), 0);
    ck_assert_ptr_nonnull(strstr(text, "'model.safetensors', {'format': 'pt'})"));
    free(text);
    folder_remove(&odd);
    free(inner);
    free(python);
    free(told);
}

TEST(a_folder_must_hold_a_checkpoint)
{
    struct model *model;
    assert_fails(model_open("/nonexistent/folder", NULL, &model, &error), STATUS_IO,
                 "/nonexistent/folder: expected a folder", error);
    assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_IO, "found neither", error);
    folder_write(&folder, "model.safetensors", "", 0);
    assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_FORMAT, "found 0 bytes",
                 error);
    folder_write(&folder, "config.json", "[]", 2);
    assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_FORMAT, "config.json",
                 error);
}

/* As a download that was broken off leaves it. */
TEST(a_link_that_leads_nowhere_is_named)
{
    char *path = path_join(folder.path, "model.safetensors");
    struct model *model;
    unlink(path);
    ck_assert_int_eq(symlink("nowhere", path), 0);
    assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_IO, path, error);
    unlink(path);
    ck_assert_int_eq(symlink(path, path), 0);
    assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_IO, "cannot be opened",
                 error);
    free(path);
}

TEST(a_damaged_index_says_so)
{
    struct model *model;
    static const struct {
        const char *text, *part;
        enum status status;
    } table[] = {
        {"", "index.json: expected JSON", STATUS_FORMAT},
        {"{}", "weight_map", STATUS_FORMAT},
        {"{\"weight_map\":[]}", "weight_map", STATUS_FORMAT},
        {"{\"weight_map\":{\"a\":1}}", "found \"no string\"", STATUS_FORMAT},
        {"{\"weight_map\":{\"a\":\"\"}}", "found \"\"", STATUS_FORMAT},
        {"{\"weight_map\":{\"a\":\"..\"}}", "found \"..\"", STATUS_FORMAT},
        {"{\"weight_map\":{\"a\":\"../b\"}}", "found \"../b\"", STATUS_FORMAT},
        {"{\"weight_map\":{\"a\":\"/etc/passwd\"}}", "found \"/etc/passwd\"", STATUS_FORMAT},
        {"{\"weight_map\":{\"a\":\"gone.safetensors\"}}", "gone.safetensors", STATUS_IO},
        {"{\"weight_map\":{\"a\":\"config.json\"}}", "config.json: expected", STATUS_FORMAT},
        {"{\"weight_map\":{\"a\":\"one.safetensors\"}}",
         "one.safetensors: expected the tensor "
         "\"a\"",
         STATUS_MISMATCH},
        {"{\"weight_map\":{}}", "index.json: expected a tensor", STATUS_MISMATCH},
    };
    parts_write_shards(&parts, &folder);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        folder_write(&folder, "model.safetensors.index.json", table[i].text, strlen(table[i].text));
        assert_fails(model_open(folder.path, NULL, &model, &error), table[i].status, table[i].part,
                     error);
        ck_assert_ptr_null(model);
    }
}

/* What is far larger than any of its kind is not read at all. */
TEST(a_large_file_beside_the_weights_is_refused)
{
    struct model *model;
    static const char *const names[] = {"model.safetensors.index.json", "config.json"};
    const size_t size = ((size_t)4 << 20) + 1;
    char *text = malloc(size);
    ck_assert_ptr_nonnull(text);
    memset(text, ' ', size);
    memcpy(text, "{}", 2);
    parts_write_shards(&parts, &folder);
    for (size_t i = 0; i < 2; i++) {
        folder_write(&folder, names[i], text, size);
        assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_LIMIT,
                     "json: expected at most 4194304 bytes, found 4194305", error);
    }
    free(text);
}

/* A file as long as the header says, of which the disk holds no more than that: weights are refused
 * before they are read. In F16 there would be room for these. */
TEST(weights_beyond_memory_are_refused,
     .skipped = size_min(system_memory(), system_address_space()) >> 30 > 127)
{
    enum { H = 4096 };
    struct model *model;
    char config[300], header[600];
    const size_t V = size_min(system_memory(), system_address_space()) / 3 / H,
                 bytes = 4 * H * (V + 1 + 2 + 1 + 1);
    const size_t at[] = {4 * H * V, 4 * H * (V + 1), 4 * H * (V + 3), 4 * H * (V + 4)};
    snprintf(config, sizeof config,
             "{\"model_type\":\"bert\",\"vocab_size\":%zu,\"hidden_size\":4096,"
             "\"num_hidden_layers\":1,\"num_attention_heads\":64,\"intermediate_size\":1,"
             "\"max_position_embeddings\":1}",
             V);
    const int length = snprintf(
        header, sizeof header,
        "{\"embeddings.word_embeddings.weight\":{\"dtype\":\"F32\",\"shape\":[%zu,4096],"
        "\"data_offsets\":[0,%zu]},"
        "\"embeddings.position_embeddings.weight\":{\"dtype\":\"F32\",\"shape\":[1,4096],"
        "\"data_offsets\":[%zu,%zu]},"
        "\"embeddings.token_type_embeddings.weight\":{\"dtype\":\"F32\",\"shape\":[2,4096],"
        "\"data_offsets\":[%zu,%zu]},"
        "\"embeddings.LayerNorm.weight\":{\"dtype\":\"F32\",\"shape\":[4096],"
        "\"data_offsets\":[%zu,%zu]},"
        "\"embeddings.LayerNorm.bias\":{\"dtype\":\"F32\",\"shape\":[4096],"
        "\"data_offsets\":[%zu,%zu]}}",
        V, at[0], at[0], at[1], at[1], at[2], at[2], at[3], at[3], bytes);
    const uint64_t prefix = (uint64_t)length;
    char *path = path_join(folder.path, "model.safetensors");
    folder_write(&folder, "config.json", config, strlen(config));
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(&prefix, sizeof prefix, 1, file), 1);
    ck_assert_uint_eq(fwrite(header, (size_t)length, 1, file), 1);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(truncate(path, (off_t)(sizeof prefix + (size_t)length + bytes)), 0);
    assert_fails(model_open(folder.path, NULL, &model, &error), STATUS_LIMIT,
                 "model.safetensors: the weights need at least ", error);
    ck_assert_ptr_nonnull(strstr(error.message, "B of memory are free: use a smaller model, or "
                                                "this one saved in F16 or BF16"));
    free(path);
}

/* How many files were opened; the second one ends it. */
static bool stop_at_second_file(void *context, size_t done, size_t total)
{
    size_t *files = context;
    (void)total;
    return done > 0 || ++*files < 2;
}

TEST(opening_shards_can_be_cancelled)
{
    struct model *model;
    size_t files = 0;
    const struct watch watch = {stop_at_second_file, &files};
    parts_write_shards(&parts, &folder);
    assert_fails(model_open(folder.path, &watch, &model, &error), STATUS_CANCELLED,
                 "cancelled after 0 of 1", error);
    ck_assert_uint_eq(files, 2);
    ck_assert_ptr_null(model);
}
