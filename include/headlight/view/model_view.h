/* model_view.h: what the files of the model view share: where its thumbnails stand and what they
 * show, the heads in their order, and the figures under them.
 *
 * Positions count dots from the canvas's edge: across, a dot is a cell; down, it is half a cell
 * where heat maps are drawn in colour, else a cell. The pitch is made up of the gap, in which the
 * cursor's frame is drawn, the picture's box, and the rows of text under it. Down, it is a whole
 * number of cells.
 *
 * The grid has as many columns as a layer has heads; places count row by row from 0. A row is a
 * layer, unless the grid is sorted by a metric: then the heads of all layers follow in descending
 * order, by effect those first without which most is lost; or label by label, in the order of
 * METRICS. Heads without a number, or without a label, come last. */
#pragma once

#include "headlight/view/grid.h"
#include "headlight/view/views.h"

/* ---- Where thumbnails stand ---- */

#define MODEL_VIEW_DOTS_MIN 3 /* of the smallest thumbnail, on a side */

/* Rows down or columns across. */
struct model_view_axis {
    struct grid_axis at; /* of rows or columns; its size is the pitch */
    size_t cursor;       /* NO_TOKEN: none */
    int box;             /* the room for a picture */
    int dots;            /* what the picture takes, the same for each token */
};

/* The model view while it is drawn. */
struct model_view_sheet {
    const struct scene *scene;
    struct canvas *canvas; /* of a figure: maps are square, and nothing is under the cursor */
    struct area area;
    struct head_metrics metrics; /* of the head under the cursor; set when it is drawn */
    bool sorted;                 /* by a metric */
    bool folded;                 /* only the cursor's row has room for maps */
    bool banded;                 /* there are others, of an encoder–decoder */
    bool away;                   /* and the cursor is in another one */
    struct model_view_axis rows, columns;
    int per_row;          /* dots in the height of a cell */
    int text_rows;        /* under a picture: value or label; when sorted, the head as well */
    int id_width;         /* of the widest "3.5" */
    struct area grid;     /* with the numbers of its rows and columns; below a band's name */
    struct area enlarged; /* 0 columns: no room */
};

/* A head, and where the box of its thumbnail begins, in dots. */
struct thumbnail {
    size_t layer, head;
    int top, left, rows; /* of the box; -1: only its text is shown */
    bool cursor, on;
};

struct model_view_sheet model_view_lay_out(const struct scene *scene, struct canvas *canvas,
                                           struct area area);

/* Draws the thumbnails and the cursor's frame. */
void model_view_draw_grid(const struct model_view_sheet *sheet);

/* Draws one of the head under the cursor that fills the area. */
void model_view_draw_large(const struct model_view_sheet *sheet, struct area area);

/* Whether a head is among several that are on, or there is nothing to tell them apart by. */
bool model_view_is_on(const struct look *look, size_t head);

/* The style of the number of a layer or a head. */
struct style model_view_number_style(bool cursor, bool on);

/* Decimal digits of a number. */
int model_view_digits(size_t number);

/* ---- What thumbnails show (thumbnails.c) ----
 * The largest weight of each dot (heat.h), or the heads' strongest edges. Making them reads every
 * weight of every layer, too much for one frame when the text is long. So they are made for all
 * heads at once, by all threads of the pool, and kept as long as they fit. */

/* The dots or the edges of a number of heads. */
struct thumbnails;

/* Makes those of `count` heads from head layer·A + head on; all: 0 and L·A. NULL without memory.
 * Free with thumbnails_free. */
struct thumbnails *thumbnails_new(const struct model_view_sheet *sheet, size_t first, size_t count);

/* Makes a store of all heads anew unless it has what the sheet needs. */
void thumbnails_keep(struct thumbnails **store, const struct model_view_sheet *sheet);

/* Accepts NULL. */
void thumbnails_free(struct thumbnails *store);

