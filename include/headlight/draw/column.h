/* column.h: the rows in which the tokens of a column stand: at an even pitch when they are few,
 * scrolled so that the cursor stays in sight when they are many. */
#ifndef HEADLIGHT_DRAW_COLUMN_H
#define HEADLIGHT_DRAW_COLUMN_H

#include "headlight/model/side.h"

struct column {
    struct token_range range;
    size_t scroll; /* tokens above the first row */
    int top;       /* rows above the first token */
    int step;      /* rows from one token to the next */
    size_t gap;    /* the token that has a blank row more above it; NO_TOKEN: none has */
    int rows;      /* height of the area */
};

/* Places a range in `rows` rows, from the first on, `step_max` apart at most. When it doesn't fit,
 * the token `anchor` is kept in the middle as far as the ends allow. */
struct column column_place(struct token_range range, int rows, int step_max, size_t anchor);

/* The same in the middle of the rows, with a blank row above the token `boundary`, where the second
 * sentence begins, if there is room for it. */
struct column column_centre(struct token_range range, size_t boundary, int rows, int step_max,
                            size_t anchor);

/* The row of a token, counted from the area's top; it may lie outside the area. */
int column_row(const struct column *column, size_t token);

/* The tokens that are on screen. */
struct token_range column_window(const struct column *column);

/* Whether a token of the range is on screen. */
bool column_shows(const struct column *column, size_t token);

#endif
