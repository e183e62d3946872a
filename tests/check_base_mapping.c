/* check_base_mapping.c: files that change under the program's hands. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/base/file.h"
#include "headlight/base/mapping.h"
#include "headlight/base/writer.h"
#include "headlight/model/forward.h"
#include "headlight/model/recording.h"
#include "headlight/tensor/thread_pool.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct error error;
static struct folder folder;

static void begin(void)
{
    folder_make(&folder);
    mapping_guard();
}

static void end(void)
{
    folder_remove(&folder);
}

START_TEST(a_file_that_becomes_shorter_is_no_crash)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = 3 * page;
    char *bytes = malloc(size), *path = in_folder(&folder, "file");
    struct mapping mapping, other;
    memset(bytes, 'x', size);
    folder_write(&folder, "file", bytes, size);
    folder_write(&folder, "other", bytes, size);
    assert_ok(mapping_open(&mapping, path, &error), error);
    ck_assert_int_eq(truncate(path, (off_t)page + 1), 0);
    ck_assert_int_eq(mapping.bytes[page], 'x');
    ck_assert_int_eq(mapping.bytes[page + 1], 0); /* the rest of the last page */
    assert_fails(mapping_check(STATUS_OK, &error), STATUS_IO, "has been written to", error);
    ck_assert_int_eq(mapping.bytes[size - 1], 0);
    assert_fails(mapping_check(STATUS_OK, &error), STATUS_IO, "has become shorter", error);
    assert_fails(mapping_check(STATUS_FORMAT, &error), STATUS_IO, path, error);
    ck_assert_int_eq(mapping.bytes[0], 'x');
    mapping_close(&mapping);
    ck_assert_int_eq(mapping_check(STATUS_FORMAT, &error), STATUS_FORMAT);
    free(path);
    path = in_folder(&folder, "other");
    assert_ok(mapping_open(&other, path, &error), error);
    ck_assert_int_eq(other.bytes[size - 1], 'x');
    assert_ok(mapping_check(STATUS_OK, &error), error);
    mapping_close(&other);
    free(path);
    free(bytes);
}
END_TEST

