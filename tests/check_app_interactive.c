/* check_app_interactive.c: a pass that fails while the program is open, in a pseudo-terminal. */
#include "hub_helpers.h"
#include "model_helpers.h"
#include "suites.h"
#include "terminal_helpers.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONG_TEXT "the cat sat on the mat and the dog sat on the cat while the mat lay there"

static struct folder folder;

static void begin(void)
{
    folder_make(&folder);
    folder_copy(&folder, TINY_FOLDER, "config.json");
    folder_copy(&folder, TINY_FOLDER, "vocab.txt");
    folder_copy(&folder, TINY_FOLDER, "model.safetensors");
}

static void end(void)
{
    close_terminal();
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end, .slow = true);

static void fill(struct parts *parts, const char *name, float number)
{
    struct part *part = parts_find(parts, name);
    for (size_t at = 0; at < part->size; at += sizeof number)
        memcpy(part->data + at, &number, sizeof number);
}

/* In layer 0 every q·k is 2.9e38: twice that is a score only once it is divided by √8. */
static void make_scores_large(void)
{
    struct parts parts = {0};
    parts_read(&parts, TINY_FOLDER "/model.safetensors");
    fill(&parts, "bert.encoder.layer.0.attention.self.query.weight", 0);
    fill(&parts, "bert.encoder.layer.0.attention.self.key.weight", 0);
    fill(&parts, "bert.encoder.layer.0.attention.self.query.bias", 6e18f);
    fill(&parts, "bert.encoder.layer.0.attention.self.key.bias", 6e18f);
    parts_write(&parts, 0, parts.count, 0, &folder, "model.safetensors");
    parts_free(&parts);
}

static void start(const char *option)
{
    const char *arguments[] = {"--model", folder.path, "the cat sat", option, NULL};
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .before = BEFORE "\n"});
    pty_expect(pty, "q quit");
    pty_expect(pty, "[SEP]");
}

/* What the next key changes is what is shown, not what could not be. */
TEST(a_change_that_fails_is_none)
{
    make_scores_large();
    start("--temperature=0.5");
    pty_expect(pty, "changed: temperature 0.5");
    pty_type(pty, "zd");
    pty_expect(pty, "layer.0.scores: expected finite numbers");
    pty_type(pty, "z");
    pty_expect(pty, "changed: 1 head off temperature 0.5");
    pty_type(pty, "\033");
    quit_restored();
}

/* Who asked for it knows how to leave it. */
TEST(a_presentation_begins_with_its_caption)
{
    const char *arguments[] = {"--model", folder.path, "the cat sat", "--present", NULL};
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .before = BEFORE "\n"});
    pty_expect(pty, "left: who attends");
    pty_type(pty, "P");
    pty_expect(pty, "q quit");
    quit_restored();
}

/* Without a pass to wait for, what else is shown is computed before a key is pressed. */
TEST(recordings_are_compared_at_once)
{
    static const size_t shape[] = {1, 1, 1, 0};
    struct parts parts = {.metadata = "{\"tokens\":\"[\\\"a\\\"]\"}"};
    parts_add(&parts, "layer.0.weights", "F32", shape);
    parts_write(&parts, 0, parts.count, 0, &folder, "a.safetensors");
    parts_free(&parts);
    char *path = in_folder(&folder, "a.safetensors");
    const char *arguments[] = {path,    "--against", path,    "--view",
                               "model", "--metric",  "moved", NULL};
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .before = BEFORE "\n"});
    pty_expect(pty, "0.000 bits apart");
    quit_restored();
    free(path);
}

/* The terminal is as it was, but for the message. */
static void assert_ended_without_weights(void)
{
    assert_exited(1);
    ck_assert(pty_modes_restored(pty) && pty_cursor_visible(pty) && !pty_alternate_screen(pty));
    assert_row(0, BEFORE);
    pty_expect(pty, "headlight: ");
    pty_expect(pty, "has become shorter");
}

