/* answers_helpers.h: what tests of the answers view share: a model's folder, its session on one
 * text or two (session_helpers.h), and the view. */
#ifndef HEADLIGHT_TESTS_ANSWERS_HELPERS_H
#define HEADLIGHT_TESTS_ANSWERS_HELPERS_H

#include "session_helpers.h"
#include "view_helpers.h"

#include "headlight/model/checkpoint.h"

/* Of the running test. */
extern struct checkpoint checkpoint;
extern struct canvas *answers_canvas;

/* Opens tests/vectors/FOLDER, which end_answers closes, or other texts of the same model. */
void open_answers(const char *folder, const char *first, const char *second);
void open_texts(const char *first, const char *second);
void end_answers(void);

/* Draws the view alone. */
void redraw(int columns, int rows);

/* Whether a text stands within a row of the canvas. */
bool shows(const char *text);

#endif
