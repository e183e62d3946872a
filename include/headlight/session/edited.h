/* edited.h: one or two texts in line editors, and what the tokenizer makes of them. */
#ifndef HEADLIGHT_SESSION_EDITED_H
#define HEADLIGHT_SESSION_EDITED_H

#include "headlight/session/editor.h"
#include "headlight/session/history.h"
#include "headlight/text/tokenizer.h"

/* What is known of the lines as they stand. */
struct check {
    bool made;                 /* false since the text changed */
    struct encoding *encoding; /* NULL: the text can't be encoded, or there was no memory */
    size_t unknown;            /* tokens that the vocabulary doesn't know */
};

struct edit {
    bool active;
    struct editor *lines[2]; /* the second one is NULL until it is asked for */
    size_t line;             /* which one the keys go to */
    struct check check;
    size_t recalled;    /* how far back in the history; 0: what is being typed */
    struct pair before; /* what Esc brings back */
    struct pair draft;  /* what was typed, while an older text is recalled */
};

/* Opens them on a pair. False without memory: then edited_free it. */
bool edited_open(struct edit *edit, const struct pair *pair);

/* Accepts what is half open or all zero, and leaves that. */
void edited_free(struct edit *edit);

/* Sets one line; NULL is an empty one, which is not opened for it. Sets both, or none. False
 * without memory. */
bool edited_set_one(struct edit *edit, size_t line, const char *text);
bool edited_set(struct edit *edit, const struct pair *pair);

/* The texts as a pair of its own; an empty second line is no second sentence. False without memory.
 */
bool edited_take(const struct edit *edit, struct pair *pair);

/* Encodes the lines unless that is done already. Without memory, what is not known stays so, and
 * the next call tries again. */
void edited_check(struct edit *edit, const struct tokenizer *tokenizer, bool special);

/* The text changed. */
void edited_forget_check(struct edit *edit);

#endif
