/* check_app_docs_commands.c: every command of README.md and assets/docs does what it says, run as
 * it is written, in a folder of its own. Where it names a model of the hub, one of the same shape
 * but with random weights stands in the cache. */
#include "hub_helpers.h"
#include "model_helpers.h"
#include "page_helpers.h"
#include "random_model.h"
#include "rows.h"
#include "suites.h"

#include "headlight/base/file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct hub hub;
static size_t runs;

/* ---- Running them ------------------------------------------------------------------------- */

/* Whether it has a message, but that a target doesn't end: those of stand-ins never do. */
static bool complains(const char *text)
{
    static const char said[] = "headlight: ";
    for (const char *at = text; (at = strstr(at, said)); at += strlen(said))
        if ((at == text || at[-1] == '\n') &&
            strncmp(at + strlen(said), "the target hasn't ended", 23) != 0)
            return true;
    return false;
}

/* What a command of a shell prints, errors too; the caller's. Fails unless it succeeds. */
static char *run(const char *where, const char *command)
{
    char full[2048], *text = NULL;
    size_t size = 0;
    int length = snprintf(full, sizeof full, "cd '%s' && {\n%s\n} 2>&1 < /dev/null",
                          hub_path(&hub, "work"), command);
    ck_assert_int_lt(length, sizeof full);
    FILE *stream = popen(full, "r");
    ck_assert_ptr_nonnull(stream);
    if (getdelim(&text, &size, '\0', stream) < 0)
        text[0] = '\0';
    int status = pclose(stream);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0 && !complains(text),
                  "%s: %s\nfails, and says\n%s", where, command, text);
    runs++;
    return text;
}

/* ---- Where they run ----------------------------------------------------------------------- */

#define COMMIT "0123456789abcdef0123456789abcdef01234567"

/* A checkpoint with a task's head, under a name that the pages use. */
static void link_vectors(const char *name, const char *folder)
{
    char path[PATH_MAX], full[PATH_MAX];
    snprintf(path, sizeof path, "tests/vectors/%s", folder);
    ck_assert_ptr_nonnull(realpath(path, full));
    hub_link(hub_path(&hub, "%s", name), full);
}

/* Of bert-base's layers and heads, with the tiny checkpoint's vocabulary. */
static void make_bert_base(void)
{
    static const char *const tiny[][2] = {
        {"openai-community--gpt2", "families/gpt2"},
        {"EleutherAI--pythia-70m", "families/gpt-neox"},
        {"facebook--esm2_t6_8M_UR50D", "families/esm2"},
        {"Helsinki-NLP--opus-mt-de-en", "families/marian"},
    };
    char name[128];
    static const struct random_shape shape = {24, 12, 12, 32, 101, 64, "F32", "gelu", 2};
    struct random_model random;
    struct folder folder;
    ck_assert_int_lt(snprintf(folder.path, sizeof folder.path, "%s/bert", hub.root),
                     sizeof folder.path);
    hub_file(hub_path(&hub, "bert/config.json"),
             "{\"model_type\":\"bert\",\"vocab_size\":101,\"hidden_size\":24,"
             "\"num_hidden_layers\":12,\"num_attention_heads\":12,\"intermediate_size\":32,"
             "\"max_position_embeddings\":64,\"hidden_act\":\"gelu\"}");
    folder_copy(&folder, TINY_FOLDER, "vocab.txt");
    random_model_make(&random, &shape, 1);
    parts_write(&random.parts, 0, random.parts.count, 0, &folder, "model.safetensors");
    random_model_free(&random);
    hub_link(hub_path(&hub, "models/bert-base-uncased"), folder.path);
    hub_link(hub_path(&hub, "models/tuned"), folder.path);
    link_vectors("models/squad", "heads/qa-bert");
    link_vectors("models/sentiment", "heads/seq-bert");
    link_vectors("models/tagger", "heads/ner-bert");
    link_vectors("models/esm2_t12_35M_UR50D", "families/esm2");
    hub_link(hub_path(&hub, "hub/models--google-bert--bert-base-uncased/snapshots/" COMMIT),
             folder.path);
    hub_file(hub_path(&hub, "hub/models--google-bert--bert-base-uncased/refs/main"), COMMIT);
    for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++) {
        snprintf(name, sizeof name, "hub/models--%s/snapshots/" COMMIT, tiny[i][0]);
        link_vectors(name, tiny[i][1]);
        hub_file(hub_path(&hub, "hub/models--%s/refs/main", tiny[i][0]), COMMIT);
    }
}

/* The program is found by its name, and where a build leaves it. */
static void make_program(void)
{
    const char *named = getenv("HEADLIGHT_PROGRAM");
    char program[PATH_MAX], path[PATH_MAX];
    ck_assert_ptr_nonnull(realpath(named ? named : "build/headlight", program));
    hub_link(hub_path(&hub, "work/build/headlight"), program);
    ck_assert_int_lt(
        snprintf(path, sizeof path, "%s:%s", hub_path(&hub, "work/build"), getenv("PATH")),
        PATH_MAX);
    setenv("PATH", path, 1);
    setenv("HOME", hub.root, 1);
    setenv("LC_ALL", "C.UTF-8", 1);
}

