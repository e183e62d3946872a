/* screen.h: the whole screen, and its parts: bar of views, bar of heads, the view, lines for
 * typing, the footer, the help. */
#ifndef HEADLIGHT_SESSION_SCREEN_H
#define HEADLIGHT_SESSION_SCREEN_H

#include "headlight/session/session.h"

/* Below this size a single line says so. */
#define SCREEN_COLUMNS_MIN 60
#define SCREEN_ROWS_MIN    12

/* Draws the session on a canvas of any size: the same state and size give the same cells. What
 * later frames need too stays in the session's data. STATUS_MEMORY; STATUS_IO when a recording's
 * file is no longer whole. */
enum status screen_draw(struct session *session, struct canvas *canvas, struct error *error);

/* ---- The bars above the picture ---- */

/* The views, as many as there is room for around the current one, and where we are: layer, head,
 * filter, model. */
void bars_draw_views(const struct session *session, struct canvas *canvas);

/* The heads, what is special about the picture and the network, and what is being worked on. */
void bars_draw_heads(const struct session *session, struct canvas *canvas);

/* What is being worked on while the last picture still stands, and how far it is; else how many
 * tokens there are. */
void bars_describe_work(const struct session *session, char *text, size_t size);

/* ---- The last line ---- */

void footer_draw(const struct session *session, struct canvas *canvas);

/* In a lesson, of which something else is shown: only how to come back. */
void footer_draw_away(const struct session *session, struct canvas *canvas);

/* Draws a hint, unless there is no room. Each of its keys, "↑↓" or "< >", answers to a click; the
 * words behind them are the last. */
void footer_hint(struct pen *pen, const struct hint *hint);

/* ---- The lines in which text is edited or asked for ---- */

/* The rows that they take; 0: none. */
int prompt_rows(const struct session *session);

/* Draws them, if any, the last in row `y`. Unknown word pieces, and what exceeds the model's
 * positions, are marked. */
void prompt_draw(const struct session *session, struct canvas *canvas, int y);

/* ---- The keys by group, of a view or all ---- */

/* How many pages a screen of that size needs for a view; NULL: for all keys. */
unsigned help_pages(const struct view *view, int columns, int rows);

/* Draws a page, from 0; after the last comes the first again. `led`: through a lesson, which takes
 * Space for itself. */
void help_draw(struct canvas *canvas, const struct view *view, unsigned page, bool led);

#endif
