/* progress.h: lesson progress, in a file of the user's:
 *
 *     {"lines": 3, "weight": "done"}
 *
 * which is $XDG_STATE_HOME/headlight/lessons.json, or else ~/.local/state/headlight/lessons.json.
 * Several programs may use it at once: each changes the lesson that it shows, under a lock, and
 * keeps everything else in the file. */
#ifndef HEADLIGHT_LESSON_PROGRESS_H
#define HEADLIGHT_LESSON_PROGRESS_H

#include "headlight/base/error.h"
#include "headlight/session/panel.h"

/* Its path; NULL: neither variable is set, or no memory. Free with free(). */
char *progress_path(void);

/* Sets what the file says of these lessons; one that can't be read counts as empty. */
void progress_read(struct panel_lesson *lessons, size_t count);

/* Writes the progress of one lesson; one that is done in the file stays done. Waits for the lock of
 * another program for a fifth of a second at most. STATUS_FORMAT: the file could not be read, was
 * renamed to lessons.json.bad, and a new one was written. STATUS_IO, STATUS_MEMORY: nothing was
 * changed. STATUS_UNSUPPORTED: no file can be kept here at all. */
enum status progress_write(const struct panel_lesson *lesson, struct error *error);

/* Whether the program runs for the first time: there was no file, and an empty one was written. */
bool progress_first_time(void);

#endif