/* What the pages' other commands make: a recording, a lesson. */
static void make_files(void)
{
    char *lesson = page_block(page_named("lessons.md"), "markdown");
    hub_file(hub_path(&hub, "work/mine.md"), lesson);
    free(lesson);
    free(run("a recording", "headlight --trace fox.safetensors 'The quick brown fox jumps'"));
    char file[PATH_MAX];
    ck_assert_ptr_nonnull(realpath("assets/corpus/english.conllu", file));
    hub_link(hub_path(&hub, "work/english.conllu"), file);
    ck_assert_ptr_nonnull(realpath("tests/vectors/dates/pairs.jsonl", file));
    hub_link(hub_path(&hub, "work/pairs.jsonl"), file);
    ck_assert_ptr_nonnull(realpath("tests/vectors/translation.safetensors", file));
    hub_link(hub_path(&hub, "work/house.safetensors"), file);
    hub_file(hub_path(&hub, "work/dev.tsv"), "sentence1\tsentence2\nthe cat\tit sat\n");
    free(run("another", "cp fox.safetensors tuned.safetensors"));
}

static void begin(void)
{
    pages_read();
    hub_make(&hub);
    make_bert_base();
    make_program();
    make_files();
    runs = 0;
}

static void end(void)
{
    hub_remove(&hub);
    pages_free();
}

TESTS(.begin = begin, .end = end);

/* ---- Commands ----------------------------------------------------------------------------- */

static void check_command(const struct page *page, const char *command, const char *output)
{
    char *text = run(page->path, command);
    if (output)
        ck_assert_msg(strcmp(text, output) == 0, "%s: %s\nprints\n%.1500s\nnot\n%.1500s",
                      page->path, command, text, output);
    free(text);
}

TEST(every_command_does_what_it_says)
{
    for (size_t i = 0; i < page_count; i++)
        page_each_command(&pages[i], check_command);
    ck_assert_uint_gt(runs, 25);
}

/* What a command that draws a figure for a paper leaves is the picture below it, which names the
 * bits that nearly all processors compute. */
static void compare_figure(const struct page *page, const char *command, const char *output)
{
    const char *name = strstr(command, "figure-");
    char path[PATH_MAX], *drawn, *shown;
    struct error error;
    size_t size, shown_size;
    (void)output;
    if (!strstr(command, " --bare ") || !name)
        return;
    free(run(page->path, command));
    if (strcmp(kernels_now()->bits, KERNELS_SAME_BITS) != 0)
        return;
    snprintf(path, sizeof path, "assets/%.*s", (int)strcspn(name, " "), name);
    assert_ok(file_read(path, (size_t)1 << 20, &shown, &shown_size, &error), error);
    assert_ok(file_read(hub_path(&hub, "work/%s", path + strlen("assets/")), (size_t)1 << 20,
                        &drawn, &size, &error),
              error);
    ck_assert_msg(size == shown_size && memcmp(drawn, shown, size) == 0,
                  "%s is not what\n%s\ndraws: run \"make pictures\" and look at it", path, command);
    free(drawn);
    free(shown);
}

TEST(figures_are_what_their_commands_draw)
{
    page_each_command(page_named("pictures.md"), compare_figure);
    ck_assert_uint_ge(runs, 6);
}

/* ---- Numbers ------------------------------------------------------------------------------ */

ROW_TEST(numbers_are_what_the_program_computes, "claims")
{
    char numbers[8][16], shown[256];
    size_t next = 0;
    ck_assert_msg(page_says(page_named(row[0]), row[1], numbers), "%s does not say \"%s\"", row[0],
                  row[1]);
    char *text = run(row[0], row[2]);
    for (size_t i = 3; row[i]; i++) {
        const char *show = row[i], *number = strchr(show, '#');
        snprintf(shown, sizeof shown, "%.*s%s%s", (int)strcspn(show, "#"), show,
                 number ? numbers[next++] : "", number ? number + 1 : "");
        ck_assert_msg(strstr(text, shown) != NULL, "%s: \"%s\" is not in what %s prints:\n%.3000s",
                      row[0], shown, row[2], text);
    }
    free(text);
}

/* Line by line: the tables of what heads do over the corpus in the tree. */
TEST(the_model_card_says_what_a_survey_does)
{
    char script[PATH_MAX], command[PATH_MAX + 40], *card;
    size_t length, lines = 0;
    struct error error;
    assert_ok(file_read("assets/model/README.md", 1 << 20, &card, &length, &error), error);
    ck_assert_ptr_nonnull(realpath("assets/model/figures.sh", script));
    snprintf(command, sizeof command, "sh '%s' headlight english.conllu heads", script);
    char *text = run("the model card", command);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++)
        ck_assert_msg(strstr(card, line) != NULL, "the model card lacks %s", line);
    ck_assert_uint_gt(lines, 5);
    free(text);
    free(card);
}
