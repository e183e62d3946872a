/* teacher.h: the lessons as a session's teacher (panel.h): the list, the one being gone through,
 * and how far each was got, which is kept in a file. */
#ifndef HEADLIGHT_LESSON_TEACHER_H
#define HEADLIGHT_LESSON_TEACHER_H

#include "headlight/lesson/lessons.h"
#include "headlight/lesson/player.h"

struct teacher_state;

/* Reads the list and the progress; without a folder for it, or where it can't be read, none was
 * made. STATUS_MEMORY; errors of the linked lessons. */
enum status teacher_new(struct teacher_state **teacher, struct error *error);

/* Lets the session ask it; the teacher must outlive the session. */
void teacher_attend(struct teacher_state *teacher, struct session *session);

/* Begins the lesson of that name, number or file at a step, from 0, of a session that shows a text.
 * Errors as lessons_open and player_go. STATUS_USAGE for a step that there isn't. */
enum status teacher_open(struct teacher_state *teacher, struct session *session, const char *name,
                         size_t step, struct error *error);

/* Whether nobody has ever begun a lesson here, or been told of them; from now on somebody has. */
bool teacher_first_time(struct teacher_state *teacher);

/* Accepts NULL. */
void teacher_free(struct teacher_state *teacher);

#endif
