/* check_lesson_lessons.c: the lessons that are linked in, each read to its end, and those of a
 * file. */
#include "suites.h"

#include "model_helpers.h"

#include "headlight/base/file.h"
#include "headlight/lesson/lesson.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct lesson *lesson;

static void end(void)
{
    lesson_free(lesson);
    lesson = NULL;
}

TESTS(.end = end);

static size_t count_files(void)
{
    size_t count = 0;
    DIR *folder = opendir("assets/lessons");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        count += length > 3 && strcmp(entry->d_name + length - 3, ".md") == 0;
    }
    if (folder)
        closedir(folder);
    return count;
}

TEST(all_are_linked_in)
{
    ck_assert_uint_eq(lessons_count(), count_files());
}

/* Each file is what the program has, in the order of the numbers. */
TEST(each_is_read_without_a_fault)
{
    for (size_t i = 0; i < lessons_count(); i++) {
        char number[24], path[300];
        snprintf(number, sizeof number, "%zu", i + 1);
        snprintf(path, sizeof path, "assets/lessons/%zu-%s.md", i + 1, lessons_name(i));
        ck_assert_uint_eq(lessons_find(lessons_name(i)), i);
        ck_assert_uint_eq(lessons_find(number), i);
        ck_assert_msg(lessons_open(lessons_name(i), &lesson, &error) == STATUS_OK, "%s",
                      error.message);
        struct lesson *file = lesson;
        ck_assert_msg(lessons_open(path, &lesson, &error) == STATUS_OK, "%s", error.message);
        ck_assert_str_eq(lesson->title, file->title);
        ck_assert_uint_eq(lesson->count, file->count);
        lesson_free(file);
        end();
    }
}

TEST(what_looks_like_a_file_is_one)
{
    static const char *const paths[] = {"no-such-lesson.md", "./no-such-lesson"};
    for (int i = 0; i < COUNT(paths); i++) {
        ck_assert_int_eq(lessons_open(paths[i], &lesson, &error), STATUS_IO);
        ck_assert_ptr_nonnull(strstr(error.message, paths[i]));
    }
    ck_assert_int_eq(lessons_open("assets", &lesson, &error), STATUS_IO); /* it exists */
}

TEST(a_file_is_read)
{
    struct folder folder;
    folder_make(&folder);
    char *path = path_join(folder.path, "own");
    static const char text[] = "# Own\n\nAbout.\n\n2 minutes\n\n## Step\n\nText.\n";
    folder_write(&folder, "own", text, strlen(text));
    ck_assert_msg(lessons_open(path, &lesson, &error) == STATUS_OK, "%s", error.message);
    ck_assert_str_eq(lesson->title, "Own");
    ck_assert_uint_eq(lesson->minutes, 2);
    end();
    folder_write(&folder, "own", "Own", 3);
    ck_assert_int_eq(lessons_open(path, &lesson, &error), STATUS_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.message, "own:1: expected a title"));
    ck_assert_ptr_null(lesson);
    folder_remove(&folder);
    free(path);
}
