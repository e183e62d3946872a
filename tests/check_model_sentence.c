/* The vectors of sentences against sentence-transformers' own modules, the ids that its tokenizers
 * give, and what is said of folders whose files do not fit each other. */
#include "headlight/base/mapping.h"
#include "headlight/lens/sentence.h"
#include "headlight/model/sentence.h"
#include "model_helpers.h"
#include "recorded.h"
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
    assert_ok(checkpoint_open(checkpoint, folder, NULL, &error), error);
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
    struct mapping mapping;
    struct safetensors *file;
    size_t found = 0;
    assert_ok(mapping_open(&mapping, path, &error), error);
    assert_ok(safetensors_parse(mapping.bytes, mapping.size, path, &file, &error), error);
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
    ck_assert_uint_eq(found, safetensors_count(file));
    ck_assert_uint_ge(found, 1);
    safetensors_free(file);
    mapping_close(&mapping);
}

TEST(vectors_are_those_of_sentence_transformers, .times = (int)FOLDERS)
{
    struct checkpoint checkpoint;
    char path[256];
    open_heads(folders[_i], &checkpoint);
    ck_assert_str_eq(model_note(checkpoint.model), "");
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

static struct alike alike_of(const struct checkpoint *checkpoint, const char *a, const char *b)
{
    struct alike alike = {.encoded = {encode(checkpoint, a), encode(checkpoint, b)}};
    for (size_t side = 0; side < 2; side++) {
        run(checkpoint, alike.encoded[side]);
        alike.parts[side] = calloc(alike.encoded[side]->trace->tokens, sizeof(double));
    }
    sentence_compare(model_config(checkpoint->model)->sentence, &alike);
    return alike;
}

static void free_alike(const struct alike *alike)
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
        const struct alike alike =
            alike_of(&checkpoint, words_of(cases, pair, "a"), words_of(cases, pair, "b"));
        ck_assert_double_eq_tol(alike.value, json_member(pair, "cosine")->valuedouble, 2e-5);
        ck_assert_int_eq(alike.unparted != NULL, strcmp(folders[_i], "st-roberta-dense") == 0);
        for (size_t side = 0; side < 2 && !alike.unparted; side++) {
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
    const struct alike alike = alike_of(&checkpoint, "time flies", "the old dog bites");
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

#define TRANSFORMER "{\"path\":\"\",\"type\":\"sentence_transformers.models.Transformer\"}"
#define MODULE(path, type)                                                                         \
    ",{\"path\":\"" path "\",\"type\":\"sentence_transformers.models." type "\"}"
#define POOLING MODULE("1_Pooling", "Pooling")
#define DENSE   MODULE("2_Dense", "Dense")
#define DENSE_OF(inputs, outputs, more)                                                            \
    "{\"in_features\":" inputs ",\"out_features\":" outputs more "}"

/* st-bert-concat with one file changed. */
static const struct changed {
    const char *file, *text; /* NULL: taken away */
    const char *says;        /* the note */
    bool made;
} changes[] = {
    {"modules.json", "[" TRANSFORMER POOLING MODULE("2_CNN", "CNN") "]",
     "the sentence module CNN is not supported", false},
    {"modules.json", "[" TRANSFORMER POOLING MODULE("", "Normalize") DENSE "]",
     "the sentence module Dense is not supported behind Normalize", false},
    {"modules.json", "[" TRANSFORMER "]",
     "modules.json has no Pooling: there is no vector of a sentence", false},
    {"modules.json", "[" TRANSFORMER MODULE("", "Dropout") POOLING "]", "", true},
    {"modules.json", "[" TRANSFORMER MODULE("../1_Pooling", "Pooling") "]",
     "modules.json: expected a \"path\" inside the folder, found \"../1_Pooling\"", false},
    {"modules.json", "{}", "modules.json", false},
    {"modules.json", NULL, "", true},
    {"1_Pooling/config.json", "{\"pooling_mode\":\"attention\"}",
     "1_Pooling/config.json: expected \"pooling_mode\" to be cls, max, mean, mean_sqrt_len_tokens, "
     "weightedmean or lasttoken, found \"attention\"",
     false},
    {"1_Pooling/config.json", "{\"pooling_mode_attention\":true}",
     "found \"pooling_mode_attention\"", false},
    {"1_Pooling/config.json", "{\"pooling_mode_mean_tokens\":false}", "found \"none\"", false},
    {"1_Pooling/config.json", "{\"word_embedding_dimension\":64}",
     "expected \"word_embedding_dimension\" 32, the encoder's size, found 64", false},
    {"1_Pooling/config.json", "{}",
     "2_Dense/config.json: expected \"in_features\" 32, as many as are pooled, found 96", false},
    {"1_Pooling/config.json", NULL, "1_Pooling/config.json: cannot be opened: ", false},
    {"2_Dense/config.json", DENSE_OF("96", "20", ",\"bias\":false"),
     "2_Dense/model.safetensors: tensor \"linear.weight\": expected the shape [20,96] that "
     "config.json gives, found [24,96]",
     false},
    {"2_Dense/config.json", DENSE_OF("96", "24", ""),
     "2_Dense/model.safetensors: expected a tensor \"linear.bias\", found none", false},
    {"2_Dense/config.json",
     DENSE_OF("96", "24", ",\"activation_function\":\"torch.nn.modules.activation.Mish\""),
     "expected \"activation_function\" to be Identity, Tanh, ReLU, GELU or Sigmoid, found "
     "\"Mish\"",
     false},
    {"2_Dense/model.safetensors", NULL, "2_Dense", false},
    {"config_sentence_transformers.json", "{\"similarity_fn_name\":\"angular\"}",
     "expected \"similarity_fn_name\" to be cosine, dot, euclidean or manhattan, found "
     "\"angular\"",
     false},
    {"config_sentence_transformers.json",
     "{\"prompts\":{\"query\":\"query: \"},\"default_prompt_name\":\"query\"}",
     "its default prompt \"query: \" is not put in front of the text: type it, if it is wanted",
     true},
};

static void copy_into(const struct folder *folder, const char *name)
{
    char *inner = in_folder(folder, name);
    char *slash = strrchr(inner, '/');
    *slash = '\0';
    mkdir(inner, 0700);
    free(inner);
    folder_copy(folder, HEADS "st-bert-concat", name);
}

TEST(a_folder_that_does_not_fit_says_so, .times = COUNT(changes))
{
    static const char *const files[] = {"config.json",
                                        "model.safetensors",
                                        "modules.json",
                                        "config_sentence_transformers.json",
                                        "1_Pooling/config.json",
                                        "2_Dense/config.json",
                                        "2_Dense/model.safetensors"};
    const struct changed *changed = &changes[_i];
    struct folder folder;
    struct model *model;
    folder_make(&folder);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        copy_into(&folder, files[i]);
    char *file = in_folder(&folder, changed->file);
    unlink(file);
    if (changed->text)
        folder_write(&folder, changed->file, changed->text, strlen(changed->text));
    assert_ok(model_open(folder.path, NULL, &model, &error), error);
    const char *said = model_note(model);
    ck_assert_msg(strstr(said, changed->says) && (*changed->says || !*said), "%s", said);
    ck_assert_ptr_null(strstr(said, folder.path));
    ck_assert_int_eq(model_config(model)->sentence != NULL, changed->made);
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
    ck_assert_str_eq(model_note(model), ""); /* said where a vector is shown */
    const struct sentence_model *sentence = model_config(model)->sentence;
    ck_assert(sentence && !sentence->given && sentence->pools[POOLING_MEAN]);
    model_free(model);
    folder_remove(&folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(model_open(cases[i].folder, NULL, &model, &error), error);
        ck_assert_ptr_null(model_config(model)->sentence);
        ck_assert_str_eq(model_note(model), cases[i].note);
        model_free(model);
    }
}
