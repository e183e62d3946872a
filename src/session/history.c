/* history.c: the texts shown so far, in an array that drops the oldest when it is full. */
#include "headlight/session/history.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool pair_copy(struct pair *copy, const char *first, const char *second)
{
    copy->texts[0] = first ? strdup(first) : NULL;
    copy->texts[1] = second ? strdup(second) : NULL;
    if ((first && !copy->texts[0]) || (second && !copy->texts[1])) {
        pair_free(copy);
        return false;
    }
    return true;
}

static bool same_string(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool pair_equal(const struct pair *a, const struct pair *b)
{
    return same_string(a->texts[0], b->texts[0]) && same_string(a->texts[1], b->texts[1]);
}

void pair_free(struct pair *pair)
{
    free(pair->texts[0]);
    free(pair->texts[1]);
    *pair = (struct pair){{NULL, NULL}};
}

static void history_append(struct history *history, const struct pair *pair)
{
    struct pair copy;
    if (!pair_copy(&copy, pair->texts[0], pair->texts[1]))
        return; /* without memory the text is just not remembered */
    if (history->count == HISTORY_MAX) {
        pair_free(&history->pairs[0]);
        memmove(history->pairs, history->pairs + 1, (HISTORY_MAX - 1) * sizeof *history->pairs);
        history->count--;
    }
    history->pairs[history->count++] = copy;
    history->at = history->count - 1;
}

void history_add(struct history *history, const struct pair *pair)
{
    if (history->count > 0 && pair_equal(&history->pairs[history->at], pair))
        return;
    if (history->at + 1 < history->count)
        history_append(history, &history->pairs[history->at]);
    history_append(history, pair);
}

const struct pair *history_go(struct history *history, int step)
{
    if (step < 0 ? history->at == 0 : history->at + 1 >= history->count)
        return NULL;
    history->at += step < 0 ? SIZE_MAX : 1;
    return &history->pairs[history->at];
}

const struct pair *history_recall(const struct history *history, size_t back)
{
    return back < history->count ? &history->pairs[history->count - 1 - back] : NULL;
}

void history_free(struct history *history)
{
    for (size_t i = 0; i < history->count; i++)
        pair_free(&history->pairs[i]);
    *history = (struct history){.count = 0};
}
