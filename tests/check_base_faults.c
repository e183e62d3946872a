/* check_base_faults.c: memory that runs out, disks that are full, calls that are interrupted: files
 * as they come in and as they go out. */

#include "faults.h"
#include "model_helpers.h"
#include "suites.h"

#include "headlight/base/error.h"
#include "headlight/base/file.h"
#include "headlight/base/writer.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct error error;
static struct folder folder;
static char *path, *link_path;

static void begin(void)
{
    folder_make(&folder);
    path = path_join(folder.path, "file");
    link_path = path_join(folder.path, "link");
    ck_assert_int_eq(symlink("file", link_path), 0);
}

static void end(void)
{
    folder_remove(&folder);
    free(path);
    free(link_path);
}

TESTS(.begin = begin, .end = end, .slow = true);

static void check_file(const char *expected)
{
    assert_text(path, expected);
}

/* Temporary names begin with a dot. */
static size_t count_temporary(void)
{
    size_t count = 0;
    DIR *directory = opendir(folder.path);
    ck_assert_ptr_nonnull(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] == '.' && strcmp(entry->d_name, ".") != 0 &&
                 strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

/* ---- Memory ---- */

static void write_before(void)
{
    folder_write(&folder, "file", "before", 6);
}

static enum status replace(const char *name, struct error *failure)
{
    struct writer writer;
    if (writer_open(&writer, name, failure) != STATUS_OK)
        return failure->status;
    fputs("after", writer.stream);
    return writer_commit(&writer, STATUS_OK, failure);
}

static enum status replace_file(struct error *failure)
{
    return replace(path, failure);
}

static enum status replace_linked(struct error *failure)
{
    return replace(link_path, failure);
}

static void check_kept(void)
{
    check_file("before");
    ck_assert_uint_eq(count_temporary(), 0);
}

static void check_replaced(void)
{
    check_file("after");
    ck_assert_uint_eq(count_temporary(), 0);
}

TEST(a_writer_without_memory_says_so, .skipped = !faults_work())
{
    struct trial trial = {.name = "write a file",
                          .begin = write_before,
                          .act = replace_file,
                          .end = check_replaced,
                          .check_failed = check_kept};
    faults_try(&trial);
    trial.name = "write a file through a link";
    trial.act = replace_linked;
    faults_try(&trial);
}

static char *read_text;

static enum status read_file(struct error *failure)
{
    size_t length;
    return file_read(path, 100, &read_text, &length, failure);
}

static void free_text(void)
{
    ck_assert_str_eq(read_text, "before");
    free(read_text);
}

static struct mapping mapping;

static enum status map_file(struct error *failure)
{
    return mapping_open(&mapping, path, failure);
}

static void unmap(void)
{
    mapping_close(&mapping);
}

TEST(a_reader_without_memory_says_so, .skipped = !faults_work())
{
    write_before();
    faults_try(&(struct trial){.name = "read a file", .act = read_file, .end = free_text});
    faults_try(&(struct trial){.name = "map a file", .act = map_file, .end = unmap});
}

/* ---- Files out ---- */

static const struct {
    enum fault_kind kind;
    int reason;
} out_faults[] = {
    {FAULT_MAKE, EACCES},   {FAULT_MAKE, EROFS},   {FAULT_MAKE, ENOSPC},   {FAULT_MAKE, EMFILE},
    {FAULT_MAKE, EDQUOT},   {FAULT_WRITE, ENOSPC}, {FAULT_WRITE, EINTR},   {FAULT_WRITE, EIO},
    {FAULT_WRITE, EFBIG},   {FAULT_SYNC, ENOSPC},  {FAULT_SYNC, EDQUOT},   {FAULT_SYNC, EIO},
    {FAULT_CLOSE, ENOSPC},  {FAULT_CLOSE, EDQUOT}, {FAULT_RENAME, EACCES}, {FAULT_RENAME, EROFS},
    {FAULT_RENAME, ENOSPC},
};

/* More than one buffer of the stream. */
static enum status write_much(const char *name, struct error *failure)
{
    struct writer writer;
    if (writer_open(&writer, name, failure) != STATUS_OK)
        return failure->status;
    for (int i = 0; i < 20000; i++)
        fputs("after ", writer.stream);
    return writer_commit(&writer, STATUS_OK, failure);
}

/* For each call of that kind, by name and through a link: the file is as it was, the message gives
 * the system's reason, and nothing else is left in the folder. */
TEST(what_was_there_stays_when_a_file_cannot_be_written, .times = COUNT(out_faults),
     .skipped = !faults_work())
{
    enum fault_kind kind = out_faults[_i].kind;
    int reason = out_faults[_i].reason;
    write_before();
    for (size_t nth = 1, hits = 1; hits > 0; nth++) {
        const struct fault wanted = {.kind = kind, .nth = nth, .lasts = nth % 2, .reason = reason};
        const char *name = nth % 3 == 0 ? link_path : path;
        faults_begin(&wanted);
        enum status status = write_much(name, &error);
        hits = faults_end();
        ck_assert_msg(nth > 1 || hits > 0, "kind %d is not reached", (int)kind);
        ck_assert_uint_eq(count_temporary(), 0);
        if (hits == 0) {
            ck_assert_int_eq(status, STATUS_OK);
            break;
        }
        ck_assert_int_eq(status, STATUS_IO);
        ck_assert_ptr_nonnull(strstr(error.message, ": cannot be written: "));
        ck_assert_msg(strstr(error.message, strerror(reason)) || !wanted.lasts, "%s",
                      error.message);
        check_file("before");
    }
}

/* What a handler of INT does leaves no temporary file, and what was there before. */
TEST(an_interrupt_leaves_nothing_behind, .skipped = !faults_work())
{
    struct writer writer;
    write_before();
    assert_ok(writer_open(&writer, path, &error), error);
    ck_assert_uint_eq(count_temporary(), 1);
    interrupt_copy();
    check_kept();
    writer_abort(&writer);
    interrupt_copy(); /* nothing is open */
    check_kept();
}

/* ---- Files in ---- */

TEST(an_interrupted_reader_goes_on, .skipped = !faults_work())
{
    static const struct fault interrupts[] = {
        {.kind = FAULT_OPEN, .nth = 1, .reason = EINTR},
        {.kind = FAULT_READ, .nth = 1, .reason = EINTR},
        {.kind = FAULT_READ, .nth = 1, .lasts = true, .brief = true}};
    write_before();
    for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++) {
        faults_begin(&interrupts[i]);
        assert_ok(read_file(&error), error);
        ck_assert_uint_ge(faults_end(), 1);
        free_text();
    }
    faults_begin(&interrupts[0]);
    assert_ok(map_file(&error), error);
    ck_assert_uint_eq(faults_end(), 1);
    unmap();
}

TEST(what_cannot_be_read_is_named, .skipped = !faults_work())
{
    static const struct fault refusals[] = {
        {.kind = FAULT_OPEN, .nth = 1, .lasts = true, .reason = EMFILE},
        {.kind = FAULT_OPEN, .nth = 1, .lasts = true, .reason = EACCES},
        {.kind = FAULT_READ, .nth = 1, .lasts = true, .reason = EIO}};
    write_before();
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        faults_begin(&refusals[i]);
        enum status status = read_file(&error);
        ck_assert_uint_eq(faults_end(), 1);
        ck_assert_int_eq(status, STATUS_IO);
        ck_assert_ptr_null(read_text);
        ck_assert_ptr_nonnull(strstr(error.message, path));
        ck_assert_ptr_nonnull(strstr(error.message, strerror(refusals[i].reason)));
    }
    faults_begin(&(struct fault){.kind = FAULT_MAP, .nth = 1, .reason = EACCES});
    enum status status = map_file(&error);
    ck_assert_uint_eq(faults_end(), 1);
    ck_assert_int_eq(status, STATUS_IO);
}
