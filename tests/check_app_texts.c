/* check_app_texts.c: the real program with many texts: a line of JSON for each. */
#include "model_helpers.h"
#include "process_helpers.h"
#include "schema.h"
#include "suites.h"

#include "headlight/app/texts_run.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct folder folder;
static struct result result;
static char *path;

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    folder_remove(&folder);
    free(path);
    path = NULL;
}

TESTS(.begin = begin, .end = end);

static void write_texts(const char *name, const char *bytes)
{
    folder_write(&folder, name, bytes, strlen(bytes));
    free(path);
    path = in_folder(&folder, name);
}

/* What the program writes for the file; standard error is PIPED or goes nowhere. */
static void run_texts(const char *const *options, int code)
{
    const char *arguments[16] = {"headlight", "--model", TINY_FOLDER, "run", path};
    const int nowhere = open("/dev/null", O_WRONLY);
    for (size_t i = 0; options && options[i]; i++)
        arguments[5 + i] = options[i];
    result = run(arguments, PIPED, nowhere);
    close(nowhere);
    assert_exit(&result, code);
}

/* The object on the line of that number; the caller's. */
static cJSON *object_at(size_t line)
{
    struct text all = text_of_string(result.text);
    struct error error;
    size_t at = 0;
    cJSON *object;
    for (size_t i = 0; i < line && at < all.length; i++)
        text_take_line(all, &at);
    ck_assert_uint_lt(at, all.length);
    const struct text text = text_take_line(all, &at);
    assert_ok(json_parse_object(text.bytes, text.length, "a line", &object, &error), error);
    return object;
}

static size_t count_lines(void)
{
    size_t count = 0;
    for (const char *at = result.text; (at = strchr(at, '\n')); at++)
        count++;
    return count;
}

static const char *string_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_member(object, name);
    ck_assert_msg(cJSON_IsString(item), "%s", name);
    return item->valuestring;
}

/* But for what says which text it is. */
TEST(a_line_is_what_the_text_alone_gives)
{
    write_texts("x.jsonl",
                "{\"id\":\"p\",\"a\":\"time flies\",\"b\":\"like an arrow\",\"label\":1}\n"
                "{\"words\":[\"time\",\"flies\"],\"n\":1234567890123456}\n");
    const char *const include[] = {"--include", "weights,metrics", "--off", "0.1", NULL};
    run_texts(include, 0);
    ck_assert_uint_eq(count_lines(), 2);
    cJSON *first = object_at(0), *second = object_at(1);
    assert_is_export(first);
    assert_is_export(second);
    ck_assert_str_eq(string_of(first, "id"), "p");
    ck_assert_int_eq(json_member(json_member(first, "carried"), "label")->valueint, 1);
    ck_assert_str_eq(string_of(second, "id"), "1");
    ck_assert_int_eq(json_member(second, "line")->valueint, 2);
    ck_assert_ptr_nonnull(strstr(result.text, "\"carried\":{\"n\":1234567890123456},"));
    const char *const alone[] = {"headlight", "--model",    TINY_FOLDER,       "--json",
                                 "-",         "--include",  "weights,metrics", "--off",
                                 "0.1",       "time flies", "like an arrow",   NULL};
    result = run(alone, PIPED, STDERR_FILENO);
    assert_exit(&result, 0);
    cJSON *expected = object_at(0);
    cJSON_DeleteItemFromObject(first, "id");
    cJSON_DeleteItemFromObject(first, "line");
    cJSON_DeleteItemFromObject(first, "carried");
    ck_assert(cJSON_Compare(first, expected, true));
    cJSON_Delete(first);
    cJSON_Delete(second);
    cJSON_Delete(expected);
}

static void assert_refused(size_t line, const char *id, const char *part)
{
    cJSON *object = object_at(line);
    ck_assert_str_eq(string_of(object, "id"), id);
    ck_assert_msg(strstr(string_of(object, "error"), part) != NULL, "%s",
                  string_of(object, "error"));
    cJSON_Delete(object);
}

