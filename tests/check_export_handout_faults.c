/* check_export_handout_faults.c: memory that runs out, and disks that are full, while a lesson's
 * page and its pictures are written. */
#include "faults.h"
#include "lesson_helpers.h"
#include "suites.h"

#include "headlight/export/handout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LESSON                                                                                       \
    "# A lesson\n\nLearn it.\n\n1 minute\n\n"                                                        \
    "## A head\n\n`--view head --layer 0 --head 1 \"the cat sat\"`\n\nIt is {weight cat → sat}.\n" \
    "\n## All\n\n`--anew --view matrix \"the mat\"`\n\nThere are {layers} layers.\n"

/* In the order in which they are moved into place. */
static const char *const names[] = {"step-2.svg", "step-1.svg", "index.html"};
#define FILES COUNT(names)

static struct error error;
static struct folder folder; /* of the handout */
static struct folder course; /* the handout */
static struct lesson *lesson;
static char *whole[FILES]; /* what a handout writes */
static bool there;         /* the handout's folder is, and has files of these names */

static enum status write_handout(struct error *failure)
{
    const struct handout handout = {lesson, "small", NULL, {.session = &learner}};
    return handout_write(&handout, course.path, failure);
}

static char *read_named(const char *name)
{
    char *path = in_folder(&course, name), *text;
    size_t length;
    assert_ok(file_read(path, (size_t)1 << 24, &text, &length, &error), error);
    free(path);
    return text;
}

static void begin(void)
{
    begin_tiny_learner();
    folder_make(&folder);
    course = folder_below(&folder, "course");
    lesson = read_lesson(LESSON);
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
    if (folder_count(&folder) > 0)
        folder_remove(&course);
    folder_remove(&folder);
    end_learner();
}

TESTS(.begin = begin, .end = end, .slow = true);

static void prepare(void)
{
    if (folder_count(&folder) > 0)
        folder_remove(&course);
    if (!there)
        return;
    ck_assert_int_eq(mkdir(course.path, 0700), 0);
    for (int i = 0; i < FILES; i++)
        folder_write(&course, names[i], "before", 6);
}

/* How many files are as written; the others are as before. */
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
    ck_assert_int_eq(folder_count(&course), FILES);
    return count;
}

static void check_written(void)
{
    ck_assert_int_eq(folder_count(&folder), 1);
    ck_assert_int_eq(count_whole(), FILES);
}

static void check_failed(void)
{
    ck_assert_int_eq(folder_count(&folder), there);
    ck_assert(!there || count_whole() == 0);
}

TEST(a_handout_without_memory_changes_nothing, .times = 2, .skipped = !faults_work())
{
    there = _i == 1;
    faults_try(&(struct trial){.name = "write a handout",
                               .begin = prepare,
                               .act = write_handout,
                               .end = check_written,
                               .check_failed = check_failed});
}

static const struct {
    enum fault_kind kind;
    bool there;
} disks[] = {{FAULT_MAKE, false},  {FAULT_WRITE, false}, {FAULT_SYNC, false},
             {FAULT_CLOSE, false}, {FAULT_MAKE, true},   {FAULT_WRITE, true},
             {FAULT_SYNC, true},   {FAULT_CLOSE, true},  {FAULT_RENAME, false}};

/* At each call of one kind: the sentence names the file at which the disk was full, and nothing
 * has changed. */
TEST(a_full_disk_changes_nothing_and_is_told_by_the_name, .times = COUNT(disks),
     .skipped = !faults_work())
{
    int told[FILES] = {0}, failures = 0;
    there = disks[_i].there;
    for (size_t nth = 1, now = 1; now > 0; nth++) {
        prepare();
        faults_begin(&(struct fault){disks[_i].kind, nth, .lasts = true, .reason = ENOSPC});
        enum status status = write_handout(&error);
        now = faults_end();
        if (now == 0) {
            ck_assert_int_eq(status, STATUS_OK);
            check_written();
            continue;
        }
        ck_assert_int_eq(status, STATUS_IO);
        check_failed();
        ck_assert_ptr_nonnull(strstr(error.message, strerror(ENOSPC)));
        ck_assert_ptr_nonnull(strstr(error.message, course.path));
        for (int i = 0; i < FILES; i++)
            told[i] += strstr(error.message, names[i]) != NULL;
        failures++;
    }
    for (int i = 0; i < FILES; i++)
        ck_assert_msg(told[i] > 0, "disk %d: %s never failed", _i, names[i]);
    ck_assert_int_gt(failures, 0);
}

/* All is written by then. What was moved before the failure stays, and the page comes last. */
TEST(a_file_that_cannot_be_moved_is_named, .skipped = !faults_work())
{
    there = true;
    for (int nth = 1; nth <= FILES; nth++) {
        prepare();
        faults_begin(&(struct fault){FAULT_RENAME, (size_t)nth, .lasts = true, .reason = ENOSPC});
        ck_assert_int_eq(write_handout(&error), STATUS_IO);
        faults_end();
        ck_assert_ptr_nonnull(strstr(error.message, names[nth - 1]));
        ck_assert_int_eq(count_whole(), nth - 1);
    }
}
