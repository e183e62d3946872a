/* check_base_mapping.c: files that change under the program's hands. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/base/mapping.h"
#include "headlight/model/forward.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
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

TEST(a_file_is_named_by_its_addresses)
{
    static const unsigned char bytes[3 << 16];
    char *path = in_folder(&folder, "a\033[2Jb\xFF\xC3\xA4"), *other = in_folder(&folder, "other");
    struct mapping first, second;
    folder_write(&folder, "a\033[2Jb\xFF\xC3\xA4", bytes, sizeof bytes);
    folder_write(&folder, "other", bytes, 10);
    assert_ok(mapping_open(&first, path, &error), error);
    assert_ok(mapping_open(&second, other, &error), error);
    const char *loss = mapping_loss(first.bytes + sizeof bytes - 1);
    ck_assert_ptr_nonnull(strstr(loss, "/a?[2Jb?\xC3\xA4: has become shorter since"));
    ck_assert_ptr_eq(mapping_loss(first.bytes), loss);
    ck_assert_ptr_nonnull(strstr(mapping_loss(second.bytes), "/other: has become shorter since"));
    ck_assert_ptr_null(mapping_loss(bytes));
    ck_assert_ptr_null(mapping_loss(NULL));
    const unsigned char *was = first.bytes;
    mapping_close(&first);
    ck_assert_ptr_null(mapping_loss(was));
    ck_assert_ptr_nonnull(mapping_loss(second.bytes));
    mapping_close(&second);
    free(path);
    free(other);
}

struct opener {
    const char *path;
    atomic_bool stop;
};

static void *open_and_close(void *context)
{
    struct opener *opener = context;
    struct mapping mapping;
    struct error failure;
    while (!opener->stop) {
        ck_assert(mapping_open(&mapping, opener->path, &failure) == STATUS_OK);
        mapping_close(&mapping);
    }
    return NULL;
}

/* As while a model loads: another thread opens and closes files, and this one asks after its own.
 * The thread sanitizer watches. */
TEST(files_are_opened_while_others_are_asked_for)
{
    char *path = in_folder(&folder, "file"), *other = in_folder(&folder, "other");
    struct opener opener = {.path = other};
    struct mapping mapping;
    pthread_t thread;
    folder_write(&folder, "file", "mine", 4);
    folder_write(&folder, "other", "yours", 5);
    assert_ok(mapping_open(&mapping, path, &error), error);
    ck_assert_int_eq(pthread_create(&thread, NULL, open_and_close, &opener), 0);
    for (int i = 0; i < 20000; i++) {
        ck_assert_ptr_nonnull(strstr(mapping_loss(mapping.bytes), "/file: has become"));
        ck_assert_ptr_null(mapping_loss(path));
        if (i % 100 == 0)
            assert_ok(mapping_check(&mapping, STATUS_OK, &error), error);
    }
    opener.stop = true;
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    mapping_close(&mapping);
    free(path);
    free(other);
}

/* Long enough ago that the next write has another time, however coarse the clock. */
static void set_old(const char *path)
{
    const struct timespec times[] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* As cp does it: the same file, the same size, other bytes. */
TEST(a_file_that_is_written_over_is_told_of)
{
    struct mapping mapping;
    char *path = in_folder(&folder, "file");
    folder_write(&folder, "file", "old", 3);
    set_old(path);
    assert_ok(mapping_open(&mapping, path, &error), error);
    assert_ok(mapping_check(&mapping, STATUS_OK, &error), error);
    folder_write(&folder, "file", "new", 3);
    assert_fails(mapping_check(&mapping, STATUS_OK, &error), STATUS_IO, "has been written to",
                 error);
    mapping_close(&mapping);
    free(path);
}

/* As mv does it, and this program: what is open is still the old file, whole. */
TEST(a_file_that_is_replaced_stays_what_it_was)
{
    struct mapping mapping;
    char *path = in_folder(&folder, "file"), *other = in_folder(&folder, "other");
    folder_write(&folder, "file", "old", 3);
    folder_write(&folder, "other", "newer", 5);
    assert_ok(mapping_open(&mapping, path, &error), error);
    ck_assert_int_eq(rename(other, path), 0);
    assert_ok(mapping_check(&mapping, STATUS_OK, &error), error);
    ck_assert_mem_eq(mapping.bytes, "old", 3);
    ck_assert_int_eq(unlink(path), 0);
    assert_ok(mapping_check(&mapping, STATUS_OK, &error), error);
    mapping_close(&mapping);
    free(path);
    free(other);
}

/* A pass reads all weights, and what comes of others is no result. */
TEST(a_model_that_is_written_over_is_refused)
{
    const int32_t ids[] = {2, 7, 3}, segments[] = {0, 0, 0};
    char *path = in_folder(&folder, "model.safetensors");
    struct model *model;
    struct trace *trace, *after;
    folder_copy(&folder, TINY_FOLDER, "config.json");
    folder_copy(&folder, TINY_FOLDER, "model.safetensors");
    set_old(path);
    assert_ok(model_open(folder.path, NULL, &model, &error), error);
    assert_ok(forward_prepare(model, ids, segments, 3, true, &trace, &error), error);
    assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
    ck_assert(trace->computed.whole);
    folder_copy(&folder, TINY_FOLDER, "model.safetensors");
    assert_ok(forward_prepare(model, ids, segments, 3, true, &after, &error), error);
    assert_fails(forward_run(model, NULL, NULL, after, &error), STATUS_IO,
                 "model.safetensors: has been written to since", error);
    ck_assert(!after->computed.whole);
    free(after);
    free(trace);
    model_free(model);
    free(path);
}
