#include "model_helpers.h"
#include "suites.h"

#include "headlight/base/error.h"
#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/base/system.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct error error;
static struct folder folder;

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

/* ---- Names ---- */

/* Through links, and where there is no file yet. */
TEST(one_file_has_many_names)
{
    char *made = in_folder(&folder, "a"), *link = in_folder(&folder, "b"),
         *inner = in_folder(&folder, "c"), *none = in_folder(&folder, "none"),
         *other = in_folder(&folder, "c/none");
    folder_write(&folder, "a", "", 0);
    ck_assert_int_eq(symlink("a", link), 0);
    ck_assert_int_eq(symlink(".", inner), 0);
    ck_assert(file_is_same(made, link) && file_is_same(none, other));
    ck_assert(!file_is_same(made, none) && !file_is_same(made, inner));
    ck_assert(file_is_same("none", "./none") && !file_is_same("none", "tests/none"));
    ck_assert(file_is_same("/nowhere/a", "/nowhere/a") && !file_is_same("/nowhere/a", "/no/a"));
    free(made);
    free(link);
    free(inner);
    free(none);
    free(other);
}

/* ---- Errors ---- */

TEST(a_long_message_is_cut_between_characters)
{
    char text[3 * 1000 + 1] = "";
    for (size_t shift = 0; shift < 9; shift++) {
        for (size_t i = 0; i < 1000; i++)
            memcpy(text + 3 * i, "日", 4);
        error_set(&error, STATUS_IO, "%.*s%s%.*s", (int)shift / 3, "ab", text, (int)shift % 3,
                  "yz");
        size_t length = strlen(error.message);
        ck_assert_uint_lt(length, sizeof error.message);
        ck_assert_uint_gt(length, sizeof error.message - 12);
        ck_assert(unicode_valid(error.message, length));
    }
}

TEST(a_long_message_keeps_its_end)
{
    char path[4000];
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    error_set(&error, STATUS_IO, "--model: %s: cannot be opened: %s", path, "no such file");
    ck_assert_int_eq(strncmp(error.message, "--model: xxx", 12), 0);
    ck_assert_ptr_nonnull(strstr(error.message, "xxx … xxx"));
    ck_assert_ptr_nonnull(strstr(error.message, "xxx: cannot be opened: no such file"));
    ck_assert_uint_lt(strlen(error.message), sizeof error.message);
}

/* ---- Text ---- */

/* As many whole characters as fit, of whatever length. */
TEST(text_is_cut_between_characters)
{
    static const char *const characters[] = {"a", "é", "日", "😀"};
    for (size_t length = 1; length <= 4; length++)
        for (size_t size = 1; size <= 20; size++) {
            char whole[81] = "", text[20] = "";
            for (size_t i = 0; i < 20; i++)
                strcat(whole, characters[length - 1]);
            format_cut(text, size, "%s", whole);
            ck_assert_uint_eq(strlen(text), (size - 1) / length * length);
            ck_assert_int_eq(strncmp(text, whole, strlen(text)), 0);
        }
}

/* ---- The system ---- */

/* On Linux without what is in use: less than there is, as some of it always is. */
TEST(memory_is_what_can_be_had)
{
    size_t all = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    size_t memory = system_memory();
#if defined(__linux__) && !defined(HEADLIGHT_PLAIN)
    ck_assert_uint_lt(memory, all);
#endif
    ck_assert_uint_le(memory, all);
    ck_assert_uint_gt(memory, all / 1000);
}

/* ---- Files ---- */