TEST(what_is_refused_is_named_and_the_rest_goes_on)
{
    static char bytes[2000] = "a\tb\tc\ntime\n";
    for (int i = 0; i < 200; i++)
        strcat(bytes, "time ");
    strcat(bytes, "\nflies");
    write_texts("x.txt", bytes);
    run_texts(NULL, 3);
    ck_assert_uint_eq(count_lines(), 4);
    assert_refused(0, "0", "x.txt, line 1: expected one tab");
    assert_refused(2, "2",
                   "x.txt, line 3: the text is 202 tokens long, the model has 64 positions");
    cJSON *last = object_at(3);
    ck_assert_str_eq(string_of(last, "id"), "3");
    cJSON_Delete(last);
    const char *arguments[] = {"headlight", "--model", TINY_FOLDER, "run",
                               path,        "-o",      "/dev/null", NULL};
    result = run(arguments, STDERR_FILENO, PIPED);
    assert_exit(&result, 3);
    ck_assert_ptr_nonnull(strstr(result.text, "headlight: of 4 texts 1 could not be used, 1 were "
                                              "too long\n"));
    ck_assert_uint_eq(count_lines(), 3);
}

static void assert_shown(const char *const *arguments, const char *part)
{
    result = run(arguments, PIPED, STDERR_FILENO);
    assert_exit(&result, 0);
    ck_assert_msg(strstr(result.text, part) != NULL, "%s: not in\n%s", part, result.text);
}

/* Without special tokens an empty text has none. */
TEST(an_empty_text_is_not_too_long)
{
    write_texts("x.jsonl", "{\"a\":\"\"}\n{\"a\":\"time\"}\n");
    const char *const bare[] = {"--no-special", NULL};
    run_texts(bare, 3);
    ck_assert_uint_eq(count_lines(), 2);
    assert_refused(0, "0", "x.jsonl, line 1: the text has no tokens");
    const char *arguments[] = {"headlight",    "--model", TINY_FOLDER, "run", path,
                               "--no-special", "-o",      "/dev/null", NULL};
    result = run(arguments, STDERR_FILENO, PIPED);
    assert_exit(&result, 3);
    ck_assert_ptr_nonnull(strstr(result.text, "headlight: of 2 texts 1 could not be used\n"));
    const char *shown[] = {"headlight", "--model", TINY_FOLDER, path,  "--no-special",
                           "--view",    "corpus",  "--format",  "txt", NULL};
    assert_shown(shown, "1 left out");
}

/* What can't be read is passed over; the page has the rest. */
TEST(all_of_them_are_one_page)
{
    char *page = in_folder(&folder, "page.html"), *text;
    const char *arguments[] = {"headlight", "--model", TINY_FOLDER, NULL,  "--page", page,
                               "--only",    "1",       "--heads",   "0,1", NULL};
    const char *last = "\"texts\":[\"the cat\",\"sat\"]";
    struct error error;
    size_t length, count = 0;
    write_texts("x.txt", "time flies\na\tb\tc\nfruit\nthe cat\tsat\n");
    arguments[3] = path;
    result = run(arguments, PIPED, PIPED);
    assert_exit(&result, 3);
    assert_ok(file_read(page, (size_t)1 << 20, &text, &length, &error), error);
    ck_assert_ptr_nonnull(strstr(text, "\"layer_numbers\":[1],\"head_numbers\":[0,1],"));
    ck_assert_ptr_nonnull(strstr(text, ",\"more\":[{\"texts\":[\"fruit\"],"));
    ck_assert_ptr_nonnull(strstr(text, last));
    for (const char *at = text; (at = strstr(at, "\"weights\":\"")); at++)
        count++;
    ck_assert_uint_eq(count, 3);
    free(text);
    free(page);
}

TEST(a_page_of_nothing_is_refused)
{
    char *page = in_folder(&folder, "page.html");
    const char *arguments[] = {"headlight", "--model", TINY_FOLDER, NULL, "--page", page, NULL};
    write_texts("x.txt", "a\tb\tc\n");
    arguments[3] = path;
    result = run(arguments, PIPED, PIPED);
    assert_exit(&result, 1);
    ck_assert_ptr_nonnull(strstr(result.text, "expected texts for a page, found none"));
    ck_assert_int_ne(access(page, F_OK), 0);
    free(page);
}

TEST(strict_ends_at_the_first)
{
    const char *const strict[] = {"--strict", NULL};
    write_texts("x.txt", "time\na\tb\tc\nflies\n");
    run_texts(strict, 1);
    ck_assert_uint_eq(count_lines(), 1);
}

