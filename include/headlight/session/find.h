/* find.h: finding tokens by their names. */
#pragma once

#include "headlight/session/act.h"

/* The token that a --select argument names: "#7" by index, else by text, or by text and place
 * among those of that text, as scene_name writes them ("flies₂", "flies#2", from 1, regardless
 * of the filter), or by the text under a masked token, else "7" by index. Of equal texts the
 * first that the filter leaves visible, or else the first. NO_TOKEN when there is none. */
size_t find_token(const struct scene *scene, const char *name, enum side side);

/* The tokens of the trace that such a name means: those of the token shown, or else a token that
 * is not shown as such (hidden, or a piece of a merged word), or else all pieces of a word, or of
 * words as they stand in a text. False when there is none. */
bool find_pieces(const struct scene *scene, const char *name, enum side side,
                 struct token_range *pieces);

/* An item of a list such as "flies,#3", without its comma; longer ones name no token. */
struct find_item {
    char text[128];
};

/* The next item of *list, which advances past it; false at the end. */
bool find_next_item(const char **list, struct find_item *item);
