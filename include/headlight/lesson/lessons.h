/* lessons.h: the lessons that are linked into the program, from assets/lessons, in the order of the
 * numbers that their files' names begin with; and anybody's own. */
#ifndef HEADLIGHT_LESSON_LESSONS_H
#define HEADLIGHT_LESSON_LESSONS_H

#include "headlight/lesson/lesson.h"

/* How many are linked in, and the name of one: "lines" for 1-lines.md. */
size_t lessons_count(void);
const char *lessons_name(size_t index);

/* Its title, "What a line means", as far as there is room: the first line of its file. */
void lessons_title(size_t index, char *title, size_t size);

/* The index of the lesson of that name or number ("lines", "1"); lessons_count() for none. */
size_t lessons_find(const char *name);

/* Opens one that is linked in, by name or number, or else a file. STATUS_USAGE for what is neither:
 * the message lists the names. Errors as lesson_read and file_read. */
enum status lessons_open(const char *name, struct lesson **lesson, struct error *error);

#endif
