/* matrix_layout.h: where the matrix view's cells and labels stand, for any number of tokens and any
 * size of screen. The largest cells of which all fit are taken; the smallest ones scroll. */
#ifndef HEADLIGHT_VIEW_MATRIX_LAYOUT_H
#define HEADLIGHT_VIEW_MATRIX_LAYOUT_H

#include "headlight/draw/column.h"
#include "headlight/view/scene.h"

/* A cell on screen: about square, as a character is twice as high as it is wide. */
struct cell_size {
    int columns, rows;
};

/* One axis: its tokens stand `size` characters apart, but for a gap between two sentences. */
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
    bool upright;    /* column labels are written from top to bottom */
};

struct matrix_layout matrix_lay_out(const struct scene *scene, const struct canvas *canvas,
                                    struct area area);

/* The first row or column of a token's cells, on the canvas. */
int axis_at(const struct axis *axis, size_t token);

/* Whether a token is on screen; NO_TOKEN is not. */
bool axis_shows(const struct axis *axis, size_t token);

/* Past the last cell on screen. */
int axis_stop(const struct axis *axis);

/* The next piece of a label that is written from top to bottom: a glyph, but the ## of a word that
 * goes on side by side, so that it costs one row. Returns its columns, 0 at the end. */
int upright_next(struct text_reader *reader, bool first, struct glyph piece[2]);

/* Rows that a label takes when it is written from top to bottom. */
int upright_rows(const struct canvas *canvas, const char *label);

#endif
