/* grid.h: rows and columns of cells with their labels, of which every view with a map in cells is
 * made: where all of it stands, for any number of tokens and any size of screen, how a cell shows a
 * weight, and arrows towards what is off screen. A view fills the cells:
 *
 *     grid_choose(&grid, &room, sizes, count);             the cells' size
 *     grid.row = grid_axis(tokens, boundary, y, rows, grid.cell.rows, cursor);
 *     ... grid_fill(canvas, grid_cell(&grid, from, to), hue, shade, crossing)
 *
 * A cell is shaded by its weight w, or by what the tone makes of it (edges.h), in thousandths.
 * Below 0.01 it is empty; above, its level is 2 + 13·√w, because most weights are small and
 * attention that is spread out must be visible too: 0.01 → 3, 0.05 → 5, 0.1 → 6, 0.25 → 9, 0.5 →
 * 11, 1 → 15. Where colours are few or missing, glyphs stand for 0.01, 0.2, 0.45 and 0.75 upwards.
 */
#pragma once

#include "headlight/view/scene.h"

/* ---- Where cells stand ---- */

/* A cell on screen: about square, as a character is twice as high as it is wide. */
struct grid_cell {
    int columns, rows;
};

/* Rows or columns: `size` characters apart, with a gap of one, and so many more, between two
 * sentences. */
struct grid_axis {
    struct token_range range, shown; /* all, and those on screen */
    size_t boundary;                 /* the token after the gap; 0: no gap on screen */
    int more;
    int origin, size;
};

struct grid {
    struct grid_cell cell;
    struct grid_axis row, column;
    int label_width, aside; /* columns of the row labels, and from there to the cells */
    int label_rows;         /* of the column labels */
    bool upright;           /* column labels are written downwards */
};

/* Places a range in `room` characters from `origin` on, with `anchor` in the middle as far as the
 * ends allow. */
struct grid_axis grid_axis(struct token_range range, size_t boundary, int origin, int room,
                           int size, size_t anchor);

/* The rows in which the tokens of a column stand, from row 0 of `rows` on: at an even pitch of at
 * most `step_max` when they are few, around the token `anchor` when they are many; the second also
 * in the middle of the rows, with a blank row before the second sentence if there is one left. */
struct grid_axis grid_column(struct token_range range, int rows, int step_max, size_t anchor);
struct grid_axis grid_column_centred(struct token_range range, size_t boundary, int rows,
                                     int step_max, size_t anchor);

/* What is shown of so many in so much room, around one of them: of any list that scrolls. */
struct token_range grid_window(size_t count, size_t room, size_t anchor);

/* Tokens of different widths: as many around one of them as there is room for, one more on either
 * side in turn. */
struct token_range grid_around(struct token_range all, size_t token, int room,
                               int (*columns)(const void *context, size_t token),
                               const void *context);

/* The first row or column of a token's cells on the canvas, also off screen; whether it is on
 * screen, which NO_TOKEN is not; and the row or column after the last cell on screen. */
int grid_at(const struct grid_axis *axis, size_t token);
bool grid_shows(const struct grid_axis *axis, size_t token);
int grid_stop(const struct grid_axis *axis);

struct area grid_cell(const struct grid *grid, size_t from, size_t to);

/* What a grid has to hold, and the characters there are for its cells and its column labels. */
struct grid_room {
    int columns, rows;
    size_t across, down;           /* tokens, */
    bool across_parts, down_parts; /* with a gap between two sentences */
    int widest, tallest;           /* columns of the widest label, rows of the tallest upright */
    int label_rows;                /* those may take so many, and at most GRID_LABEL_ROWS */
    int upright_below;             /* columns of a cell: in wider ones no label is upright */
    bool scrolls;                  /* cells of one row need not all fit */
};

/* Chooses the largest cells that all fit, else the smallest, and how column labels are written: in
 * a figure those that may be upright are turned, and take what they need. */
void grid_choose(struct grid *grid, const struct canvas *canvas, const struct grid_room *room,
                 const struct grid_cell *sizes, size_t count);

/* ---- Labels ---- */

#define GRID_LABEL_ROWS 8 /* the most that column labels take */

/* Rows of a label that is written downwards, where a leading ## takes one; of a figure, turned. */
int grid_upright_rows(const struct canvas *canvas, const char *label);

/* The label of a row (SIDE_LEFT) or a column. */
struct grid_label {
    struct token_name name;
    struct style style;
    size_t token; /* of the scene, for clicks; NO_TOKEN: none */
    bool pointed; /* ▸ or ▾ points at it */
};

/* Draws all of them as `label` gives them. Those written downwards that are cut end in "…" where
 * `whole` says that the whole of them is to be read elsewhere. `top` is the first row there is. */
typedef struct grid_label grid_label_of(const void *context, enum side axis, size_t token);
void grid_draw_labels(const struct grid *grid, struct canvas *canvas, int top, bool whole,
                      grid_label_of *label, const void *context);

/* Of a figure: what rows and columns are, beside their labels and above them. */
void grid_draw_axes(const struct grid *grid, struct canvas *canvas, const char *rows,
                    const char *columns);

/* A ramp of all levels of a cell, at even distances, between the numbers at its ends: up to 0 in
 * the one ink, if it has a level, and from 0 in the other; `middle` is the number of the level half
 * way, whose shade is a quarter (grid_level), or NULL. */
#define GRID_RAMP 8
void grid_draw_scale(struct pen *pen, struct ink below, struct ink above, const char *least,
                     const char *middle, const char *most);

/* Arrows where rows or columns lie beyond the screen; a figure then lacks room for them. */
void grid_draw_more(const struct grid *grid, struct canvas *canvas);

/* ---- Cells ---- */

#define GRID_NOTABLE 50 /* thousandths; labels and numbers below are faint */

/* The level of a weight in thousandths, 0 (empty) … STYLE_FULL. */
unsigned grid_level(unsigned weight);

/* The glyph of a weight in thousandths: 0 (blank) … 4 (full). */
unsigned grid_step(unsigned weight);

/* Whether glyphs show the shade, because there are too few colours to show it by brightness. */
bool grid_by_glyph(const struct canvas *canvas);

/* The style of text on a cell with a shade, bold in the cursor's row and column. */
struct style grid_style(const struct canvas *canvas, struct ink hue, unsigned shade, bool crossing);

/* Shades a cell by a weight in thousandths, in a hue. Returns that style. */
struct style grid_fill(struct canvas *canvas, struct area cell, struct ink hue, unsigned shade,
                       bool crossing);

/* An empty cell, which has a grey ground in the cursor's row and column where there are colours.
 * Returns the style of text on it. */
#define GRID_CROSSING ((struct ink){ROLE_TEXT, 2})
struct style grid_blank(struct canvas *canvas, struct area cell, bool crossing);

/* Writes into the middle of a cell. */
void grid_write(struct canvas *canvas, struct area cell, struct style style, const char *text);
