/* history.h: the texts that were shown, oldest first, with a place in them to go back from. */
#ifndef HEADLIGHT_SESSION_HISTORY_H
#define HEADLIGHT_SESSION_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

/* The most that is kept. */
#define HISTORY_MAX 100

/* One text or two; both NULL: none. */
struct pair {
    char *texts[2];
};

struct history {
    struct pair pairs[HISTORY_MAX];
    size_t count;
    size_t at; /* the one that is shown; count - 1 but after going back */
};

/* *copy becomes a pair of its own; false without memory, and it is then {0}. */
bool pair_copy(struct pair *copy, const char *first, const char *second);
bool pair_equal(const struct pair *a, const struct pair *b);
void pair_free(struct pair *pair);

/* Adds what is now shown, unless it is the one at our place; after going back, that one comes last
 * once more before it, so that nothing is lost and the one before it is what it was. Copies. */
void history_add(struct history *history, const struct pair *pair);

/* Goes back (-1) or on (+1) and gives the text there; NULL where there is no more. */
const struct pair *history_go(struct history *history, int step);

/* The text `back` places before the last; NULL where there is none. */
const struct pair *history_recall(const struct history *history, size_t back);

void history_free(struct history *history);

#endif