TEST(weights_that_go_end_the_program_with_their_name)
{
    char *path = path_join(folder.path, "model.safetensors");
    start(NULL);
    ck_assert_int_eq(truncate(path, 8000), 0);
    pty_type(pty, "e dog\r");
    assert_ended_without_weights();
    free(path);
}

/* Large enough that the loading screen is drawn while the weights are open, and cut off at its end.
 */
static void write_wrong_tokenizer(void)
{
    enum { ENTRIES = 1 << 20, LENGTH = 25 };
    char *text = malloc((size_t)ENTRIES * LENGTH + 64), *at = text;
    ck_assert_ptr_nonnull(text);
    at += sprintf(at, "{\"model\": {\"type\": \"WordPiece\", \"vocab\": {");
    for (int i = 0; i < ENTRIES; i++)
        at += sprintf(at, "\"word-%07d\": %7d,\n", i, i);
    folder_write(&folder, "tokenizer.json", text, (size_t)(at - text));
    free(text);
}

/* The loader closes the weights' file while the screen is drawn. */
TEST(a_model_that_fails_late_is_refused)
{
    const char *arguments[] = {"--model", folder.path, "the cat sat", NULL};
    write_wrong_tokenizer();
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .before = BEFORE "\n"});
    assert_exited(1);
    ck_assert(pty_modes_restored(pty) && pty_cursor_visible(pty) && !pty_alternate_screen(pty));
    pty_expect(pty, "tokenizer.json");
}

static void switch_head_off(void)
{
    pty_type(pty, "zz");
    pty_expect(pty, "changed: 1 head off");
    pty_type(pty, "\033");
    pty_expect_gone(pty, "change the network");
}

/* From a word to the heads that it hangs on, and what is left of them without one. */
TEST(the_words_view_leads_to_effects)
{
    const char *arguments[] = {"--model",  folder.path, "--view",         "answers",
                               "--select", "[MASK]",    "the [MASK] sat", NULL};
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .before = BEFORE "\n"});
    pty_expect(pty, "each layer's likeliest word");
    pty_type(pty, "o");
    pty_expect(pty, "at [MASK] without the head");
    switch_head_off();
    pty_expect(pty, "at [MASK] without the head");
    quit_restored();
}

/* A source is translated by the worker, token by token, again while it is edited, and by another
 * network. */
TEST(a_translation_follows_its_source)
{
    const char *arguments[] = {"--model", "dates", "--align", "said", "3 May 1994", NULL};
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .before = BEFORE "\n"});
    pty_expect(pty, "1994 ◂ <s>");
    pty_type(pty, "e\b\b77");
    pty_expect(pty, "1977 ◂ <s>");
    pty_type(pty, "\r");
    pty_expect(pty, "q quit");
    switch_head_off();
    quit_restored();
}

/* The text and the picture stay, of the layers the last; what can't be opened leaves the model that
 * is shown. */
TEST(another_model_is_opened_while_the_program_runs)
{
    struct hub hub;
    hub_make(&hub);
    hub_add(&hub, "models--org--tiny", "c1", "main");
    hub_add(&hub, "models--org--torn", "c1", "main");
    const char *torn = hub_path(&hub, "hub/models--org--torn/snapshots/c1/vocab.txt");
    ck_assert_int_eq(unlink(torn), 0); /* a link to the tiny one's */
    hub_file(torn, "[PAD]\n");
    const char *arguments[] = {"--view",  "matrix", "--layer",     "6",
                               "--theme", "light",  "the cat sat", NULL};
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .before = BEFORE "\n"});
    pty_expect(pty, "layer ‹6› of 0–7");
    pty_type(pty, "za\033:model torn\r");
    pty_expect(pty, "vocab.txt");
    pty_expect(pty, "built-in 8×8");
    pty_expect(pty, "changed: 1 head uniform");
    pty_type(pty, ":model org/tiny\r");
    pty_expect(pty, "org/tiny is open; u doesn't lead back");
    pty_expect(pty, "layer ‹2› of 0–2");
    pty_expect(pty, "tiny 3×4");
    pty_expect(pty, "cat");
    pty_expect_gone(pty, "changed");
    pty_type(pty, "u");
    pty_expect(pty, "nothing to undo");
    pty_type(pty, ":model dates\r");
    pty_expect(pty, "the cat sat →");
    pty_type(pty, ":model built-in\r");
    pty_expect(pty, "built-in 8×8");
    pty_expect_gone(pty, "generated");
    pty_type(pty, "e");
    for (int i = 0; i < 70; i++)
        pty_type(pty, " a");
    pty_type(pty, "\r");
    pty_expect(pty, "75 tokens");
    pty_type(pty, ":model org/tiny\r");
    pty_expect(pty, "the model has 64 positions");
    pty_expect(pty, "built-in 8×8");
    pty_type(pty, "p");
    pty_expect(pty, "map: p");
    pty_type(pty, "\033");
    quit_restored();
    hub_remove(&hub);
}

