/* model_view.h: what the files of the model view share: where its thumbnails stand, the heads in
 * their order, and the figures under them.
 *
 * Positions count dots from the canvas's edge: across, a dot is a cell; down, it is half a cell
 * where heat maps are drawn in colour, else a cell. The pitch is made up of the gap, in which the
 * cursor's frame is drawn, the picture's box, and the rows of text under it. Down, it is a whole
 * number of cells.
 *
 * The grid has as many columns as a layer has heads; places count row by row from 0. A row is a
 * layer, unless the grid is sorted by a metric: then the heads of all layers follow in descending
 * order, by effect those first without which most is lost; or label by label, in the order of
 * HEAD_LABELS. Heads without a number, or without a label, come last. */
#ifndef HEADLIGHT_VIEW_MODEL_VIEW_H
#define HEADLIGHT_VIEW_MODEL_VIEW_H

#include "headlight/model/config.h"
#include "headlight/view/grid.h"

/* ---- Where thumbnails stand ---- */

#define MODEL_VIEW_DOTS_MIN 3 /* of the smallest thumbnail, on a side */

/* Rows down or columns across. */
struct model_view_axis {
    struct grid_axis at; /* of rows or columns; its size is the pitch */
    size_t cursor;
    int gap;  /* before a box */
    int box;  /* the room for a picture */
    int dots; /* what the picture takes, the same for each token */
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

/* The most dots, up to `room`, of which each token gets the same number. */
int model_view_fit_dots(struct token_range range, int room);

/* Draws the thumbnails and the cursor's frame. STATUS_MEMORY. */
enum status model_view_draw_grid(const struct scene *scene, struct canvas *canvas,
                                 const struct model_view_layout *layout, struct error *error);

/* The style of the number of a layer or a head. */
struct style model_view_number_style(bool cursor, bool on);

/* Decimal digits of a number. */
int model_view_digits(size_t number);

/* ---- Heads and their figures ---- */

#define MODEL_VIEW_HEADS_MAX (CONFIG_LAYERS_MAX * CONFIG_HEADS_MAX)

struct model_view_head {
    size_t layer, head;
    long key; /* thousandths of the metric, or of what is lost, where the grid is sorted by it */
};

/* Whether a metric is chosen and measured. */
bool model_view_has_metric(const struct scene *scene);

/* Its value for a head. */
double model_view_value(const struct scene *scene, size_t layer, size_t head);

/* Whether the grid is sorted by a metric. */
bool model_view_is_sorted(const struct scene *scene);

/* The heads at all places, [L·A]. Metrics are rounded to thousandths first, so that the last bits
 * of a float decide nothing; equal ones are in the order of layer, head. */
void model_view_sort(const struct scene *scene, struct model_view_head heads[MODEL_VIEW_HEADS_MAX]);

/* The place of one head, 0 … L·A-1, and the head at one place. */
size_t model_view_place(const struct scene *scene, size_t layer, size_t head);
struct model_view_head model_view_at(const struct scene *scene, size_t place);

/* Whether labels are the figure that is chosen, and measured. */
bool model_view_is_labelled(const struct scene *scene);

/* A head's label; the metrics need to be measured. */
struct head_label model_view_label(const struct scene *scene, size_t layer, size_t head);

/* How many rows labels take under thumbnails: a name and its number side by side or, where that is
 * too wide, one above the other; when sorted, after or under the head. */
#define MODEL_VIEW_LABEL_ROWS 3
int model_view_label_rows(const struct scene *scene, const struct model_view_layout *layout);

/* The layout's rows of text under one thumbnail, in ASCII and no wider than its box: "previous
 * .86", "prev .86", or when sorted "3:5 prev .86". Rows are empty for a head without a label. */
struct model_view_label_text {
    char rows[MODEL_VIEW_LABEL_ROWS][80];
};

struct model_view_label_text model_view_label_text(const struct scene *scene,
                                                   const struct model_view_layout *layout,
                                                   size_t layer, size_t head);

/* Prints "previous token 0.864 on this text", or "previous 0.86" where that would leave less than
 * `kept` columns; nothing without a label. */
void model_view_label_print(struct pen *pen, const struct head_metrics *metrics, int kept);

/* Any metric of the head under the cursor, which has these others. */
double model_view_cursor_value(const struct scene *scene, const struct head_metrics *metrics,
                               enum metric metric);

/* Blue where the piece is likelier without the head, orange where it is less likely; bold where
 * that is a large change. */
struct style model_view_effect_style(double change);

/* Prints what the grid shows, or what the numbers under its thumbnails mean. */
void model_view_print_legend(const struct scene *scene, struct pen *pen);

/* The line of numbers, of the head under the cursor: where it is, its metric, its strongest edge.
 */
void model_view_numbers(const struct scene *scene, struct canvas *canvas, struct area area,
                        const struct head_metrics *metrics);

#endif
