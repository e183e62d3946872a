/* compare_layout.h: where the compare view's panels stand: one head on either side and what they
 * differ by, next to each other, and the chart of cosines below them. */
#ifndef HEADLIGHT_VIEW_COMPARE_LAYOUT_H
#define HEADLIGHT_VIEW_COMPARE_LAYOUT_H

#include "headlight/draw/column.h"
#include "headlight/view/comparison.h"
#include "headlight/view/matrix_layout.h"

#define COMPARE_PANELS 3

/* The left side, the right side, and the right less the left, which has the right's tokens. */
struct compare_panel {
    struct area area;   /* its first row is a title, its last one a line of numbers */
    struct area map;    /* its cells */
    struct column rows; /* of tokens, in cells */
    struct column columns;
};

struct compare_layout {
    int panels; /* one where only one map is compared with itself, else two or three */
    struct compare_panel panel[COMPARE_PANELS];
    struct cell_size cell;
    int label_width, label_rows;
    bool upright;      /* column labels are written downwards */
    struct area words; /* beside a single panel */
    struct area chart; /* the first row is a heading; it has no others where there is no room */
};

struct compare_layout compare_lay_out(const struct scene *scene, const struct canvas *canvas,
                                      const struct comparison *comparison, struct area area);

static inline enum side compare_side(int panel)
{
    return panel == 0 ? SIDE_LEFT : SIDE_RIGHT;
}

/* The token of a side that has the cursor, as a row and as a column; or NO_TOKEN. Where none is
 * chosen, the row is the word's. */
size_t compare_row(const struct scene *scene, const struct comparison *comparison, enum side side);
size_t compare_column(const struct scene *scene, const struct comparison *comparison,
                      enum side side);

/* A token's cell, whether it is on screen or not. */
struct area compare_cell(const struct compare_layout *layout, int panel, size_t from, size_t to);

#endif