/* What is asked of a text that hasn't got it. */
TEST(a_text_without_its_answer_is_refused)
{
    write_texts("x.jsonl", "{\"a\":\"[MASK] cat\",\"answer\":\"The\"}\n"
                           "{\"a\":\"[MASK] cat\",\"answer\":\"nonsense\"}\n");
    run_texts(NULL, 3);
    assert_refused(1, "1", "line 2: --ask: expected a word piece");
    cJSON *first = object_at(0);
    const cJSON *masked = json_member(export_answer(first, "words"), "masked");
    ck_assert_str_eq(string_of(json_member(masked->child, "asked"), "piece"), "the");
    cJSON_Delete(first);
}

/* What no text can make right. */
TEST(a_wrong_option_is_refused_once)
{
    static const char *const wrong[][3] = {
        {"--off", "9.0"}, {"--layer", "9"}, {"--ask", "nonsense"}};
    write_texts("x.txt", "time\nflies\n");
    for (size_t i = 0; i < COUNT(wrong); i++) {
        run_texts(wrong[i], 2);
        ck_assert_str_eq(result.text, "");
    }
}

static void write_long_pair(void)
{
    char bytes[4000] = "{\"a\":\"the cat\",\"b\":\"";
    for (int i = 0; i < 150; i++)
        snprintf(bytes + strlen(bytes), sizeof bytes - strlen(bytes), "%s ", i % 3 ? "time" : "a");
    strcat(bytes, "\"}\n");
    write_texts("x.jsonl", bytes);
}

TEST(a_long_text_is_cut)
{
    const char *const truncate[] = {"--truncate", NULL};
    write_long_pair();
    run_texts(truncate, 0);
    cJSON *object = object_at(0);
    assert_is_export(object);
    ck_assert_int_eq(cJSON_GetArraySize(json_member(object, "tokens")), 64);
    ck_assert_int_eq(json_member(object, "truncated")->valueint, 155);
    ck_assert_uint_lt(strlen(cJSON_GetArrayItem(json_member(object, "texts"), 1)->valuestring),
                      300);
    cJSON_Delete(object);
}

/* The first text stands in each; all tokens of the second are in some window, at the bytes that it
 * says, and neighbours share as many as were asked for. */
TEST(a_long_text_becomes_windows)
{
    const char *const stride[] = {"--stride", "10", NULL};
    int seen = 0;
    write_long_pair();
    run_texts(stride, 0);
    const size_t count = count_lines();
    ck_assert_uint_eq(count, 3); /* of 59 tokens, 49 further each time */
    for (size_t i = 0; i < count; i++) {
        cJSON *object = object_at(i);
        const cJSON *window = json_member(object, "window"), *span;
        const cJSON *texts = json_member(object, "texts");
        const char *second = cJSON_GetArrayItem(texts, 1)->valuestring;
        assert_is_export(object);
        ck_assert_str_eq(texts->child->valuestring, "the cat");
        ck_assert_int_eq(json_member(window, "number")->valueint, (int)i);
        ck_assert_int_eq(json_member(window, "of")->valueint, 3);
        ck_assert_str_eq(string_of(object, "id"), "0");
        int tokens = 0;
        cJSON_ArrayForEach(span, json_member(object, "spans")) tokens += cJSON_IsArray(span);
        ck_assert_int_eq(tokens, i < 2 ? 61 : 54);
        seen += tokens - 2 - (i > 0 ? 10 : 0);
        const cJSON *last = cJSON_GetArrayItem(json_member(object, "spans"), tokens + 1);
        ck_assert_uint_eq((size_t)cJSON_GetArrayItem(last, 1)->valueint, strlen(second));
        cJSON_Delete(object);
    }
    ck_assert_int_eq(seen, 150);
}

/* A sample by hash takes single windows; other texts are drawn as the sample of the file draws
 * them.
 */
TEST(windows_are_drawn_each_by_itself)
{
    const struct corpus_text text = {.hash = 7, .id = "long"};
    struct texts_piece piece = {.text = &text, .windows = 1};
    ck_assert_uint_eq(texts_piece_text(&piece).hash, 7);
    piece.windows = 3;
    ck_assert_uint_eq(texts_piece_text(&piece).hash, 7);
    piece.window = 1;
    const uint64_t second = texts_piece_text(&piece).hash;
    piece.window = 2;
    const uint64_t third = texts_piece_text(&piece).hash;
    ck_assert(second != 7 && third != 7 && second != third);
}

