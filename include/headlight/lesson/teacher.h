/* teacher.h: the lessons as a session's teacher (panel.h): the list, the one being gone through,
 * and the progress of each, which is kept in a file (progress.h) while somebody is at the keyboard.
 *
 *     teacher_new(&teacher, &error);
 *     teacher_open(teacher, "lines", 0, &error);        or nothing: the keys begin one
 *     teacher_attend(teacher, session);                 of a session that was begun
 *     teacher_begin(teacher, session, &bits, &error);
 *     …
 *     teacher_free(teacher); */
#ifndef HEADLIGHT_LESSON_TEACHER_H
#define HEADLIGHT_LESSON_TEACHER_H

#include "headlight/lesson/lessons.h"
#include "headlight/lesson/player.h"

struct teacher_state;

/* Reads the progress; lessons are read as they are asked for. STATUS_MEMORY. */
enum status teacher_new(struct teacher_state **teacher, struct error *error);

/* Opens the lesson of that name, number or file, to begin at a step, from 0. Errors as
 * lessons_open; STATUS_USAGE for a step that there isn't. */
enum status teacher_open(struct teacher_state *teacher, const char *name, size_t step,
                         struct error *error);

/* The one that is open, or NULL. */
const struct lesson *teacher_lesson(const struct teacher_state *teacher);

/* The linked lessons as the list has them. Errors as lessons_open. */
enum status teacher_list(struct teacher_state *teacher, const struct panel_lesson **lessons,
                         size_t *count, struct error *error);

/* Lets the session ask it, and show what it says; the teacher must outlive the session. */
void teacher_attend(struct teacher_state *teacher, struct session *session);

/* Begins the lesson that is open, for a session that shows a text: at the keyboard, as player_go,
 * or all at once, as player_show. Errors as these. */
enum status teacher_begin(struct teacher_state *teacher, struct session *session, unsigned *bits,
                          struct error *error);
enum status teacher_show(struct teacher_state *teacher, struct session *session,
                         struct error *error);

/* Whether nobody has ever begun a lesson here, or been told of them; from now on somebody has.
 * Never where that can't be kept. */
bool teacher_first_time(void);

/* Accepts NULL. */
void teacher_free(struct teacher_state *teacher);

#endif
