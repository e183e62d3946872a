/* check_export_numbers.c: the real program's numbers: the same bytes with any number of threads,
 * and nothing at all of a checkpoint that holds NaN. */
#include "e2e/pty.h"
#include "headlight/model/forward.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "random_model.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct error error;
static struct folder folder;
static struct pty *pty;

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    pty_free(pty);
    pty = NULL;
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end, .slow = true);

/* ---- Running it --------------------------------------------------------------------------- */

/* Each option with an output's name at its end. */
static const char *const outputs[] = {
    "--json %s/a.json --include lens --mask 1", /* the other numbers are the trace's */
    "--trace %s/a.safetensors",
    "--csv %s/a.csv",
    "--html %s/a.html",
    "--snapshot %s/a.svg",
    "--snapshot %s/a.svg --view neuron --select 2 --list",
    "--snapshot %s/a.txt --view model --metric entropy",
    "--snapshot %s/a.svg --view matrix --mean layers --whole-words --special rescaled",
};
#define OUTPUTS (int)(sizeof outputs / sizeof *outputs)

/* Runs the program with an output's options and others before it; its exit status. Standard output
 * and error go to `said` in the folder. */
static int run(const char *output, const char *options, const char *texts)
{
    const char *program = getenv("HEADLIGHT_PROGRAM");
    char filled[256] = "", command[2048];
    if (output) {
        const char *at = strstr(output, "%s");
        snprintf(filled, sizeof filled, "%.*s%s%s", (int)(at - output), output, folder.path,
                 at + 2);
    }
    snprintf(command, sizeof command, "%s %s %s %s > %s/said 2>&1 < /dev/null",
             program ? program : "build/headlight", options, filled, texts, folder.path);
    int status = system(command);
    ck_assert_msg(WIFEXITED(status), "%s: wait status %d", command, status);
    return WEXITSTATUS(status);
}

/* The file that an output's options name. */
static void output_name(const char *output, char name[32])
{
    const char *first = strstr(output, "%s/") + 3;
    snprintf(name, 32, "%.*s", (int)strcspn(first, " "), first);
}

static char *contents(const char *name, size_t *length)
{
    char *path = path_join(folder.path, name), *text = NULL;
    assert_ok(file_read(path, (size_t)1 << 30, &text, length, &error), error);
    free(path);
    return text;
}

static bool is_there(const char *name)
{
    char *path = path_join(folder.path, name);
    bool there = file_exists(path);
    free(path);
    return there;
}

/* ---- The same bytes ----------------------------------------------------------------------- */

/* A pair that is long enough for several threads to have work. */
#define LONG_TEXTS                                                                                 \
    "'the quick brown fox jumps over the lazy dog while time flies like an arrow through it' "     \
    "'fruit flies like a ripe banana, and nobody knows why they would not; so it goes again'"

TEST(threads_change_no_byte, .times = OUTPUTS)
{
    static const int threads[] = {1, 2, 7};
    const char *output = outputs[_i];
    char name[32], *first = NULL;
    size_t length = 0;
    output_name(output, name);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        char options[128];
        size_t now;
        snprintf(options, sizeof options, "--threads %d", threads[i]);
        ck_assert_int_eq(run(output, options, LONG_TEXTS), 0);
        char *text = contents(name, &now);
        ck_assert_uint_gt(now, 100);
        if (first && (now != length || memcmp(text, first, length) != 0))
            ck_abort_msg("%s: other bytes with %d threads", output, threads[i]);
        free(first);
        first = text;
        length = now;
    }
    free(first);
}

/* ---- Changes taken back --------------------------------------------------------------------- */

/* Heads switched off and on again, attention changed all the way round, in this and that order,
 * with a pass after each key. */
static const char *const there_and_back[] = {
    "z z z",
    "z m d m d",
    "z z Esc ] z z Esc Right z z Esc Left [ z z Esc ] z z Esc Right z z",
    "z z m Esc Right z z d m Esc Left z z Esc Right z z d",
    "Right Right z z Esc Left z z Esc Left z a m z a z Esc Right z z Esc Right z z m",
    "z a t p s Esc Right z z m d Z",
};

