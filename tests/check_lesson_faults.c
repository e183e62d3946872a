/* check_lesson_faults.c: memory that runs out while a lesson is read. */
#include "faults.h"
#include "suites.h"

#include "headlight/lesson/lesson.h"

static struct lesson *lesson;

static void end(void)
{
    lesson_free(lesson);
    lesson = NULL;
}

static void nothing_is_left(void)
{
    ck_assert_ptr_null(lesson);
}

static enum status open_lesson(struct error *error)
{
    return lessons_open("tests/fuzz/corpus/lesson/small", &lesson, error);
}

TESTS(.slow = true);

TEST(a_lesson_of_a_file, .skipped = !faults_work())
{
    faults_try(&(struct trial){
        .name = "read a lesson", .act = open_lesson, .end = end, .check_failed = nothing_is_left});
}
