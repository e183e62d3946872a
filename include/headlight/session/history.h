/* history.h: the texts shown so far, oldest first, and which of them is shown. */
#ifndef HEADLIGHT_SESSION_HISTORY_H
#define HEADLIGHT_SESSION_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#define HISTORY_MAX 100 /* texts kept */

/* One text or two; both NULL: none. */
struct pair {
    char *texts[2];
};

struct history {
    struct pair pairs[HISTORY_MAX];
    size_t count;
    size_t at; /* the text shown: count - 1, except after going back */
};

/* Copies one or two texts; each may be NULL. False without memory, and *copy is {0}. */
bool pair_copy(struct pair *copy, const char *first, const char *second);
bool pair_equal(const struct pair *a, const struct pair *b);
void pair_free(struct pair *pair);

/* Appends a copy of the text now shown, unless it is already shown. After going back, the text
 * gone back to is appended again first, so that going back finds it next. */
void history_add(struct history *history, const struct pair *pair);

/* Goes back (-1) or forward (+1) and returns the text there; NULL at the end. */
const struct pair *history_go(struct history *history, int step);

/* The text `back` places before the last; NULL if there is none. */
const struct pair *history_recall(const struct history *history, size_t back);

void history_free(struct history *history);

#endif