TEST(windows_may_share_less_than_a_window)
{
    const char *const stride[] = {"--stride", "59", NULL};
    write_long_pair();
    run_texts(stride, 3);
    assert_refused(0, "0", "there is no room for windows of it that share 59");
}

/* ---- On the screen -------------------------------------------------------------------------- */

/* The first row that has the part; fails without one. */
TEST(a_state_keeps_the_place)
{
    char *state = in_folder(&folder, "state.json");
    const char *first[] = {"headlight", "--model",  TINY_FOLDER, NULL,     "--columns",
                           "b",         "--sample", "2",         "--type", "n",
                           "--state",   state,      "--format",  "txt",    NULL};
    const char *second[] = {"headlight", "--state", state, "--type", "N", "--format", "txt", NULL};
    write_texts("x.csv", "a,b\n1,time\n2,time flies\n3,a dog\n");
    first[3] = path;
    assert_shown(first, "2 of 2 · ");
    assert_shown(second, "1 of 2 · ");
    ck_assert_int_eq(unlink(path), 0);
    result = run(second, STDERR_FILENO, PIPED);
    assert_exit(&result, 1);
    ck_assert_ptr_nonnull(strstr(result.text, "state.json: its texts: "));
    ck_assert_int_eq(mkfifo(path, 0600), 0); /* and isn't waited for */
    result = run(second, STDERR_FILENO, PIPED);
    assert_exit(&result, 1);
    ck_assert_ptr_nonnull(strstr(result.text, "x.csv: expected a regular file"));
    free(state);
}

#define CORPUS "tests/vectors/survey/first200.conllu"

static const struct {
    const char *arguments[6], *part;
} refused[] = {
    {{"headlight", CORPUS}, "in a pipe texts are gone through by \"headlight run " CORPUS "\""},
    {{"headlight", "/dev/null", "--format", "txt"}, "expected a file, as texts are gone"},
};

TEST(what_has_no_screen_is_refused, .times = COUNT(refused))
{
    result = run(refused[_i].arguments, STDERR_FILENO, PIPED);
    assert_exit(&result, 2);
    ck_assert_msg(strstr(result.text, refused[_i].part) != NULL, "%s", result.text);
}

TEST(a_file_without_texts_is_refused)
{
    const char *arguments[] = {"headlight", NULL, "--format", "txt", NULL};
    write_texts("x.txt", "\n");
    arguments[1] = path;
    result = run(arguments, STDERR_FILENO, PIPED);
    assert_exit(&result, 1);
    ck_assert_ptr_nonnull(
        strstr(result.text, "x.txt: expected a text that can be read, found none"));
}

/* ---- In a pipe ------------------------------------------------------------------------------ */

/* Who asks and waits for an answer gets it. */
TEST(each_line_is_written_at_once)
{
    const char *arguments[] = {"headlight", "--model", TINY_FOLDER, "run", "-", NULL};
    int in[2], out[2], status;
    char byte;
    ck_assert_int_eq(pipe(in), 0);
    ck_assert_int_eq(pipe(out), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        exec_program(arguments);
    }
    close(in[0]);
    close(out[1]);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(write(in[1], "{\"a\":\"time\"}\n", 13), 13);
        do
            ck_assert_int_eq(read(out[0], &byte, 1), 1);
        while (byte != '\n');
    }
    close(in[1]);
    ck_assert_int_eq(read(out[0], &byte, 1), 0);
    close(out[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

TEST(a_pipe_that_nobody_reads_ends_it)
{
    int ends[2];
    write_texts("x.txt", "time\na\tb\tc\nflies\n");
    const char *arguments[] = {"headlight", "--model", TINY_FOLDER, "run", path, NULL};
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    result = run(arguments, ends[1], PIPED);
    close(ends[1]);
    assert_exit(&result, 0);
    ck_assert_str_eq(result.text, "");
}

TEST(a_full_device_is_an_error)
{
    const int full = open("/dev/full", O_WRONLY);
    write_texts("x.txt", "time\n");
    const char *arguments[] = {"headlight", "--model", TINY_FOLDER, "run", path, NULL};
    if (full < 0) {
        skip("a full device: there is no /dev/full");
        return;
    }
    assert_output_fails(arguments, full, "cannot be written");
    close(full);
}
