/* edited.h: one or two texts in line editors, and what the tokenizer makes of them. */
#ifndef HEADLIGHT_SESSION_EDITED_H
#define HEADLIGHT_SESSION_EDITED_H

#include "headlight/session/editor.h"
#include "headlight/session/history.h"
#include "headlight/text/tokenizer.h"

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

/* Opens the lines on a pair. False without memory: then call edited_free. */
bool edited_open(struct edit *edit, const struct pair *pair);

/* Accepts a half-open or zeroed edit, and leaves it zeroed. */
void edited_free(struct edit *edit);

/* Sets one line, or both or none. NULL empties a line that is open, and opens none. False without
 * memory. */
bool edited_set_one(struct edit *edit, size_t line, const char *text);
bool edited_set(struct edit *edit, const struct pair *pair);

/* Copies the lines to a new pair; an empty second line is no second sentence. False without
 * memory. */
bool edited_take(const struct edit *edit, struct pair *pair);

/* Encodes the lines unless that is done. Without memory the next call tries again. */
void edited_check(struct edit *edit, const struct tokenizer *tokenizer, bool special);

/* Forgets what is known: the text changed. */
void edited_forget_check(struct edit *edit);

#endif
