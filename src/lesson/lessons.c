/* lessons.c: finds lessons by name or number among those linked into the program, or opens a file.
 * lessons.inc, which the Makefile writes, lists assets/lessons. */
#include "headlight/lesson/lesson.h"

#include "headlight/base/incbin.h"
#include "headlight/base/nearest.h"

#include <stdlib.h>

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
    return LENGTH(lessons) - 1;
}

const char *lessons_name(size_t index)
{
    return lessons[index].name;
}

const char *lessons_text(size_t index)
{
    return (const char *)lessons[index].begin;
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

/* Linked lessons come first; a file of the same name can be given with its path. The names are
 * listed for one that is neither: there are few. */
enum status lessons_open(const char *name, struct lesson **lesson, struct error *error)
{
    const size_t index = lessons_find(name);
    struct nearest nearest = nearest_to(name);
    const char *ending = strrchr(name, '.');
    char *text;
    size_t length;
    *lesson = NULL;
    if (index < lessons_count())
        return lesson_read((const char *)lessons[index].begin,
                           (size_t)(lessons[index].end - lessons[index].begin), lessons[index].path,
                           lesson, error);
    if (strchr(name, '/') || (ending && strcmp(ending, ".md") == 0) || file_exists(name)) {
        if (file_read(name, LESSON_BYTES_MAX, &text, &length, error) != STATUS_OK)
            return error->status;
        const enum status status = lesson_read(text, length, name, lesson, error);
        free(text); /* a lesson's strings are copies */
        return status;
    }
    for (size_t i = 0; i < lessons_count(); i++)
        nearest_offer(&nearest, lessons_name(i));
    nearest_offer(&nearest, "a lesson's number or file");
    error_write(error, STATUS_USAGE, "--lesson: expected %s, found \"%s\"", nearest_names(&nearest),
                name);
    return nearest_suggest(&nearest, error);
}
