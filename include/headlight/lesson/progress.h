/* progress.h: lesson progress, in a file of the user's:
 *
 *     {"lines": 3, "weight": "done"}
 *
 * which is $XDG_STATE_HOME/headlight/lessons.json, or else ~/.local/state/headlight/lessons.json.
 * It is a convenience: where it can't be read nothing was begun, and where it can't be written
 * nothing is kept. */
#ifndef HEADLIGHT_LESSON_PROGRESS_H
#define HEADLIGHT_LESSON_PROGRESS_H

#include "headlight/session/panel.h"

/* Where it is; NULL: nowhere, or without memory. Free with free(). */
char *progress_path(void);

/* Sets left_at and done of the lessons that it names; it may name steps that there are not. */
void progress_read(struct panel_lesson *lessons, size_t count);

/* Whether there was no such file, and now there is one, of nothing begun. */
bool progress_begin(void);

/* Writes it, in folders that are made if there are none. */
void progress_write(const struct panel_lesson *lessons, size_t count);

#endif
