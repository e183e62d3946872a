/* marks.h: text with marks, as lessons are written: *so* is emphasised, and `so` are keys.
 *
 *     struct marks marks = {"`↓` chooses *time*."};
 *     struct marked_run run;
 *     while (marks_next(&marks, "\n", &run))
 *         … run.text, run.length, run.strong, run.key …
 *
 * A mark has its second in the same line; one without stands for itself. An asterisk begins
 * emphasis before a letter and ends it behind one, so that the one of "2 * 3" stands for itself.
 * What is among keys, asterisks and braces too, is keys. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* How far a text is read, and what the marks before say of what follows. Begins with the text
 * alone; between runs, `next` may go past bytes that are no marks, such as blanks. */
struct marks {
    const char *next;
    const char *keys; /* where those that are being read end; NULL: none are */
    bool strong;
};

/* Letters between marks, without them. */
struct marked_run {
    const char *text;
    size_t length; /* at least 1 */
    bool strong, key;
};

/* Takes the next run. False at the end of the text, and before any of the bytes `stops`. */
bool marks_next(struct marks *marks, const char *stops, struct marked_run *run);

/* The ` behind the keys that the one at `mark` begins; NULL: it stands for itself. */
const char *marks_keys_end(const char *mark);

/* Whether an asterisk at `mark`, outside keys, stands where it can begin emphasis or, behind some
 * other byte, end it. */
bool marks_can_begin(const char *mark);
bool marks_can_end(const char *mark);
