/* edit.h: edits the session's text in place: one or two lines, tokenised as they change. */
#ifndef HEADLIGHT_SESSION_EDIT_H
#define HEADLIGHT_SESSION_EDIT_H

#include "headlight/session/editor.h"
#include "headlight/text/tokenizer.h"

/* ---- The texts shown so far, oldest first, and which of them is shown ---- */

#define HISTORY_MAX 100 /* texts kept */

/* One text or two; both NULL: none. */
struct pair {
    const char *texts[2];
};

struct history {
    struct pair pairs[HISTORY_MAX];
    size_t count;
    size_t at; /* the text shown: count - 1, except after going back */
};

bool pair_equal(const struct pair *a, const struct pair *b);

/* Appends a copy of the text now shown, unless it is already shown. After going back, the text
 * gone back to is appended again first, so that going back finds it next. */
void history_add(struct history *history, const struct pair *pair);

/* Goes back (-1) or forward (+1) and returns the text there; NULL at the end. */
const struct pair *history_go(struct history *history, int step);

/* The text `back` places before the last; NULL if there is none. */
const struct pair *history_recall(const struct history *history, size_t back);

void history_free(struct history *history);

/* ---- Editing ---- */

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
    size_t depth;       /* position in the history; 0: the draft */
    struct pair before; /* restored by Esc */
    struct pair draft;  /* the text being typed while an older one is recalled */
};

/* Begins to edit the text shown, or says why it can't be edited; does nothing before there is
 * one. Returns the bits of session.h, as do all below. */
unsigned edit_begin(struct session *session);

/* One key while editing. Enter finishes; Esc restores the previous text; Tab goes to the other
 * sentence; Up and Down recall texts from the history. SESSION_PASS: the text changed. */
unsigned edit_key(struct session *session, uint32_t key);

/* Inserts pasted text at the cursor. */
unsigned edit_paste(struct session *session, const char *text, size_t length);

/* Replaces a span of a sentence by another text, after a blank if `spaced`, and shows it. */
unsigned edit_replace(struct session *session, size_t sentence, struct span span, bool spaced,
                      const char *text);

/* Shows another text, or two, in place of all that is shown; `second` may be NULL. */
unsigned edit_open(struct session *session, const char *first, const char *second);

/* Shows the previous text of the history, or the next one. */
unsigned edit_go_back(struct session *session, bool back);

/* Updates session->edit.check while lines are edited. Called for each frame rather than each
 * key, so that of several keys only the last one's text is encoded. Without memory the next
 * frame tries again. */
void edit_check(struct session *session);

/* The encoding of the requested text if the lines say the same; else NULL. */
const struct encoding *edit_encoding(const struct session *session);

/* Ends editing without a message. Accepts a half-open or zeroed edit, and leaves it zeroed. */
void edit_end(struct edit *edit);

#endif
