/* progress.h: lesson progress, in a file of the user's:
 *
 *     {"lines": 3, "weight": "done"}
 *
 * which is $XDG_STATE_HOME/headlight/lessons.json, or else ~/.local/state/headlight/lessons.json.
 * It is only a convenience: a file that can't be read counts as empty, and one that can't be
 * written is given up silently. */
#ifndef HEADLIGHT_LESSON_PROGRESS_H
#define HEADLIGHT_LESSON_PROGRESS_H

#include "headlight/session/panel.h"

/* Its path; NULL: neither variable is set, or no memory. Free with free(). */
char *progress_path(void);

/* Sets left_at and done of the lessons in the file; left_at may be past the last step. */
void progress_read(struct panel_lesson *lessons, size_t count);

/* Whether the program runs for the first time: there was no file, and an empty one was written. */
bool progress_first_time(void);

/* Writes it, and makes its folders if necessary. */
void progress_write(const struct panel_lesson *lessons, size_t count);

#endif
