/* edit.h: editing the session's text in place: one or two lines, and what the tokenizer makes of
 * them. */
#ifndef HEADLIGHT_SESSION_EDIT_H
#define HEADLIGHT_SESSION_EDIT_H

#include "headlight/session/editor.h"
#include "headlight/session/history.h"
#include "headlight/text/tokenizer.h"

struct session;

/* What the tokenizer says of the lines. */
struct check {
    bool made;                 /* false since the text changed */
    struct encoding *encoding; /* NULL: the text can't be encoded, or memory was short */
    size_t unknown;            /* number of unknown tokens */
};

struct edit {
    bool active;
    struct editor *lines[2]; /* the second is NULL until it is asked for */
    size_t line;             /* the one that the keys go to */
    struct check check;
    size_t recalled;    /* how far back in the history; 0: what is being typed */
    struct pair before; /* what Esc restores */
    struct pair draft;  /* what was being typed, while an older text is recalled */
};

/* Begins to edit the text shown, or says why it can't be edited; before there is one, nothing
 * happens. Returns the bits of act.h, as do all below. */
unsigned edit_begin(struct session *session);

/* One key while editing. Enter finishes; Esc restores the text from before; Tab goes to the other
 * sentence; Up and Down recall texts from the history. SESSION_PASS: the text changed. */
unsigned edit_key(struct session *session, uint32_t key);

/* Inserts pasted text at the cursor. */
unsigned edit_paste(struct session *session, const char *text, size_t length);

/* Puts another text, after a blank if `spaced`, in place of some of a sentence's, and shows it. */
unsigned edit_replace(struct session *session, size_t sentence, struct span span, bool spaced,
                      const char *text);

/* Shows the text before this one in the history, or the one after it. */
unsigned edit_go_back(struct session *session, bool back);

/* Updates session->edit.check while lines are edited. This is done when a frame is drawn, not at
 * each key: of keys that arrive together only the last one's text is drawn, and so encoded. Without
 * memory the next frame tries again. */
void edit_check(struct session *session);

/* What the tokenizer made of the text that is wanted, if that is what the lines say; else NULL. */
const struct encoding *edit_encoding(const struct session *session);

/* Ends editing without a word. Accepts a half-open or zeroed edit, and leaves it zeroed. */
void edit_end(struct edit *edit);

#endif
