/* screen.h: the whole screen, and its parts: bar of views, bar of heads, the view, input lines,
 * the footer, the help. */
#pragma once

#include "headlight/session/session.h"

/* Below this size a single line says so. */
#define SCREEN_COLUMNS_MIN 60
#define SCREEN_ROWS_MIN    12

/* The least size of a usual window, of which a smaller one needs all rows for the picture; and the
 * least width of one in which things are spaced out. */
#define SCREEN_USUAL      80
#define SCREEN_ROWS_USUAL 24
#define SCREEN_WIDE       100

/* Draws the session on a canvas of any size: the same state and size give the same cells. Data
 * that later frames need are kept in the session. STATUS_MEMORY; STATUS_IO when a recording's
 * file has changed or shrunk. */
enum status screen_draw(struct session *session, struct canvas *canvas, struct error *error);

/* ---- The bars above the picture ---- */

/* Draws the views, as many as fit around the current one, and the place: layer, head, filter,
 * model. */
void bars_draw_views(const struct session *session, struct canvas *canvas);

/* Draws the heads, the settings of picture and network that differ from the default, and
 * progress. */
void bars_draw_heads(const struct session *session, struct canvas *canvas);

/* The rows that the texts of an encoder–decoder take, 1 or 0: the source and its target, of which
 * it is said whether it was given. */
int bars_texts_rows(const struct session *session, const struct canvas *canvas);
void bars_draw_texts(const struct session *session, struct canvas *canvas, int y);

/* Describes progress while the last picture is still shown; otherwise the number of tokens. */
void bars_describe_work(const struct session *session, char *text, size_t size);

/* ---- The last line ---- */

void footer_draw(const struct session *session, struct canvas *canvas);

/* Lesson progress, or how to return to the lesson, and its keys: all that a presentation has there.
 */
void footer_draw_lesson(const struct session *session, struct pen *pen);

/* A hint with the keys that the user has for it; no keys if there are none. */
struct hint footer_own(const struct session *session, struct hint hint);

/* Draws a hint if it has keys and fits. Each of its keys, "↑↓" or "< >", can be clicked; the words
 * stand for the last. */
void footer_hint(struct pen *pen, const struct hint *hint);

/* ---- The lines in which text is edited or asked for ---- */

/* The rows of the input lines; 0: none. */
int prompt_rows(const struct session *session);

/* Draws them, if any, the last in row `y`. Unknown word pieces, and tokens past the model's
 * positions, are marked. */
void prompt_draw(const struct session *session, struct canvas *canvas, int y);

/* What a newcomer may want. */
void prompt_draw_offer(const struct session *session, struct canvas *canvas, int y);
