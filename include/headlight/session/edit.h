/* edit.h: edits the session's text in place: one or two lines, tokenised as they change. */
#pragma once

#include "headlight/session/editor.h"
#include "headlight/text/tokenizer.h"

struct session;

/* The tokenizer's result for the lines. */
struct check {
    bool made;                 /* false since the text changed */
    struct encoding *encoding; /* NULL: the text can't be encoded, or memory was short */
    size_t unknown;            /* number of unknown tokens */
};

struct edit {
    bool active;
    struct editor *lines[2]; /* the second is NULL until it is opened */
    size_t line;             /* the one being edited */
    struct check check;
    size_t depth; /* position in the history; 0: the text being typed, session->typed */
};

/* Begins to edit the text shown, or says why it can't be edited; does nothing before there is
 * one. Returns the bits of session.h, as do all below. */
unsigned edit_begin(struct session *session);

/* One key while editing. Enter finishes; Tab goes to the other sentence; Up and Down recall texts
 * from the history. Esc is the caller's: it goes back to the state. SESSION_PASS: the text changed.
 */
unsigned edit_key(struct session *session, uint32_t key);

/* Inserts pasted text at the cursor. */
unsigned edit_paste(struct session *session, const char *text, size_t length);

/* Replaces a span of a sentence by another text, after a blank if `spaced`, and shows it. */
unsigned edit_replace(struct session *session, size_t sentence, struct span span, bool spaced,
                      const char *text);

/* Shows another text, or two, in place of all that is shown; `second` may be NULL. */
unsigned edit_open(struct session *session, const char *first, const char *second);

/* Updates session->edit.check while lines are edited. Called for each frame rather than each
 * key, so that of several keys only the last one's text is encoded. Without memory the next
 * frame tries again. */
void edit_check(struct session *session);

/* Ends editing without a message. Accepts a half-open or zeroed edit, and leaves it zeroed. */
void edit_end(struct edit *edit);
