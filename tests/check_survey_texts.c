/* Corpora that are right, and those that are not: what is read of each, in words. */
#include "faults.h"
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"

#include "headlight/base/format.h"
#include "headlight/survey/texts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct folder folder;
static struct error error;
static char path[120];

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    folder_remove(&folder);
}

static const struct fixture faults_tests = {.begin = begin, .end = end, .slow = true};

TESTS(.begin = begin, .end = end);

static const char *write_file(const char *name, const char *bytes, size_t size)
{
    snprintf(path, sizeof path, "%s/%s", folder.path, name);
    folder_write(&folder, name, bytes, size);
    return path;
}

static void describe_words(FILE *stream, const struct corpus_text *text)
{
    for (size_t i = 0; i < text->word_count; i++) {
        const struct corpus_word *word = &text->words[i];
        ck_assert(word->form.bytes >= text->texts[0].bytes);
        fprintf(stream, "%s%.*s", i > 0 ? " " : " <", (int)word->form.length, word->form.bytes);
        if (word->upos.length > 0 || word->relation.length > 0)
            fprintf(stream, "/%.*s/%.*s", (int)word->upos.length, word->upos.bytes,
                    (int)word->relation.length, word->relation.bytes);
        if (word->head != NO_WORD)
            fprintf(stream, "/%zu", word->head);
        if (text->tags)
            fprintf(stream, ":%.*s", (int)text->tags[i].length, text->tags[i].bytes);
    }
    fputs(text->words ? ">" : "", stream);
}

/* "number id @line: A | B <words> answer=… label=… {carried}" or, of a refusal, its sentence after
 * the file's name. */
static void describe(FILE *stream, const struct corpus_text *text, enum status status)
{
    fprintf(stream, "%" PRIu64 " %s @%zu: ", text->number, text->id, text->line);
    if (status != STATUS_OK) {
        const char *rest = strstr(error.message, ", line ");
        ck_assert_ptr_nonnull(rest);
        ck_assert(strncmp(error.message, folder.path, strlen(folder.path)) == 0);
        fprintf(stream, "!%s\n", rest + 2);
        return;
    }
    for (size_t i = 0; i < text->text_count; i++)
        fprintf(stream, "%s%.*s", i > 0 ? " | " : "", (int)text->texts[i].length,
                text->texts[i].bytes);
    describe_words(stream, text);
    if (text->answer.length > 0)
        fprintf(stream, " answer=%s", text->answer.bytes);
    if (text->label.length > 0)
        fprintf(stream, " label=%s", text->label.bytes);
    if (text->carried.length > 0)
        fprintf(stream, " {%s}", text->carried.bytes);
    fputc('\n', stream);
}

/* All texts of a file; the caller's to free. */
static char *read_all(const char *name, const struct corpus_choice *choice)
{
    struct corpus *corpus;
    struct buffer buffer;
    ck_assert(buffer_open(&buffer));
    assert_ok(corpus_open(name, choice, &corpus, &error), error);
    for (const struct corpus_text *text = NULL;;) {
        const enum status status = corpus_next(corpus, &text, &error);
        if (!text) {
            assert_ok(status, error);
            break;
        }
        describe(buffer.stream, text, status);
    }
    corpus_close(corpus);
    return buffer_close(&buffer);
}

static void expect_texts(const char *name, const char *bytes, size_t size, const char *columns,
                         const char *expected)
{
    const struct corpus_choice choice = {.columns = columns};
    char *found = read_all(write_file(name, bytes, size), &choice);
    ck_assert_str_eq(found, expected);
    free(found);
}

/* ---- Each kind ----------------------------------------------------------------------------- */

#define WORD(number, form, head) number "\t" form "\t_\tX\t_\t_\t" head "\tdep\t_\t_\n"

ROW_TEST(texts_are_read, "texts")
{
    expect_texts(row[0], row[1], strlen(row[1]), NULL, row[2]);
}

ROW_TEST(named_columns_are_read, "texts_columns")
{
    expect_texts(row[0], row[2], strlen(row[2]), row[1], row[3]);
}

TEST(nuls_are_left_out)
{
    static const char json[] =
        "{\"a\":\"\0x\\u0000y\\\\u0000\\uFFFD\",\"b\":null,\"c\":\"\\u0000\"}";
    expect_texts("x.txt", "a\0b\n\0\nc", 8, NULL, "0 0 @1: ab\n1 1 @2: \n2 2 @3: c\n");
    expect_texts("x.jsonl", json, sizeof json - 1, NULL,
                 "0 0 @1: x\uFFFDy\\u0000\uFFFD {\"c\":\"\uFFFD\"}\n");
    expect_texts("x.csv", "a,b\n\"\0x\0\",\0\n", 12, "a", "0 0 @2: x {\"b\":\"\"}\n");
}

