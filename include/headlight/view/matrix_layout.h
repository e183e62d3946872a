/* matrix_layout.h: where the matrix view's cells and labels stand, for any number of tokens and any
 * size of screen. The largest cells that all fit are chosen; where none do, the smallest scroll. */
#ifndef HEADLIGHT_VIEW_MATRIX_LAYOUT_H
#define HEADLIGHT_VIEW_MATRIX_LAYOUT_H

#include "headlight/draw/column.h"
#include "headlight/view/scene.h"

/* A cell on screen: about square, as a character is twice as high as it is wide. */
struct cell_size {
    int columns, rows;
};

/* One axis: its tokens are `size` characters apart, with a gap of one between two sentences. */
struct axis {
    struct column column; /* its rows are cells of the matrix */
    size_t first, end;    /* tokens on screen */
    size_t boundary;      /* the token after the gap; 0: no gap on screen */
    int origin, size;
};

struct matrix_layout {
    struct cell_size cell;
    struct axis row, column;
    int label_width; /* of the row labels */
    int label_rows;  /* of the column labels */
    bool upright;    /* column labels are written downwards */
};

struct matrix_layout matrix_lay_out(const struct scene *scene, const struct canvas *canvas,
                                    struct area area);

/* The first row or column of a token's cells, on the canvas. */
int axis_at(const struct axis *axis, size_t token);

/* Whether a token is on screen; NO_TOKEN is not. */
bool axis_shows(const struct axis *axis, size_t token);

/* The row or column after the last cell on screen. */
int axis_stop(const struct axis *axis);

/* The next row of a label that is written downwards: one glyph, but a leading ## stays together to
 * save a row. Returns its columns, 0 at the end. */
int upright_next(struct text_reader *reader, bool first, struct glyph piece[2]);

/* Rows that a label takes when it is written downwards. */
int upright_rows(const struct canvas *canvas, const char *label);

#endif
