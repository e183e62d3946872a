/* The vectors of sentences against sentence-transformers' own modules, the ids that its tokenizers
 * give, and what is said of folders whose files do not fit each other. */
#include "headlight/base/mapping.h"
#include "headlight/lens/sentence.h"
#include "headlight/model/sentence.h"
#include "model_helpers.h"
#include "opening.h"
#include "recorded.h"
#include "rows.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADS "tests/vectors/heads/"

static struct error error;

static const char *const folders[] = {
    "st-bert-mean",     "st-bert-cls",      "st-bert-max",       "st-bert-sqrt",
    "st-bert-last",     "st-bert-weighted", "st-bert-concat",    "st-mpnet",
    "st-roberta-dense", "st-modernbert",    "st-modernbert-cls",
};
#define FOLDERS (sizeof folders / sizeof *folders)

static void open_heads(const char *name, struct checkpoint *checkpoint)
{
    char folder[128];
    snprintf(folder, sizeof folder, HEADS "%s", name);
    assert_ok(checkpoint_open(checkpoint, folder, NULL, NULL, &error), error);
}

static struct encoded *encode(const struct checkpoint *checkpoint, const char *words)
{
    const struct text text = text_of_string(words);
    const struct reading how = {.special = true, .logits = true};
    struct encoded *encoded;
    assert_ok(encoded_new(checkpoint, &text, 1, how, &encoded, &error), error);
    return encoded;
}

static void run(const struct checkpoint *checkpoint, const struct encoded *encoded)
{
    encoded->trace->computed = (struct computed){0};
    assert_ok(forward_run(checkpoint->model, NULL, NULL, encoded->trace, &error), error);
}

/* ---- Vectors ------------------------------------------------------------------------------ */

/* Every tensor of the file is in the trace, and every vector of the trace in the file. */
static void check_vectors(const struct trace *trace, const char *path)
{
    struct safetensors *file;
    size_t found = 0;
    assert_ok(safetensors_open(path, &file, &error), error);
    for (size_t i = 0; i < trace_tensor_count(trace); i++) {
        struct trace_tensor ours;
        trace_tensor_at(trace, i, &ours);
        const struct tensor *theirs = safetensors_find(file, ours.name);
        if (!theirs)
            continue;
        found++;
        ck_assert_uint_eq(trace_numbers(&ours), theirs->shape[0]);
        for (size_t k = 0; k < theirs->shape[0]; k++)
            ck_assert_msg(fabs(trace_number(&ours, k) - recorded_number(theirs, k)) <= 1e-4,
                          "%s: %s[%zu]: expected %g, found %g", path, ours.name, k,
                          recorded_number(theirs, k), trace_number(&ours, k));
    }
    ck_assert_uint_eq(found, file->count);
    ck_assert_uint_ge(found, 1);
    safetensors_free(file);
}

TEST(vectors_are_those_of_sentence_transformers, .times = (int)FOLDERS)
{
    struct checkpoint checkpoint;
    char path[256];
    open_heads(folders[_i], &checkpoint);
    ck_assert_str_eq(checkpoint.model->note, "");
    snprintf(path, sizeof path, HEADS "%s", folders[_i]);
    cJSON *cases = recorded_object(path, "cases.json"), *one;
    cJSON_ArrayForEach(one, json_member(cases, "cases"))
    {
        int32_t ids[64];
        const size_t count = recorded_integers(json_member(one, "ids"), ids, 64);
        struct encoded *encoded = encode(&checkpoint, json_member(one, "a")->valuestring);
        ck_assert_uint_eq(encoded->trace->tokens, count);
        ck_assert_mem_eq(encoded->trace->ids, ids, count * sizeof *ids);
        snprintf(path, sizeof path, HEADS "%s/%s.safetensors", folders[_i], one->string);
        run(&checkpoint, encoded);
        check_vectors(encoded->trace, path);
        encoded_free(encoded);
    }
    cJSON_Delete(cases);
    checkpoint_close(&checkpoint);
}

/* ---- Two sentences ------------------------------------------------------------------------ */

