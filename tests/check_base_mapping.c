/* check_base_mapping.c: files that change under the program's hands. */
#include "model_helpers.h"
#include "opening.h"
#include "suites.h"

#include "headlight/base/mapping.h"
#include "headlight/model/forward.h"

#include <fcntl.h>
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
    assert_ok(forward_prepare(model, NULL, ids, segments, 3, true, &trace, &error), error);
    assert_ok(forward_run(model, NULL, NULL, trace, &error), error);
    ck_assert(trace->computed.whole);
    folder_copy(&folder, TINY_FOLDER, "model.safetensors");
    assert_ok(forward_prepare(model, NULL, ids, segments, 3, true, &after, &error), error);
    assert_fails(forward_run(model, NULL, NULL, after, &error), STATUS_IO,
                 "model.safetensors: has been written to since", error);
    ck_assert(!after->computed.whole);
    free(after);
    free(trace);
    model_free(model);
    free(path);
}
