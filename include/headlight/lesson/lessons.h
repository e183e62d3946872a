/* lessons.h: the lessons linked into the program from assets/lessons, in the order of the numbers
 * in their file names; and lessons from other files. */
#ifndef HEADLIGHT_LESSON_LESSONS_H
#define HEADLIGHT_LESSON_LESSONS_H

#include "headlight/lesson/lesson.h"

/* The number of linked lessons, and the name of one: "lines" for 1-lines.md. */
size_t lessons_count(void);
const char *lessons_name(size_t index);

/* The index of the lesson with that name or number ("lines", "1"), or lessons_count(). */
size_t lessons_find(const char *name);

/* Opens a linked lesson, by name or number, or else a file. STATUS_USAGE if it is neither: the
 * message lists the names. Errors as lesson_read and file_read. */
enum status lessons_open(const char *name, struct lesson **lesson, struct error *error);

#endif
