/* column.h: the rows in which the tokens of a column stand: spread over the height when they are
 * few, scrolled so that the cursor stays in sight when they are many. */
#ifndef HEADLIGHT_DRAW_COLUMN_H
#define HEADLIGHT_DRAW_COLUMN_H

#include "headlight/model/side.h"

struct column {
    struct token_range range;
    size_t scroll; /* tokens above the first row */
    int step;      /* rows from one token to the next, at least */
    int spread;    /* rows that the whole range is spread over; 0: exactly `step` apart */
    int rows;      /* height of the area */
};

/* Spreads a range over `rows` rows, `step_max` apart at most. Where there is more than one row a
 * token and less than two, some tokens get a second one. When the range doesn't fit, the token
 * `anchor` is kept in the middle as far as the ends allow. */
struct column column_place(struct token_range range, int rows, int step_max, size_t anchor);

/* The row of a token, counted from the area's top; it may lie outside the area. */
int column_row(const struct column *column, size_t token);

/* The tokens that are on screen. */
struct token_range column_window(const struct column *column);

/* Whether a token of the range is on screen. */
bool column_shows(const struct column *column, size_t token);

#endif