TEST(files_are_read_and_mapped_whole)
{
    char *path = in_folder(&folder, "file"), *text;
    size_t length;
    struct mapping mapping;
    folder_write(&folder, "file", "a\0b", 3);
    assert_ok(file_read(path, 3, &text, &length, &error), error);
    ck_assert_uint_eq(length, 3);
    ck_assert_mem_eq(text, "a\0b", 4);
    free(text);
    assert_fails(file_read(path, 2, &text, &length, &error), STATUS_LIMIT,
                 "expected at most 2 bytes, found 3", error);
    ck_assert_ptr_null(text);
    assert_ok(mapping_open(&mapping, path, &error), error);
    ck_assert_uint_eq(mapping.size, 3);
    ck_assert_mem_eq(mapping.bytes, "a\0b", 3);
    mapping_close(&mapping);
    mapping_close(&mapping);
    folder_write(&folder, "empty", "", 0);
    free(path);
    path = in_folder(&folder, "empty");
    assert_ok(mapping_open(&mapping, path, &error), error);
    ck_assert_ptr_null(mapping.bytes);
    mapping_close(&mapping);
    free(path);
}

/* What git and browsers leave there where a download went wrong. */
TEST(what_stands_for_a_file_is_refused)
{
    static const struct {
        const char *name, *bytes, *found;
    } cases[] = {
        {"model.safetensors",
         "version https://git-lfs.github.com/spec/v1\noid sha256:4d4d\nsize 437955512\n",
         "/model.safetensors: expected the file itself, found a Git LFS pointer to it: \"git lfs "
         "pull\""},
        {"config.json", "<!doctype html>\n<p>Log in", "found a page of HTML"},
        {"vocab.txt", "<html lang=\"en\">", "found a page of HTML"},
        {"page.html", "<!DOCTYPE html>", NULL},
        {"vocab.txt", "version\n", NULL},
    };
    struct mapping mapping;
    size_t length;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *path = in_folder(&folder, cases[i].name), *text = NULL;
        folder_write(&folder, cases[i].name, cases[i].bytes, strlen(cases[i].bytes));
        if (cases[i].found) {
            assert_fails(file_read(path, 1000, &text, &length, &error), STATUS_FORMAT,
                         cases[i].found, error);
            assert_fails(mapping_open(&mapping, path, &error), STATUS_FORMAT, cases[i].found,
                         error);
        } else {
            assert_ok(file_read(path, 1000, &text, &length, &error), error);
        }
        free(text);
        free(path);
    }
}

TEST(what_is_no_file_is_refused)
{
    struct mapping mapping;
    char *pipe = in_folder(&folder, "pipe"), *loop = in_folder(&folder, "loop");
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    ck_assert_int_eq(symlink(loop, loop), 0);
    assert_fails(mapping_open(&mapping, folder.path, &error), STATUS_IO, "found a folder", error);
    assert_fails(mapping_open(&mapping, pipe, &error), STATUS_IO, "found a pipe", error);
    assert_fails(mapping_open(&mapping, loop, &error), STATUS_IO, "cannot be opened", error);
    assert_fails(mapping_open(&mapping, "/dev/null", &error), STATUS_IO, "a device", error);
    assert_fails(mapping_open(&mapping, "/nowhere", &error), STATUS_IO, "/nowhere", error);
    unlink(pipe);
    unlink(loop);
    free(pipe);
    free(loop);
}

TEST(a_link_is_what_it_leads_to)
{
    char *link = in_folder(&folder, "link"), *file = in_folder(&folder, "file");
    ck_assert(!file_lies_in(folder.path, "link"));
    ck_assert_int_eq(symlink(file, link), 0);
    ck_assert(!file_lies_in(folder.path, "link") && !file_is_folder(link) && file_named(link));
    folder_write(&folder, "file", "", 0);
    ck_assert(file_lies_in(folder.path, "link") && !file_is_folder(link));
    ck_assert(!file_lies_in("/nowhere", "link") && !file_lies_in(file, "link"));
    unlink(link);
    ck_assert_int_eq(symlink(".", link), 0);
    ck_assert(file_lies_in(link, "file") && file_is_folder(link) && file_is_folder(folder.path));
    free(link);
    free(file);
}

TEST(paths_are_joined)
{
    static const char *const cases[][3] = {
        {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"/", "b", "/b"}, {".", "b", "./b"}};
    for (size_t i = 0; i < 4; i++) {
        char *path = path_join(cases[i][0], cases[i][1]);
        ck_assert_str_eq(path, cases[i][2]);
        free(path);
    }
}