TEST(keys_taken_back_leave_the_plain_pass, .times = COUNT(there_and_back))
{
    const struct text texts[] = {{"time flies like an arrow", 24}, {"the cat sat", 11}};
    const struct interventions none = {0};
    struct checkpoint checkpoint;
    struct session session;
    struct trace *plain;
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, texts, 2, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
    const struct trace *first = session.data.encoded->trace;
    assert_ok(forward_prepare(checkpoint.model, NULL, first->ids, first->segments, first->tokens,
                              true, &plain, &error),
              error);
    assert_ok(forward_run(checkpoint.model, NULL, NULL, plain, &error), error);
    assert_ok(input_type(&session, "z z", &error), error);
    ck_assert(session.data.encoded->trace->layer[0].output[0] != plain->layer[0].output[0]);
    assert_ok(input_type(&session, "z Esc", &error), error);
    assert_ok(input_type(&session, there_and_back[_i], &error), error);
    ck_assert_ptr_null(session.data.changes);
    assert_same_traces(plain, session.data.encoded->trace);
    free(plain);
    session_end(&session);
    checkpoint_close(&checkpoint);
}

/* ---- Numbers that are none ---------------------------------------------------------------- */

#define DAMAGED "bert.encoder.layer.1.output.dense.weight"
#define WORDS   "bert.embeddings.word_embeddings.weight"

/* The tiny checkpoint with a number of a tensor replaced. */
static void damage(const char *tensor, size_t index, float number)
{
    static const char *const files[] = {"config.json", "vocab.txt", "tokenizer_config.json"};
    struct parts parts = {0};
    for (size_t i = 0; i < 3; i++)
        folder_copy(&folder, TINY_FOLDER, files[i]);
    parts_read(&parts, TINY_FOLDER "/model.safetensors");
    memcpy(parts_find(&parts, tensor)->data + 4 * index, &number, sizeof number);
    parts_write(&parts, 0, parts.count, 0, &folder, "model.safetensors");
    parts_free(&parts);
}

/* The last one is no output: the plain text of a pipe. */
TEST(nothing_is_written_of_a_damaged_checkpoint, .times = OUTPUTS + 1)
{
    char options[128], name[32], expected[256];
    const char *output = _i < OUTPUTS ? outputs[_i] : NULL;
    size_t length;
    damage(DAMAGED, 3 * 64 + 5, _i % 2 ? INFINITY : NAN);
    snprintf(options, sizeof options, "--model %s", folder.path);
    ck_assert_int_eq(run(output, options, "'time flies'"), 1);
    if (output) {
        output_name(output, name);
        ck_assert(!is_there(name));
    }
    char *said = contents("said", &length);
    snprintf(expected, sizeof expected, "headlight: %s/model.safetensors: layer.1.", folder.path);
    if (strncmp(said, expected, strlen(expected)) != 0 || strcspn(said, "\n") + 1 != strlen(said))
        ck_abort_msg("expected \"%s\", found \"%s\"", expected, said);
    free(said);
}

static size_t line_of_word(const char *word)
{
    size_t length, line = 0;
    char *text, *at;
    assert_ok(file_read(TINY_FOLDER "/vocab.txt", 1 << 20, &text, &length, &error), error);
    at = strtok(text, "\n");
    for (; at && strcmp(at, word) != 0; at = strtok(NULL, "\n"))
        line++;
    ck_assert_ptr_nonnull(at);
    free(text);
    return line;
}

static void start(const char *text)
{
    pty = pty_start(&(struct pty_setup){
        .columns = 240, .arguments = (const char *const[]){"--model", folder.path, text, NULL}});
}

/* Text by text: what is shown stays, and the next text is computed as ever. */
TEST(a_damaged_word_is_told_while_typing)
{
    damage(WORDS, line_of_word("banana") * 32 + 7, NAN);
    start("time flies");
    pty_expect(pty, "flies");
    pty_expect(pty, "q quit");
    pty_type(pty, "e");
    pty_type(pty, " banana");
    pty_expect(pty, "embedding: expected finite numbers");
    pty_type(pty, "\033");
    pty_expect(pty, "q quit");
    pty_expect(pty, "flies");
    pty_type(pty, "q");
    ck_assert_int_eq(pty_wait_end(pty), 0);
}

TEST(a_damaged_first_text_ends_the_program)
{
    damage(WORDS, line_of_word("banana") * 32 + 7, NAN);
    start("banana");
    int status = pty_wait_end(pty);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    ck_assert(!pty_alternate_screen(pty));
    pty_expect(pty, "embedding: expected finite numbers, found NaN or infinity");
}
