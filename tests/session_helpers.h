/* session_helpers.h: what tests of a session share: one on the synthetic trace, pressed, clicked
 * and drawn. */
#pragma once

#include "synthetic.h"

#include "headlight/draw/canvas.h"
#include "headlight/session/act.h"
#include "headlight/session/panel.h"

#include <check.h>

/* The session of the running test: of session_tests the example pair with 4 heads of 8 dimensions.
 */
extern struct session session;
extern const struct fixture session_tests;

/* The tear-down of other tests that have begun it. */
void end_session(void);

/* Another one in its place, as synthetic_session. */
void session_anew(const char *const *labels, size_t tokens, size_t boundary, size_t heads,
                  size_t dimensions);
void session_anew_on_pair(size_t heads, size_t dimensions);

/* Another one in its place, on one text or, where `second` is not NULL, two, set against another
 * model unless that is NULL, and computed. */
void session_anew_on_texts(const struct checkpoint *checkpoint, const struct checkpoint *against,
                           const char *first, const char *second);

/* Fails unless it is drawn anew, and no more than that. */
void act(enum action action);
void type_digit(int digit);
void click(uint16_t place, size_t value);
void click_hit(struct hit hit);

/* Keys as in the table of actions, separated by blanks; they must exist. The second one has
 * everything computed that is shown then. */
void type(const char *keys);
void type_and_wait(const char *keys);

/* The session's screen, to be freed with canvas_free. */
struct canvas *drawn(int columns, int rows);
struct canvas *drawn_as(int columns, int rows, struct traits traits);
