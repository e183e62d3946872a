/* compare_helpers.h: the compare view of the running test's session (session_helpers.h). */
#pragma once

#include "headlight/view/compare.h"
#include "session_helpers.h"
#include "view_helpers.h"

#define TIME  "time flies like an arrow"
#define FRUIT "fruit flies like a banana"

extern struct checkpoint compare_model, compare_other; /* the second only where a test opens it */
extern struct canvas *compare_canvas;                  /* that was drawn last */

/* Tests that begin with the tiny checkpoint and two texts, and close everything. */
extern const struct fixture compare_tests;

/* The view of other texts, computed. The second may be NULL. */
void compare_open(const char *first, const char *second);

struct comparison compare_now(void);

void compare_draw(int columns, int rows);

#define assert_shows(text) ck_assert_msg(view_shows(compare_canvas, text), "%s", text)
