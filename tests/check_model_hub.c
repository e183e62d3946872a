#include "faults.h"
#include "hub_helpers.h"
#include "model_helpers.h"
#include "opening.h"
#include "rows.h"
#include "suites.h"

#include "headlight/model/checkpoint.h"
#include "headlight/model/hub.h"
#include "headlight/model/weights.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMIT "86b5e0934494bd15c9632b12f734a8a67f723594"

static struct error error;
static struct hub hub;
static struct hub_location place;

static void begin(void)
{
    hub_make(&hub);
    place = (struct hub_location){0};
}

static void end(void)
{
    hub_location_free(&place);
    hub_remove(&hub);
}

static const struct fixture memory_tests = {.begin = begin, .end = end, .slow = true};

TESTS(.begin = begin, .end = end);

/* ---- Where the cache is ---- */

static const char *const variables[] = {"HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "HOME"};

static const struct {
    const char *values[4], *expected; /* NULL: unset, none */
} environments[] = {
    {{"/a/b", "/c", "/d", "/e"}, "/a/b"},
    {{NULL, "/c", "/d", "/e"}, "/c/hub"},
    {{"", "/c/", "/d", "/e"}, "/c/hub"},
    {{"", "", "/d", NULL}, "/d/huggingface/hub"},
    {{NULL, NULL, NULL, "/e"}, "/e/.cache/huggingface/hub"},
    {{"", "", "", "/e"}, "/e/.cache/huggingface/hub"},
    {{NULL, NULL, NULL, NULL}, NULL},
    {{"", "", "", ""}, NULL},
};

TEST(the_environment_says_where_the_cache_is, .times = COUNT(environments))
{
    struct hub_list list;
    for (int i = 0; i < COUNT(variables); i++)
        if (environments[_i].values[i])
            setenv(variables[i], environments[_i].values[i], 1);
        else
            unsetenv(variables[i]);
    if (environments[_i].expected) {
        assert_ok(hub_list(&list, &error), error);
        ck_assert_str_eq(list.cache, environments[_i].expected);
    } else {
        assert_fails(hub_list(&list, &error), STATUS_IO, "HF_HUB_CACHE, HF_HOME", error);
        assert_fails(hub_find("bert", &place, &error), STATUS_IO, "HF_HUB_CACHE", error);
    }
    hub_list_free(&list);
}

/* ---- Names that are found ---- */

static void fill(void)
{
    hub_add(&hub, "models--plain", COMMIT, "main");
    hub_add(&hub, "models--google--plain", "c1", "main");
    hub_add(&hub, "models--org--tiny.v1_a", "c2", NULL);
    hub_file(hub_path(&hub, "hub/models--org--tiny.v1_a/refs/main"), "c2\r\n");
    hub_add(&hub, "models--org--branched", "c3", "main");
    hub_add(&hub, "models--org--branched", "c4", "refs/pr/1");
    hub_add(&hub, "models--org--branched", "c5", "v1.0");
    hub_add(&hub, "models--org--by-commit", "c6", NULL);
    hub_add(&hub, "models--x--y--branched", "c7", "main"); /* no name leads here */
    hub_add(&hub, "models--a--twice", "c8", "main");
    hub_add(&hub, "models--b--twice", "c8", "main");
    hub_add(&hub, "datasets--org--tiny", "c9", "main");
    hub_folder(hub_path(&hub, "hub/models--org--bare/snapshots"));
    hub_add(&hub, "models--org--half", "c1", "main");
    ck_assert_int_eq(unlink(hub_path(&hub, "hub/models--org--half/blobs/config.json")), 0);
}

ROW_TEST(a_name_is_found, "hub_found")
{
    fill();
    assert_ok(hub_find(row[0], &place, &error), error);
    ck_assert_str_eq(place.folder, hub_path(&hub, "hub/%s/snapshots/%s", row[1], row[2]));
    ck_assert_str_eq(place.name, row[3]);
}

TEST(a_folder_of_that_name_wins_and_a_file_does_not)
{
    fill();
    ck_assert_int_eq(chdir(hub.root), 0);
    hub_file(hub_path(&hub, "plain"), "");
    assert_ok(hub_find("plain", &place, &error), error);
    ck_assert_ptr_nonnull(strstr(place.folder, COMMIT));
    hub_location_free(&place);
    hub_folder(hub_path(&hub, "google/plain"));
    assert_ok(hub_find("google/plain", &place, &error), error);
    ck_assert_str_eq(place.folder, "google/plain");
    ck_assert_str_eq(place.name, "plain");
}

/* Whichever cache it is in. */
TEST(the_folder_of_a_repository_is_its_model)
{
    fill();
    setenv("HF_HUB_CACHE", "/nowhere/at/all", 1);
    assert_ok(hub_find(hub_path(&hub, "hub/models--org--branched/"), &place, &error), error);
    ck_assert_str_eq(place.folder, hub_path(&hub, "hub/models--org--branched//snapshots/c3"));
    ck_assert_str_eq(place.name, "org/branched");
    hub_location_free(&place);
    hub_folder(hub_path(&hub, "hub/models--org--empty/snapshots"));
    assert_fails(hub_find(hub_path(&hub, "hub/models--org--empty"), &place, &error), STATUS_IO,
                 "found none; to fetch it: hf download org/empty ", error);
}

/* ---- Files ---- */

static const char *const files[] = {"config.json", "model.safetensors", "vocab.txt", "README"};

TEST(a_file_stands_for_its_folder, .times = COUNT(files))
{
    hub_file(hub_path(&hub, "my/config.json"), "{}");
    hub_file(hub_path(&hub, "my/%s", files[_i]), "{}");
    assert_ok(hub_find(hub_path(&hub, "my/%s", files[_i]), &place, &error), error);
    ck_assert_str_eq(place.folder, hub_path(&hub, "my"));
    ck_assert_str_eq(place.name, "my");
    hub_location_free(&place);
    ck_assert_int_eq(chdir(hub_path(&hub, "my")), 0);
    assert_ok(hub_find("config.json", &place, &error), error);
    ck_assert_str_eq(place.folder, ".");
    hub_location_free(&place);
    ck_assert_int_eq(unlink("config.json"), 0);
    hub_file(hub_path(&hub, "my/a.safetensors"), "");
    assert_fails(hub_find("a.safetensors", &place, &error), STATUS_IO, "headlight a.safetensors",
                 error);
    hub_file(hub_path(&hub, "my/a.survey"), "");
    assert_fails(hub_find("a.survey", &place, &error), STATUS_IO, "headlight a.survey", error);
}

ROW_TEST(a_model_in_another_form_says_what_it_is, "hub_foreign")
{
    struct hub_list list;
    const bool alone = strstr(row[0], "gguf") || strstr(row[0], "onnx"); /* it has its own */
    const char *config = alone ? "" : "expected config.json, ";
    hub_file(hub_path(&hub, "my/%s", row[0]), "");
    assert_fails(hub_find(hub_path(&hub, "my"), &place, &error), STATUS_UNSUPPORTED, row[1], error);
    ck_assert_ptr_nonnull(strstr(error.message, config));
    ck_assert_ptr_null(strstr(error.message, "hf download"));
    assert_fails(hub_find(hub_path(&hub, "my/%s", row[0]), &place, &error), STATUS_UNSUPPORTED,
                 row[1], error);
    hub_file(hub_path(&hub, "my/config.json"), "{}");
    assert_fails(hub_find(hub_path(&hub, "my"), &place, &error), STATUS_UNSUPPORTED,
                 "expected model.safetensors, found", error);
    hub_file(hub_path(&hub, "my/model.safetensors"), "");
    assert_ok(hub_find(hub_path(&hub, "my"), &place, &error), error);
    hub_location_free(&place);
    hub_file(hub_path(&hub, "hub/models--org--other/refs/main"), "c1");
    hub_file(hub_path(&hub, "hub/models--org--other/snapshots/c1/%s", row[0]), "");
    assert_fails(hub_find("other", &place, &error), STATUS_UNSUPPORTED, row[1], error);
    assert_ok(hub_list(&list, &error), error);
    ck_assert_ptr_nonnull(strstr(list.model[0].why, "; --model says what can be done"));
    hub_list_free(&list);
}

ROW_TEST(a_folder_is_called_by_its_last_part_or_its_name_in_the_hub, "hub_folders")
{
    assert_ok(hub_find(row[0], &place, &error), error);
    ck_assert_str_eq(place.folder, row[0]);
    ck_assert_str_eq(place.name, row[1]);
}

/* ---- Names that are not ---- */

ROW_TEST(no_name_leaves_the_cache, "hub_no_names")
{
    fill();
    setenv("HF_HUB_CACHE", "", 1); /* looking there would be an error */
    unsetenv("HF_HOME");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_ok(hub_find(row[0], &place, &error), error);
    ck_assert_str_eq(place.folder, row[0]);
    struct model *model;
    ck_assert_int_eq(model_open(place.folder, NULL, &model, &error), STATUS_IO);
}

ROW_TEST(what_is_not_there_is_named_with_the_command_that_fetches_it, "hub_refused")
{
    fill();
    const enum status status = hub_find(row[0], &place, &error);
    assert_refused(status, &error, row + 1);
    ck_assert_ptr_null(place.folder);
}

static const struct {
    const char *text;
    size_t size;
    enum status status;
    const char *part;
} refs[] = {
    {"../../../models--plain/snapshots/" COMMIT, 0, STATUS_FORMAT, "name of a commit, found \""},
    {"..", 0, STATUS_FORMAT, "name of a commit, found \""},
    {"", 0, STATUS_FORMAT, "name of a commit, found \""},
    {"c1\0c2", 5, STATUS_FORMAT, "name of a commit, found \"c1\""},
    {"c1\n\0", 4, STATUS_FORMAT, "name of a commit, found \""},
    {"c\x1b]0;x\a", 0, STATUS_FORMAT, "name of a commit, found \""},
    {"none", 0, STATUS_IO, ""}, /* a snapshot that is missing */
};

TEST(a_ref_leads_to_a_snapshot_or_nowhere, .times = COUNT(refs))
{
    size_t size = refs[_i].size ? refs[_i].size : strlen(refs[_i].text);
    fill();
    hub_add(&hub, "models--org--ref", "c1", NULL);
    hub_bytes(hub_path(&hub, "hub/models--org--ref/refs/main"), refs[_i].text, size);
    assert_fails(hub_find("org/ref", &place, &error), refs[_i].status, "models--org--ref", error);
    ck_assert_msg(strstr(error.message, refs[_i].part), "%s", error.message);
    ck_assert_ptr_null(place.folder);
}

/* ---- Half a download ---- */

static const char *const removed[] = {"snapshots/c1/config.json", "snapshots/c1/model.safetensors",
                                      "blobs/config.json", "blobs/model.safetensors"};

TEST(half_a_download_says_what_is_missing, .times = COUNT(removed))
{
    const char *name = strrchr(removed[_i], '/') + 1;
    hub_add(&hub, "models--org--half", "c1", "main");
    ck_assert_int_eq(unlink(hub_path(&hub, "hub/models--org--half/%s", removed[_i])), 0);
    assert_fails(hub_find("org/half", &place, &error), STATUS_IO, "hf download org/half ", error);
    ck_assert_ptr_nonnull(strstr(error.message, name));
    ck_assert_ptr_nonnull(strstr(error.message, "models--org--half/snapshots/c1, found none"));
    /* those that the repository has may be in the old format, which can be converted */
    ck_assert_int_eq(strstr(error.message, "--include \"*.bin\"") != NULL,
                     strcmp(name, "model.safetensors") == 0);
}

/* In the form of old sentence-transformers the encoder lies in a folder inside. */
TEST(an_encoder_may_lie_inside)
{
    static const char *const texts[][2] = {
        {"refs/main", "c1"},
        {"snapshots/c1/modules.json", "[{\"path\": \"0_BERT\", \"type\": \"a.Transformer\"}]"},
        {"snapshots/c1/0_BERT/model.safetensors", ""}};
    for (int i = 0; i < COUNT(texts); i++)
        hub_file(hub_path(&hub, "hub/models--org--old/%s", texts[i][0]), texts[i][1]);
    assert_fails(hub_find("old", &place, &error), STATUS_IO, "expected config.json in", error);
    hub_file(hub_path(&hub, "hub/models--org--old/snapshots/c1/0_BERT/config.json"), "{}");
    assert_ok(hub_find("old", &place, &error), error);
    ck_assert_str_eq(place.name, "org/old");
}

/* ---- Opened through the links ---- */

static void assert_same_words(const char *name, const char *title)
{
    struct checkpoint cached, straight;
    assert_ok(checkpoint_open(&cached, name, NULL, NULL, &error), error);
    assert_ok(checkpoint_open(&straight, TINY_FOLDER, NULL, NULL, &error), error);
    ck_assert_str_eq(cached.name, title);
    const struct matrix *a = &cached.model->weights.word_embeddings;
    const struct matrix *b = &straight.model->weights.word_embeddings;
    ck_assert_mem_eq(a->bytes, b->bytes, 101 * 32 * sizeof(float));
    checkpoint_close(&cached);
    checkpoint_close(&straight);
}

TEST(a_cached_checkpoint_is_opened)
{
    hub_add(&hub, "models--org--tiny", "c1", "main");
    assert_same_words("tiny", "org/tiny");
    assert_same_words(hub_path(&hub, "hub/models--org--tiny/snapshots/c1/"), "org/tiny");
}

TEST(shards_are_opened_through_links)
{
    static const char *const names[] = {"one.safetensors", "two.safetensors",
                                        "model.safetensors.index.json"};
    struct parts parts = {0};
    struct folder folder;
    char link[64];
    hub_add(&hub, "models--org--tiny", "c1", "main");
    folder_make(&folder);
    parts_read(&parts, TINY_FOLDER "/model.safetensors");
    parts_write_shards(&parts, &folder);
    parts_free(&parts);
    unlink(hub_path(&hub, "hub/models--org--tiny/snapshots/c1/model.safetensors"));
    for (int i = 0; i < COUNT(names); i++) {
        char *shard = in_folder(&folder, names[i]);
        hub_link(hub_path(&hub, "hub/models--org--tiny/blobs/%s", names[i]), shard);
        free(shard);
        snprintf(link, sizeof link, "../../blobs/%s", names[i]);
        hub_link(hub_path(&hub, "hub/models--org--tiny/snapshots/c1/%s", names[i]), link);
    }
    assert_same_words("org/tiny", "org/tiny");
    folder_remove(&folder);
}

/* ---- The list ---- */

/* A snapshot with one file in place of the tiny checkpoint's. */
static void add_with(const char *repository, const char *name, const char *text)
{
    const char *path = hub_path(&hub, "hub/%s/snapshots/c1/%s", repository, name);
    hub_add(&hub, repository, "c1", "main");
    unlink(path);
    hub_file(path, text);
}

static void fill_list(void)
{
    hub_add(&hub, "models--plain", COMMIT, "main");
    hub_add(&hub, "models--org--tiny", "c1", "main");
    hub_add(&hub, "models--x--y--z", "c1", "main");
    hub_add(&hub, "models--\x1b[31m", "c1", "main");
    hub_add(&hub, "datasets--org--data", "c1", "main");
    hub_folder(hub_path(&hub, "hub/.locks"));
    hub_folder(hub_path(&hub, "hub/models--org--empty"));
    hub_add(&hub, "models--org--commits", "c1", NULL);
    add_with("models--org--bad", "config.json", "[]");
    add_with("models--org--big", "config.json",
             "{\"model_type\":\"bert\",\"vocab_size\":9,\"hidden_size\":8,"
             "\"num_hidden_layers\":900,\"num_attention_heads\":2,\"intermediate_size\":8}");
    add_with("models--org--cut", "model.safetensors", "12");
    add_with("models--org--pegasus", "config.json", "{\"model_type\":\"pegasus\"}");
    hub_add(&hub, "models--org--ref", "c1", NULL);
    hub_file(hub_path(&hub, "hub/models--org--ref/refs/main"), "../..");
    hub_add(&hub, "models--org--lost", "c1", "main");
    unlink(hub_path(&hub, "hub/models--org--lost/blobs/model.safetensors"));
    hub_add(&hub, "models--org--tokens", "c1", "main");
    unlink(hub_path(&hub, "hub/models--org--tokens/snapshots/c1/config.json"));
    hub_add(&hub, "models--org--weights", "c1", "main");
    unlink(hub_path(&hub, "hub/models--org--weights/snapshots/c1/vocab.txt"));
    add_with("models--org--pickle", "pytorch_model.bin", "");
    unlink(hub_path(&hub, "hub/models--org--pickle/snapshots/c1/model.safetensors"));
}

TEST(the_list_tells_what_can_be_opened_and_why_not)
{
    struct hub_list list;
    fill_list();
    assert_ok(hub_list(&list, &error), error);
    ck_assert_str_eq(list.cache, hub.cache);
    ck_assert_int_eq((int)list.count, rows_count("hub_listed"));
    for (int i = 0; i < rows_count("hub_listed"); i++) {
        const char *const *row = row_at("hub_listed", i);
        const struct hub_model *model = &list.model[i];
        ck_assert_str_eq(model->name, row[0]);
        ck_assert_msg(strncmp(model->why, row[1], strlen(row[1])) == 0, "%s: %s", model->name,
                      model->why);
        if (*row[1])
            continue;
        ck_assert_str_eq(model->why, "");
        ck_assert_str_eq(model->family, "BERT");
        ck_assert_uint_eq(model->config.layers, 3);
        ck_assert_uint_eq(model->config.heads, 4);
        ck_assert_uint_eq(model->config.hidden, 32);
        ck_assert_uint_eq(model->bytes, 140100);
    }
    hub_list_free(&list);
}

TEST(without_a_cache_the_list_is_empty)
{
    struct hub_list list;
    assert_ok(hub_list(&list, &error), error);
    ck_assert_uint_eq(list.count, 0);
    hub_list_free(&list);
    setenv("HF_HUB_CACHE", "/nowhere/at/all", 1);
    assert_ok(hub_list(&list, &error), error);
    ck_assert_uint_eq(list.count, 0);
    ck_assert_str_eq(list.cache, "/nowhere/at/all");
    hub_list_free(&list);
    setenv("HF_HUB_CACHE", hub_path(&hub, "file"), 1);
    hub_file(hub_path(&hub, "file"), "");
    assert_fails(hub_list(&list, &error), STATUS_IO, "file: cannot be read", error);
    hub_list_free(&list);
}

/* ---- Memory that runs out ---- */

static struct hub_list tried;
static const char *tried_name;

static enum status try_find(struct error *failure)
{
    return hub_find(tried_name, &place, failure);
}

static void free_place(void)
{
    hub_location_free(&place);
}

static enum status try_list(struct error *failure)
{
    enum status status = hub_list(&tried, failure);
    if (status != STATUS_OK)
        hub_list_free(&tried); /* what it has so far */
    return status;
}

static void free_list(void)
{
    hub_list_free(&tried);
}

TEST(what_is_in_the_cache_is_found_or_refused, .with = &memory_tests, .skipped = !faults_work())
{
    static const char *const names[] = {"org/by-commit@c1", "tiny@main", "/a/folder"};
    hub_add(&hub, "models--org--by-commit", "c1", NULL);
    hub_add(&hub, "models--org--tiny", "c1", "main");
    for (int i = 0; i < COUNT(names); i++) {
        tried_name = names[i];
        faults_try(
            &(struct trial){.name = tried_name, .act = try_find, .end = free_place, .stride = 3});
    }
    faults_try(&(struct trial){.name = "list", .act = try_list, .end = free_list, .stride = 3});
}
