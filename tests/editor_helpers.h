/* editor_helpers.h: editors written as text with a | for the cursor, and keys written as words. */
#pragma once

#include "headlight/session/editor.h"

/* An editor with the text and the cursor where the | is. */
struct editor *editor_at(const char *marked, size_t limit);

/* Presses the keys, written with blanks between them; a word that names no key is typed. Returns
 * the last one's result. */
enum editor_result press(struct editor *editor, const char *keys);

/* Fails unless text and cursor are as marked; `what` was done before. */
void expect(const struct editor *editor, const char *marked, const char *what);
