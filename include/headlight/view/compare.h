/* compare.h: the parts of the compare view: the same head on both sides as heat maps, and what they
 * differ by, next to each other; and the chart below them. */
#ifndef HEADLIGHT_VIEW_COMPARE_H
#define HEADLIGHT_VIEW_COMPARE_H

#include "headlight/view/comparison.h"
#include "headlight/view/grid.h"

#define COMPARE_PANELS 3

/* The left side, the right side, and right − left, which has the right's tokens. */
struct compare_panel {
    struct area area; /* its first row is a title, its last one a line of numbers */
    struct grid grid;
};

struct compare_layout {
    int panels; /* one where only one map is compared with itself, else two or three */
    struct compare_panel panel[COMPARE_PANELS];
    struct area words; /* beside a single panel */
    struct area chart; /* the first row is a heading; it has no others where there is no room */
};

static inline enum side compare_side(int panel)
{
    return panel == 0 ? SIDE_LEFT : SIDE_RIGHT;
}

/* The token of a side that has the cursor, as a row and as a column; or NO_TOKEN. Where none is
 * chosen, the row is the word's. */
size_t compare_row(const struct scene *scene, const struct comparison *comparison, enum side side);
size_t compare_column(const struct scene *scene, const struct comparison *comparison,
                      enum side side);

/* The largest weights of both sides' maps, with which their shades end, and the largest difference.
 */
struct compare_scale {
    float weight, difference;
};

struct compare_scale compare_measure(const struct scene *scene,
                                     const struct comparison *comparison);

/* Where a row of a side's map is heaviest; NO_TOKEN without a map. */
size_t compare_heaviest(const struct scene *scene, const struct comparison *comparison,
                        enum side side, size_t from);

void compare_draw_maps(const struct scene *scene, struct canvas *canvas,
                       const struct comparison *comparison, const struct compare_layout *layout,
                       const struct compare_scale *scale);

/* How alike a word is on both sides, layer by layer: a line chart of cosines with their numbers,
 * and the cosines of the last layers together. The first row is a heading; where there are no more,
 * it is all. STATUS_MEMORY. */
enum status compare_draw_chart(const struct scene *scene, struct canvas *canvas, struct area area,
                               const struct comparison *comparison, struct error *error);

#endif