/* Long enough ago that the next write has another time, however coarse the clock. */
static void set_old(const char *path)
{
    const struct timespec times[] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* As cp does it: the same file, the same size, other bytes. */
START_TEST(a_file_that_is_written_over_is_told_of)
{
    struct mapping mapping;
    char *path = in_folder(&folder, "file");
    folder_write(&folder, "file", "old", 3);
    set_old(path);
    assert_ok(mapping_open(&mapping, path, &error), error);
    assert_ok(mapping_check(STATUS_OK, &error), error);
    folder_write(&folder, "file", "new", 3);
    assert_fails(mapping_check(STATUS_OK, &error), STATUS_IO, "has been written to", error);
    mapping_close(&mapping);
    free(path);
}
END_TEST

/* As mv does it, and this program: what is open is still the old file, whole. */
START_TEST(a_file_that_is_replaced_stays_what_it_was)
{
    struct mapping mapping;
    char *path = in_folder(&folder, "file"), *other = in_folder(&folder, "other");
    folder_write(&folder, "file", "old", 3);
    folder_write(&folder, "other", "newer", 5);
    assert_ok(mapping_open(&mapping, path, &error), error);
    ck_assert_int_eq(rename(other, path), 0);
    assert_ok(mapping_check(STATUS_OK, &error), error);
    ck_assert_mem_eq(mapping.bytes, "old", 3);
    ck_assert_int_eq(unlink(path), 0);
    assert_ok(mapping_check(STATUS_OK, &error), error);
    mapping_close(&mapping);
    free(path);
    free(other);
}
END_TEST

static void touch_all(const struct pool_thread *thread, void *context)
{
    const struct mapping *mapping = context;
    const volatile unsigned char *bytes = mapping->bytes;
    for (size_t i = 0; thread->index > 0 && i < mapping->size; i++)
        (void)bytes[i];
}

START_TEST(a_file_that_becomes_shorter_is_no_crash_in_any_thread)
{
    static const char bytes[1 << 20];
    struct mapping mapping;
    char *path = in_folder(&folder, "file");
    folder_write(&folder, "file", bytes, sizeof bytes);
    assert_ok(mapping_open(&mapping, path, &error), error);
    ck_assert_int_eq(truncate(path, 0), 0);
    pool_run(4, touch_all, &mapping);
    assert_fails(mapping_check(STATUS_OK, &error), STATUS_IO, "has become shorter", error);
    mapping_close(&mapping);
    free(path);
}
END_TEST

/* Whoever sent it, it is not about a file. (A sanitizer has a handler of its own.) */
START_TEST(another_bus_error_is_what_it_was)
{
    signal(SIGBUS, SIG_DFL);
    mapping_guard();
    raise(SIGBUS);
}
END_TEST

START_TEST(a_model_that_becomes_shorter_is_refused)
{
    const int32_t ids[] = {2, 7, 3}, segments[] = {0, 0, 0};
    char *path = in_folder(&folder, "model.safetensors");
    struct model *model;
    struct trace *trace, *after;
    folder_copy(&folder, TINY_FOLDER, "config.json");
    folder_copy(&folder, TINY_FOLDER, "model.safetensors");
    assert_ok(model_open(folder.path, NULL, &model, &error), error);
    assert_ok(forward_prepare(model, ids, segments, 3, true, &trace, &error), error);
    for (int precision = PRECISION_SINGLE; precision <= PRECISION_DOUBLE; precision++) {
        assert_ok(forward_run(model, NULL, (enum precision)precision, NULL, trace, &error), error);
        ck_assert(trace->computed.whole);
    }
    ck_assert_int_eq(truncate(path, 16384), 0);
    for (int precision = PRECISION_SINGLE; precision <= PRECISION_DOUBLE; precision++) {
        assert_ok(forward_prepare(model, ids, segments, 3, true, &after, &error), error);
        assert_fails(forward_run(model, NULL, (enum precision)precision, NULL, after, &error),
                     STATUS_IO, path, error);
        ck_assert(!after->computed.whole);
        free(after);
    }
    free(trace);
    model_free(model);
    free(path);
}
END_TEST

START_TEST(nothing_is_written_of_a_file_that_becomes_shorter)
{
    struct mapping mapping;
    struct writer writer;
    char *path = in_folder(&folder, "model.safetensors"), *copy = in_folder(&folder, "copy");
    folder_copy(&folder, TINY_FOLDER, "model.safetensors");
    folder_write(&folder, "copy", "old", 3);
    assert_ok(mapping_open(&mapping, path, &error), error);
    assert_ok(writer_open(&writer, copy, &error), error);
    ck_assert_int_eq(truncate(path, 100), 0);
    for (size_t i = 0; i < mapping.size; i++)
        fputc(mapping.bytes[i], writer.stream);
    assert_fails(writer_commit(&writer, &error), STATUS_IO, "has become shorter", error);
    mapping_close(&mapping);
    char *text;
    size_t length;
    assert_ok(file_read(copy, 100, &text, &length, &error), error);
    ck_assert_str_eq(text, "old");
    free(text);
    free(path);
    free(copy);
}
END_TEST

Suite *suite_base_mapping(void)
{
    Suite *suite = suite_create("base/mapping");
    TCase *test_case = tcase_create("shorter");
    tcase_add_checked_fixture(test_case, begin, end);
    tcase_add_test(test_case, a_file_that_becomes_shorter_is_no_crash);
    tcase_add_test(test_case, a_file_that_is_written_over_is_told_of);
    tcase_add_test(test_case, a_file_that_is_replaced_stays_what_it_was);
    tcase_add_test(test_case, a_file_that_becomes_shorter_is_no_crash_in_any_thread);
    tcase_add_test_raise_signal(test_case, another_bus_error_is_what_it_was, SIGBUS);
    tcase_add_test(test_case, a_model_that_becomes_shorter_is_refused);
    tcase_add_test(test_case, nothing_is_written_of_a_file_that_becomes_shorter);
    suite_add_tcase(suite, test_case);
    return suite;
}
