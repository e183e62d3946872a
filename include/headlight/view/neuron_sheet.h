/* neuron_sheet.h: what the files of the neuron view share. Left to right, as far as there is room:
 *
 *     token   query q   key k   q × k   score   softmax   value v   a × v        panel
 *
 * Where that is too wide, value, a × v and their sum stand below the keys for the chosen pair
 * alone.
 *
 * The arrangement is the first that fits of a list in order of preference (neuron_layout.c). The
 * rows are drawn in neuron.c; what surrounds them in neuron_frame.c: headings, the chosen query and
 * the marks of the dimension above, the legend and the line of numbers below. */
#pragma once

#include "headlight/lens/dimensions.h"
#include "headlight/view/grid.h"

#define NEURON_SCORE_WIDTH   7 /* "+123.45", "q·k/√64" */
#define NEURON_HEADING_WIDTH 7 /* "softmax", above … */
#define NEURON_NUMBER_WIDTH  5 /* … "0.421" */

/* The bands, from left to right. The first three share a scale, so that they can be compared. */
enum neuron_band { BAND_QUERY, BAND_KEY, BAND_PRODUCT, BAND_VALUE, BAND_WEIGHTED, BANDS };

/* A neuron view while it is drawn. */
struct neuron_sheet {
    const struct scene *scene;
    struct canvas *canvas;
    struct area whole;  /* of the view */
    struct area area;   /* without the panel */
    struct area panel;  /* the list of dimensions; no columns: none */
    struct area tokens; /* the rows of the keys */
    struct grid_axis column;
    struct attending at; /* the chosen query */
    size_t key;          /* whose numbers are printed: the chosen one, or the heaviest */
    size_t heaviest;     /* the key with the largest weight */
    size_t cursor;       /* the dimension under the cursor; NO_TOKEN: none */
    bool same;           /* queries and keys are the same tokens: each row is both */
    bool keys, values;   /* which sides are shown; neither: the recording lacks what is needed */
    int above_y;         /* row of the chosen query, where it has no column; -1: none */
    int mark_y;          /* row of the marks of the dimension */
    int below_y;         /* row of Σ a·v, or of the chosen pair's headings; -1: none */
    int more_y;          /* row below the tokens that says how many follow; -1: none */
    int band_rows;

    /* Left edges; -1 for what is not shown. Numbers are right-aligned in their width. */
    int label_x, label_width, mark_x;
    int band_x[BANDS];
    int score_x, softmax_x, softmax_width;
    int name_x;           /* the key's label beside its weight */
    int bar_x, bar_width; /* bar_width is 0 when there is no room */
    int band_width;       /* cells */

    size_t first, count, per_cell; /* the dimensions on screen, and in a cell */

    struct band_scale scale[BANDS]; /* of a×v also that of Σ */
    float *vector;                  /* [D] working space */
    float *context;                 /* [D] Σ a·v */
};

/* Finds the query and the key that are chosen, of a sheet that has nothing but a scene. */
void neuron_choose(struct neuron_sheet *sheet);

/* Places everything in the whole area of a sheet that has nothing but scene, canvas and whole. */
void neuron_lay_out(struct neuron_sheet *sheet);

/* In columns, or below the keys for the chosen pair. */
static inline bool neuron_has_values(const struct neuron_sheet *sheet)
{
    return sheet->values || sheet->below_y >= 0;
}

/* The weight of a key for the chosen query, in thousandths. */
unsigned neuron_weight(const struct neuron_sheet *sheet, size_t key);

/* Draws the dimensions on screen of values [D]; nothing if x is -1. */
void neuron_draw_band(const struct neuron_sheet *sheet, int y, int x, int rows, const float *values,
                      struct band_scale scale);

/* Draws a token's label in the column of labels. */
void neuron_draw_label(const struct neuron_sheet *sheet, int y, struct style style,
                       const char *label);

/* The style of what is chosen, on this ground; a figure has none. */
struct style neuron_chosen(const struct neuron_sheet *sheet, enum role ground);

void neuron_draw_headings(const struct neuron_sheet *sheet);

/* The names of the sentences beside their first tokens; how many tokens are above and below those
 * on screen. */
void neuron_draw_beside(const struct neuron_sheet *sheet);

/* The row above the last: how a number becomes a colour. */
void neuron_draw_legend(const struct neuron_sheet *sheet);

/* The last row of the area: the current pair, and the dimension under the cursor. */
void neuron_draw_numbers(const struct neuron_sheet *sheet);

/* ---- The panel (contributions.c): the dimensions of one pair of tokens by what they contribute
 * ----
 *
 *     dim      q      k     q×k              dim      v      Σ     a×v
 *      17  +3.12  +2.50   +7.80 █████         17 +0.312 +0.250  +0.131 █████ */

#define CONTRIBUTIONS_COLUMNS 31

/* Lists query, key and the products that make up the score or, with `valued`, value, context and
 * weighted value; the layer must have what is listed. */
void contributions_draw(const struct neuron_sheet *sheet, bool valued);