static char *repeat(const char *part, size_t count, size_t *size)
{
    struct buffer buffer;
    ck_assert(buffer_open(&buffer));
    for (size_t i = 0; i < count; i++)
        fputs(part, buffer.stream);
    fputs("\nnext\n", buffer.stream);
    char *bytes = buffer_close(&buffer);
    *size = buffer.length;
    return bytes;
}

TEST(a_text_may_be_long_but_not_of_any_length)
{
    const char *const words[] = {"0123456789", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"};
    size_t size;
    struct corpus *corpus;
    const struct corpus_text *text;
    for (size_t i = 0; i < 2; i++) {
        char *bytes = repeat(words[i], 10000, &size);
        write_file("x.txt", bytes, size);
        free(bytes);
        assert_ok(corpus_open(path, &(struct corpus_choice){0}, &corpus, &error), error);
        assert_ok(corpus_next(corpus, &text, &error), error);
        ck_assert_uint_eq(text->texts[0].length, i == 0 ? 100000 : 300000);
        assert_ok(corpus_next(corpus, &text, &error), error);
        ck_assert_int_eq(strncmp(text->texts[0].bytes, "next", 4), 0);
        corpus_close(corpus);
    }
    char *bytes = repeat(words[0], TEXTS_BYTES_MAX / 10 + 1, &size);
    expect_texts("x.txt", bytes, size, NULL,
                 "0 0 @1: !line 1: expected a text of at most 4 MB, found a longer one\n"
                 "1 1 @2: next\n");
    free(bytes);
}

/* ---- Which are wanted ---------------------------------------------------------------------- */

/* FNV-1a of "" and "a" from its page, splitmix64 of them in Python. */
TEST(hashes_are_the_same_everywhere)
{
    ck_assert_uint_eq(corpus_hash("", 0, 0), 0xC3817C016BA4FF30);
    ck_assert_uint_eq(corpus_hash("a", 1, 0), 0x5F29C2AADD9B8527);
    ck_assert_uint_eq(corpus_hash("a", 1, 7), 0xA9B0700ECE9CC85C);
}

/* A thousand lines, each its own number. */
static void write_numbers(bool backwards)
{
    struct buffer buffer;
    ck_assert(buffer_open(&buffer));
    for (int i = 0; i < 1000; i++)
        fprintf(buffer.stream, "{\"id\":%d,\"a\":\"x\"}\n", backwards ? 999 - i : i);
    char *bytes = buffer_close(&buffer);
    write_file("x.jsonl", bytes, buffer.length);
    free(bytes);
}

/* Marks the ids that are chosen; returns how many. */
static size_t choose(struct corpus_choice choice, bool chosen[1000])
{
    struct corpus *corpus;
    size_t count = 0;
    assert_ok(corpus_open(path, &choice, &corpus, &error), error);
    for (const struct corpus_text *text; corpus_next(corpus, &text, &error) == STATUS_OK && text;) {
        const int id = atoi(text->id);
        ck_assert(!chosen[id]);
        chosen[id] = true;
        count++;
    }
    corpus_close(corpus);
    return count;
}

TEST(shards_are_the_whole)
{
    bool chosen[1000] = {false};
    size_t all = 0;
    write_numbers(false);
    for (uint64_t part = 0; part < 7; part++) {
        const size_t count = choose((struct corpus_choice){.part = part, .parts = 7}, chosen);
        ck_assert_uint_gt(count, 100);
        all += count;
    }
    ck_assert_uint_eq(all, 1000);
}

TEST(a_sample_is_the_same_in_any_order)
{
    for (uint64_t sample = 1; sample < 2000; sample = 3 * sample + 1) {
        bool chosen[1000] = {false}, again[1000] = {false}, seeded[1000] = {false},
             parts[1000] = {false};
        const size_t expected = sample < 1000 ? (size_t)sample : 1000;
        write_numbers(false);
        ck_assert_uint_eq(choose((struct corpus_choice){.sample = sample}, chosen), expected);
        choose((struct corpus_choice){.sample = sample, .seed = 1}, seeded);
        for (uint64_t part = 0; part < 3; part++)
            choose((struct corpus_choice){.sample = sample, .part = part, .parts = 3}, parts);
        write_numbers(true);
        choose((struct corpus_choice){.sample = sample}, again);
        ck_assert_mem_eq(chosen, again, sizeof chosen);
        ck_assert_mem_eq(chosen, parts, sizeof chosen);
        ck_assert(expected == 1000 || memcmp(chosen, seeded, sizeof chosen) != 0);
    }
}

TEST(a_sample_of_equal_ids_is_no_larger)
{
    write_file("x.jsonl", "{\"id\":1,\"a\":\"x\"}\n{\"id\":1,\"a\":\"y\"}\n{\"id\":1}\n", 43);
    char *found = read_all(path, &(struct corpus_choice){.sample = 1});
    ck_assert_str_eq(found, "0 1 @1: x\n");
    free(found);
}

/* A bad line is one shard's, and its id is what decides whose. */
TEST(a_refused_text_is_of_one_shard)
{
    size_t count = 0;
    write_file("x.jsonl", "{\"id\":\"a\"}\nx\n", 13);
    for (uint64_t part = 0; part < 5; part++) {
        char *found = read_all(path, &(struct corpus_choice){.part = part, .parts = 5});
        for (const char *at = found; (at = strstr(at, ": !line")); at++)
            count++;
        free(found);
    }
    ck_assert_uint_eq(count, 2);
}

/* ---- Files ---------------------------------------------------------------------------------- */

ROW_TEST(what_is_no_text_is_said, "texts_refused")
{
    struct corpus *corpus;
    const struct corpus_text *text;
    const struct corpus_choice choice = {.columns = row[3]};
    write_file(row[0], row[1], strlen(row[1]));
    assert_ok(corpus_open(path, &choice, &corpus, &error), error);
    const enum status status = corpus_next(corpus, &text, &error);
    assert_fails(status, status == STATUS_USAGE ? status : STATUS_UNSUPPORTED, row[2], error);
    ck_assert_ptr_null(text);
    corpus_close(corpus);
}

TEST(files_that_are_none)
{
    const struct corpus_choice all = {0};
    struct corpus *corpus;
    assert_fails(corpus_open(folder.path, &all, &corpus, &error), STATUS_IO, "folder", error);
    assert_fails(corpus_open("/nonexistent/x.txt", &all, &corpus, &error), STATUS_IO,
                 "/nonexistent/x.txt: cannot be opened", error);
    ck_assert_ptr_null(corpus);
    corpus_close(NULL);
}

/* What a pipe gives byte by byte is the same, and can't be read twice. */
TEST(a_pipe_is_read_once)
{
    struct corpus *corpus;
    const struct corpus_text *text;
    const char *all = "{\"a\":\"one\"}\n{\"a\":\"two\"}\n";
    uint64_t read, size;
    snprintf(path, sizeof path, "%s/pipe", folder.path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    const int fd = open(path, O_RDWR);
    assert_fails(corpus_open(path, &(struct corpus_choice){.sample = 1}, &corpus, &error),
                 STATUS_USAGE, "expected a file, as a sample is drawn before it is read", error);
    assert_ok(corpus_open(path, &(struct corpus_choice){0}, &corpus, &error), error);
    ck_assert_str_eq(corpus_name(corpus), "pipe");
    for (const char *at = all; *at; at++)
        ck_assert_int_eq(write(fd, at, 1), 1);
    assert_ok(corpus_next(corpus, &text, &error), error);
    ck_assert_str_eq(text->texts[0].bytes, "one");
    close(fd);
    assert_ok(corpus_next(corpus, &text, &error), error);
    ck_assert_str_eq(text->texts[0].bytes, "two");
    assert_ok(corpus_next(corpus, &text, &error), error);
    ck_assert_ptr_null(text);
    corpus_progress(corpus, &read, &size);
    ck_assert_uint_eq(read, strlen(all));
    ck_assert_uint_eq(size, 0);
    corpus_close(corpus);
}

/* Refused ones are passed over, and a byte order mark is none of a text that is gone back to. */
TEST(texts_are_gone_to)
{
    struct corpus *corpus;
    const struct corpus_text *text;
    size_t count;
    static const char bytes[] = "\xEF\xBB\xBF" WORD("1", "a", "0") "\nbad\n\n# sent_id = s\n" WORD(
        "1", "b", "0") "\n" WORD("1", "c", "0");
    write_file("x.conllu", bytes, sizeof bytes - 1);
    assert_ok(corpus_open(path, &(struct corpus_choice){0}, &corpus, &error), error);
    assert_ok(corpus_index(corpus, &count, &error), error);
    ck_assert_uint_eq(count, 3);
    static const size_t order[] = {2, 0, 1, 1, 0};
    static const struct {
        uint64_t number;
        size_t line;
        const char *id, *form;
    } expected[] = {{0, 1, "0", "a"}, {2, 5, "s", "b"}, {3, 8, "3", "c"}};
    for (int i = 0; i < COUNT(order); i++) {
        assert_ok(corpus_go(corpus, order[i], &error), error);
        assert_ok(corpus_next(corpus, &text, &error), error);
        ck_assert_uint_eq(text->number, expected[order[i]].number);
        ck_assert_uint_eq(text->line, expected[order[i]].line);
        ck_assert_str_eq(text->id, expected[order[i]].id);
        ck_assert_str_eq(text->texts[0].bytes, expected[order[i]].form);
    }
    corpus_close(corpus);
}

/* The names stand in the first row, before which the first text lies. */
TEST(rows_are_gone_to)
{
    struct corpus *corpus;
    const struct corpus_text *text;
    static const size_t order[] = {1, 0, 1};
    size_t count;
    write_file("x.csv", "a,b\n1,x\n2,\"y\nz\"\n", 16);
    assert_ok(corpus_open(path, &(struct corpus_choice){.columns = "b"}, &corpus, &error), error);
    assert_ok(corpus_index(corpus, &count, &error), error);
    ck_assert_uint_eq(count, 2);
    for (int i = 0; i < COUNT(order); i++) {
        assert_ok(corpus_go(corpus, order[i], &error), error);
        assert_ok(corpus_next(corpus, &text, &error), error);
        ck_assert_str_eq(text->texts[0].bytes, order[i] == 0 ? "x" : "y\nz");
        ck_assert_uint_eq(text->line, order[i] + 2);
    }
    assert_ok(corpus_back(corpus, (struct corpus_position){0}, &error), error);
    assert_ok(corpus_next(corpus, &text, &error), error);
    ck_assert_str_eq(text->texts[0].bytes, "x");
    corpus_close(corpus);
    char *found = read_all(path, &(struct corpus_choice){.columns = "a,b", .sample = 1});
    ck_assert_str_eq(strchr(found, ':'), strstr(found, ": 1") ? ": 1 | x\n" : ": 2 | y\nz\n");
    free(found);
}

/* ---- Without memory, and reads that fail ---------------------------------------------------- */

static const char *columns;

static enum status read_through(struct error *lacking)
{
    struct corpus *corpus;
    const struct corpus_text *text = NULL;
    const struct corpus_choice choice = {.sample = 5, .parts = 1, .columns = columns};
    enum status status = corpus_open(path, &choice, &corpus, lacking);
    size_t count;
    if (status == STATUS_OK)
        status = corpus_index(corpus, &count, lacking);
    if (status == STATUS_OK)
        status = corpus_go(corpus, 0, lacking);
    for (bool more = status == STATUS_OK; more;) {
        status = corpus_next(corpus, &text, lacking);
        more = status == STATUS_OK && text;
    }
    corpus_close(corpus);
    return status;
}

TEST(without_memory_it_says_so, .times = 4, .with = &faults_tests, .skipped = !faults_work())
{
    static const struct {
        const char *name, *bytes, *columns;
    } files[] = {
        {"x.csv", "a,b,c\n1,2,3\n", "a,b"},
        {"x.txt", "a\xFF\tb\nc\n", NULL},
        {"x.jsonl", "{\"id\":1,\"words\":[\"a\",\"b\"],\"tags\":[\"X\",null],\"x\":[1]}\n", NULL},
        {"x.conllu", "# sent_id = s\n" WORD("1", "a", "0"), NULL},
    };
    write_file(files[_i].name, files[_i].bytes, strlen(files[_i].bytes));
    columns = files[_i].columns;
    faults_try(&(struct trial){.name = files[_i].name, .act = read_through});
}

/* The first page of a process is none. */
TEST(a_read_that_fails_ends_it)
{
    struct corpus *corpus;
    const struct corpus_text *text;
    if (access("/proc/self/mem", R_OK) != 0) {
        skip("a file that can't be read once it is open");
        return;
    }
    assert_ok(corpus_open("/proc/self/mem", &(struct corpus_choice){0}, &corpus, &error), error);
    assert_fails(corpus_next(corpus, &text, &error), STATUS_IO, "/proc/self/mem: cannot be read",
                 error);
    corpus_close(corpus);
}