/* The example gives way to the model's own, and back. */
TEST(a_lesson_opens_its_model)
{
    const char *arguments[] = {NULL};
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .before = BEFORE "\n"});
    pty_expect(pty, "banana");
    pty_type(pty, ":model dates\r");
    pty_expect(pty, "the third of May 2009 →");
    pty_type(pty, ":model built-in\r");
    pty_expect(pty, "banana");
    pty_type(pty, ":lesson translation\r");
    pty_expect(pty, "A source and a target");
    pty_expect(pty, "dates 2×4");
    pty_type(pty, "LL");
    pty_expect(pty, "opens built-in");
    pty_type(pty, "1");
    pty_expect(pty, "1 of 8");
    pty_expect(pty, "built-in 8×8");
    quit_restored();
}

static void start_on_built_in(void)
{
    const char *arguments[] = {"--model", folder.path, NULL};
    folder_copy(&folder, "assets/model", "config.json");
    folder_copy(&folder, "assets/model", "vocab.txt");
    folder_copy(&folder, "assets/model", "model.safetensors");
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .before = BEFORE "\n"});
    pty_expect(pty, "q quit");
    pty_expect(pty, "[SEP]");
}

/* Large enough for all threads, any of which may be the first to miss the bytes. */
TEST(weights_that_go_are_missed_by_any_thread, .times = 3)
{
    char *path = path_join(folder.path, "model.safetensors");
    start_on_built_in();
    ck_assert_int_eq(truncate(path, 8000), 0);
    pty_type(pty, "zz");
    assert_ended_without_weights();
    free(path);
}

/* Other bytes in the same file, which never is shorter; the picture stays. */
TEST(weights_that_are_written_over_are_told_of)
{
    char *path = path_join(folder.path, "model.safetensors");
    start(NULL);
    int fd = open(path, O_WRONLY);
    ck_assert_int_eq(pwrite(fd, "\0", 1, 100000), 1);
    close(fd);
    pty_type(pty, "e dog\r");
    pty_expect(pty, "has been written to");
    pty_expect(pty, "[SEP]");
    quit_restored();
    free(path);
}

/* Every view, with passes of several threads begun again before they are done, at another key or at
 * an end. What threads do to each other there, `make tsan` sees. */
TEST(sixty_keys_without_a_wait)
{
    static const char keys[] =
        "\t\t\t\t\t\tlljj]m mzz\033Zw(#)HfppDr\033jcoOdtktlG[i a{}1b+v,.n\t=x-gg?\033";
    const char *arguments[] = {"--model", folder.path, "--threads", "3",
                               LONG_TEXT, LONG_TEXT,   NULL};
    ck_assert_uint_ge(strlen(keys), 60);
    pty = pty_start(&(struct pty_setup){.arguments = arguments, .before = BEFORE "\n"});
    pty_expect(pty, "q quit");
    for (const char *key = keys; *key; key++) {
        pty_type_bytes(pty, key, 1);
        pty_wait_read(pty);
    }
    pty_expect(pty, "q quit");
    pty_type(pty, "e cat cat cat\r");
    quit_restored();
}
