/* find.h: finding tokens by their text. */
#ifndef HEADLIGHT_SESSION_FIND_H
#define HEADLIGHT_SESSION_FIND_H

#include "headlight/session/act.h"

/* The token that a --select argument names: "#7" by index, else by text, or by text and place among
 * those of that text, as scene_name writes them ("flies₂", "flies#2", from 1, whatever the filter
 * leaves), or by what the text says in a masked token's place, else "7" by index. Of equal texts
 * the first that the filter leaves, or else the first. NO_TOKEN when there is none. */
size_t find_token(const struct scene *scene, const char *name, enum side side);

/* The tokens of the trace that such a name means: what the token shown stands for, or else a token
 * that is not shown so (hidden, or a piece of a merged word), or else all pieces of a word of the
 * text. False when there is none. */
bool find_pieces(const struct scene *scene, const char *name, enum side side,
                 struct token_range *pieces);

/* An item of a list such as "flies,#3", without its comma; longer ones name no token. */
struct find_item {
    char text[128];
};

/* The next item of *list, which then begins behind it; false at the end. */
bool find_next_item(const char **list, struct find_item *item);

/* Asks for a text to find; each key marks the tokens that contain what is typed and goes to the
 * first. Enter keeps it, Esc forgets it. Returns the bits of act.h, as do all below. */
unsigned find_begin(struct session *session);
unsigned find_key(struct session *session, uint32_t key);

/* Inserts pasted text at the cursor. */
unsigned find_paste(struct session *session, const char *text, size_t length);

/* Goes from the cursor to the next token found, or the previous one, wrapping round. */
unsigned find_go(struct session *session, bool forward);

#endif
