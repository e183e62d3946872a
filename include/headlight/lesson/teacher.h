/* teacher.h: lessons for a session (panel.h): the list, the open lesson, and the user's progress,
 * which is kept (progress.h) while the program is interactive.
 *
 *     teacher_new(&teacher, &error);
 *     teacher_open(teacher, "lines", 0, &error);        optional: L opens one too
 *     teacher_attend(teacher, session);                 after session_begin
 *     teacher_begin(teacher, &bits, &error);
 *     …
 *     teacher_free(teacher); */
#ifndef HEADLIGHT_LESSON_TEACHER_H
#define HEADLIGHT_LESSON_TEACHER_H

#include "headlight/lesson/lesson.h"
#include "headlight/lesson/player.h"

struct teacher_state;

/* Reads the progress; lessons are read when needed. STATUS_MEMORY. */
enum status teacher_new(struct teacher_state **teacher, struct error *error);

/* Opens a lesson by name, number or file, to begin at a step, from 0. Errors as lessons_open;
 * STATUS_USAGE for a step that does not exist. */
enum status teacher_open(struct teacher_state *teacher, const char *name, size_t step,
                         struct error *error);

/* The open lesson, or NULL. */
const struct lesson *teacher_lesson(const struct teacher_state *teacher);

/* The rows of the list of lessons; all are read. Errors as lessons_open. */
enum status teacher_list(struct teacher_state *teacher, const struct panel_lesson **lessons,
                         size_t *count, struct error *error);

/* Attaches the teacher to a session, which it must outlive. */
void teacher_attend(struct teacher_state *teacher, struct session *session);

/* Begins the open lesson, for a session that is attached and shows a text: interactively, as
 * player_go, or without `bits` all at once, as player_show. Errors as these. */
enum status teacher_begin(struct teacher_state *teacher, unsigned *bits, struct error *error);

/* Accepts NULL. */
void teacher_free(struct teacher_state *teacher);

#endif
