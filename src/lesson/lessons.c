/* lessons.c: finds lessons by name or number among those linked into the program, or opens a file.
 * lessons.inc, which the Makefile writes, lists assets/lessons. */
#include "headlight/lesson/lesson.h"

#include "headlight/base/file.h"
#include "headlight/base/incbin.h"
#include "headlight/base/near.h"

#include <stdlib.h>
#include <string.h>

#define LESSON(number, name, path) INCLUDE_FILE(lesson_##number, path);
#include "lessons.inc"
#undef LESSON

static const struct {
    const char *number, *name, *path;
    const unsigned char *begin, *end;
} lessons[] = {
#define LESSON(number, name, path)                                                                 \
    {#number, name, path, lesson_##number##_begin, lesson_##number##_end},
#include "lessons.inc"
#undef LESSON
    {NULL, NULL, NULL, NULL, NULL},
};

/* The table ends in an empty row, so that there is one even without lessons. */
size_t lessons_count(void)
{
    return sizeof lessons / sizeof *lessons - 1;
}

const char *lessons_name(size_t index)
{
    return lessons[index].name;
}

/* A name or a number; numbers are those of the files. */
size_t lessons_find(const char *name)
{
    size_t index = 0;
    while (lessons[index].name && strcmp(lessons[index].name, name) != 0 &&
           strcmp(lessons[index].number, name) != 0)
        index++;
    return index;
}

/* Whether a name can only mean a file. */
static bool is_file(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') || (length >= 3 && strcmp(name + length - 3, ".md") == 0) ||
           file_exists(name);
}

/* A lesson's strings are copies, so the file's text can go. */
static enum status open_lesson_file(const char *path, struct lesson **lesson, struct error *error)
{
    char *text;
    size_t length;
    if (file_read(path, LESSON_BYTES_MAX, &text, &length, error) != STATUS_OK)
        return error->status;
    enum status status = lesson_read(text, length, path, lesson, error);
    free(text);
    return status;
}

/* The names are listed: there are few. */
static enum status refuse_lesson(const char *name, struct error *error)
{
    struct near near = near_to(name);
    for (size_t i = 0; i < lessons_count(); i++)
        near_offer(&near, lessons_name(i));
    near_offer(&near, "a lesson's file");
    error_write(error, STATUS_USAGE, "--lesson: expected %s, found \"%s\"", near_names(&near),
                name);
    return near_add(&near, error);
}

/* Linked lessons come first; a file of the same name can be given with its path. */
enum status lessons_open(const char *name, struct lesson **lesson, struct error *error)
{
    size_t index = lessons_find(name);
    *lesson = NULL;
    if (index == lessons_count())
        return is_file(name) ? open_lesson_file(name, lesson, error) : refuse_lesson(name, error);
    return lesson_read((const char *)lessons[index].begin,
                       (size_t)(lessons[index].end - lessons[index].begin), lessons[index].path,
                       lesson, error);
}
