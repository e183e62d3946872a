/* model_view_layout.h: where the model view's thumbnails stand.
 *
 * Positions count dots from the canvas's edge: across, a dot is a cell; down, it is half a cell
 * where heat maps are drawn in colour, else a cell. The pitch is made up of the gap, in which the
 * cursor's frame is drawn, the picture's box, and the rows of text under it. Down, it is a whole
 * number of cells. */
#ifndef HEADLIGHT_VIEW_MODEL_VIEW_LAYOUT_H
#define HEADLIGHT_VIEW_MODEL_VIEW_LAYOUT_H

#include "headlight/view/scene.h"

#define MODEL_VIEW_DOTS_MIN 3 /* of the smallest thumbnail, on a side */

/* Rows down or columns across. */
struct model_view_axis {
    size_t cursor;
    size_t first, shown; /* rows or columns on screen */
    int start;           /* position of the first one */
    int pitch;           /* from one to the next */
    int gap;             /* before a box */
    int box;             /* the room for a picture */
    int dots;            /* what the picture takes, the same for each token */
};

struct model_view_layout {
    struct model_view_axis rows, columns;
    int per_row;          /* dots in the height of a cell */
    int text_rows;        /* under a picture: value or label; when sorted, the head as well */
    int id_width;         /* of the widest "3:5" */
    struct area grid;     /* with the numbers of its rows and columns */
    struct area enlarged; /* 0 columns: no room */
};

struct model_view_layout model_view_lay_out(const struct scene *scene, const struct canvas *canvas,
                                            struct area area);

/* The position of a row or column. */
int model_view_axis_at(const struct model_view_axis *axis, size_t index);

/* The cells of a box and its rows of text, without the gaps. */
struct area model_view_cells(const struct model_view_layout *layout, size_t row, size_t column);

/* The first row of text of a grid row. */
int model_view_text_y(const struct model_view_layout *layout, size_t row);

/* The most dots, up to `room`, of which each token gets the same number. */
int model_view_fit_dots(struct token_range range, int room);

/* Decimal digits of a number. */
int model_view_digits(size_t number);

#endif
