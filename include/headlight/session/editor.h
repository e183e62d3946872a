/* editor.h: one line of text under readline's usual keys, without a screen.
 *
 *     struct editor *editor = editor_new("The bat flies", EDITOR_LIMIT);
 *     if (editor_key(editor, key) == EDITOR_IGNORED)
 *         … Enter, Esc, Tab, Up and Down are the caller's
 *     use(editor_text(editor));
 *     editor_free(editor);
 *
 * The text is always valid UTF-8 without control characters, and the cursor stands between
 * graphemes: one step is what a reader sees as one character. Format characters are kept (they join
 * a family of emoji); drawing makes them safe (draw/text.h).
 *
 * Left Right, Ctrl-B Ctrl-F       by a character
 * Ctrl- or Alt-arrow, Alt-b Alt-f by a word: a run of letters and digits
 * Home End, Ctrl-A Ctrl-E         to the start, to the end
 * Backspace, Ctrl-H               deletes the character before the cursor
 * Delete, Ctrl-D                  the one after it
 * Ctrl-K, Ctrl-U                  deletes to the end, to the start
 * Alt-d, Alt-Backspace            the word after the cursor, the one before
 * Ctrl-W                          back to white space
 * Ctrl-Y                          inserts what one of these five deleted last
 * Ctrl-_                          undoes a step
 *
 * Typing a word is one step, and so is deleting one letter by letter; any other edit is a step. The
 * last EDITOR_STEPS are kept. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EDITOR_LIMIT 65536 /* bytes: far more than a model takes */
#define EDITOR_STEPS 100

enum editor_result {
    EDITOR_IGNORED,   /* not an editing key: nothing happened */
    EDITOR_MOVED,     /* the text is unchanged; the cursor may have moved */
    EDITOR_CHANGED,   /* the text changed */
    EDITOR_NO_MEMORY, /* for the new text; it is unchanged */
};

struct editor;

/* An editor with the text, cleaned as by editor_insert, and the cursor at its end. The text never
 * gets longer than `limit` bytes. NULL without memory, or when it is longer from the start. */
struct editor *editor_new(const char *text, size_t limit);
void editor_free(struct editor *editor);

/* NUL-terminated, valid until the next call that changes it. */
const char *editor_text(const struct editor *editor);
size_t editor_length(const struct editor *editor);

/* The cursor's byte offset in the text. */
size_t editor_cursor(const struct editor *editor);

/* One key, as in actions.h. If it can't do anything (Delete at the end), or there is no room,
 * the text is unchanged and the key counts as MOVED. */
enum editor_result editor_key(struct editor *editor, uint32_t key);

/* Inserts text from outside at the cursor, as one step: bytes that are not UTF-8 become U+FFFD,
 * newlines and tabs in a row one blank, other control characters are dropped. All or nothing: MOVED
 * when it doesn't fit, IGNORED when nothing is left of it. */
enum editor_result editor_insert(struct editor *editor, const char *text, size_t length);

/* Replaces the whole text, cleaned likewise, as one step. False, with nothing changed, if it is
 * too long or memory is short. */
bool editor_set(struct editor *editor, const char *text);
