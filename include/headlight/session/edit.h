/* edit.h: edits the session's text in place: one or two lines of an overlay (overlay.h), tokenised
 * as they change. */
#pragma once

#include "headlight/session/editor.h"
#include "headlight/text/tokenizer.h"

struct session;

/* The tokenizer's result for the lines; zeroed while none are edited. */
struct check {
    bool made;                 /* false since the text changed */
    struct encoding *encoding; /* NULL: the text can't be encoded, or memory was short */
    size_t unknown;            /* number of unknown tokens */
};

/* While the lines are open: requests their text, which has changed; goes to the other line; shows a
 * text of the history, or a later one; takes the lines as they are, unless the model can't read
 * them. Returns the bits of session.h, as do all below; SESSION_PASS: the text is another. */
unsigned edit_want(struct session *session);
unsigned edit_switch(struct session *session);
unsigned edit_recall(struct session *session, bool older);
unsigned edit_finish(struct session *session);

/* Replaces a span of a sentence by another text, after a blank if `spaced`, and shows it. */
unsigned edit_replace(struct session *session, size_t sentence, struct span span, bool spaced,
                      const char *text);

/* Shows another text, or two, in place of all that is shown. */
unsigned edit_open(struct session *session, const struct text *texts, size_t count);

/* Updates session->check while lines are edited. Called for each frame rather than each key, so
 * that of several keys only the last one's text is encoded. Without memory the next frame tries
 * again. */
void edit_check(struct session *session);

/* Frees it: the lines have changed, or are closed. */
void edit_forget(struct session *session);