static struct sentence_pair alike_of(const struct checkpoint *checkpoint, const char *a,
                                     const char *b)
{
    struct sentence_pair alike = {.encoded = {encode(checkpoint, a), encode(checkpoint, b)}};
    for (size_t side = 0; side < 2; side++) {
        run(checkpoint, alike.encoded[side]);
        alike.parts[side] = calloc(alike.encoded[side]->trace->tokens, sizeof(double));
    }
    sentence_compare(checkpoint->model->config.sentence, &alike);
    return alike;
}

static void free_alike(const struct sentence_pair *alike)
{
    for (size_t side = 0; side < 2; side++) {
        encoded_free(alike->encoded[side]);
        free(alike->parts[side]);
    }
}

static const char *words_of(const cJSON *cases, const cJSON *pair, const char *which)
{
    const char *name = json_member(pair, which)->valuestring;
    return json_member(json_member(json_member(cases, "cases"), name), "a")->valuestring;
}

/* Where the parts are known they and the bias are all of the value, on either side. */
TEST(the_cosine_is_theirs_and_is_the_sum_of_its_parts, .times = (int)FOLDERS)
{
    struct checkpoint checkpoint;
    char path[256];
    open_heads(folders[_i], &checkpoint);
    snprintf(path, sizeof path, HEADS "%s", folders[_i]);
    cJSON *cases = recorded_object(path, "cases.json"), *pair;
    cJSON_ArrayForEach(pair, json_member(cases, "similarity"))
    {
        const struct sentence_pair alike =
            alike_of(&checkpoint, words_of(cases, pair, "a"), words_of(cases, pair, "b"));
        ck_assert_double_eq_tol(alike.value, json_member(pair, "cosine")->valuedouble, 2e-5);
        ck_assert_int_eq(alike.why_no_parts != NULL, strcmp(folders[_i], "st-roberta-dense") == 0);
        for (size_t side = 0; side < 2 && !alike.why_no_parts; side++) {
            double sum = alike.rest[side];
            for (size_t t = 0; t < alike.encoded[side]->trace->tokens; t++)
                sum += alike.parts[side][t];
            ck_assert_double_eq_tol(sum, alike.value, 1e-6);
        }
        free_alike(&alike);
    }
    cJSON_Delete(cases);
    checkpoint_close(&checkpoint);
}

/* By the definition, from the traces: x_t·v/(T‖u‖‖v‖), and all on the first token where the vector
 * is that token's. */
TEST(a_tokens_part_of_the_mean_is_its_product, .times = 2)
{
    struct checkpoint checkpoint;
    open_heads(_i ? "st-bert-cls" : "st-bert-mean", &checkpoint);
    const struct sentence_pair alike = alike_of(&checkpoint, "time flies", "the old dog bites");
    const struct trace *a = alike.encoded[0]->trace, *b = alike.encoded[1]->trace;
    const float *u = a->outputs[OUTPUT_SENTENCE_POOLED], *v = b->outputs[OUTPUT_SENTENCE_POOLED];
    double uu = 0, vv = 0;
    for (size_t i = 0; i < a->hidden; i++) {
        uu += (double)u[i] * (double)u[i];
        vv += (double)v[i] * (double)v[i];
    }
    for (size_t t = 0; t < a->tokens; t++) {
        double product = 0;
        for (size_t i = 0; i < a->hidden; i++)
            product += (double)trace_last_rows(a)[t * a->hidden + i] * (double)v[i];
        const double share = _i ? t == 0 : 1 / (double)a->tokens;
        ck_assert_double_eq_tol(alike.parts[0][t], share * product / sqrt(uu * vv), 1e-9);
    }
    free_alike(&alike);
    checkpoint_close(&checkpoint);
}

TEST(similarities_are_as_torch_has_them)
{
    static const float a[] = {1, 2, 2}, b[] = {4, 0, 3}, zero[3];
    ck_assert_double_eq_tol(sentence_similarity(SIMILARITY_COSINE, a, b, 3), 10.0 / 15, 1e-12);
    ck_assert_double_eq_tol(sentence_similarity(SIMILARITY_COSINE, a, zero, 3), 0, 1e-12);
    ck_assert_double_eq_tol(sentence_similarity(SIMILARITY_DOT, a, b, 3), 10, 1e-12);
    ck_assert_double_eq_tol(sentence_similarity(SIMILARITY_EUCLIDEAN, a, b, 3), -sqrt(14), 1e-12);
    ck_assert_double_eq_tol(sentence_similarity(SIMILARITY_MANHATTAN, a, b, 3), -6, 1e-12);
}