/* Draws one of them, dim unless it is on. */
void thumbnails_draw(const struct thumbnails *store, const struct model_view_sheet *sheet,
                     const struct thumbnail *thumbnail);

/* Lines without words, for any number of tokens: from the attending tokens, dots one below the
 * other on the left edge, to the attended ones on the right edge. Only the strongest lines are
 * drawn, so that the pattern shows. */

/* The least weight of a line, in thousandths: the same for all, unless the look has a threshold of
 * its own, or shows shares of rows, of which each has a line to show. */
#define THUMBNAIL_LINES_LEAST 100
unsigned thumbnail_lines_least(const struct scene *scene);

/* The most lines of a head in so many rows of cells: one for every second row of dots, as more
 * would leave no ground between them. */
static inline size_t thumbnail_lines_most(int rows)
{
    return 2 * (size_t)rows;
}

/* Chooses a head's lines, heaviest first, from its weights [R,C] into edges
 * [thumbnail_lines_most], whose `head` is 0. False without memory. */
bool thumbnail_lines_choose(const struct scene *scene, const float *weights, int rows,
                            struct edge *edges, size_t *count);

/* ---- The attentions of an encoder–decoder side by side (bands.c) ---- */

/* What the sites besides the one shown show, the map and the tokens that it has; and the thumbnails
 * of all that were drawn. */
struct bands {
    struct map *map[SITE_COUNT]; /* NULL of the site shown, and of one that there isn't */
    struct attention *attention[SITE_COUNT];
    struct thumbnails *thumbnails[SITE_ONLY + 1];
};

/* The checkpoint is that of all sites; NULL: of a recording. STATUS_MEMORY. Free with bands_free,
 * which accepts NULL. */
enum status bands_new(const struct data *data, const struct checkpoint *checkpoint,
                      struct bands **bands, struct error *error);
void bands_free(void *bands);

/* The scene of one of the sites; false where there is no such site. All but the site shown have
 * neither cursor nor figures. */
bool bands_scene(const struct scene *scene, enum site site, struct scene *band);

/* ---- Heads and their figures (model_view_figures.c) ---- */

/* What the numbers under the thumbnails are: the look's metric, or those of the chosen pair. */
enum metric model_view_metric(const struct scene *scene);

/* Whether a metric is chosen and measured. */
bool model_view_has_metric(const struct scene *scene);

/* Its value for a head. */
double model_view_value(const struct scene *scene, size_t layer, size_t head);

/* Whether the grid is sorted by a metric. */
bool model_view_is_sorted(const struct scene *scene);

/* The heads at all places, [L·A], by the thousandths of the metric, or of what is lost: so that the
 * last bits of a float decide nothing. The caller's to free; NULL without memory. */
struct ranked_head *model_view_sort(const struct scene *scene, struct error *error);

/* The place of one head there, 0 … L·A-1. */
size_t model_view_place(const struct scene *scene, size_t layer, size_t head);

/* A head's label; the metrics need to be measured. */
struct head_label model_view_label(const struct scene *scene, size_t layer, size_t head);

/* Why this text's heads have no such metric: nothing is answered, no other model is there, or
 * places of two texts would be compared. */
enum status model_view_check(const struct data *data, enum metric metric, struct error *error);

/* The metric measured apart from the others that the cursor's head has room for; METRIC_NONE: there
 * is none. */
enum metric model_view_apart(const struct scene *scene);

/* Any metric of the head under the cursor. */
double model_view_cursor_value(const struct model_view_sheet *sheet, enum metric metric);

/* Blue where the piece is likelier without the head, orange where it is less likely; bold where
 * that is a large change. */
struct style model_view_effect_style(double change);

/* The unit of a metric; of effects on a score none. */
const char *model_view_unit(const struct scene *scene, enum metric metric);

/* Prints what the grid shows, or what the numbers under its thumbnails mean. */
void model_view_print_legend(const struct scene *scene, struct pen *pen);
