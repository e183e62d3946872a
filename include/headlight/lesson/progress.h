/* progress.h: lesson progress, in a file of the user's, a line for each step that was shown:
 *
 *     lines 3
 *     weight done
 *
 * which is $XDG_STATE_HOME/headlight/lessons, or else ~/.local/state/headlight/lessons. The last
 * line of a lesson holds, but what is done stays done. Lines are only appended, so that programs
 * that run at once keep each other's. */
#pragma once

#include "headlight/session/panel.h"

/* Its path; NULL: neither variable is set, or no memory. Free with free(). */
char *progress_path(void);

/* Sets what the file says of these lessons; what it doesn't say so is passed over. */
void progress_read(struct panel_lesson *lessons, size_t count);

/* Notes the progress of one lesson. STATUS_IO, STATUS_MEMORY; STATUS_UNSUPPORTED: no file can be
 * kept here at all. */
enum status progress_write(const struct panel_lesson *lesson, struct error *error);

/* Whether the program runs for the first time: there was no file, and an empty one was made. */
bool progress_first_time(void);
