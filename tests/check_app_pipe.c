/* check_app_pipe.c: the real program without a terminal. */
#include "headlight/tensor/kernels.h"
#include "hub_helpers.h"
#include "process_helpers.h"
#include "suites.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const writers[][5] = {
    {"headlight", NULL},
    {"headlight", "--json", "-", "a sentence", NULL},
    {"headlight", "--csv=-", "--view=model", "a sentence", NULL}, /* more than a stream holds */
    {"headlight", "--help", NULL},
    {"headlight", "keys", NULL},
    {"headlight", "models", NULL},
    {"headlight", "--version", NULL},
    {"headlight", "schema", NULL},
};

/* As after "| head -1". */
TEST(a_closed_pipe_is_no_error, .times = COUNT(writers))
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    struct result output = run(writers[_i], ends[1], PIPED);
    close(ends[1]);
    assert_exit(&output, 0);
    ck_assert_str_eq(output.text, "");
}

TEST(full_device_is_an_error, .times = COUNT(writers))
{
    int full = open("/dev/full", O_WRONLY);
    if (full < 0) {
        skip("a full device: there is no /dev/full");
        return;
    }
    assert_output_fails(writers[_i], full, "cannot be written");
    close(full);
}

/* In a locale that has no more. */
TEST(lists_are_ascii_where_the_locale_is, .times = 5)
{
    static const char *const lists[] = {"--help", "keys", "lessons", "schema", "a sentence"};
    const char *arguments[] = {"headlight", lists[_i], NULL};
    setenv("LC_ALL", "C", 1);
    struct result output = run(arguments, PIPED, STDERR_FILENO);
    assert_exit(&output, 0);
    ck_assert_uint_gt(strlen(output.text), 100);
    for (const char *at = output.text; *at; at++)
        ck_assert_msg(*at == '\n' || (*at >= ' ' && *at < 127), "%s", at);
}

/* A library that starts threads and takes time to load: what glibc's loader says that it loads. */
TEST(a_blas_is_loaded_only_where_it_is_needed, .times = 3)
{
    static const char *const runs[][5] = {
        {"headlight", "keys"}, {"headlight", "help"}, {"headlight", "--csv", "-"}};
    int null = open("/dev/null", O_WRONLY);
    if (kernels_now() == &kernels_blas) {
        puts("skipped: this processor needs a BLAS");
        return;
    }
    setenv("LD_DEBUG", "files", 1);
    struct result output = run(runs[_i], null, PIPED);
    unsetenv("LD_DEBUG");
    close(null);
    assert_exit(&output, 0);
    if (!strstr(output.text, "libcjson"))
        puts("skipped: the loader doesn't say what it loads");
    ck_assert_ptr_null(strstr(output.text, "blas"));
}

/* ---- The hub's cache ---- */

static struct hub hub;

static void begin_hub(void)
{
    hub_make(&hub);
}

static void end_hub(void)
{
    hub_remove(&hub);
}

static const struct fixture models_tests = {.begin = begin_hub, .end = end_hub};

static struct result list_models(const char *option)
{
    const char *arguments[] = {"headlight", "models", option, NULL};
    struct result output = run(arguments, PIPED, STDERR_FILENO);
    assert_exit(&output, 0);
    return output;
}

/* What somebody named to drive a terminal doesn't. */
TEST(models_of_the_cache_are_listed, .with = &models_tests)
{
    hub_add(&hub, "models--bert-base-uncased", "c1", "main");
    hub_add(&hub, "models--org--act", "c1", "main");
    unlink(hub_path(&hub, "hub/models--org--act/snapshots/c1/config.json"));
    hub_file(hub_path(&hub, "hub/models--org--act/snapshots/c1/config.json"),
             "{\"hidden_act\":\"\\u001b[31m\"}");
    hub_folder(hub_path(&hub, "hub/models--\x1b]0;title\a"));
    struct result output = list_models(NULL);
    ck_assert_str_eq(
        output.text,
        "built-in           an encoder, which runs where no other is named\n"
        "dates              an encoder–decoder: the third of May 2009 → 2009-05-03\n"
        "^[]0;title^G       not a name of the hub\n"
        "bert-base-uncased  BERT  140.1 kB    3 layers × 4 heads, hidden 32\n"
        "org/act            config.json: expected \"hidden_act\" to be gelu, gelu_new, "
        "relu, silu or tanh, found \"^[[31m\"\n");
}

TEST(an_empty_cache_is_told, .with = &models_tests)
{
    char expected[256];
    struct result output = list_models("--ascii");
    snprintf(expected, sizeof expected, "\nno models in %s: hf download ", hub.cache);
    ck_assert_ptr_nonnull(strstr(output.text, expected));
    setenv("HF_HUB_CACHE", "/nowhere", 1);
    output = list_models(NULL);
    ck_assert_ptr_nonnull(strstr(output.text, "no models in /nowhere, which does not exist: hf "));
}

/* ---- Text from standard input ---- */

static const struct {
    const char *input;
    size_t size;
    const char *part; /* the texts as --json writes them, or a refusal, */
    int status;
} inputs[] = {
    {"the cat", 7, "\"texts\":[\"the cat\"]", 0},
    {"the cat\r\n\r\n", 11, "\"texts\":[\"the cat\"]", 0}, /* a blank line is no sentence */
    {"the cat\n \t\n\n", 12, "\"texts\":[\"the cat\"]", 0},
    {"the cat\r\nit sat\r\n\r\n", 19, "\"texts\":[\"the cat\",\"it sat\"]", 0},
    {"the\0 cat\nit\0\0 sat\n", 18, "\"texts\":[\"the cat\",\"it sat\"]", 0},
    {"the cat\n\0it sat\n", 16, "\"texts\":[\"the cat\",\"it sat\"]", 0},
    {"\xEF\xBB\xBFthe cat\n", 11, "\"texts\":[\"the cat\"]", 0},
    {"the cat\nit sat\non\n", 18, "found more", 2},
    {"\xFF\xFEt\0h\0e\0", 8, "standard input: expected UTF-8 text, found it in UTF-16: make", 1},
    {"\x1F\x8B\x08", 3, "found it compressed: zcat FILE | headlight -\n", 1},
};

static struct result run_on(const char *input, size_t size, const char *const *arguments)
{
    int in[2];
    ck_assert_int_eq(pipe(in), 0);
    ck_assert_int_eq(write(in[1], input, size), (ssize_t)size);
    close(in[1]);
    const struct result output = run_reading(arguments, in[0], PIPED, PIPED);
    close(in[0]);
    return output;
}

TEST(lines_of_standard_input_are_the_texts, .times = COUNT(inputs))
{
    const char *arguments[] = {"headlight", "--json", "-", "-", NULL};
    struct result output = run_on(inputs[_i].input, inputs[_i].size, arguments);
    assert_exit(&output, inputs[_i].status);
    ck_assert_msg(strstr(output.text, inputs[_i].part) != NULL, "%.400s", output.text);
}

/* A command that reads texts reads them there if none are named; else it is said that none were. */
TEST(what_is_piped_is_not_passed_over_in_silence)
{
    static const char *const rows[][3] = {
        {"headlight", "run", "\"texts\":[\"it sat\"]"},
        {"headlight", "index", "index needs -o FILE"},
        {"headlight", NULL, "headlight: standard input isn't read: headlight - takes a text"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *arguments[] = {rows[i][0], rows[i][1], NULL};
        struct result output = run_on("the cat\nit sat\n", 15, arguments);
        ck_assert_msg(strstr(output.text, rows[i][2]) != NULL, "%.400s", output.text);
    }
}
