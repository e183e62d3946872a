/* lists.h: what --models and --lessons print, and a lesson as text. */
#ifndef HEADLIGHT_APP_LISTS_H
#define HEADLIGHT_APP_LISTS_H

#include "headlight/lesson/lesson.h"

#include <stdio.h>

/* The models of the hub's cache, a line each: the name, then family, size, layers, heads and hidden
 * size, or why it can't be opened. Where there are none, one line says where it looked. */
enum status models_write(FILE *stream, bool ascii, struct error *error);

/* Columns of what follows. */
#define LESSONS_COLUMNS 80

/* The linked lessons: name, minutes and title in a line each, and what is learnt below it. Errors
 * as lessons_open. */
enum status lessons_write(FILE *stream, bool ascii, struct error *error);

/* The title, what is learnt, and what the steps say, with the numbers that the session's model
 * computes; of `step`, from 1, only that one, 0 for all. A step whose text is too long for the
 * model says so and no more. Errors as player_show. */
enum status lesson_write(FILE *stream, const struct lesson *lesson, size_t step,
                         struct session *session, bool ascii, struct error *error);

#endif
