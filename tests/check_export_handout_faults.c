/* check_export_handout_faults.c: memory that runs out, and disks that are full, while a lesson's
 * page and its pictures are written. */
#include "faults.h"
#include "lesson_helpers.h"
#include "suites.h"

#include "headlight/export/handout.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LESSON                                                                                       \
    "# A lesson\n\nLearn it.\n\n1 minute\n\n"                                                        \
    "## A head\n\n`--view head --layer 0 --head 1 \"the cat sat\"`\n\nIt is {weight cat → sat}.\n" \
    "\n## All\n\n`--anew --view matrix \"the mat\"`\n\nThere are {layers} layers.\n"

/* In the order in which they are written. */
static const char *const names[] = {"step-1.svg", "step-2.svg", "index.html"};
#define FILES COUNT(names)

static struct error error;
static struct folder folder;
static struct lesson *lesson;
static char *whole[FILES]; /* what a handout writes */

static enum status write_handout(struct error *failure)
{
    const struct handout handout = {lesson, "small", NULL, {.session = &learner}};
    return handout_write(&handout, folder.path, failure);
}

static char *read_named(const char *name)
{
    char *path = in_folder(&folder, name), *text;
    size_t length;
    assert_ok(file_read(path, (size_t)1 << 24, &text, &length, &error), error);
    free(path);
    return text;
}

static void begin(void)
{
    begin_tiny_learner();
    folder_make(&folder);
    lesson = read_lesson(LESSON);
    learner.precision = PRECISION_DOUBLE;
    learner.state.look.theme = theme_number(HANDOUT_THEME);
    assert_ok(write_handout(&error), error);
    for (int i = 0; i < FILES; i++)
        whole[i] = read_named(names[i]);
    ck_assert_str_ne(whole[0], whole[1]);
}

static void end(void)
{
    for (int i = 0; i < FILES; i++)
        free(whole[i]);
    lesson_free(lesson);
    folder_remove(&folder);
    end_learner();
}

static void write_before(void)
{
    for (int i = 0; i < FILES; i++)
        folder_write(&folder, names[i], "before", 6);
}

/* Whether the folder's file is as written; if not, it is as before. Whatever was not reached yet is
 * as before too. */
static int count_whole(void)
{
    int count = 0;
    for (int i = 0; i < FILES; i++) {
        char *text = read_named(names[i]);
        bool same = strcmp(text, whole[i]) == 0;
        ck_assert_msg(same || strcmp(text, "before") == 0, "%s is half written", names[i]);
        ck_assert_msg(!same || count == i, "%s comes before another one", names[i]);
        count += same;
        free(text);
    }
    return count;
}

static void assert_nothing_else(void)
{
    int count = 0;
    DIR *stream = opendir(folder.path);
    ck_assert_ptr_nonnull(stream);
    for (struct dirent *entry; (entry = readdir(stream));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(stream);
    ck_assert_int_eq(count, FILES);
}

static void check_written(void)
{
    ck_assert_int_eq(count_whole(), FILES);
    assert_nothing_else();
}

/* The page comes last: it is as before. */
static void check_failed(void)
{
    ck_assert_int_lt(count_whole(), FILES);
    assert_nothing_else();
}

START_TEST(a_handout_without_memory_keeps_the_page_of_before)
{
    faults_try(&(struct trial){.name = "write a handout",
                               .begin = write_before,
                               .act = write_handout,
                               .end = check_written,
                               .check_failed = check_failed});
}
END_TEST

static const enum fault_kind disk_kinds[] = {FAULT_MAKE, FAULT_WRITE, FAULT_SYNC, FAULT_CLOSE,
                                             FAULT_RENAME};

/* At each call of one kind: the sentence names the file at which the disk was full. */
START_TEST(a_full_disk_is_told_by_the_name_of_the_file)
{
    int failed[FILES] = {0};
    enum fault_kind kind = disk_kinds[_i];
    for (size_t nth = 1, now = 1; now > 0; nth++) {
        write_before();
        faults_begin(&(struct fault){.kind = kind, .nth = nth, .lasts = true, .reason = ENOSPC});
        enum status status = write_handout(&error);
        now = faults_end();
        if (now == 0) {
            ck_assert_int_eq(status, STATUS_OK);
            check_written();
            continue;
        }
        ck_assert_int_eq(status, STATUS_IO);
        check_failed();
        int at = count_whole();
        ck_assert_msg(strstr(error.message, names[at]) && strstr(error.message, strerror(ENOSPC)),
                      "%s: %s", names[at], error.message);
        failed[at]++;
    }
    for (int i = 0; i < FILES; i++)
        ck_assert_msg(failed[i] > 0, "kind %d: %s never failed", (int)kind, names[i]);
}
END_TEST

Suite *suite_export_handout_faults(void)
{
    Suite *suite = suite_create("export/handout faults");
    TCase *tests = slow_case("a handout");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, begin, end);
    if (faults_work()) {
        tcase_add_test(tests, a_handout_without_memory_keeps_the_page_of_before);
        tcase_add_loop_test(tests, a_full_disk_is_told_by_the_name_of_the_file, 0,
                            COUNT(disk_kinds));
    }
    suite_add_tcase(suite, tests);
    return suite;
}