/* ---- What becomes of a text --------------------------------------------------------------- */

TEST(a_text_is_stripped_lowered_and_cut)
{
    struct checkpoint checkpoint;
    open_heads("st-roberta-dense", &checkpoint);
    struct encoded *plain = encode(&checkpoint, "time flies"),
                   *shouted = encode(&checkpoint, " \tTIME flies \n");
    ck_assert_uint_eq(plain->trace->tokens, shouted->trace->tokens);
    ck_assert_mem_eq(plain->trace->ids, shouted->trace->ids,
                     plain->trace->tokens * sizeof(int32_t));
    ck_assert_uint_eq(shouted->encoding->tokens[1].span.start, 2);
    ck_assert_uint_eq(plain->cut, 0);
    encoded_free(plain);
    encoded_free(shouted);
    checkpoint_close(&checkpoint);
    open_heads("st-mpnet", &checkpoint);
    struct encoded *cut = encode(&checkpoint, "time flies like an arrow and a dog");
    ck_assert_uint_eq(cut->cut, 6);
    ck_assert_uint_eq(cut->trace->tokens, 6);
    ck_assert_int_eq(cut->trace->ids[5], 2); /* </s> */
    ck_assert_str_eq(cut->labels[4], "an");
    encoded_free(cut);
    checkpoint_close(&checkpoint);
}

/* ---- Folders ------------------------------------------------------------------------------ */

static void copy_into(const struct folder *folder, const char *name)
{
    char *inner = in_folder(folder, name);
    char *slash = strrchr(inner, '/');
    *slash = '\0';
    mkdir(inner, 0700);
    free(inner);
    folder_copy(folder, HEADS "st-bert-concat", name);
}

ROW_TEST(a_folder_that_does_not_fit_says_so, "sentence_changed")
{
    static const char *const files[] = {"config.json",
                                        "model.safetensors",
                                        "modules.json",
                                        "config_sentence_transformers.json",
                                        "1_Pooling/config.json",
                                        "2_Dense/config.json",
                                        "2_Dense/model.safetensors"};
    struct folder folder;
    struct model *model;
    folder_make(&folder);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        copy_into(&folder, files[i]);
    char *file = in_folder(&folder, row[0]);
    unlink(file);
    if (*row[1])
        folder_write(&folder, row[0], row[1], strlen(row[1]));
    assert_ok(model_open(folder.path, NULL, &model, &error), error);
    const char *said = model->note;
    ck_assert_msg(strstr(said, row[3]) && (*row[3] || !*said), "%s", said);
    ck_assert_ptr_null(strstr(said, folder.path));
    ck_assert_int_eq(model->config.sentence != NULL, strcmp(row[2], "yes") == 0);
    model_free(model);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path = in_folder(&folder, files[i]);
        unlink(path);
        *strrchr(path, '/') = '\0';
        if (strcmp(path, folder.path) != 0)
            rmdir(path);
        free(path);
    }
    free(file);
    folder_remove(&folder);
}

/* As sentence-transformers does it with a warning; a model that says something else does not say
 * that, too. */
TEST(of_a_bare_encoder_the_mean_is_assumed)
{
    static const struct {
        const char *folder, *note;
    } cases[] = {{"tests/vectors/families/distilbert", ""}, {HEADS "seq-bert", ""}};
    struct folder folder;
    struct model *model;
    folder_make(&folder);
    folder_copy(&folder, HEADS "st-bert-mean", "config.json");
    folder_copy(&folder, HEADS "st-bert-mean", "model.safetensors");
    assert_ok(model_open(folder.path, NULL, &model, &error), error);
    ck_assert_str_eq(model->note, ""); /* said where a vector is shown */
    const struct sentence_model *sentence = model->config.sentence;
    ck_assert(sentence && !sentence->given && sentence->pools[POOLING_MEAN]);
    model_free(model);
    folder_remove(&folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(model_open(cases[i].folder, NULL, &model, &error), error);
        ck_assert_ptr_null(model->config.sentence);
        ck_assert_str_eq(model->note, cases[i].note);
        model_free(model);
    }
}
