/* compare.h: the compare view, for its own files: the same head on both sides as heat maps, and
 * what they differ by, next to each other; and the chart below them. */
#pragma once

#include "headlight/view/comparison.h"
#include "headlight/view/grid.h"

#define COMPARE_PANELS 3

/* Why there is no table or figure of a text alone. */
#define COMPARE_NOTHING                                                                            \
    "the compare view: expected a change of the network, --against, a word that stands twice or, " \
    "but for an encoder–decoder, two sentences, found nothing to compare"

/* One head on the left, on the right, or right − left, which has the right's tokens. Its rows are
 * SIDE_LEFT of tokens and cursor, its columns SIDE_RIGHT. */
struct compare_panel {
    const struct compare *all;
    enum side side;
    bool difference;
    const struct token_side *tokens[2];
    size_t cursor[2];     /* NO_TOKEN: none. Where none is chosen, the row is the word's */
    const float *weights; /* [T,S] of its side; NULL: there is no map */
    struct area area;     /* its first row is a title, its last one a line of numbers */
    struct grid grid;
};

/* The view as it is drawn. */
struct compare {
    const struct scene *scene;
    struct canvas *canvas;
    bool figure; /* nothing is under the cursor, and scales stand in place of numbers */
    struct comparison both;
    bool cells; /* false: only the titles and numbers of maps are drawn, and the chart */
    int panels; /* one where only one map is compared with itself, else two or three */
    struct compare_panel panel[COMPARE_PANELS];
    float largest;     /* of both maps: shades end there */
    float difference;  /* the largest of the third: see compare_scale */
    struct area words; /* beside a single panel */
    struct area chart; /* the first row is a heading; it has no others where there is no room */
};

/* What there is to draw; where it stands is left to compare.c. */
void compare_begin(struct compare *compare, const struct scene *scene, struct canvas *canvas);

/* The number with which the shades of the difference end. */
float compare_scale(const struct compare *compare);

/* The number of a cell; NaN where the sides have different tokens there. */
float compare_value(const struct compare_panel *panel, size_t from, size_t to);

/* Where a row is heaviest, or a difference largest, and the magnitude there. */
size_t compare_heaviest(const struct compare_panel *panel, size_t from, float *most);

/* Title, labels, cells and line of numbers, or why there are none. */
void compare_draw_panel(const struct compare_panel *panel);

/* The word on a side as the text shows it, with its place where it stands several times. */
struct token_name compare_word(const struct scene *scene, const struct comparison *both,
                               enum side side, bool ascii);

/* How alike a word is on both sides, layer by layer: a line chart of cosines with their numbers,
 * and the cosines of the last layers together. The first row is a heading; where there are no more,
 * it is all. */
void compare_draw_chart(const struct compare *compare);
